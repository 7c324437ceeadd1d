#include "host/program/load_program.hpp"

#include <cstdlib>
#include <deque>
#include <optional>
#include <utility>

#include "host/memory/guarded_memory.hpp"
#include "host/memory/kept_once.hpp"
#include "host/memory/low_addresses.hpp"
#include "host/program/loading/raw_system_calls.hpp"
#include "host/program/swap_program.hpp"

namespace heddle::host {
namespace {

/// Up to so many ranks a copy each is quick to load, and switching between them costs nothing.
constexpr std::uint32_t kFewRanks = 64;
/// Beyond so many, loading copies takes minutes and the kernel's mappings run out.
constexpr std::uint32_t kMostCopies = 4096;
/// Globals up to this size are quicker exchanged than loaded anew.
constexpr std::size_t kSmallGlobals = 64 * 1024;

/// Copies of files larger than this altogether take too much memory.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
/// What threads have at their start for libraries that are loaded later.
constexpr std::size_t kStaticThreadLocals = 1024;

/// A copy of the program for each rank.
class CopiedProgram final : public HostedProgram {
 public:
  CopiedProgram(const ProgramConfig& config, const ProgramFiles& files)
      : HostedProgram(config, files) {
    copies_.reserve(config.ranks);
    KeptOnce* const kept = config.patches.kept;
    if (kept != nullptr && config.ranks > 1) shared_.emplace(*kept);
    for (std::uint32_t i = 0; i < config.ranks; ++i) {
      copies_.emplace_back(files, config.patches, shared_ ? &*shared_ : nullptr);
    }
    if (shared_) add_globals(*kept, config.first_rank);
  }
  const LoadedProgram& loaded(const Rank& rank) const override { return copies_[place(rank)]; }
  Privatization privatization() const override { return Privatization::copies; }
  AddressSpace& memory(Rank&) override { return memories_.emplace_back(); }

 private:
  /// What copies have at the same place has the same row.
  void add_globals(KeptOnce& kept, std::uint32_t first_rank) const {
    for (std::size_t g = 0; g < copies_.front().globals().size(); ++g) {
      const std::uint32_t row = kept.new_row();
      for (std::uint32_t i = 0; i < copies_.size(); ++i) {
        kept.add_globals(first_rank + i, row, copies_[i].globals()[g]);
      }
    }
  }

  std::optional<SharedPages> shared_;  ///< If there are several.
  std::vector<LoadedProgram> copies_;
  std::deque<GuardedMemory> memories_;  ///< By rank: who writes is to know whose it is.
};

/// One copy whose globals all ranks share: the first rank constructs them, the last to end destroys
/// them.
class SharedProgram final : public HostedProgram {
 public:
  SharedProgram(const ProgramConfig& config, const ProgramFiles& files)
      : HostedProgram(config, files), loaded_(files, config.patches), ranks_(config.ranks) {}
  const LoadedProgram& loaded(const Rank&) const override { return loaded_; }
  Privatization privatization() const override { return Privatization::none; }
  AddressSpace& memory(Rank&) override { return memory_; }
  void construct(Process& process, const Rank& rank) override {
    if (std::exchange(constructed_, true)) return;
    constructing_ = true;
    HostedProgram::construct(process, rank);
    constructing_ = false;
  }
  void destruct(const Rank& rank) override {
    if (++ended_ < ranks_) return;
    for (; !handlers_.empty(); handlers_.pop_back()) handlers_.back().run(0);
    HostedProgram::destruct(rank);
  }
  /// Destructors are told their object, functions of atexit() nothing.
  bool takes(const ExitHandler& handler) override {
    const bool takes = constructing_ || (handler.plain != nullptr && handler.argument != nullptr);
    if (takes) handlers_.push_back(handler);
    return takes;
  }

 private:
  LoadedProgram loaded_;
  GuardedMemory memory_;
  std::uint32_t ranks_;
  std::uint32_t ended_ = 0;
  bool constructed_ = false;
  bool constructing_ = false;
  std::vector<ExitHandler> handlers_;  ///< Of shared globals.
};

Privatization chosen(const ProgramConfig& config, const ProgramFiles& files) {
  if (config.privatize != Privatization::automatic) return config.privatize;
  if (config.ranks * files.static_thread_locals() > kStaticThreadLocals ||
      config.ranks * files.size() > kMostBytes) {
    return Privatization::swap;
  }
  if (config.ranks <= kFewRanks) return Privatization::copies;
  const bool small = files.size_of_globals() <= kSmallGlobals;
  return small || config.ranks > kMostCopies ? Privatization::swap : Privatization::copies;
}

/// Threads of OpenMP must not spin before they wait, and cannot wait where the kernel does not show
/// us how they do.
void prepare_openmp(const ProgramFiles& files) {
  if (!files.uses_openmp()) return;
  setenv("GOMP_SPINCOUNT", "0", 1);
  if (!RawSystemCalls::visible()) setenv("OMP_THREAD_LIMIT", "1", 1);
}

}  // namespace

std::unique_ptr<HostedProgram> load_program(const ProgramConfig& config) {
  const ProgramFiles files = read_program(config.path, config.private_libraries);
  prepare_openmp(files);
  const LowAddresses low;
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
