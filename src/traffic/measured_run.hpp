// What every kind of loop does: a simulation with its network, driven and measured.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "network/network_fingerprint.hpp"
#include "traffic/flow_statistics.hpp"
#include "traffic/idle_times.hpp"
#include "traffic/injector.hpp"
#include "traffic/open_loops.hpp"
#include "traffic/settling.hpp"
#include "traffic/traffic_result.hpp"
#include "traffic/workload.hpp"

namespace heddle::traffic {

/// Collects what the result says of the messages, and passes them on.
class Recorder final : public MessageSink {
 public:
  /// `idle` is null where slowdowns are not wanted.
  Recorder(Window window, const TrafficWatch& watch, IdleReference* idle)
      : window_(window),
        idle_(idle),
        also_(watch.messages),
        watcher_(watch.watcher),
        batches_(window.begin, window.end) {}

  void message_finished(const MessageRecord& record) override {
    last_finish_ = std::max(last_finish_, record.finished);
    if (record.finished < window_.begin) {
      warm_up_.add(static_cast<double>((record.finished - record.created).ps()));
    }
    if (window_.contains(record.created)) {
      ++finished_;
      latencies_.add(record.finished - record.created);
      batches_.add(record.created, static_cast<double>((record.finished - record.created).ps()));
      bytes_ += record.size;
      if (idle_ != nullptr) {
        flows_.add(record.size, record.finished - record.created, idle_->of(record), record.kind);
      }
    }
    if (also_ != nullptr) also_->message_finished(record);
    if (watcher_ != nullptr) watcher_->message_finished(record);
  }

  /// A message created then has not finished by `now`: it takes longer than that.
  void message_unfinished(Time created, Time now) {
    if (window_.contains(created)) latencies_.add(now - created);
  }
  /// Another window, later than now, as the one so far is.
  void move_to(Window window) {
    window_ = window;
    batches_ = BatchMeans(window.begin, window.end);
  }
  /// Whether the latencies before the window have settled.
  bool settled() const { return warm_up_.settled(); }
  /// Ends the window at `end`; to be called before it is later than that.
  void close(Time end) { window_.end = end; }

  std::uint64_t finished() const { return finished_; }
  Time last_finish() const { return last_finish_; }
  /// Of the mean latency of messages of the window, in ps.
  Estimate mean_latency() const { return batches_.estimate(); }
  void fill(TrafficResult& result) const {
    result.messages = finished_;
    result.unfinished = latencies_.count() - finished_;
    result.bytes = bytes_;
    result.latency = latencies_.summary();
    result.last_finish = last_finish_;
    result.flows = flows_.groups();
  }

 private:
  Window window_;
  IdleReference* idle_;
  MessageSink* also_;
  RunWatcher* watcher_;
  Latencies latencies_;
  FlowStatistics flows_;
  BatchMeans batches_;
  SettlingSeries warm_up_;  ///< Latencies before the window.
  std::uint64_t finished_ = 0;
  Bytes bytes_;
  Time last_finish_;
};

/// The sweep: what all of its runs share.
struct Sweep {
  const TrafficConfig& config;
  const platform::Platform& platform;
  std::string_view network;
  const Settings& settings;
  const TrafficWatch& watch;
  std::size_t runs = 1;
  std::size_t runs_done = 0;
  std::uint64_t events_done = 0;
  bool in_own_process = false;  ///< Beside others.

  std::string name() const {
    return runs < 2 ? "" : "load " + std::to_string(runs_done + 1) + " of " + std::to_string(runs);
  }

  void report(double done_of_run, std::uint64_t events) const {
    if (!watch.progress) return;
    const double done =
        (static_cast<double>(runs_done) + std::min(done_of_run, 1.0)) / static_cast<double>(runs);
    watch.progress({done, events_done + events, name()});
  }
};

/// One simulation with its network, and the loop that drives it.
class Run {
 public:
  /// All must outlive it.
  Run(const Sweep& sweep, const std::vector<NodeId>& senders, Workload& workload, Window window)
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
  void start_counting() {
    span_.before = network_->carried();
    delivered_before_ = network_->delivered();
    packets_before_ = network_->packets_arrived();
  }
  /// ... to here, which is so much later. What else is known of links is of this instant, too.
  void stop_counting(Time measured) {
    span_.after = network_->carried();
    accepted_ = delivered();
    packets_ = network_->packets_arrived();
    packets_ -= packets_before_;
    busiest_ = network::busiest_links(
        sweep_.platform, *network_, {span_.before, span_.after, measured}, sweep_.watch.top_links);
  }
  /// Bytes since start_counting().
  Bytes delivered() const { return network_->delivered() - delivered_before_; }
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

  const Recorder& recorder() const { return recorder_; }

  /// Everything but what only an open loop knows.
  TrafficResult result(Time measured, std::uint32_t senders) const {
    if (watcher_ != nullptr) watcher_->ends(simulation_.now());
    TrafficResult result;
    recorder_.fill(result);
    result.accepted = accepted_;
    result.packets = packets_;
    result.losses = network_->losses();
    result.measured = measured;
    result.senders = senders;
    result.busiest = busiest_;
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
  Recorder recorder_;
  Injector injector_;
  RunWatcher* watcher_;
  network::LinkSpan span_;
  std::vector<network::LinkUse> busiest_;
  Bytes delivered_before_;
  network::PacketCounts packets_before_;
  network::PacketCounts packets_;
  Bytes accepted_;
};

}  // namespace heddle::traffic
