// What the jobs of one simulation share.
#pragma once

#include <cstddef>

#include "core/simulation.hpp"
#include "host/rank/processor_use.hpp"
#include "host/rank/waiters.hpp"

namespace heddle::host {

class RankSite;
class RankStreams;
class SampledFunctions;

/// Whose globals are in the memory that ranks take turns in.
class GlobalsTurn {
 public:
  /// The rank's code runs next.
  void enter(RankSite& rank);
  /// Nobody's does.
  void leave();

 private:
  RankSite* inside_ = nullptr;
};

/// One simulation as all of its jobs see it, however many share the machine: only one rank's code
/// runs at a time, and what waits by looking may look at what ranks of another job do.
class SharedRun {
 public:
  GlobalsTurn& turn() { return turn_; }
  /// Those that wait by looking.
  Waiters& waiters() { return waiters_; }
  const Waiters& waiters() const { return waiters_; }

  /// Who adds up what ranks compute on this computer, or null: nobody does. It must outlive them.
  ProcessorUse* processor_use() const { return processor_use_; }
  void set_processor_use(ProcessorUse* use) { processor_use_ = use; }
  /// A look at a clock is charged, by one event.
  void saw_clock() {
    if (processor_use_ != nullptr) processor_use_->saw_clock();
  }

  /// Functions of its programs that are not run every time, or null. They must outlive it.
  SampledFunctions* sampled() const { return sampled_; }
  void set_sampled(SampledFunctions* functions) { sampled_ = functions; }

  /// Where its ranks write, or null: as anybody else.
  RankStreams* streams() const { return streams_; }
  void set_streams(RankStreams* streams) { streams_ = streams; }

  /// As long as it lives, a thread has looked in vain and will look again by itself.
  class Poller {
   public:
    explicit Poller(SharedRun& run) : pollers_(run.pollers_) { ++pollers_; }
    ~Poller() { --pollers_; }
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;

   private:
    std::size_t& pollers_;
  };
  /// Whether nothing is left to happen but that pollers look again.
  bool only_pollers(const Simulation& simulation) const { return simulation.pending() <= pollers_; }

 private:
  GlobalsTurn turn_;
  Waiters waiters_;
  std::size_t pollers_ = 0;
  ProcessorUse* processor_use_ = nullptr;
  SampledFunctions* sampled_ = nullptr;
  RankStreams* streams_ = nullptr;
};

}  // namespace heddle::host
