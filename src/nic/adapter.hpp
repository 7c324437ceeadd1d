// One adapter: its engines, and what they share.
#pragma once

#include "nic/adapter_map.hpp"
#include "nic/arrivals.hpp"
#include "nic/command_queues.hpp"
#include "nic/completion.hpp"
#include "nic/contexts.hpp"
#include "nic/match_engine.hpp"
#include "nic/reliability.hpp"
#include "nic/statistics.hpp"
#include "nic/transmitter.hpp"

namespace heddle::nic {

/// Puts the engines together. A message finds those at its two ends here; what each does is its own
/// affair.
class alignas(64) Adapter {
 public:
  /// All must outlive the adapter.
  Adapter(AdapterId id, const Services& services, const Costs& costs, IdleTimers& idle_timers);

  /// Takes a request of a process of this adapter's.
  void issue(Exchange& exchange);

  CommandQueues& command_queues() { return command_queues_; }
  Transmitter& transmitter() { return transmitter_; }
  MatchEngine& match_engine() { return match_engine_; }
  Completion& completion() { return completion_; }
  Reliability& reliability() { return reliability_; }
  AdapterStatistics& statistics() { return statistics_; }
  const AdapterStatistics& statistics() const { return statistics_; }

  // A step is near: these fetch from memory what it needs, without looking into any of it; a little
  // later expect_...() look into what has been fetched.

  /// Of sending or receiving the message, which is from or to here.
  void foresee_sending(const Message& message) const;
  void foresee_receiving(const Message& message) const;
  void expect_sending(const Message& message) const;
  void expect_receiving(const Message& message) const;
  /// Of the end of the message's transmission, where its engine may take up the next.
  void expect_next(const Message& message) const;
  /// Of a command.
  void foresee_command(const Exchange& exchange) const;
  void expect_command(const Exchange& exchange) const;

 private:
  // A line of the cache for each row: what steps touch together lies together.
  CommandQueues command_queues_;

  Arrivals arrivals_;  ///< By the other adapter and the kind of virtual network.
  Completion completion_;

  AdapterStatistics statistics_;

  Transmitter transmitter_;
  MatchEngine match_engine_;
  Reliability reliability_;
  Contexts contexts_;
};

}  // namespace heddle::nic
