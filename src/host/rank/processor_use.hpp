// Processor time that ranks take on this computer in their own code.
#pragma once

#include <cstdint>
#include <vector>

#include "core/fiber.hpp"
#include "core/time.hpp"
#include "host/rank/host_params.hpp"

namespace heddle::host {

class ThreadSite;

/// What ranks compute here, whatever that costs on the simulated machine. Whoever looks now and
/// then, as Ticker does, says whose own code it found running and how much
/// processor time has passed since its last look: nothing is to be done between looks. No result
/// depends on it.
///
/// Where computation takes no simulated time, a program that repeats something until the clock has
/// moved on never ends: it is told of, once, when ranks have computed for a quarter of
/// `host.spin_patience` while nothing happened but looks at the clock.
class ProcessorUse {
 public:
  /// `max_step` is the processor time without a call that ends the run; zero: none does.
  ProcessorUse(std::uint32_t ranks, const HostParams& params, Time max_step);

  ProcessorUse(const ProcessorUse&) = delete;
  ProcessorUse& operator=(const ProcessorUse&) = delete;

  /// A thread whose own code was found running.
  struct Found {
    const ThreadSite* thread;
    std::uint32_t rank;    ///< As the recording numbers it.
    std::uint64_t events;  ///< That have happened so far.
    Time now;              ///< Simulated.
    const WaitReason& name;
  };
  /// That it was, at `place`, `passed` after the look before; in a signal's handler. Answers
  /// whether that has gone on for too long.
  bool computed(const Found& found, const void* place, Time passed);
  /// What the thread has done since its last call was waiting.
  void waited(const ThreadSite& thread);
  /// A rank that is a process is running outside of calls, for `passed` more; `stretch` since its
  /// last.
  void computed_outside(const Found& found, Time passed, Time stretch);
  /// A rank has computed for `taken` on a thread beside the simulator's.
  void computed_aside(std::uint32_t rank, Time taken) { of(rank) += taken; }
  Time max_step() const { return max_step_; }
  /// A look at a clock was charged, by one event.
  void saw_clock() { ++looks_; }

  struct Totals {
    Time all;
    Time busiest;  ///< Of the rank that took most.
  };
  /// Of so many ranks, as the recording numbers them.
  Totals totals(std::uint32_t first, std::uint32_t ranks) const;

 private:
  /// Looks that found the same thread, and nothing that happened in between.
  struct Stretch {
    const ThreadSite* thread = nullptr;
    std::uint32_t rank = 0;
    std::uint64_t events = 0;
    Time time;
  };
  /// A time in which nothing happened but looks at the clock.
  struct Standstill {
    std::uint64_t events = 0;  ///< Other than those.
    Time since;                ///< Simulated.
    Time time;                 ///< That ranks computed for.
  };

  bool stands_still(const Standstill& still, Time now) const;
  void tell(const std::string& who, const std::string& place, Time computed, Time now);
  Time& of(std::uint32_t rank);

  std::uint64_t looks_ = 0;
  bool free_;  ///< Computation takes no simulated time.
  Time patience_;
  Time max_step_;
  std::vector<Time> by_rank_;
  Stretch stretch_;
  Standstill still_;
  bool told_ = false;
};

}  // namespace heddle::host
