#include "traffic/background_flows.hpp"

#include "traffic/idle_times.hpp"
#include "traffic/open_phases.hpp"
#include "traffic/traffic_setup.hpp"

namespace heddle::traffic {
namespace {

/// The flows of another workload, until they are stopped.
class StoppedLoop final : public Workload {
 public:
  explicit StoppedLoop(Workload& flows) : flows_(flows) {}
  bool next(NodeId source, Request& out) override { return !stopped && flows_.next(source, out); }
  bool stopped = false;

 private:
  Workload& flows_;
};

class BackgroundSink final : public MessageSink {
 public:
  BackgroundSink(const StoppedLoop& loop, IdleTimes& idle) : loop_(loop), idle_(idle) {}
  void message_finished(const MessageRecord& r) override {
    flows += loop_.stopped ? 0 : 1;
    statistics.add(r.size, r.finished - r.created, idle_.of(r), r.kind);
  }
  std::uint64_t flows = 0;
  FlowStatistics statistics;

 private:
  const StoppedLoop& loop_;
  IdleTimes& idle_;
};

}  // namespace

struct BackgroundFlows::Parts {
  Parts(Simulation& simulation, network::Network& network, const TrafficConfig& asked,
        const platform::Platform& platform, std::string_view model, const Settings& settings)
      : config(complete(asked)),
        random(RandomStream(static_cast<std::uint64_t>(config.seed)).split("traffic")),
        pattern(pattern_for(config, platform, random.split("pattern"))),
        senders(senders_of(*pattern, platform.nodes())),
        sweep{config, platform, model, settings, watch},
        flows({*pattern, config, platform.nodes(), random},
              paces_of(sweep, config.load.list.front(), senders), config.spacing, {},
              bursts_of(sweep, config.load.list.front(), senders, random)),
        loop(flows),
        idle(platform, model, settings, config.seed, config.from),
        sink(loop, idle),
        injector(simulation, platform, network, loop, sink, config.from) {
    for (const NodeId node : senders) injector.add_sender(node);
  }

  TrafficConfig config;
  TrafficWatch watch;
  RandomStream random;
  std::unique_ptr<const Pattern> pattern;
  std::vector<NodeId> senders;
  Sweep sweep;
  OpenLoop flows;
  StoppedLoop loop;
  IdleTimes idle;
  BackgroundSink sink;
  Injector injector;
};

BackgroundFlows::BackgroundFlows(Simulation& simulation, network::Network& network,
                                 const TrafficConfig& config, const platform::Platform& platform,
                                 std::string_view model, const Settings& settings)
    : parts_(std::make_unique<Parts>(simulation, network, config, platform, model, settings)) {}

BackgroundFlows::~BackgroundFlows() = default;

void BackgroundFlows::stop() {
  parts_->loop.stopped = true;
}

BackgroundResult BackgroundFlows::result() const {
  return {parts_->config.load.list.front().text(), parts_->sink.flows,
          parts_->sink.statistics.groups()};
}

}  // namespace heddle::traffic
