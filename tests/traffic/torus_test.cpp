// An 8 x 8 torus with datelines and two lanes of 8 flits, single flits as packets, beside what
// BookSim2 (2017-06) measures of its torus88 with dim_order. A flit takes 1 ns here.
#include <gtest/gtest.h>

#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "sanitized.hpp"
#include "traffic/traffic_run.hpp"
#include "validation.hpp"

namespace heddle::traffic {
namespace {

constexpr const char* kTorusMachine = R"(
name: torus of BookSim2
topology: {kind: torus, dims: [8, 8], routing: minimal-drawn}
link: {latency: 1ns}
switch: {latency: 4ns}
network: {model: packet}
packet: {flit: 64B, header: 0B, max_packet: 64B, buffer: 8, lane_by: dateline, lanes: 2,
         input_queue: fifo, allocation: islip, switch_output: 4, host_output: 4}
)";

/// Flits that a node gets per time of a flit on its cable, of more than there is room for.
double torus_accepted(const char* bandwidth) {
  Settings settings(network::fabric_sections({&traffic_table()}));
  const auto machine = platform::read_machine_text(kTorusMachine, "torus.yaml", settings);
  for (const char* set : {"traffic.pattern=uniform", "traffic.load=0.9", "traffic.size=64B",
                          "traffic.duration=2us", "traffic.warm_up=1us"}) {
    settings.assign(set, {});
  }
  settings.assign(std::string("link.bandwidth=") + bandwidth, {});
  const auto platform = platform::build_platform(machine, settings);
  const TrafficResult result =
      run_traffic(settings.get(traffic_table()), *platform, "packet", settings).front();
  return result.fraction(result.accepted_per_second());
}

void note_torus(const std::string& what, double measured, const std::string& expected,
                const std::string& allowed) {
  validation_row("Torus of 8 x 8 beside BookSim2", what, fmt::format("{:.3g}", measured), expected,
                 "", allowed);
}

// Nodes send to all others alike: 2 links in each dimension in the mean, so that a ring's links in
// a direction carry of a load l just l. With a dateline most of them carry all of it in one lane:
// the four before the closing cable in lane 0, that cable in lane 1. So what is accepted is what
// one lane of a link passes, first in first out, about 0.5. BookSim2 gives a lane to another
// packet, here a flit, in every second cycle only: its lanes pass half of that, 0.25, as cables do
// here that take two cycles for a flit.
TEST(Torus, TwoLanesOfEightFlits) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  const double full = torus_accepted("512Gbps");
  const double half = torus_accepted("256Gbps") / 2;
  note_torus("uniform, accepted", full, "BookSim2 0.250", "");
  note_torus("uniform, cables that pass a flit in two cycles, accepted per cycle", half,
             "BookSim2 0.250", "15 %");
  EXPECT_NEAR(full, 0.5, 0.05);
  EXPECT_NEAR(half, 0.25, 0.15 * 0.25);
}

}  // namespace
}  // namespace heddle::traffic
