#include "cli/run/openmpi_options.hpp"

#include <fmt/core.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/held_signals.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "processes/process_program.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// Numbers of jobs have a family in their upper half; one of each is enough here.
constexpr std::uint32_t kJob = (1U << 16) + 1;
constexpr const char* kVariable = "OMPI_MCA_";
constexpr const char* kEagerLimit = "32768";  ///< That of btl/portals4, as it comes.

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

/// What is wrong with the value of --mca.
std::string assigns_variable(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != text.npos && equals > 0) return "";
  return in_quotes(text) + " is not accepted: accepted is NAME=VALUE";
}

/// Ctrl-C ends what this program waits for, and so this program.
void check_interrupted(int status) {
  constexpr int kSignalled = 128;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const bool ended = (WIFSIGNALED(status) && WTERMSIG(status) == signal) ||
                       (WIFEXITED(status) && WEXITSTATUS(status) == kSignalled + signal);
    if (ended) throw Interrupted(signal);
  }
}

bool sets(const std::string& variable, const std::string& name) {
  return variable.starts_with(kVariable + name + "=");
}

}  // namespace

std::string openmpi_components() {
  const std::string library = processes::preloaded_library();
  const std::string script = fs::path(library).parent_path() / "openmpi-components";
  const std::string command =
      fmt::format("{} {} {}", shell_quoted(script), shell_quoted(include_folder(library)),
                  shell_quoted(library));
  const int status = std::system(command.c_str());
  check_interrupted(status);
  std::string folder = status == 0 ? line_of(shell_quoted(script) + " --where") : "";
  if (folder.empty()) {
    throw RunError("Open MPI's components for Portals 4 could not be built, as said above");
  }
  return folder;
}

void OpenMpiOptions::add_to(CommandLine line) {
  line.add_option("--mca", variables_,
                  "A variable of Open MPI's, such as coll_tuned_use_dynamic_rules=1")
      .type_name("NAME=VALUE")
      .check(assigns_variable)
      .one_at_a_time();
  line.add_option("--over", over_,
                  "What carries messages: Portals' matching (mtl) or Open\nMPI's own (btl)")
      .type_name("mtl|btl")
      .check(one_of({"mtl", "btl"}))
      .show_default();
  line.add_option("--osc", osc_, "The component for windows: portals4 or pt2pt")
      .type_name("NAME")
      .check(one_of({"portals4", "pt2pt"}))
      .default_text("portals4, with --over btl pt2pt");
  line.add_flag("--offload", coll_, "Collectives by triggered operations, coll/portals4");
  line.add_flag(
      "--shared-memory", shared_memory_,
      "Ranks of a node talk through its memory, which takes\nno simulated time; with --over btl");
}

std::vector<std::string> OpenMpiOptions::words() const {
  std::vector<std::string> words = {"--over", over_};
  if (!osc_.empty()) words.insert(words.end(), {"--osc", osc_});
  for (const std::string& variable : variables_) words.insert(words.end(), {"--mca", variable});
  if (coll_) words.emplace_back("--offload");
  if (shared_memory_) words.emplace_back("--shared-memory");
  return words;
}

std::string OpenMpiOptions::value_of(const std::string& name, const std::string& usual) const {
  std::string value = usual;
  for (const std::string& variable : variables_) {
    if (variable.starts_with(name + "=")) value = variable.substr(name.size() + 1);
  }
  return value;
}

/// What carries messages, and windows, and collectives.
std::vector<Variable> OpenMpiOptions::components() const {
  const bool mtl = over_ == "mtl";
  std::vector<Variable> variables = {{"osc", !osc_.empty() ? osc_
                                             : mtl         ? "portals4"
                                                           : "pt2pt"},
                                     {"btl_base_warn_component_unused", "0"},
                                     {"btl_vader_single_copy_mechanism", "none"}};
  const auto add = [&](const Variable& variable) { variables.push_back(variable); };
  add(coll_ ? Variable{"coll_portals4_priority", "100"} : Variable{"coll", "^portals4"});
  add({"pml", mtl ? "cm" : "ob1"});
  if (mtl) add({"mtl", "portals4"});
  if (!mtl) {
    add({"btl", shared_memory_ ? "portals4,self,vader" : "portals4,self"});
    // It appends no entry for fragments beyond its limit for eager messages, which it may send.
    add({"btl_portals4_max_send_size", value_of("btl_portals4_eager_limit", kEagerLimit)});
  }
  // Who looks into shared memory in vain makes no call that would let time pass.
  if (shared_memory_) add({"mpi_yield_when_idle", "1"});
  return variables;
}

std::vector<std::string> OpenMpiOptions::environment() {
  if (shared_memory_ && over_ != "btl") {
    throw InputError({"--shared-memory"},
                     "matching by Portals goes through adapters: accepted with --over btl");
  }
  std::vector<Variable> variables = components();
  variables.emplace_back("mca_base_component_path",
                         openmpi_components() + ":" + installed_components());
  variables.emplace_back("pmix", "flux");
  scratch_.emplace();
  variables.emplace_back("orte_tmpdir_base", scratch_->path());
  // What ranks of a node share goes with the run, too, however it ends.
  variables.emplace_back("btl_vader_backing_directory", scratch_->path());
  std::vector<std::string> words = {fmt::format("FLUX_JOB_ID={}", kJob),
                                    "FLUX_PMI_LIBRARY_PATH=" + processes::preloaded_library(),
                                    std::string(processes::kUptimeVariable) + "=1"};
  for (const auto& [name, value] : variables) {
    words.push_back(fmt::format("{}{}={}", kVariable, name, value));
  }
  // What the user says comes last, and so counts.
  for (const std::string& variable : variables_) {
    const std::string name = variable.substr(0, variable.find('='));
    std::erase_if(words, [&](const std::string& word) { return sets(word, name); });
    words.push_back(kVariable + variable);
  }
  return words;
}

}  // namespace heddle::cli
