// What every kind of loop does: a simulation with its network, driven and measured.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/network_fingerprint.hpp"
#include "traffic/idle_times.hpp"
#include "traffic/injector.hpp"
#include "traffic/message_recorder.hpp"
#include "traffic/open_loops.hpp"
#include "traffic/sweep.hpp"
#include "traffic/traffic_result.hpp"
#include "traffic/window_counts.hpp"
#include "traffic/workload.hpp"

namespace heddle::traffic {

/// One simulation with its network, and the loop that drives it.
class MeasuredRun {
 public:
  /// All must outlive it.
  MeasuredRun(const Sweep& sweep, const std::vector<NodeId>& senders, Workload& workload,
              Window window)
      : sweep_(sweep),
        senders_(senders),
        simulation_(static_cast<std::uint64_t>(sweep.config.seed)),
        network_(network::make_network(sweep.network, simulation_, sweep.platform, sweep.settings)),
        recorder_(window, sweep.watch, idle_for(sweep)),
        injector_(simulation_, sweep.platform, *network_, workload, recorder_, sweep.config.from),
        watcher_(sweep.watch.watcher) {
    if (watcher_ != nullptr) watcher_->begins(*network_, injector_);
  }

  /// Nodes begin to send.
  void begin() {
    for (const NodeId node : senders_) injector_.add_sender(node);
  }

  /// Fires events while `more()`, reporting `done()` now and then.
  template <class More, class Done>
  void run_while(More more, Done done) {
    constexpr int kEventsPerReport = 1 << 12;  // Some models take 0.1 ms for an event.
    for (;;) {
      for (int i = 0; i < kEventsPerReport; ++i) {
        if (!more() || !simulation_.step()) return;
        if (watcher_ != nullptr) watcher_->passes(simulation_.now());
      }
      sweep_.report(done(), simulation_.events_fired());
    }
  }

  /// Fires everything up to `end`, of a run that is over at `total`.
  void run_until(Time end, Time total) {
    run_while([&] { return simulation_.next_time() <= end; },
              [&] { return simulation_.now().seconds() / total.seconds(); });
    simulation_.run_until(end);
  }

  /// Fires everything there is, in a run of which `total` messages are expected.
  void run_to_end(std::uint64_t total) {
    run_while(
        [] { return true; },
        [&] { return static_cast<double>(recorder_.finished()) / static_cast<double>(total); });
  }

  /// Goes on, with traffic as before, until all messages of the window have arrived, to the end of
  /// that instant, but not beyond `last`. True if they have.
  bool drain(const OpenLoops& loops, std::size_t senders, Time last) {
    const auto drained = [&] {
      return loops.nodes_past_window() == senders &&
             recorder_.finished() == loops.offered_messages();
    };
    run_while(
        [&] {
          const Time next = simulation_.next_time();
          return next <= last && !(next > simulation_.now() && drained());
        },
        [&] { return simulation_.now().seconds() / last.seconds(); });
    return drained();
  }

  /// Bytes are counted from here (or the beginning) ...
  void start_counting() { counts_.start(*network_, network_->delivered()); }
  /// ... to here, which is so much later. What else is known of links is of this instant, too.
  void stop_counting(Time measured) {
    counts_.stop(sweep_.platform, *network_, network_->delivered(), measured,
                 sweep_.watch.top_links);
  }
  /// Bytes since start_counting().
  Bytes delivered() const { return counts_.since_start(network_->delivered()); }
  /// Another window, later than now, as the one so far is.
  void move_to(Window window) { recorder_.move_to(window); }
  /// No messages but those created before `end` are measured.
  void close(Time end) { recorder_.close(end); }
  /// Ends the traffic, with those of the messages created before `end` that have not arrived.
  void count_unfinished(Time end) {
    for (const Time created : injector_.take_unfinished(end)) {
      recorder_.message_unfinished(created, simulation_.now());
    }
  }

  /// Throws if messages are left and no event is; the error begins with `where`.
  void check_all_moves(const std::string& where = "") {
    if (simulation_.next_time() != Time::never()) return;
    if (const std::string problem = network_->stuck(); !problem.empty()) {
      throw RunError(where + problem);
    }
  }

  /// Throws if some of the messages under way would never arrive even if no others followed, as
  /// none do after count_unfinished(): where the network is one that can get stuck, everything
  /// under way is let through.
  void check_rest_moves(const Load& load) {
    if (network_->stuck().empty()) return;
    run_while([] { return true; }, [] { return 1.0; });
    check_all_moves("at load " + load.text() + ": ");
  }

  const MessageRecorder& recorder() const { return recorder_; }

  /// Everything but what only an open loop knows.
  TrafficResult result(Time measured, std::uint32_t senders) const {
    if (watcher_ != nullptr) watcher_->ends(simulation_.now());
    TrafficResult result;
    recorder_.fill(result);
    counts_.fill(result);
    result.losses = network_->losses();
    result.measured = measured;
    result.senders = senders;
    result.events = simulation_.events_fired();
    result.fingerprint = network::fingerprint_of(*network_, simulation_);
    return result;
  }

 private:
  IdleTimes* idle_for(const Sweep& sweep) {
    const TrafficConfig& config = sweep.config;
    if (!config.measures_slowdown()) return nullptr;
    return &idle_.emplace(sweep.platform, sweep.network, sweep.settings, config.seed, config.from);
  }

  const Sweep& sweep_;
  const std::vector<NodeId>& senders_;
  Simulation simulation_;
  std::unique_ptr<network::Network> network_;
  std::optional<IdleTimes> idle_;
  MessageRecorder recorder_;
  Injector injector_;
  RunWatcher* watcher_;
  WindowCounts counts_;
};

}  // namespace heddle::traffic
