#include "traffic/links_run.hpp"

#include <algorithm>
#include <numeric>

#include "core/forked_tasks.hpp"
#include "network/links/decomposition.hpp"
#include "network/packet/config.hpp"
#include "traffic/idle_times.hpp"
#include "traffic/message_recorder.hpp"
#include "traffic/open_phases.hpp"

namespace heddle::traffic {
namespace {

network::LinkUnits units_for(const network::LinksConfig& config, const Settings& settings) {
  if (config.like == network::LinksLike::queue) return {};
  const network::PacketConfig packet = settings.get(network::packet_table());
  return {static_cast<double>((packet.max_packet - packet.header).count()),
          static_cast<double>(packet.header.count())};
}

/// All flows of a run and what became of them.
class LinksRun {
 public:
  explicit LinksRun(const Sweep& sweep)
      : sweep_(sweep),
        config_(sweep.settings.get(network::links_table())),
        port_(sweep.config.from == From::nic ? platform::Port::nic : platform::Port::memory) {}

  /// The messages that `workload` has for the node before `until`.
  void add(Workload& workload, NodeId node, Time until) {
    const platform::NicParams& nic = sweep_.platform.nic(node);
    Time free_at;
    Request request;
    while (workload.next(node, request) && request.created < until) {
      const Time begin = std::max(request.created, free_at);
      free_at = begin + nic.gap;
      created_.push_back(request.created);
      records_.push_back({request.id, request.traffic_class, request.kind});
      flows_.push_back({{node, port_},
                        {request.destination, port_},
                        request.size,
                        begin + nic.send_overhead,
                        request.rate_cap});
      if (flows_.size() > kMostFlows) {
        throw ParamError({"traffic.duration"},
                         "makes more than 500 million messages: accepted is a "
                         "shorter time");
      }
    }
  }

  TrafficResult run(Window window, std::uint32_t senders) {
    const network::LinkUnits units = units_for(config_, sweep_.settings);
    if (sweep_.platform.outages().any()) {
      throw ParamError({"failures.cables", "failures.switches", "failures.adapters"},
                       "links that are looked at alone do not fail during a run: accepted are "
                       "networks such as queue and packet, or failures without times");
    }
    network::Decomposition decomposition(sweep_.platform, config_, units, threads());
    const auto salt =
        network::Network::first_salt(Simulation(static_cast<std::uint64_t>(sweep_.config.seed)));
    const auto times =
        decomposition.run(flows_, salt, [&](double done) { sweep_.report(done, 0); });
    return result(window, senders, decomposition, times);
  }

 private:
  static constexpr std::size_t kMostFlows = 500'000'000;
  struct Label {
    std::uint64_t id;
    std::uint8_t traffic_class;
    FlowKind kind;
  };

  /// Where loads are simulated in processes of their own, these have the cores.
  std::size_t threads() const {
    if (config_.threads > 0) return static_cast<std::size_t>(config_.threads);
    return sweep_.in_own_process ? 1 : ForkedTasks::cores();
  }

  /// In the order in which they finish, as other networks tell of them.
  std::vector<std::uint32_t> order_of(const std::vector<network::FlowTimes>& times) const {
    std::vector<std::uint32_t> order(times.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return times[a].arrival != times[b].arrival ? times[a].arrival < times[b].arrival : a < b;
    });
    return order;
  }

