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
  settings.assign("traffic.duration=6us", {});
  settings.assign("traffic.warm_up=6us", {});
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

/// Switches as there: first in, first out per lane, and crossbars of twice the cables' speed whose
/// inputs and outputs are allocated to each other.
const std::vector<std::string> kSwitches = {"packet.input_queue=fifo", "packet.allocation=islip",
                                            "packet.speed_up=2"};

std::vector<std::string> with(std::vector<std::string> settings,
                              const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

// Detours let more through. If m of the load l goes minimally, a group's 8 cables carry l (m + 2 (1
// - m)) of their capacity, and the direct one 8 l m: with m = 1 / (8 l) that is l = 0.5625 at most,
// which switches that pass everything that they could come near to. BookSim2, whose detours go by
// way of a node and whose switches are those of kSwitches, accepts 0.304 with three lanes of 256
// flits, 0.344 with deeper ones.
TEST(Dragonfly, UgalTakesDetours) {
  const std::vector<std::string> rule = {"ugal.minimal_weight=1", "ugal.detour_weight=2",
                                         "ugal.threshold=30ns", "packet.lanes=3"};
  const double by_group = accepted({"next-group", "ugal-l", "0.6", rule});
  note("adversarial, ugal-l by group, accepted", by_group, "below 0.5625", "");
  EXPECT_GE(by_group, 0.45);
  EXPECT_LE(by_group, 0.5625);
  const auto by_switch = with(with(rule, {"ugal.via=switch"}), kSwitches);
  const double part = accepted({"next-group", "ugal-l", "0.6", by_switch});
  note("adversarial, ugal-l by switch, switches of BookSim2, accepted", part, "BookSim2 0.304",
       "0.30 to 0.37");
  EXPECT_GE(part, 0.30);
  EXPECT_LE(part, 0.37);
}

// Mean latencies of uniform traffic with minimal routes, up to where it saturates (0.9). Lanes are
// first-in-first-out, outputs hold what they get, and inputs feed any number of them: there every
// flit is allocated by itself, so that in the time of a packet an input feeds several outputs, too.
TEST(Dragonfly, UniformLatencies) {
  struct Expected {
    std::string load;
    double cycles;
  };
  for (const Expected& expected : {Expected{"0.1", 123.7}, {"0.5", 140.4}, {"0.8", 194.0}}) {
    const double cycles = mean_latency({"uniform",
                                        "minimal",
                                        expected.load,
                                        {"packet.lanes=2", "packet.input_queue=fifo",
                                         "packet.speed_up=2", "packet.switch_output=1000"}});
    note("uniform, minimal, load " + expected.load + ", mean latency in cycles", cycles,
         fmt::format("{}", expected.cycles), "3 %");
    EXPECT_NEAR(cycles, expected.cycles, 0.03 * expected.cycles);
  }
}

}  // namespace
}  // namespace heddle::traffic
