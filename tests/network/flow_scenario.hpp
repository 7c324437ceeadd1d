// Flows over links with explicit routes, run through the fluid model: what comparisons with other
// simulators need.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/fluid/fluid_network.hpp"
#include "network/route_list.hpp"
#include "platform/routing.hpp"

namespace heddle::network {

struct FlowScenario {
  struct Link {
    std::int64_t bytes_per_second;
    std::int64_t latency_ps;
    bool shared = true;  ///< Or else it only caps each flow.
  };
  struct Flow {
    std::uint32_t source;
    std::uint32_t destination;
    std::int64_t start_ps;
    std::int64_t bytes;
    std::int64_t bytes_per_second = 0;  ///< Its own cap; 0: none.
  };
  std::uint32_t hosts = 0;
  std::vector<Link> links;
  platform::RouteList::Routes routes;
  std::vector<Flow> flows;
};

/// What makes the fluid model SimGrid's CM02.
inline FluidConfig simgrid_fluid() {
  FluidConfig config = FluidNetwork::table().defaults();
  config.weighting = Weighting::simgrid;
  config.occupancy = Occupancy::after_latency;
  return config;
}

/// The machine of a scenario; nodes have no cables of their own.
inline std::unique_ptr<platform::Platform> make_platform(const FlowScenario& scenario) {
  using namespace platform;
  auto topology = std::make_unique<RouteList>(
      scenario.hosts, static_cast<std::uint32_t>(scenario.links.size()), scenario.routes);
  auto routing = make_routing("minimal", *topology);
  auto result = std::make_unique<Platform>("scenario", std::move(topology), std::move(routing),
                                           link_table().defaults(), SwitchParams{Time::zero()},
                                           node_table().defaults(), nic_table().defaults());
  for (std::uint32_t i = 0; i < scenario.links.size(); ++i) {
    const FlowScenario::Link& link = scenario.links[i];
    const Bandwidth bandwidth = Bandwidth::bytes_per_second(link.bytes_per_second);
    const Bandwidth none = Bandwidth::unlimited();
    result->set_cable(i, {link.shared ? bandwidth : none, link.shared ? none : bandwidth,
                          Time::ps(link.latency_ps), Duplex::full});
  }
  return result;
}

/// Starts flows at their times and notes when the tail of each arrives.
class FlowRun final : private TransferClient {
 public:
  FlowRun(const FlowScenario& scenario, const FluidConfig& config)
      : FlowRun(make_platform(scenario), scenario.flows, config) {}
  FlowRun(std::unique_ptr<platform::Platform> platform, std::vector<FlowScenario::Flow> flows,
          const FluidConfig& config)
      : flows_(std::move(flows)),
        platform_(std::move(platform)),
        network_(simulation_, *platform_, config),
        source_(simulation_.new_source()),
        finish_(flows_.size()) {
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      starts_.push_back(std::make_unique<Start>(*this, i));
      simulation_.schedule(*starts_.back(), Time::ps(flows_[i].start_ps), source_);
    }
    simulation_.run();
  }
  /// By flow.
  const std::vector<Time>& finish() const { return finish_; }
  const Simulation& simulation() const { return simulation_; }
  const Network& network() const { return network_; }

 private:
  struct Start final : Event {
    Start(FlowRun& run, std::size_t flow) : run(run), flow(flow) {}
    void fire() override { run.start(flow); }
    FlowRun& run;
    std::size_t flow;
  };
  void start(std::size_t i) {
    const FlowScenario::Flow& flow = flows_[i];
    Transfer transfer;
    transfer.source = {NodeId{flow.source}};
    transfer.destination = {NodeId{flow.destination}};
    transfer.size = Bytes(flow.bytes);
    transfer.rate_cap = Bandwidth::bytes_per_second(flow.bytes_per_second);
    transfer.client = this;
    transfer.cookie = i;
    network_.start(transfer);
  }
  void transfer_reached(Instant, std::uint64_t cookie) override {
    finish_[cookie] = simulation_.now();
  }

  std::vector<FlowScenario::Flow> flows_;
  Simulation simulation_;
  std::unique_ptr<platform::Platform> platform_;
  FluidNetwork network_;
  EventSource source_;
  std::vector<std::unique_ptr<Start>> starts_;
  std::vector<Time> finish_;
};

/// By how many times the tolerance (1e-9 of the value or 10 ps, whichever is larger) the time
/// differs from the seconds expected.
inline double deviation(Time time, double expected_seconds) {
  const double expected = expected_seconds * 1e12;
  const double tolerance = std::max(10.0, 1e-9 * expected);
  const double difference = static_cast<double>(time.ps()) - expected;
  return (difference < 0 ? -difference : difference) / tolerance;
}

}  // namespace heddle::network
