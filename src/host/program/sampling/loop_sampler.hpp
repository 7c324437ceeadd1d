// Loops of programs that are carried out a few times, and charged without being carried out then.
#pragma once

#include <link.h>
#include <signal.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/time.hpp"
#include "host/program/loading/elf_memory.hpp"
#include "host/program/sampling/code_loops.hpp"
#include "host/program/sampling/code_state.hpp"
#include "host/program/sampling/exit_state.hpp"
#include "host/program/sampling/loop_costs.hpp"
#include "host/program/sampling/loop_limits.hpp"
#include "host/rank/host_params.hpp"

namespace heddle::host {

class Rank;
class Thread;

/// What is said after a run of a loop that was left out now and then, or would have been if its
/// costs were alike.
struct SampledLoop {
  std::string place;
  std::uint64_t run = 0;       ///< Times that it was carried out.
  std::uint64_t left_out = 0;  ///< Times that it was not.
  Time charged;                ///< For those.
  Time error;                  ///< That may be wrong by so much, either way, with 95 %.
  std::uint64_t checks = 0;    ///< Times that it was carried out to see what it costs by then.
  double off = 0;              ///< By such a part was what was expected more than that.
  std::uint64_t noticed = 0;   ///< Times that something went on in another way than before.
  bool repeats = true;
};

/// Finds loops without calls of the simulator in programs that are loaded, sets traps at their
/// heads, and leaves them out once it knows what they cost and how code goes on behind them. Their
/// results are then not computed. Each rank goes through a loop twice at least, and of the runs
/// that might be left out some are carried out, by chance, to compare. What is charged for others
/// is what one of those cost that were carried out, by chance, too: means would have no rank wait
/// for another that happens to take longer.
class LoopSampler {
 public:
  /// `limits.least` is worked out here.
  LoopSampler(const LoopLimits& limits, const HostParams& params, std::uint64_t seed);
  ~LoopSampler();
  LoopSampler(const LoopSampler&) = delete;
  LoopSampler& operator=(const LoopSampler&) = delete;

  /// Whether this kind of processor can have the traps.
  static bool possible();

  /// Has the loops of an object come to us that was read from `file`, and has this code.
  void take(const link_map& object, const std::string& file, std::span<const AddressRange> code);
  /// From now on, as long as this lives: of one at a time.
  void handle_traps();
  /// Those that cost something worth it, the most expensive first.
  std::vector<SampledLoop> report() const;

 private:
  struct OfRank;
  struct Loop;
  struct Code;
  struct Copy;
  struct Active;

  static void on_signal(int signal, siginfo_t* info, void* context);
  bool on_trap(std::uint64_t place, void* context);
  const Copy* copy_at(std::uint64_t place) const;
  const Code& code_of(const link_map& object, const std::string& file);
  void show(const Copy& copy, std::uint64_t place) const;
  bool stands(const Copy& copy, std::uint64_t offset) const;
  void come_to_head(const Copy& copy, Loop& loop, void* context);
  RandomStream chance_of(const Loop& loop, std::uint32_t rank, OfRank& of) const;
  void leave_out(Loop& loop, double cost, const CodeState& before, const ExitState& exit,
                 const Copy& copy, void* context);
  void begin(const Copy& copy, Loop& loop, const LoopCosts::Run& run, CodeState before,
             double check);
  void end(std::uint64_t place, const void* context);
  void learn(Active& active, const CodeState& after, std::uint64_t offset, double cost);
  void drop_active();
  bool counts(const Loop& loop) const;
  double now(const Loop& loop, const CodeState& state) const;
  void charge(double cost) const;
  Time time(double cost) const;

  LoopLimits limits_;
  HostParams params_;
  RandomStream chance_;
  std::map<std::string, std::unique_ptr<Code>> codes_;
  std::map<std::uint64_t, Copy> copies_;  ///< By their ends.
  std::unique_ptr<Active> active_;        ///< What is being carried out, if anything.
  bool handles_ = false;
  struct sigaction before_ = {};
};

}  // namespace heddle::host
