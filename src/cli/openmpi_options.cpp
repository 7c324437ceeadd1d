#include "cli/openmpi_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "processes/process_program.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// Numbers of jobs have a family in their upper half; one of each is enough here.
constexpr std::uint32_t kJob = (1U << 16) + 1;
constexpr const char* kVariable = "OMPI_MCA_";

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The first line that a command prints, or nothing if it fails.
std::string line_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  if (pclose(pipe) != 0) return "";
  return text.substr(0, text.find('\n'));
}

/// Where the headers of Portals are, beside the library: in the build tree or where it is
/// installed.
std::string include_folder(const fs::path& library) {
  const fs::path installed = library.parent_path() / "../../../include/heddle";
  if (fs::exists(installed / "portals4.h")) return installed.string();
  return HEDDLE_INCLUDE;
}

/// The folder of the components that come with Open MPI: beside those of ours.
std::string installed_components() {
  return line_of("ompi_info --path pkglibdir --parsable 2>/dev/null | sed 's/.*://'");
}

bool sets(const std::string& variable, const std::string& name) {
  return variable.starts_with(kVariable + name + "=");
}

}  // namespace

std::string openmpi_components() {
  const std::string library = processes::preloaded_library();
  const std::string script = fs::path(library).parent_path() / "openmpi-components";
  const std::string command =
      fmt::format("{} {} {}", quoted(script), quoted(include_folder(library)), quoted(library));
  const std::string folder =
      std::system(command.c_str()) == 0 ? line_of(quoted(script) + " --where") : "";
  if (folder.empty())
    throw RunError("Open MPI's components for Portals 4 could not be built, as said above");
  return folder;
}

void OpenMpiOptions::add_to(CommandLine line) {
  line.add_option("--mca", variables_,
                  "A variable of Open MPI's, such as coll_tuned_use_dynamic_rules=1")
      .type_name("NAME=VALUE")
      .check(not_empty())
      .one_at_a_time();
  line.add_option("--over", over_,
                  "What carries messages: Portals' matching (mtl) or Open\nMPI's own (btl)")
      .type_name("mtl|btl")
      .check(one_of({"mtl", "btl"}))
      .show_default();
  line.add_option("--osc", osc_, "The component for windows")
      .type_name("NAME")
      .check(not_empty())
      .show_default();
  line.add_flag("--offload", coll_, "Collectives by triggered operations, coll/portals4");
  line.add_flag(
      "--shared-memory", shared_memory_,
      "Ranks of a node talk through its memory, which takes\nno simulated time; with --over btl");
}

std::vector<std::string> OpenMpiOptions::words() const {
  std::vector<std::string> words = {"--over", over_, "--osc", osc_};
  for (const std::string& variable : variables_) words.insert(words.end(), {"--mca", variable});
  if (coll_) words.emplace_back("--offload");
  if (shared_memory_) words.emplace_back("--shared-memory");
  return words;
}

std::vector<std::string> OpenMpiOptions::environment() const {
  const std::string components = openmpi_components();
  std::vector<std::pair<std::string, std::string>> variables = {
      {"mca_base_component_path", components + ":" + installed_components()},
      {"pmix", "flux"},
      {"btl_base_warn_component_unused", "0"},
      {"btl_vader_single_copy_mechanism", "none"},
      {"osc", osc_},
      {"coll", coll_ ? "" : "^portals4"}};
  if (coll_) variables.back() = {"coll_portals4_priority", "100"};
  if (over_ == "mtl") {
    variables.insert(variables.end(), {{"pml", "cm"}, {"mtl", "portals4"}});
  } else {
    variables.insert(
        variables.end(),
        {{"pml", "ob1"}, {"btl", shared_memory_ ? "portals4,self,vader" : "portals4,self"}});
  }
  if (shared_memory_) variables.emplace_back("mpi_yield_when_idle", "1");
  std::vector<std::string> words = {fmt::format("FLUX_JOB_ID={}", kJob),
                                    "FLUX_PMI_LIBRARY_PATH=" + processes::preloaded_library()};
  for (const auto& [name, value] : variables) words.push_back(kVariable + name + "=" + value);
  for (const std::string& variable : variables_) {
    const std::string name = variable.substr(0, variable.find('='));
    std::erase_if(words, [&](const std::string& word) { return sets(word, name); });
    words.push_back(kVariable + variable);
  }
  return words;
}

}  // namespace heddle::cli
