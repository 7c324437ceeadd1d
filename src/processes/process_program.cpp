#include "processes/process_program.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/error.hpp"
#include "host/program/loading/elf_file.hpp"

extern char** environ;

namespace heddle::processes {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libportals.so.4";
constexpr const char* kPreload = "LD_PRELOAD=";

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// What the file of a program says of it. Scripts say nothing.
struct Traits {
  bool is_static = false;      ///< It loads no libraries.
  bool reads_counter = false;  ///< It may read the processor's counter itself.
  std::string before_all;      ///< The library that must come before all others, if there is one.
};

Traits traits_of(const std::string& program) {
  Traits traits;
  try {
    const host::ElfFile file(program);
    traits.is_static = file.is_static();
    traits.reads_counter = file.memory().may_read_counter();
    for (const std::string& name : file.needed()) {
      if (name.starts_with("libasan.so")) traits.before_all = name;
    }
  } catch (const InputError&) {
    return {};
  }
  return traits;
}

/// What all ranks find, with what they are preloaded by.
std::vector<std::string> environment(const ProcessConfig& config, const Traits& traits) {
  std::vector<std::string> variables;
  std::string preload = kPreload + traits.before_all;
  if (!traits.before_all.empty()) preload += ":";
  preload += preloaded_library();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with(kPreload)) {
      preload += ":" + std::string(text.substr(std::strlen(kPreload)));
    } else {
      variables.emplace_back(text);
    }
  }
  variables.push_back(preload);
  variables.insert(variables.end(), config.environment.begin(), config.environment.end());
  return variables;
}

/// The kernel starts nothing else, and would say so in every rank.
bool can_be_started(const std::string& file) {
  std::array<char, 4> begin{};
  std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
  const std::string_view text(begin.data(), begin.size());
  return text == "\177ELF" || text.starts_with("#!");
}

std::string program_file(const std::string& name) {
  std::string found = find_program(name);
  if (!found.empty()) {
    if (can_be_started(found)) return found;
    throw InputError({name},
                     "it cannot be started: accepted are programs of Linux (ELF) and "
                     "scripts whose first line begins with #!");
  }
  throw InputError({name}, name.find('/') == name.npos
                               ? "no such program in the folders of PATH"
                               : "there is no such program, or it may not be executed");
}

/// Each process has two pipes.
void allow_files(std::uint32_t ranks) {
  constexpr rlim_t kOthers = 256;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = std::min(limit.rlim_max, rlim_t{2} * ranks + kOthers);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Lets the end of a process interrupt a wait for its calls.
void notice_ends() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGCHLD, &action, nullptr);
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != name.npos) return is_program(name) ? name : "";
  // As `heddle run` has always taken it: a file of the working folder needs no "./".
  if (is_program(name)) return "./" + name;
  const char* folders = std::getenv("PATH");
  std::string folder;
  for (std::istringstream list(folders == nullptr ? "" : folders);
       std::getline(list, folder, ':');) {
    const fs::path place = fs::path(folder.empty() ? "." : folder) / name;
    if (is_program(place)) return place.string();
  }
  return "";
}

std::string preloaded_library() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder : {program / "processes", program / "../lib/heddle/processes"}) {
    if (fs::exists(folder / kLibrary)) return fs::canonical(folder / kLibrary).string();
  }
  throw RunError("the library for ranks that are processes is not where it should be, in '" +
                 (program / "processes").string() + "' or in '" +
                 (program / "../lib/heddle/processes").lexically_normal().string() +
                 "'; in a folder that heddle was built in, `make build` builds it");
}

ProcessProgram::ProcessProgram(const ProcessConfig& config)
    : first_rank_(config.first_rank), channels_(config.ranks), crew_(config.parallel) {
  ChildConfig child;
  child.program = program_file(config.path);
  const Traits traits = traits_of(child.program);
  if (traits.is_static) {
    throw InputError({config.path},
                     "it is linked statically: ranks that are processes ask the simulator through "
                     "a library, so accepted are programs that load their libraries");
  }
  child.environment = environment(config, traits);
  child.arguments.push_back(config.path);
  child.arguments.insert(child.arguments.end(), config.arguments.begin(), config.arguments.end());
  allow_files(config.ranks);
  notice_ends();
  const bool counts = config.counts || traits.reads_counter;
  for (std::uint32_t r = 0; r < config.ranks; ++r) {
    channels_[r].circumstances.counts = counts;
    child.process = &channels_[r].process;
    child.input = first_rank_ + r == 0;
    child.environment.push_back(std::string(kChannelVariable) + "=" +
                                std::to_string(channels_.file()) + ":" + std::to_string(r));
    processes_.push_back(
        std::make_unique<RankProcess>(child, channels_[r], crew_, config.max_step));
    child.environment.pop_back();
    child.group = processes_.front()->child().group();
  }
}

ProcessProgram::~ProcessProgram() = default;

Time ProcessProgram::processor_time() const {
  const host::Rank& rank = *host::current_rank();
  return processes_[index(rank.id()) - first_rank_]->processor_time();
}

}  // namespace heddle::processes
