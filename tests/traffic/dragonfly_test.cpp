// A dragonfly of 72 nodes under uniform and adversarial traffic, beside what BookSim2 (2017-06)
// measures of its dragonflynew with k = 2: p = 2, a = 4, h = 2, 9 groups; packets of 10 flits,
// cables of 10 and 100 cycles, 256 flits per lane, internal speed-up 2. A flit takes 1 ns here.
#include <gmock/gmock.h>

#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "traffic/traffic_run.hpp"
#include "validation.hpp"

namespace heddle::traffic {
namespace {

constexpr const char* kMachine = R"(
name: dragonfly of BookSim2
topology: {kind: dragonfly, nodes_per_switch: 2}
link: {bandwidth: 512Gbps, latency: 10ns}
switch: {latency: 2500ps}
overrides:
  - {group: global, latency: 100ns}
  - {group: access, latency: 600ps}
network: {model: packet}
packet: {flit: 64B, header: 0B, max_packet: 640B, buffer: 256, lane_by: group, switch_output: 20,
         host_output: 20}
)";

struct DragonflyRun {
  std::string pattern;
  std::string routing;
  std::string load;
  std::vector<std::string> more = {};
};

TrafficResult run_dragonfly(const DragonflyRun& run) {
  Settings settings(network::fabric_sections({&traffic_table()}));
  const auto machine = platform::read_machine_text(kMachine, "dragonfly.yaml", settings);
  settings.assign("topology.routing=" + run.routing, {});
  settings.assign("traffic.pattern=" + run.pattern, {});
  settings.assign("traffic.load=" + run.load, {});
  settings.assign("traffic.size=640B", {});
  settings.assign("traffic.duration=20us", {});
  for (const std::string& assignment : run.more) settings.assign(assignment, {});
  const auto platform = platform::build_platform(machine, settings);
  return run_traffic(settings.get(traffic_table()), *platform, "packet", settings).front();
}

double accepted(const DragonflyRun& run) {
  const TrafficResult result = run_dragonfly(run);
  return result.fraction(result.accepted_per_second());
}

/// Of messages, in cycles of 1 ns.
double mean_latency(const DragonflyRun& run) {
  const TrafficResult result = run_dragonfly(run);
  EXPECT_FALSE(result.saturated);
  return static_cast<double>(result.latency.mean.ps()) / 1000;
}

void note(const std::string& what, double measured, const std::string& expected,
          const std::string& allowed) {
  validation_row("Dragonfly of 72 nodes beside BookSim2", what, fmt::format("{:.4g}", measured),
                 expected, "", allowed);
}

// All 8 nodes of a group send to the next group, over the one cable between the two: minimal routes
// accept 1/8 of what nodes can send, whichever of them is taken.
TEST(Dragonfly, MinimalRoutesShareOneCable) {
  for (const std::string routing : {"minimal", "adaptive"}) {
    const double part = accepted({"next-group", routing, "0.4"});
    note("adversarial, " + routing + ", accepted", part, "0.125 (BookSim2 0.122)", "2 %");
    EXPECT_NEAR(part, 0.125, 0.0025) << routing;
  }
}

// Detours let more through. BookSim2's rule (weights 1 and 2, 30 flits) accepts 0.304 there with
// three lanes of 256 flits, 0.344 with deeper ones.
TEST(Dragonfly, UgalTakesDetours) {
  const std::vector<std::string> booksim = {"ugal.minimal_weight=1", "ugal.detour_weight=2",
                                            "ugal.threshold=30ns", "packet.lanes=3"};
  for (const std::string load : {"0.4", "0.6"}) {
    const double part = accepted({"next-group", "ugal-l", load, booksim});
    note("adversarial, ugal-l, load " + load + ", accepted", part, "0.30 to 0.35", "");
    EXPECT_GE(part, 0.30);
    EXPECT_LE(part, 0.35);
  }
}

// Mean latencies of uniform traffic with minimal routes.
TEST(Dragonfly, UniformLatencies) {
  struct Expected {
    std::string load;
    double cycles;
  };
  for (const Expected& expected : {Expected{"0.1", 123.7}, {"0.5", 140.4}}) {
    const double cycles = mean_latency({"uniform", "minimal", expected.load, {"packet.lanes=2"}});
    note("uniform, minimal, load " + expected.load + ", mean latency in cycles", cycles,
         fmt::format("{}", expected.cycles), "3 %");
    EXPECT_NEAR(cycles, expected.cycles, 0.03 * expected.cycles);
  }
}

}  // namespace
}  // namespace heddle::traffic
