// What comes out of runs of traffic, and who looks on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/link_use.hpp"
#include "traffic/estimate.hpp"
#include "traffic/flow_statistics.hpp"
#include "traffic/injector.hpp"
#include "traffic/latencies.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::traffic {

/// What one run measured: of the window in an open loop, of everything otherwise.
struct TrafficResult {
  std::optional<Load> load;      ///< Of an open loop.
  std::uint64_t messages = 0;    ///< Created in the measured time and finished.
  std::uint64_t unfinished = 0;  ///< Created in the measured time, not finished when the run ended.
  Bytes bytes;                   ///< Of `messages`.
  LatencySummary latency;        ///< From a message's creation to the receiver's knowing, or to the
                                 ///< end of the run: then the figures are lower bounds.
  Time measured;                 ///< Length of the measured time.
  Time warm_up;      ///< Of an open loop: the time before it; of several seeds the longest.
  Time last_finish;  ///< The makespan, where nothing is sent before the measured time.
  std::uint32_t senders = 0;
  Bytes offered;   ///< Bytes created in the measured time.
  Bytes accepted;  ///< Bytes that arrived in the measured time, of whole messages or not.
  network::PacketCounts packets;  ///< That arrived in the measured time, in a model with packets.
  network::Losses losses;         ///< In all of the run.
  double injection = 0;           ///< What all senders could inject, in bytes per second.
  bool saturated = false;         ///< An open loop that does not deliver what it is offered.
  /// Of an open loop: of the mean latency in ps, not known where it has no limit, and of the
  /// accepted bytes per second. From batches of the window, or from the seeds where there are
  /// several.
  Estimate mean_latency;
  Estimate accepted_rate;
  std::vector<FlowGroup> flows;           ///< Of `messages`, if slowdowns are measured.
  std::int64_t seeds = 1;                 ///< Runs that were put together.
  std::vector<network::LinkUse> busiest;  ///< Most utilised first.
  // Where each link is looked at alone.
  std::uint32_t links_simulated = 0;
  std::uint32_t links_alike = 0;  ///< That were not, being like one of these.
  std::uint64_t events = 0;
  std::uint64_t fingerprint = 0;
  double wall_seconds = 0;  ///< Of the computer that simulated it.
  std::size_t threads = 1;  ///< That shared the nodes.
  std::string why_fewer;    ///< Than were asked for: a reason for people; or empty.

  double accepted_per_second() const { return per_second(accepted); }
  double offered_per_second() const { return per_second(offered); }
  /// Part of what all senders could inject; 0 where that has no limit.
  double fraction(double bytes_per_second) const {
    return injection == 0 ? 0 : bytes_per_second / injection;
  }

 private:
  double per_second(Bytes n) const {
    return measured == Time::zero() ? 0 : static_cast<double>(n.count()) / measured.seconds();
  }
};

/// How far a run is.
struct RunProgress {
  double done = 0;  ///< Of all runs of the sweep, 0 to 1.
  std::uint64_t events = 0;
  std::string run = {};  ///< Which of them: "load 3 of 9"; "" if there is one only.
};

/// Who looks on while runs go by.
class RunWatcher : public MessageSink {
 public:
  /// A run begins; both stay until it has ended.
  virtual void begins(const network::Network& network, const Injector& injector) = 0;
  /// After an event.
  virtual void passes(Time now) = 0;
  /// The run is over.
  virtual void ends(Time now) = 0;

 protected:
  ~RunWatcher() = default;
};

/// What is wanted besides the results; none of it changes them.
struct TrafficWatch {
  std::size_t top_links = 5;
  MessageSink* messages = nullptr;                             ///< Every message that finishes.
  std::function<void(const RunProgress&)> progress = nullptr;  ///< Called now and then.
  /// Runs of an open loop that are simulated at once, in processes of their own if it is more than
  /// one and nobody wants every message.
  std::size_t jobs = 1;
  /// Threads that share the nodes of a run over links; at most.
  std::size_t threads = 1;
  /// A thread with fewer nodes, on the average, would rather wait for others than work.
  std::uint32_t least_nodes = 64;
  /// Windows of time with fewer events, on the average, are left to one thread.
  std::uint64_t least_events = 256;
  /// Looks on at the last run, at least: with several at once it is that one only.
  RunWatcher* watcher = nullptr;
};

/// An open loop whose accepted traffic falls below this part of the offered, and by more than a
/// message of each sender, is saturated. So is one whose messages do not all arrive.
inline constexpr double kSaturatedBelow = 0.95;

}  // namespace heddle::traffic
