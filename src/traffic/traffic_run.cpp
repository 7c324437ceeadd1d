#include "traffic/traffic_run.hpp"

#include <algorithm>
#include <chrono>

#include "traffic/pattern.hpp"

namespace heddle::traffic {
namespace {

constexpr double kPicosecondsPerSecond = 1e12;
constexpr Time kLongest = Time::s(3600);  ///< Of a phase, and of a node's mean interval.

/// Collects what the result says of the messages, and passes them on.
class Recorder final : public MessageSink {
 public:
  Recorder(Window window, MessageSink* also) : window_(window), also_(also) {}

  void message_finished(const MessageRecord& record) override {
    last_finish_ = std::max(last_finish_, record.finished);
    if (window_.contains(record.created)) {
      ++finished_;
      latencies_.add(record.finished - record.created);
      bytes_ += record.size;
    }
    if (also_ != nullptr) also_->message_finished(record);
  }

  /// A message created then has not finished by `now`: it takes longer than that.
  void message_unfinished(Time created, Time now) {
    if (window_.contains(created)) latencies_.add(now - created);
  }
  /// Ends the window at `end`; to be called before it is later than that.
  void close(Time end) { window_.end = end; }

  std::uint64_t finished() const { return finished_; }
  Time last_finish() const { return last_finish_; }
  void fill(TrafficResult& result) const {
    result.messages = finished_;
    result.unfinished = latencies_.count() - finished_;
    result.bytes = bytes_;
    result.latency = latencies_.summary();
    result.last_finish = last_finish_;
  }

 private:
  Window window_;
  MessageSink* also_;
  Latencies latencies_;
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

  void report(double done_of_run, std::uint64_t events) const {
    if (!watch.progress) return;
    const double done =
        (static_cast<double>(runs_done) + std::min(done_of_run, 1.0)) / static_cast<double>(runs);
    watch.progress({done, events_done + events});
  }
};

/// One simulation with its network, and the loop that drives it.
class Run {
 public:
  Run(const Sweep& sweep, Workload& workload, Window window)
      : sweep_(sweep),
        simulation_(static_cast<std::uint64_t>(sweep.config.seed)),
        network_(network::make_network(sweep.network, simulation_, sweep.platform, sweep.settings)),
        recorder_(window, sweep.watch.messages),
        injector_(simulation_, sweep.platform, *network_, workload, recorder_, sweep.config.from) {}

  void add_sender(NodeId node) { injector_.add_sender(node); }