  TrafficResult result(Window window, std::uint32_t senders,
                       const network::Decomposition& decomposition,
                       const std::vector<network::FlowTimes>& times) {
    KnownTimes idle;
    TrafficWatch watch = sweep_.watch;
    watch.watcher = nullptr;  // There is nothing to see that goes by.
    MessageRecorder recorder(window, watch, sweep_.config.measures_slowdown() ? &idle : nullptr);
    Bytes accepted;
    std::uint64_t fingerprint = 0;
    for (const std::uint32_t flow : order_of(times)) {
      const MessageRecord record = record_of(flow, times[flow]);
      idle.time = times[flow].idle + sweep_.platform.nic(record.source).send_overhead +
                  sweep_.platform.nic(record.destination).receive_overhead;
      recorder.message_finished(record);
      if (window.contains(times[flow].arrival)) accepted += record.size;
      fingerprint = fingerprint * 0x9e3779b97f4a7c15ULL +
                    static_cast<std::uint64_t>(times[flow].arrival.ps()) + flow;
    }
    TrafficResult result;
    recorder.fill(result);
    result.measured =
        (window.end == Time::never() ? result.last_finish : window.end) - window.begin;
    result.accepted = accepted;
    result.senders = senders;
    result.mean_latency = recorder.mean_latency();
    result.busiest = network::busiest_links(
        sweep_.platform, {{}, decomposition.carried(window.begin, window.end), result.measured},
        sweep_.watch.top_links);
    result.links_simulated = decomposition.counts().links;
    result.links_alike = decomposition.counts().alike;
    result.events = decomposition.counts().simulated;
    result.fingerprint = fingerprint;
    return result;
  }

  MessageRecord record_of(std::uint32_t flow, const network::FlowTimes& times) const {
    const network::Flow& sent = flows_[flow];
    const NodeId destination = sent.destination.node;
    const Label& label = records_[flow];
    return {label.id == Request::kUnnumbered ? flow : label.id,
            sent.source.node,
            destination,
            sent.size,
            created_[flow],
            times.arrival + sweep_.platform.nic(destination).receive_overhead,
            sent.rate_cap,
            label.traffic_class,
            label.kind};
  }

  const Sweep& sweep_;
  network::LinksConfig config_;
  platform::Port port_;
  std::vector<network::Flow> flows_;
  std::vector<Time> created_;
  std::vector<Label> records_;
};

}  // namespace

/// Flows that come after the window are there as well, for half of its length at most: those of the
/// window that are still under way meet them.
TrafficResult run_open_links(const Sweep& sweep, const Load& load, const Pattern& pattern,
                             const RandomStream& random) {
  const std::vector<NodeId> senders = senders_of(pattern, sweep.platform.nodes());
  const std::vector<OpenLoop::Pace> paces = paces_of(sweep, load, senders);
  const Phases phases = phases_of(sweep.config, paces, senders.size());
  const Time length = phases.window.end - phases.window.begin;
  OpenLoop workload({pattern, sweep.config, sweep.platform.nodes(), random}, paces,
                    sweep.config.spacing, phases.window, bursts_of(sweep, load, senders, random));
  LinksRun run(sweep);
  const Time until = std::min(phases.last, phases.window.end + length / 2);
  for (const NodeId node : senders) run.add(workload, node, until);
  TrafficResult result = run.run(phases.window, static_cast<std::uint32_t>(senders.size()));
  result.load = load;
  result.warm_up = phases.window.begin;
  result.offered = workload.offered_bytes();
  result.injection = total_injection(sweep, senders);
  const double late = static_cast<double>((result.offered - result.accepted).count());
  result.saturated = late > (1 - kSaturatedBelow) * static_cast<double>(result.offered.count()) &&
                     late > static_cast<double>(senders.size()) * sweep.config.size.mean();
  if (result.saturated) result.mean_latency = {};
  return result;
}

TrafficResult run_file_links(const Sweep& sweep, const std::vector<FileMessage>& messages) {
  FileLoop workload(messages, sweep.platform.nodes());
  std::vector<bool> sends(sweep.platform.nodes());
  for (const FileMessage& message : messages) sends[index(message.source)] = true;
  LinksRun run(sweep);
  std::uint32_t senders = 0;
  for (std::uint32_t n = 0; n < sends.size(); ++n) {
    if (!sends[n]) continue;
    ++senders;
    run.add(workload, NodeId{n}, Time::never());
  }
  TrafficResult result = run.run({}, senders);
  result.offered = result.bytes;
  result.mean_latency = {};
  return result;
}

}  // namespace heddle::traffic
