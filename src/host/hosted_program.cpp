#include "host/hosted_program.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "host/guarded_memory.hpp"
#include "host/process.hpp"
#include "host/swap_program.hpp"

namespace heddle::host {
namespace {

/// Up to so many ranks a copy each is quick to load, and switching between them costs nothing.
constexpr std::uint32_t kFewRanks = 64;
/// Beyond so many, loading copies takes minutes and the kernel's mappings run out.
constexpr std::uint32_t kMostCopies = 4096;
/// Globals up to this size are quicker exchanged than loaded anew.
constexpr std::size_t kSmallGlobals = 64 * 1024;

/// A copy of the program for each rank.
class CopiedProgram final : public HostedProgram {
 public:
  CopiedProgram(const ProgramConfig& config, const ProgramFiles& files) : HostedProgram(config) {
    copies_.reserve(config.ranks);
    for (std::uint32_t i = 0; i < config.ranks; ++i) copies_.emplace_back(files);
  }
  const LoadedProgram& loaded(const Rank& rank) const override { return copies_[index(rank.id())]; }
  Privatization privatization() const override { return Privatization::copies; }
  AddressSpace& memory(Rank&) override { return memory_; }

 private:
  std::vector<LoadedProgram> copies_;
  GuardedMemory memory_;
};

/// One copy whose globals all ranks share.
class SharedProgram final : public HostedProgram {
 public:
  SharedProgram(const ProgramConfig& config, const ProgramFiles& files)
      : HostedProgram(config), loaded_(files) {}
  const LoadedProgram& loaded(const Rank&) const override { return loaded_; }
  Privatization privatization() const override { return Privatization::none; }
  AddressSpace& memory(Rank&) override { return memory_; }

 private:
  LoadedProgram loaded_;
  GuardedMemory memory_;
};

Privatization chosen(const ProgramConfig& config, const ProgramFiles& files) {
  if (config.privatize != Privatization::automatic) return config.privatize;
  if (config.ranks <= kFewRanks) return Privatization::copies;
  const bool small = files.size_of_globals() <= kSmallGlobals;
  return small || config.ranks > kMostCopies ? Privatization::swap : Privatization::copies;
}

/// A system call, because raise() is the program's simulated one.
void stop_for_debugger() {
  syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGTRAP);
}

}  // namespace

HostedProgram::HostedProgram(const ProgramConfig& config)
    : arguments_(config.arguments),
      environment_(environ),
      folder_(std::filesystem::current_path()) {
  arguments_.insert(arguments_.begin(), config.path);
}

/// Never unwound: an exception that a program does not catch ends it as anywhere else.
int HostedProgram::run(Rank& rank) {
  [&]() noexcept {
    Process& process = rank.begin_process(*this);
    const LoadedProgram& program = loaded(rank);
    if (stopped_ == rank.id()) stop_for_debugger();
    program.construct(process.argc(), process.argv(), environ);
    process.exit(program.main(process.argc(), process.argv(), environ));
  }();
  return 0;
}

std::unique_ptr<HostedProgram> load_program(const ProgramConfig& config) {
  const ProgramFiles files = read_program(config.path);
  switch (chosen(config, files)) {
    case Privatization::swap:
      return make_swap_program(config, files);
    case Privatization::none:
      return std::make_unique<SharedProgram>(config, files);
    default:
      return std::make_unique<CopiedProgram>(config, files);
  }
}

}  // namespace heddle::host