  /// Fires events while `more()`, reporting `done()` now and then.
  template <class More, class Done>
  void run_while(More more, Done done) {
    constexpr int kEventsPerReport = 1 << 12;  // Some models take 0.1 ms for an event.
    for (;;) {
      for (int i = 0; i < kEventsPerReport; ++i) {
        if (!more() || !simulation_.step()) return;
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

  /// Bytes are counted from here (or the beginning) ...
  void start_counting() {
    span_.before = network_->carried();
    delivered_before_ = network_->delivered();
  }
  /// ... to here.
  void stop_counting() {
    span_.after = network_->carried();
    accepted_ = delivered();
  }
  /// Bytes since start_counting().
  Bytes delivered() const { return network_->delivered() - delivered_before_; }
  /// No messages but those created before `end` are measured.
  void close(Time end) { recorder_.close(end); }
  /// Ends the traffic, with those of the messages created before `end` that have not arrived.
  void count_unfinished(Time end) {
    for (const Time created : injector_.take_unfinished(end))
      recorder_.message_unfinished(created, simulation_.now());
  }

  /// Throws if messages are left and no event is; the error begins with `where`.
  void check_all_moves(const std::string& where = "") const {
    if (simulation_.next_time() != Time::never()) return;
    if (const std::string problem = network_->stuck(); !problem.empty())
      throw RunError(where + problem);
  }

  /// Throws if some of the messages under way would never arrive even if no others followed, as
  /// none do after count_unfinished(): where the network is one that can get stuck, everything
  /// under way is let through.
  void check_rest_moves(const Load& load) {
    if (network_->stuck().empty()) return;
    run_while([] { return true; }, [] { return 1.0; });
    check_all_moves("at load " + load.text() + ": ");
  }

  const Simulation& simulation() const { return simulation_; }
  const Recorder& recorder() const { return recorder_; }

  /// Everything but what only an open loop knows.
  TrafficResult result(Time measured, std::uint32_t senders) const {
    TrafficResult result;
    recorder_.fill(result);
    result.accepted = accepted_;
    result.measured = measured;
    result.senders = senders;
    result.busiest = network::busiest_links(
        sweep_.platform, *network_, {span_.before, span_.after, measured}, sweep_.watch.top_links);
    result.events = simulation_.events_fired();
    result.fingerprint = simulation_.fingerprint();
    return result;
  }

 private:
  const Sweep& sweep_;
  Simulation simulation_;
  std::unique_ptr<network::Network> network_;
  Recorder recorder_;
  Injector injector_;
  network::LinkSpan span_;
  Bytes delivered_before_;
  Bytes accepted_;
};

std::vector<NodeId> senders_of(const Pattern& pattern, std::uint32_t nodes) {
  std::vector<NodeId> senders;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (pattern.sends(NodeId{n})) senders.push_back(NodeId{n});
  }
  if (senders.empty())
    throw InputError({"traffic.pattern"}, "no node sends anything with this pattern");
  return senders;
}

double total_injection(const Sweep& sweep, const std::vector<NodeId>& senders) {
  double total = 0;
  for (const NodeId node : senders) {
    const Bandwidth own = injection_bandwidth(sweep.platform, node, sweep.config.from);
    if (own.is_unlimited()) return 0;
    total += static_cast<double>(own.bits_per_second()) / 8;
  }
  return total;
}

/// Mean picoseconds between messages of each node (zero for one that does not send).
std::vector<double> mean_intervals(const Sweep& sweep, const Load& load,
                                   const std::vector<NodeId>& senders) {
  std::vector<double> intervals(sweep.platform.nodes());
  for (const NodeId node : senders) {
    const Bandwidth injection = injection_bandwidth(sweep.platform, node, sweep.config.from);
    const double rate = load.bytes_per_second(injection);
    if (rate <= 0) {
      throw InputError({"traffic.load"},
                       "'" + load.text() + "' is a fraction of nothing: node " +
                           sweep.platform.topology().name(static_cast<VertexId>(node)) +
                           " has no bandwidth limit; accepted here is a rate such as 10Gbps");
    }
    double& interval = intervals[index(node)];
    interval = sweep.config.size.mean() / rate * kPicosecondsPerSecond;
    if (interval > static_cast<double>(kLongest.ps())) {
      throw InputError({"traffic.load"}, "'" + load.text() +
                                             "' is less than a message per hour: accepted is a "
                                             "larger load");
    }
  }
  return intervals;
}

/// The phases of an open loop.
struct Phases {
  Window window;
  bool may_end_early = false;  ///< Where what is accepted is known sooner.
  Time last;                   ///< When a run that does not drain is given up.
};

/// Time for about 200 000 messages in all, given the mean intervals of the nodes.
Time usual_duration(const std::vector<double>& intervals, std::size_t senders) {
  const double longest = *std::max_element(intervals.begin(), intervals.end());
  const std::size_t each = std::clamp<std::size_t>(200'000 / senders, 20, 2000);
  const double wanted = longest * static_cast<double>(each);
  if (wanted > static_cast<double>(kLongest.ps())) {
    throw InputError({"traffic.load"},
                     "so small a load would take more than an hour of simulated time: accepted is "
                     "a larger load, or a traffic.duration of at most 1h");
  }
  return std::max(Time::us(20), Time::ps(static_cast<std::int64_t>(wanted)));
}

Phases phases_of(const TrafficConfig& config, const std::vector<double>& intervals,
                 std::size_t senders) {
  const Time duration = config.duration ? *config.duration : usual_duration(intervals, senders);
  const Time begin = config.warm_up.value_or(duration / 4);
  const Time end = begin + duration;
  return {{begin, end}, !config.duration, end + config.drain.value_or(duration)};
}

/// How much more is created than arrives where that is no chance: a part of it, so many messages of
/// each sender, and so many in all.
struct Excess {
  double part;
  double messages_each;
  double messages;
};
constexpr Excess kSaturated{1 - kSaturatedBelow, 1, 0};
constexpr Excess kFarBeyond{0.1, 10, 200};

/// One load of an open loop.
class OpenRun {
 public:
  OpenRun(const Sweep& sweep, const Load& load, const Pattern& pattern, const RandomStream& random)
      : sweep_(sweep),
        load_(load),
        senders_(senders_of(pattern, sweep.platform.nodes())),
        intervals_(mean_intervals(sweep, load, senders_)),
        phases_(phases_of(sweep.config, intervals_, senders_.size())),
        workload_({pattern, sweep.config, sweep.platform.nodes(), random}, intervals_,
                  sweep.config.spacing, phases_.window),
        run_(sweep, workload_, phases_.window) {
    for (const NodeId node : senders_) run_.add_sender(node);
  }

  TrafficResult result() {
    run_.run_until(phases_.window.begin, phases_.last);
    run_.start_counting();
    measure();
    run_.stop_counting();
    const bool drained = !exceeds(kFarBeyond) && drain();
    const bool saturated = !drained || exceeds(kSaturated);
    run_.count_unfinished(phases_.window.end);
    TrafficResult result = run_.result(phases_.window.end - phases_.window.begin,
                                       static_cast<std::uint32_t>(senders_.size()));
    result.load = load_;
    result.offered = workload_.offered_bytes();
    result.injection = total_injection(sweep_, senders_);
    result.saturated = saturated;
    if (!drained) run_.check_rest_moves(load_);
    return result;
  }

 private:
  /// Runs to the end of the window. Where what is left over keeps growing, the window ends after an
  /// eighth of it, or two, ..., when enough has arrived to know what is accepted. Latency has no
  /// limit then.
  void measure() {
    constexpr int kParts = 8;
    constexpr double kEnough = 1000;  // Messages.
    const Window whole = phases_.window;
    for (int part = 1; part <= kParts; ++part) {
      const Time end = whole.begin + (whole.end - whole.begin) * part / kParts;
      run_.run_until(end, phases_.last);
      if (part < kParts && !phases_.may_end_early) continue;
      arrived_ = run_.delivered();
      created_ = workload_.created_before(end);
      const bool enough =
          static_cast<double>(arrived_.count()) > kEnough * sweep_.config.size.mean();
      if (part == kParts || (enough && exceeds(kFarBeyond))) return close(end);
    }
  }

  void close(Time end) {
    phases_.window.end = end;
    workload_.close(end);
    run_.close(end);
  }

  /// Whether what was created and did not arrive in the window is more than that.
  bool exceeds(const Excess& excess) const {
    const auto left = static_cast<double>((created_ - arrived_).count());
    const double messages = left / sweep_.config.size.mean();
    return left > excess.part * static_cast<double>(created_.count()) &&
           messages > excess.messages_each * static_cast<double>(senders_.size()) &&
           messages > excess.messages;
  }

  /// Goes on, with traffic as before, until all messages of the window have arrived or the patience
  /// ends. True if they have.
  bool drain() {
    const Simulation& simulation = run_.simulation();
    const auto drained = [this] {
      return workload_.nodes_past_window() == senders_.size() &&
             run_.recorder().finished() == workload_.offered_messages();
    };
    run_.run_while([&] { return !drained() && simulation.next_time() <= phases_.last; },
                   [&] { return simulation.now().seconds() / phases_.last.seconds(); });
    return drained();
  }

  const Sweep& sweep_;
  const Load& load_;
  std::vector<NodeId> senders_;
  std::vector<double> intervals_;  ///< Mean, of each node, in picoseconds.
  Phases phases_;
  OpenLoop workload_;
  Run run_;
  Bytes created_;  ///< In the window.
  Bytes arrived_;  ///< In the window.
};

/// Runs a workload to its end; `total` messages are expected.
TrafficResult run_to_end(const Sweep& sweep, Workload& workload, const std::vector<NodeId>& senders,
                         std::uint64_t total) {
  Run run(sweep, workload, {});
  for (const NodeId node : senders) run.add_sender(node);
  run.run_while(
      [] { return true; },
      [&] { return static_cast<double>(run.recorder().finished()) / static_cast<double>(total); });
  run.check_all_moves();
  run.stop_counting();
  TrafficResult result =
      run.result(run.recorder().last_finish(), static_cast<std::uint32_t>(senders.size()));
  result.offered = result.bytes;
  if (result.messages < total) {
    throw RunError(std::to_string(total - result.messages) + " of " + std::to_string(total) +
                   " messages never arrived");
  }
  return result;
}

TrafficResult run_closed(const Sweep& sweep, const Pattern& pattern, const RandomStream& random) {
  const std::vector<NodeId> senders = senders_of(pattern, sweep.platform.nodes());
  const auto messages =
      static_cast<std::uint64_t>(sweep.config.messages.value_or(pattern.usual_messages()));
  ClosedLoop workload({pattern, sweep.config, sweep.platform.nodes(), random},
                      sweep.platform.nodes(), messages,
                      static_cast<std::uint64_t>(sweep.config.window));
  return run_to_end(sweep, workload, senders, messages * senders.size());
}

TrafficResult run_file(const Sweep& sweep) {
  const std::vector<FileMessage> messages =
      read_traffic_file(sweep.config.file, sweep.platform.topology());
  FileLoop workload(messages, sweep.platform.nodes());
  std::vector<bool> sends(sweep.platform.nodes());
  for (const FileMessage& message : messages) sends[index(message.source)] = true;
  std::vector<NodeId> senders;
  for (std::uint32_t n = 0; n < sends.size(); ++n) {
    if (sends[n]) senders.push_back(NodeId{n});
  }
  return run_to_end(sweep, workload, senders, messages.size());
}

/// The pattern, on the grid of the machine if it has one and no other is asked for.
std::unique_ptr<const Pattern> pattern_for(TrafficConfig config, const platform::Platform& platform,
                                           const RandomStream& random) {
  if (config.grid == "auto") {
    std::string extents;
    for (const std::uint32_t extent : platform.topology().node_grid())
      extents += (extents.empty() ? "" : "x") + std::to_string(extent);
    if (!extents.empty()) config.grid = extents;
  }
  return make_pattern(config, platform.nodes(), random);
}

template <class Function>
TrafficResult timed(Sweep& sweep, Function run) {
  const auto start = std::chrono::steady_clock::now();
  TrafficResult result = run();
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++sweep.runs_done;
  sweep.events_done += result.events;
  sweep.report(0, 0);
  return result;
}

}  // namespace

Bandwidth injection_bandwidth(const platform::Platform& platform, NodeId node, From from) {
  const platform::Port port = from == From::nic ? platform::Port::nic : platform::Port::memory;
  const NodeId other{(static_cast<std::uint32_t>(node) + 1) % platform.nodes()};
  platform::Walk walk = platform.walk({node, port}, {other, port}, 0);
  const platform::NoLoads idle;
  Bandwidth narrowest = Bandwidth::unlimited();
  while (walk.hop.step == 0) {
    const LinkId link = platform.next(walk, idle);
    if (link == kNoLink) break;
    narrowest = tighter(narrowest, platform.link(link).bandwidth);
  }
  return narrowest;
}

std::vector<TrafficResult> run_traffic(const TrafficConfig& config,
                                       const platform::Platform& platform, std::string_view network,
                                       const Settings& settings, const TrafficWatch& watch) {
  Sweep sweep{config, platform, network, settings, watch};
  if (config.pattern == "file") return {timed(sweep, [&] { return run_file(sweep); })};
  const RandomStream random =
      RandomStream(static_cast<std::uint64_t>(config.seed)).split("traffic");
  const auto pattern = pattern_for(config, platform, random.split("pattern"));
  if (config.loop == Loop::closed)
    return {timed(sweep, [&] { return run_closed(sweep, *pattern, random); })};
  sweep.runs = config.load.list.size();
  std::vector<TrafficResult> results;
  for (const Load& load : config.load.list) {
    try {
      results.push_back(
          timed(sweep, [&] { return OpenRun(sweep, load, *pattern, random).result(); }));
    } catch (const RunError& error) {
      if (results.empty()) throw;
      throw SweepError(error.what(), std::move(results));
    }
  }
  return results;
}

std::uint64_t combined_fingerprint(const std::vector<TrafficResult>& results) {
  std::uint64_t combined = 0;
  for (const TrafficResult& result : results)
    combined = combined * 0x9e3779b97f4a7c15ULL + result.fingerprint;
  return combined;
}

}  // namespace heddle::traffic
