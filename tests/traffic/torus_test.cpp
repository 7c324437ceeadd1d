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
link: {bandwidth: 512Gbps, latency: 3ns}
switch: {latency: 1ns}
overrides:
  - {group: access, latency: 1ns}
network: {model: packet}
packet: {flit: 64B, header: 0B, max_packet: 64B, buffer: 8, lane_by: crossing, lanes: 2,
         input_queue: fifo, allocation: islip, switch_output: 4, host_output: 4,
         route_time: 1ns, lane_time: 1ns}
)";

TrafficResult run_torus(const std::string& load, const std::vector<std::string>& more = {}) {
  Settings settings(network::fabric_sections({&traffic_table()}));
  const auto machine = platform::read_machine_text(kTorusMachine, "torus.yaml", settings);
  for (const char* set : {"traffic.pattern=uniform", "traffic.size=64B", "traffic.duration=4us",
                          "traffic.warm_up=1us", "traffic.spacing=bernoulli"}) {
    settings.assign(set, {});
  }
  settings.assign("traffic.load=" + load, {});
  for (const std::string& set : more) settings.assign(set, {});
  const auto platform = platform::build_platform(machine, settings);
  return run_traffic(settings.get(traffic_table()), *platform, "packet", settings).front();
}

/// Flits that a node gets per time of a flit on its cable.
double torus_accepted(const std::string& load, const std::vector<std::string>& more = {}) {
  const TrafficResult result = run_torus(load, more);
  return result.fraction(result.accepted_per_second());
}

void note_torus(const std::string& what, double measured, const std::string& expected,
                const std::string& allowed) {
  validation_row("Torus of 8 x 8 beside BookSim2", what, fmt::format("{:.4g}", measured), expected,
                 "", allowed);
}

// Nodes send to all others alike: 2 links in each dimension in the mean, so that a ring's links in
// a direction carry of a load l just l. In two links of each ring all of it is in one lane:
// in that which closes the ring, and in that opposite to it. A flit there waits for those before
// it, then a cycle for its route, one for its lane and one for the crossbar, so that a lane passes
// one in three cycles at most, and of those that find their way free, about 3/4 as much.
TEST(Torus, AcceptsWhatBookSimDoes) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  const double part = torus_accepted("0.3", {"traffic.duration=8us", "traffic.warm_up=2us"});
  note_torus("uniform, load 0.3, accepted", part, "BookSim2 0.250", "2 %");
  EXPECT_NEAR(part, 0.250, 0.02 * 0.250);
}

// Mean latencies, up to 0.8 of that. Nodes there have two lanes by which packets enter, one of
// which has not so many waiting for those before them.
TEST(Torus, TakesAsLongAsInBookSim) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  struct Expected {
    const char* load;
    double cycles;
    double allowed;
  };
  for (const Expected& e :
       {Expected{"0.05", 31.52, 0.03}, {"0.1", 32.33, 0.03}, {"0.2", 36.07, 0.07}}) {
    const double cycles = static_cast<double>(run_torus(e.load).latency.mean.ps()) / 1000;
    note_torus(std::string("uniform, load ") + e.load + ", mean latency in cycles", cycles,
               fmt::format("BookSim2 {}", e.cycles), fmt::format("{:.0f} %", 100 * e.allowed));
    EXPECT_NEAR(cycles, e.cycles, e.allowed * e.cycles) << e.load;
  }
}

// What each of the three makes of that: lanes that are nobody's own; routes that are found while
// others pass; and packets that change lanes at the cable which closes a ring, so that five of
// eight links have all in one lane and not two.
TEST(Torus, LanesAndTheirTimesDecide) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  const double shared = torus_accepted("0.6", {"packet.lane_time=0ns", "packet.route_time=2ns"});
  const double known = torus_accepted("0.6", {"packet.route_time=0ns"});
  const double none = torus_accepted("0.6", {"packet.route_time=0ns", "packet.lane_time=0ns"});
  const double changed = torus_accepted("0.3", {"packet.lane_by=dateline"});
  note_torus("a lane is nobody's own, load 0.6, accepted", shared, "more", "");
  note_torus("routes are known, load 0.6, accepted", known, "more", "");
  note_torus("neither takes time, load 0.6, accepted", none, "twice as much", "");
  note_torus("other lanes from the closing cable on, load 0.3, accepted", changed, "less", "");
  EXPECT_GT(shared, 0.26);
  EXPECT_GT(known, 0.28);
  EXPECT_GT(none, 0.5);
  EXPECT_LT(changed, 0.24);
}

}  // namespace
}  // namespace heddle::traffic
