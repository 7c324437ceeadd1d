#include "traffic/traffic_run.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "error_of.hpp"
#include "platform/routing.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/single_switch.hpp"
#include "platform/topology/torus.hpp"
#include "sanitized.hpp"
#include "temporary_file.hpp"
#include "traffic/open_phases.hpp"
#include "validation.hpp"

namespace heddle::traffic {
namespace {

using ::testing::HasSubstr;

/// Nodes on one switch, cables of 100 Gb/s and 100 ns, a switch of 100 ns: an idle message of 1250
/// bytes takes 100 ns on a cable and arrives 100 + 200 + 100 = 400 ns after its start.
platform::NicParams adapter(Time send_overhead, Time receive_overhead, Time gap) {
  platform::NicParams nic = platform::nic_table().defaults();
  nic.send_overhead = send_overhead;
  nic.receive_overhead = receive_overhead;
  nic.gap = gap;
  return nic;
}

std::unique_ptr<platform::Platform> star(std::uint32_t nodes, const platform::NicParams& nic = {}) {
  auto topology = std::make_unique<platform::SingleSwitch>(nodes);
  auto routing = platform::make_routing("minimal", *topology);
  return std::make_unique<platform::Platform>(
      "star", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(), nic);
}

TrafficConfig config_of_run(const std::string& pattern) {
  TrafficConfig c = traffic_table().defaults();
  c.pattern = pattern;
  c.size = SizeDistribution::parse("1250B").value();
  return c;
}

TrafficConfig closed(const std::string& pattern, std::int64_t messages, std::int64_t window) {
  TrafficConfig c = config_of_run(pattern);
  c.loop = Loop::closed;
  c.messages = messages;
  c.window = window;
  return c;
}

TrafficConfig open(const std::string& pattern, const std::string& loads) {
  TrafficConfig c = config_of_run(pattern);
  c.load = Loads::parse(loads).value();
  return c;
}

std::vector<TrafficResult> run_all(const TrafficConfig& c, const platform::Platform& platform,
                                   const TrafficWatch& watch = {},
                                   std::string_view network = "queue") {
  const Settings settings(network::network_sections());
  return run_traffic(c, platform, network, settings, watch);
}

TrafficResult run(const TrafficConfig& c, const platform::Platform& platform,
                  const TrafficWatch& watch = {}) {
  return run_all(c, platform, watch).front();
}

/// The part of what nodes can inject that they offered.
double offered_of(const TrafficResult& result) {
  return result.fraction(result.offered_per_second());
}

class Collected final : public MessageSink {
 public:
  void message_finished(const MessageRecord& record) override { records.push_back(record); }
  std::vector<MessageRecord> records;
};

// Tornado on a torus of 8 x 8 goes three switches further in both dimensions: nobody is nearer than
// six links between switches. Node 0 sends to 3 + 3 * 8 = 27; as a ring of 64 nodes, if that is
// asked for, to 31.
TEST(ClosedLoop, PatternsStandOnTheGridOfTheMachine) {
  auto topology = std::make_unique<platform::Torus>(std::vector<std::int64_t>{8, 8}, 1,
                                                    platform::Torus::Edges::wrapped);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::Platform torus(
      "torus", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(), {});
  for (const auto& [grid, expected] : {std::pair{"auto", 27U}, std::pair{"1d", 31U}}) {
    TrafficConfig c = closed("tornado", 1, 1);
    c.grid = grid;
    Collected sink;
    run(c, torus, {.messages = &sink});
    for (const MessageRecord& record : sink.records) {
      if (record.source == NodeId{0}) {
        EXPECT_EQ(record.destination, NodeId{expected});
      }
    }
  }
}

// One message at a time, three of 400 ns each: 1200 ns. All three at once: the first arrives after
// 400 ns, the others 100 ns behind each other: 600 ns. Two at a time: the third is created when the
// first has arrived, at 400 ns: 800 ns.
TEST(ClosedLoop, WindowDecidesTheMakespan) {
  const auto platform = star(4);
  EXPECT_EQ(run(closed("shift", 3, 1), *platform).last_finish, Time::ns(1200));
  EXPECT_EQ(run(closed("shift", 3, 3), *platform).last_finish, Time::ns(600));
  EXPECT_EQ(run(closed("shift", 3, 2), *platform).last_finish, Time::ns(800));
}

// Four nodes send 1250 B to one at once: its cable passes them one after the other, so that they
// arrive 400, 500, 600 and 700 ns after the start: 550 ns in the mean. 5000 bytes in 700 ns are
// 4/7 of the 12.5 GB/s of the busiest link, the target's.
TEST(ClosedLoop, IncastQueuesAtTheTarget) {
  const TrafficResult result = run(closed("incast", 1, 1), *star(5));
  EXPECT_EQ(result.messages, 4U);
  EXPECT_EQ(result.senders, 4U);
  EXPECT_EQ(result.bytes, Bytes(5000));
  EXPECT_EQ(result.last_finish, Time::ns(700));
  EXPECT_EQ(result.latency.mean, Time::ns(550));
  EXPECT_EQ(result.latency.min, Time::ns(400));
  EXPECT_EQ(result.latency.p50, Time::ns(500));
  EXPECT_EQ(result.latency.max, Time::ns(700));
  ASSERT_FALSE(result.busiest.empty());
  EXPECT_EQ(result.busiest[0].link, LinkId{1});
  EXPECT_EQ(result.busiest[0].bytes, Bytes(5000));
  EXPECT_DOUBLE_EQ(result.busiest[0].utilisation, 4.0 / 7);
  EXPECT_DOUBLE_EQ(result.accepted_per_second(), 5000 / 700e-9);
}

// All-to-all of n nodes at full window without conflicts: the n-1 messages of a node leave back to
// back; the k-th messages are a permutation, so that nothing waits: 400 + (n-2) * 100 ns.
TEST(ClosedLoop, AllToAllRunsWithoutConflicts) {
  TrafficConfig c = closed("all-to-all", 1, 100);
  c.messages.reset();
  const TrafficResult result = run(c, *star(6));
  EXPECT_EQ(result.messages, 30U);
  EXPECT_EQ(result.last_finish, Time::ns(800));
}

// 50 ns to send, 30 ns to receive: 480 ns a message, three in turn 1440 ns. At once, 200 ns apart
// because of the gap: the last starts at 50 + 2 * 200 ns and is known 400 + 30 ns later: 880 ns.
TEST(ClosedLoop, AdapterCostsApply) {
  const auto platform = star(2, adapter(Time::ns(50), Time::ns(30), Time::ns(200)));
  EXPECT_EQ(run(closed("shift", 3, 1), *platform).last_finish, Time::ns(1440));
  EXPECT_EQ(run(closed("shift", 3, 3), *platform).last_finish, Time::ns(880));
}

// With a bus of 50 Gb/s and 10 ns on both sides, a message from memory to memory takes 200 ns of
// transmission (the bus is the bottleneck) and 300 + 20 ns of latency; between adapters 400 ns.
TEST(ClosedLoop, EndsAreMemoryOrAdapter) {
  auto platform = star(2);
  platform::NodeParams node = platform::node_table().defaults();
  node.pcie_bandwidth = Bandwidth::gbps(50);
  node.pcie_latency = Time::ns(10);
  platform->set_node(NodeId{0}, node);
  platform->set_node(NodeId{1}, node);
  TrafficConfig c = closed("shift", 1, 1);
  EXPECT_EQ(run(c, *platform).last_finish, Time::ns(520));
  EXPECT_EQ(injection_bandwidth(*platform, NodeId{0}, From::memory), Bandwidth::gbps(50));
  c.from = From::nic;
  EXPECT_EQ(run(c, *platform).last_finish, Time::ns(400));
  EXPECT_EQ(injection_bandwidth(*platform, NodeId{0}, From::nic), Bandwidth::gbps(100));
}

// Without a topology the messages of one node, one at a time, cost three times one of them.
TEST(ClosedLoop, RunsOnLogGops) {
  const TrafficResult result = run_all(closed("shift", 3, 1), *star(4), {}, "loggops").front();
  EXPECT_EQ(result.last_finish, result.latency.max * 3);
  EXPECT_TRUE(result.busiest.empty());
}

// Below saturation what arrives is what is offered, and what is offered is the load: 2000 messages
// of each of 8 nodes make a standard error of 0.8 %.
TEST(OpenLoop, AcceptsWhatIsOffered) {
  const auto platform = star(8);
  for (const TrafficResult& result : run_all(open("uniform", "0.2,0.5,0.8"), *platform)) {
    const double offered = result.fraction(result.offered_per_second());
    const double load = static_cast<double>(result.load->parts) / Load::kWhole;
    EXPECT_NEAR(offered, load, 0.03 * load);
    EXPECT_NEAR(result.fraction(result.accepted_per_second()), offered, 0.01);
    EXPECT_FALSE(result.saturated);
    EXPECT_EQ(result.unfinished, 0U);
  }
}

// Evenly spaced messages of one sender never wait: each takes 400 ns. The rate is exact: 12.5 GB/s
// times 0.5 is a message per 200 ns, 100 of them in 20 us.
TEST(OpenLoop, ConstantSpacingNeverWaits) {
  TrafficConfig c = open("incast", "0.5");
  c.fan_in = 1;
  c.spacing = Spacing::constant;
  c.duration = Time::us(20);
  const TrafficResult result = run(c, *star(3));
  EXPECT_EQ(result.messages, 100U);
  EXPECT_EQ(result.latency.min, Time::ns(400));
  EXPECT_EQ(result.latency.max, Time::ns(400));
}

// Four nodes offer 0.9 of a cable each to one node: its cable passes 12.5 GB/s and no more, it is
// busy all the time (and never more than that), and the loop is saturated.
TEST(OpenLoop, IncastSaturatesAtTheCapacityOfTheTarget) {
  const TrafficResult result = run(open("incast", "0.9"), *star(5));
  EXPECT_NEAR(result.accepted_per_second(), 12.5e9, 0.01 * 12.5e9);
  EXPECT_TRUE(result.saturated);
  EXPECT_GT(result.unfinished, 0U);
  EXPECT_EQ(result.busiest[0].link, LinkId{1});
  EXPECT_NEAR(result.busiest[0].utilisation, 1, 0.001);
  EXPECT_LE(result.busiest[0].utilisation, 1.0001);
}

/// What 64 nodes of a fat tree are given of what they offer over packets.
double accepted_of_tree(const TrafficConfig& c, const char* congestion_control) {
  auto topology = std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(8, 2));
  auto routing = platform::make_routing("minimal", *topology);
  const platform::Platform tree(
      "tree", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(), {});
  Settings settings(network::network_sections());
  settings.assign(congestion_control, {});
  const TrafficResult result = run_traffic(c, tree, "packet", settings, {}).front();
  return result.fraction(result.accepted_per_second());
}

// 63 thin flows, 5 % of what everybody sends, want 63 * 0.5 * 0.05 + 0.5 = 2.1 times what the cable
// to one node passes. Their packets fill the buffers, and less than half of what all nodes offer
// gets through; with congestion control, all that does not go to that node: 0.45 to 0.5.
TEST(OpenLoop, CongestionControlHelpsAHotspotOfThinFlows) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  TrafficConfig c = open("hotspot", "0.5");
  c.hot_fraction = 0.05;
  c.size = SizeDistribution::parse("4KiB").value();
  c.duration = Time::us(800);
  EXPECT_LT(accepted_of_tree(c, "packet.congestion=none"), 0.26);
  EXPECT_GT(accepted_of_tree(c, "packet.congestion=ib"), 0.44);
}

// Where queues are long by chance only, it leaves flows alone.
TEST(OpenLoop, CongestionControlSparesUniformTraffic) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  TrafficConfig c = open("uniform", "0.7");
  c.size = SizeDistribution::parse("4KiB").value();
  c.duration = Time::us(300);
  EXPECT_GT(accepted_of_tree(c, "packet.congestion=ib"),
            0.99 * accepted_of_tree(c, "packet.congestion=none"));
}

class EveryNetwork : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Networks, EveryNetwork,
                         testing::Values("loggops", "queue", "fluid", "packet"),
                         [](const auto& network) { return network.param; });

// Eight nodes on a switch offer 1.5 times what their cables pass, to all others alike. Every cable
// up is busy all the time, so that 1.0 of the injection bandwidth is accepted, but for what cables
// down miss while by chance nothing is there for them: less than 3 % where queues are unlimited.
// Packets wait for those before them in the finite buffers of the switch, and have headers.
TEST_P(EveryNetwork, AcceptsItsCapacityPastSaturation) {
  TrafficConfig c = open("uniform", "1.5");
  c.duration = Time::us(200);
  const TrafficResult result = run_all(c, *star(8), {}, GetParam()).front();
  EXPECT_TRUE(result.saturated);
  EXPECT_LE(result.fraction(result.accepted_per_second()), 1.005);
  EXPECT_GE(result.fraction(result.accepted_per_second()), GetParam() == "packet" ? 0.70 : 0.97);
}

// Seven nodes offer half a cable each to one, three and a half times what its cable passes: it
// passes 12.5 GB/s, and as it is never idle nothing else is accepted: the same to one message per
// sender of the 2000 in the window, 0.35 %. Packets have 20 bytes of header in 1270.
TEST_P(EveryNetwork, AnIncastAcceptsWhatTheTargetsCablePasses) {
  TrafficConfig c = open("incast", "0.5");
  c.duration = Time::us(200);
  const TrafficResult result = run_all(c, *star(8), {}, GetParam()).front();
  const double expected = 12.5e9 * (GetParam() == "packet" ? 1250.0 / 1270 : 1);
  EXPECT_NEAR(result.accepted_per_second(), expected, 0.0035 * expected);
}

// Of eight nodes, all send to node 0 half of the messages and otherwise to anyone: past saturation
// its cable is busy all the time and accepts 12.5 GB/s; the others still get what is theirs.
TEST(OpenLoop, TheHotLinkIsAlwaysBusy) {
  for (const char* network : {"queue", "fluid"}) {
    TrafficConfig c = open("hotspot", "0.9");
    c.hot_fraction = 0.5;
    c.duration = Time::us(200);
    const TrafficResult result = run_all(c, *star(8), {}, network).front();
    EXPECT_EQ(result.busiest[0].link, LinkId{1}) << network;
    EXPECT_NEAR(result.busiest[0].utilisation, 1, 0.001) << network;
  }
}

// In slots of 100 ns a node has one message at most, so where every target has one sender none ever
// waits, at a load of 0.9 as at any other: all take 400 ns. Two senders apart by chance would wait.
TEST(OpenLoop, BernoulliMessagesDoNotWaitAtTheirSource) {
  TrafficConfig c = open("shift", "0.9");
  c.spacing = Spacing::bernoulli;
  const TrafficResult result = run(c, *star(8));
  EXPECT_EQ(result.latency.min, Time::ns(400));
  EXPECT_EQ(result.latency.max, Time::ns(400));
  EXPECT_NEAR(offered_of(result), 0.9, 0.01);
  c.spacing = Spacing::exponential;
  EXPECT_GT(run(c, *star(8)).latency.max, Time::ns(400));
}

// Queues before the outputs of a switch that N - 1 nodes send to, a message in a slot with the
// probability p each: the mean wait is (N - 2) / (N - 1) p / (2 (1 - p)) slots (Karol, Hluchyj and
// Morgan 1987). For 64 nodes and p = 0.8 that is 1.968 slots of 100 ns, besides the 400 ns.
TEST(OpenLoop, BernoulliMessagesWaitAtOutputsAsTheoryHasIt) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  TrafficConfig c = open("uniform", "0.8");
  c.spacing = Spacing::bernoulli;
  c.seeds = 4;
  const TrafficResult result = run(c, *star(64));
  const double offered = offered_of(result);
  const double wait = 62.0 / 63 * offered / (2 * (1 - offered)) * 100'000;
  EXPECT_NEAR(static_cast<double>((result.latency.mean - Time::ns(400)).ps()), wait, 0.04 * wait);
}

// Loads that draw the same numbers are off by the same part of what they should offer; with numbers
// of their own by others. A load has the same numbers in every sweep.
TEST(OpenLoop, LoadsMayHaveRandomNumbersOfTheirOwn) {
  TrafficConfig c = open("uniform", "0.2,0.4");
  const auto off = [&] {
    std::vector<double> parts;
    for (const TrafficResult& result : run_all(c, *star(16))) {
      parts.push_back(offered_of(result) * Load::kWhole / static_cast<double>(result.load->parts));
    }
    return parts;
  };
  c.duration = Time::us(500);
  c.load_streams = LoadStreams::own;
  const std::vector<double> own = off();
  EXPECT_GT(std::abs(own[0] - own[1]), 1e-4);
  c.load = Loads::parse("0.4").value();
  EXPECT_EQ(off().front(), own[1]);
}

// One sender with exponential spacing and one link of fixed service time S = 100 ns is an M/D/1
// queue: the mean wait is rho / (2 (1 - rho)) S, 50 ns at 0.5 and 200 ns at 0.8, over the idle
// 400 ns. The second link is fed by the first and adds no wait.
TEST(OpenLoop, WaitsAsTheMD1QueueDoes) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  TrafficConfig c = open("incast", "0.5,0.8");
  c.fan_in = 1;
  c.duration = Time::ms(80);
  const auto results = run_all(c, *star(2));
  const auto wait_ns = [](const TrafficResult& r) {
    return static_cast<double>((r.latency.mean - Time::ns(400)).ps()) / 1000;
  };
  const auto check = [&](const TrafficResult& result, const std::string& load, double expected) {
    const double wait = wait_ns(result);
    validation_row("Queue network against theory", "mean wait in an M/D/1 queue at load " + load,
                   fmt::format("{:.2f} ns", wait), fmt::format("{:.0f} ns", expected),
                   fmt::format("{:+.2f} %", 100 * (wait / expected - 1)), "3 %");
    EXPECT_NEAR(wait, expected, 0.03 * expected);
  };
  check(results[0], "0.5", 50);
  check(results[1], "0.8", 200);
}

// An adapter with a gap of 400 ns starts a message of 100 ns every 400 ns: a quarter of the cable.
// What waits before it counts as offered all the same.
TEST(OpenLoop, AdapterGapSaturates) {
  const auto platform = star(4, adapter(Time::zero(), Time::zero(), Time::ns(400)));
  const auto results = run_all(open("permutation", "0.2,0.5"), *platform);
  EXPECT_FALSE(results[0].saturated);
  EXPECT_TRUE(results[1].saturated);
  EXPECT_NEAR(results[1].fraction(results[1].accepted_per_second()), 0.25, 0.005);
  EXPECT_NEAR(results[1].fraction(results[1].offered_per_second()), 0.5, 0.015);
}

// Two nodes offer a full cable each to one, in a window of 40 us from the beginning: 400 messages
// each, of which the cable passes every second one. A message created at x arrives at 2x, x later,
// if that is within the window; else it is unfinished and counts with the 40 us - x that it has
// taken. So 400 are unfinished; latency grows to 20 us for x = 20 us and falls again, and its mean
// is 10 us.
TEST(OpenLoop, UnfinishedMessagesCountWithWhatTheyHaveTaken) {
  TrafficConfig c = open("incast", "1");
  c.fan_in = 2;
  c.spacing = Spacing::constant;
  c.warm_up = Time::zero();
  c.duration = Time::us(40);
  const TrafficResult result = run(c, *star(3));
  EXPECT_TRUE(result.saturated);
  EXPECT_EQ(result.messages + result.unfinished, 800U);
  EXPECT_NEAR(static_cast<double>(result.unfinished), 400, 8);
  EXPECT_NEAR(result.latency.mean.seconds(), 10e-6, 0.4e-6);
  EXPECT_NEAR(result.latency.max.seconds(), 20e-6, 0.4e-6);
}

// A window of the usual length is that of 2000 messages of a node, a message of 100 ns each 111 ns
// at load 0.9: 222.2 us. With 3.6 times as much as the target takes it ends after four eighths of
// that, 111.1 us, when more than 1000 messages have arrived; at load 0.2 it is not cut. If the user
// says how long it is, it is so.
TEST(OpenLoop, EndsEarlyFarBeyondSaturation) {
  const auto platform = star(5);
  EXPECT_NEAR(run(open("incast", "0.9"), *platform).measured.seconds(), 111.11e-6, 0.01e-6);
  EXPECT_EQ(run(open("incast", "0.2"), *platform).measured, Time::us(1000));
  TrafficConfig c = open("incast", "0.9");
  c.duration = Time::us(100);
  EXPECT_EQ(run(c, *platform).measured, Time::us(100));
}

// At load 0.01 eight nodes send 16 messages in 20 us, in the mean. One that is under way at the end
// is more than a twentieth of them, and no saturation.
TEST(OpenLoop, FewMessagesAreNoSaturation) {
  for (const std::int64_t seed : {1, 2, 3, 4, 5}) {
    TrafficConfig c = open("uniform", "0.01");
    c.duration = Time::us(20);
    c.seed = seed;
    EXPECT_FALSE(run(c, *star(8)).saturated);
  }
}

// A rate means the same whatever the cable: 5 GB/s of 12.5 GB/s are 0.4.
TEST(OpenLoop, TakesRates) {
  const TrafficResult result = run(open("uniform", "5GB/s"), *star(8));
  EXPECT_NEAR(result.fraction(result.offered_per_second()), 0.4, 0.012);
}

// The same seed gives the same events, another seed others; watching changes nothing.
TEST(TrafficRun, IsDeterministic) {
  const auto platform = star(8);
  TrafficConfig c = open("uniform", "0.3,0.7");
  c.size = SizeDistribution::parse("log-uniform:64B:64KiB").value();
  c.duration = Time::us(100);
  const std::uint64_t first = combined_fingerprint(run_all(c, *platform));
  EXPECT_EQ(combined_fingerprint(run_all(c, *platform)), first);
  Collected collected;
  int reports = 0;
  const TrafficWatch watch{0, &collected, [&](const RunProgress&) { ++reports; }};
  EXPECT_EQ(combined_fingerprint(run_all(c, *platform, watch)), first);
  EXPECT_FALSE(collected.records.empty());
  EXPECT_GE(reports, 2);
  c.seed = 2;
  EXPECT_NE(combined_fingerprint(run_all(c, *platform)), first);
}

// By hand: message 0 is alone on its cable up and first at the target: 400 ns. Message 1 waits for
// it there: 500 ns. Message 2, at half the rate, needs 200 ns of transmission: 1000 + 500 ns. The
// lines are not in the order of time; ids are the places in the file.
TEST(TrafficRun, FileFinishTimesAreExact) {
  const TemporaryFile file(
      "start source destination bytes rate\n"
      "0us 0 1 1250\n"
      "1us 0 1 1250 50Gbps\n"
      "0us n2 n1 1250\n");
  TrafficConfig c = config_of_run("file");
  c.file = file.path;
  Collected collected;
  const TrafficResult result = run(c, *star(4), {5, &collected, nullptr});
  EXPECT_EQ(result.messages, 3U);
  ASSERT_EQ(collected.records.size(), 3U);
  EXPECT_EQ(collected.records[0].id, 0U);
  EXPECT_EQ(collected.records[0].finished, Time::ns(400));
  EXPECT_EQ(collected.records[1].id, 2U);
  EXPECT_EQ(collected.records[1].finished, Time::ns(500));
  EXPECT_EQ(collected.records[2].id, 1U);
  EXPECT_EQ(collected.records[2].created, Time::us(1));
  EXPECT_EQ(collected.records[2].finished, Time::ns(1500));
}

// Nobody means a file without messages.
TEST(TrafficRun, EmptyFileIsAnError) {
  const TemporaryFile file("# nothing\n");
  TrafficConfig c = config_of_run("file");
  c.file = file.path;
  EXPECT_THAT([&] { run(c, *star(4)); },
              testing::ThrowsMessage<InputError>(HasSubstr("has no messages")));
}

TEST(TrafficRun, FractionOfNoLimitIsAnError) {
  auto platform = star(2);
  platform::LinkParams link = platform::link_table().defaults();
  link.bandwidth = Bandwidth::unlimited();
  for (std::uint32_t cable = 0; cable < 2; ++cable) platform->set_cable(cable, link);
  EXPECT_THAT([&] { run(open("uniform", "0.5"), *platform); },
              testing::ThrowsMessage<InputError>(HasSubstr("accepted here is a rate")));
}

// Three seeds of one load: the counts are the sums of those of each seed alone, the mean latency is
// the mean of theirs, and the interval is Student's of the three means.
TEST(Seeds, SeveralAreOneResult) {
  const auto platform = star(8);
  TrafficConfig c = open("uniform", "0.5");
  c.duration = Time::us(100);
  std::uint64_t messages = 0;
  std::vector<double> means;
  for (c.seed = 1; c.seed <= 3; ++c.seed) {
    const TrafficResult one = run(c, *platform);
    messages += one.messages;
    means.push_back(static_cast<double>(one.latency.mean.ps()));
    EXPECT_TRUE(one.mean_latency.known());
  }
  c.seed = 1;
  c.seeds = 3;
  const TrafficResult all = run(c, *platform);
  EXPECT_EQ(all.seeds, 3);
  EXPECT_EQ(all.messages, messages);
  EXPECT_NEAR(static_cast<double>(all.latency.mean.ps()), estimate(means).mean, 1);
  EXPECT_DOUBLE_EQ(all.mean_latency.half_width, estimate(means).half_width);
  EXPECT_EQ(all.accepted_rate.samples, 3U);
}

// A switch with a shift pattern is an M/D/1 queue per node: at half load a message waits half of
// its 100 ns, and is there after 450 ns. The interval by batches of one seed is narrow, and five
// seeds' contains that.
TEST(Seeds, TheIntervalContainsTheTruth) {
  const auto platform = star(8);
  TrafficConfig c = open("shift", "0.5");
  EXPECT_LT(run(c, *platform).mean_latency.half_width, 0.02 * 450'000);
  c.seeds = 5;
  const TrafficResult all = run(c, *platform);
  EXPECT_NEAR(static_cast<double>(all.latency.mean.ps()), 450'000, 2 * all.mean_latency.half_width);
  EXPECT_NEAR(all.fraction(all.accepted_rate.mean), 0.5,
              2 * all.fraction(all.accepted_rate.half_width));
}

// Three senders to one node: a load is carried as long as the three together do not offer more than
// one cable takes, a third of theirs each; a load is saturated once 5 % do not arrive, at 0.35.
// Runs come in ascending order, those below it not saturated and those above it saturated.
TEST(FindSaturation, HalvesTheIntervalOfLoads) {
  TrafficConfig c = open("incast", "0.5");
  c.fan_in = 3;
  c.find_saturation = true;
  const std::vector<TrafficResult> results = run_all(c, *star(8));
  ASSERT_EQ(results.size(), 8U);
  double last_carried = 0;
  double first_saturated = 2;
  for (const TrafficResult& result : results) {
    const double load = static_cast<double>(result.load->parts) / Load::kWhole;
    if (result.saturated) {
      first_saturated = std::min(first_saturated, load);
    } else {
      last_carried = std::max(last_carried, load);
    }
  }
  EXPECT_NEAR(first_saturated - last_carried, 1.0 / 128, 1e-9);
  EXPECT_GE(first_saturated, 0.333);
  EXPECT_LE(last_carried, 0.36);
}

// Half-way round an even ring messages go both ways alike, so that an 8x8 torus carries uniform
// traffic up to 63 / 64 of what its nodes can inject; with all of them upwards it was 0.79.
TEST(Torus, UniformTrafficUsesBothDirections) {
  auto topology = std::make_unique<platform::Torus>(std::vector<std::int64_t>{8, 8}, 1,
                                                    platform::Torus::Edges::wrapped);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::Platform torus(
      "torus", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(), {});
  const TrafficResult result = run(open("uniform", "0.97"), torus);
  EXPECT_FALSE(result.saturated);
  EXPECT_GE(result.fraction(result.accepted_per_second()), 0.95);
}

// Eight nodes send to a ninth, whose cable is the bottleneck. With a quarter of what it carries,
// latencies settle at once: of eight seeds the window of 400 us begins after a quarter of it,
// 100 us, with all but one or two. With all of it some take longer, but never more than 400 us. A
// warm-up that is set is taken as it is, and twice as much as the cable carries, which never
// settles, is not waited for.
TEST(WarmUp, LastsUntilLatenciesSettle) {
  const auto platform = star(9);
  const auto waits = [&](const std::string& load, std::optional<Time> set, Time usual) {
    int longer = 0;
    for (std::int64_t seed = 1; seed <= 8; ++seed) {
      TrafficConfig c = open("incast", load);
      c.duration = Time::us(400);
      c.warm_up = set;
      c.seed = seed;
      const Time warm_up = run(c, *platform).warm_up;
      EXPECT_GE(warm_up, usual);
      EXPECT_LE(warm_up, Time::us(400));
      longer += warm_up > usual ? 1 : 0;
    }
    return longer;
  };
  EXPECT_LE(waits("0.03125", {}, Time::us(100)), 2);
  EXPECT_GE(waits("0.125", {}, Time::us(100)), 2);
  EXPECT_EQ(waits("0.125", Time::us(7), Time::us(7)), 0);
  EXPECT_EQ(waits("0.25", {}, Time::us(100)), 0);
}

/// What processes pass to each other must be all there is.
void expect_equal(const TrafficResult& a, const TrafficResult& b) {
  EXPECT_EQ(a.load, b.load);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.unfinished, b.unfinished);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.latency.mean, b.latency.mean);
  EXPECT_EQ(a.latency.p99, b.latency.p99);
  EXPECT_EQ(a.measured, b.measured);
  EXPECT_EQ(a.warm_up, b.warm_up);
  EXPECT_EQ(a.last_finish, b.last_finish);
  EXPECT_EQ(a.senders, b.senders);
  EXPECT_EQ(a.offered, b.offered);
  EXPECT_EQ(a.accepted, b.accepted);
  EXPECT_EQ(a.injection, b.injection);
  EXPECT_EQ(a.saturated, b.saturated);
  EXPECT_EQ(a.mean_latency.half_width, b.mean_latency.half_width);
  EXPECT_EQ(a.accepted_rate.half_width, b.accepted_rate.half_width);
  EXPECT_EQ(a.seeds, b.seeds);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.fingerprint, b.fingerprint);
  ASSERT_EQ(a.busiest.size(), b.busiest.size());
  for (std::size_t i = 0; i < a.busiest.size(); ++i) {
    EXPECT_EQ(a.busiest[i].link, b.busiest[i].link);
    EXPECT_EQ(a.busiest[i].bytes, b.busiest[i].bytes);
    EXPECT_EQ(a.busiest[i].utilisation, b.busiest[i].utilisation);
    ASSERT_EQ(a.busiest[i].more.size(), b.busiest[i].more.size());
    for (std::size_t k = 0; k < a.busiest[i].more.size(); ++k) {
      EXPECT_EQ(a.busiest[i].more[k].name, b.busiest[i].more[k].name);
      EXPECT_EQ(a.busiest[i].more[k].value, b.busiest[i].more[k].value);
    }
  }
}

// Three loads with two seeds each, one run after another and four at once: the same results in the
// same order, to the bit.
TEST(Jobs, ChangeNoResult) {
  const auto platform = star(4);
  TrafficConfig c = open("uniform", "0.2,0.5,1.5");
  c.duration = Time::us(50);
  c.seeds = 2;
  TrafficWatch several;
  several.jobs = 4;
  const std::vector<TrafficResult> one = run_all(c, *platform, {}, "packet");
  const std::vector<TrafficResult> four = run_all(c, *platform, several, "packet");
  ASSERT_EQ(one.size(), 3U);
  ASSERT_EQ(four.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) expect_equal(one[i], four[i]);
}

// A node that sends less than a message per hour is an error of the load, in a process of its own
// as well; a stop asked for by whoever watches keeps its meaning.
TEST(Jobs, FailAsOneRunDoes) {
  const auto platform = star(4);
  TrafficWatch several;
  several.jobs = 2;
  EXPECT_THROW(run_all(open("uniform", "1bps,2bps"), *platform, several), InputError);
  several.progress = [](const RunProgress&) { throw RunError("stopped"); };
  // More loads than can all be done when they are looked at for the first time.
  EXPECT_THROW(run_all(open("uniform", "0.1:0.9:0.1"), *platform, several), RunError);
}

/// Messages of an open loop, in the order of their creation.
class Creations final : public MessageSink {
 public:
  void message_finished(const MessageRecord& record) override { list.push_back(record); }
  std::vector<MessageRecord> list;
};

/// The mean and the standard deviation of the logarithm of the time between messages of node 0.
std::pair<double, double> log_intervals(double sigma) {
  TrafficConfig c = open("permutation", "0.01");
  c.spacing = Spacing::log_normal;
  c.spacing_sigma = sigma;
  c.warm_up = Time::zero();
  c.duration = Time::ms(100);
  Creations creations;
  run(c, *star(2), {5, &creations});
  std::vector<Time> times;
  for (const MessageRecord& record : creations.list) {
    if (record.source == NodeId{0}) times.push_back(record.created);
  }
  std::sort(times.begin(), times.end());
  double sum = 0;
  double squares = 0;
  const auto count = static_cast<double>(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double log = std::log(static_cast<double>((times[i] - times[i - 1]).ps()));
    sum += log;
    squares += log * log;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(squares / count - mean * mean)};
}

// At 1 % of 100 Gb/s a node sends 1250 B every 10 us in the mean: the logarithm of log-normal
// intervals has the standard deviation sigma and the mean ln(10^7 ps) - sigma^2 / 2, so that bursts
// do not change the load. Of 10 000 intervals both are known to 0.01 and 0.02 (one standard error).
TEST(OpenLoop, LogNormalSpacingKeepsTheLoad) {
  for (const double sigma : {0.5, 2.0}) {
    const auto [mean, deviation] = log_intervals(sigma);
    EXPECT_NEAR(deviation, sigma, 0.03 * sigma) << sigma;
    EXPECT_NEAR(mean, std::log(1e7) - sigma * sigma / 2, 0.05 * sigma) << sigma;
  }
}

// A message of 1250 B takes 400 ns alone, one of 125 kB 10.3 us. Two of the latter from different
// nodes to one, at the same time: the second waits for the first. Slowdowns are 1 and 20.3 / 10.3.
TEST(Slowdown, IsAgainstTheIdleNetwork) {
  for (const char* network : {"queue", "links"}) {
    const TemporaryFile file("0us 0 2 1250\n5us 0 2 125000\n5us 1 2 125000\n");
    TrafficConfig c = config_of_run("file");
    c.file = file.path;
    c.slowdown = Slowdown::yes;
    Settings settings(network::network_sections());
    settings.assign("links.like=queue", {});
    const TrafficResult r = run_traffic(c, *star(3), network, settings).front();
    ASSERT_EQ(r.flows.size(), 3U) << network;
    EXPECT_EQ(r.flows[1].slowdown_p50, 1) << network;
    EXPECT_EQ(r.flows[1].p50, Time::ns(400)) << network;
    EXPECT_EQ(r.flows[2].slowdown_p50, 1) << network;
    EXPECT_NEAR(r.flows[2].slowdown_p99, 20.3 / 10.3, 1e-6) << network;
  }
}

// Alone, no flow is slower than alone, over any network and of any size, exactly up to 64 KiB and
// to a thousandth above.
TEST(Slowdown, OfFlowsThatNeverMeetIsOne) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i * 1000) + "us 0 1 " + std::to_string(1 + i * i * i * 37) + "\n";
  }
  const TemporaryFile file(text);
  TrafficConfig c = config_of_run("file");
  c.file = file.path;
  c.slowdown = Slowdown::yes;
  for (const char* network : {"loggops", "queue", "fluid", "packet", "links"}) {
    const TrafficResult result = run_all(c, *star(2), {}, network).front();
    for (const FlowGroup& group : result.flows) {
      EXPECT_NEAR(group.slowdown_mean, 1, 1e-3) << network;
      EXPECT_NEAR(group.slowdown_p999, 1, 2e-3) << network << " " << group.from.count();
    }
  }
}

// Where nobody asks and sizes are not measured ones, slowdowns cost nothing.
TEST(Slowdown, IsMeasuredWhereItIsWanted) {
  TrafficConfig c = open("uniform", "0.3");
  c.duration = Time::us(50);
  EXPECT_TRUE(run(c, *star(4)).flows.empty());
  c.size = SizeDistribution::parse("rpc").value();
  EXPECT_FALSE(run(c, *star(4)).flows.empty());
  c.slowdown = Slowdown::no;
  EXPECT_TRUE(run(c, *star(4)).flows.empty());
}

/// When messages finish, by source and creation.
class Finishes final : public MessageSink {
 public:
  void message_finished(const MessageRecord& r) override {
    times[{index(r.source), r.created.ps()}] = r.finished.ps();
  }
  std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> times;
};

std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> finishes(
    const TrafficConfig& c, const platform::Platform& platform, const std::string& network,
    const std::vector<std::string>& assignments) {
  Settings settings(network::network_sections());
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  Finishes finishes;
  run_traffic(c, platform, network, settings, {0, &finishes});
  return finishes.times;
}

TrafficConfig flows_at(double load) {
  TrafficConfig c = open("uniform", "0.5");
  c.load.list = {Load::fraction(load)};
  c.size = SizeDistribution::parse("storage").value();
  c.warm_up = Time::zero();
  c.duration = Time::us(400);
  return c;
}

std::unique_ptr<platform::Platform> tree_of_64() {
  auto topology = std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(8, 2));
  auto routing = platform::make_routing("minimal", *topology);
  return std::make_unique<platform::Platform>(
      "tree", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(),
      platform::nic_table().defaults());
}

// In a tree a message meets links in an order that no other message turns round, so that link by
// link is as good as all at once: whole messages one after another finish when they do over queue,
// but for the rounding of times at each link, even where many wait.
TEST(Links, AreQueueWhereMessagesGoOneAfterAnother) {
  const auto tree = tree_of_64();
  const auto queue = finishes(flows_at(0.7), *tree, "queue", {});
  const auto links = finishes(flows_at(0.7), *tree, "links", {"links.like=queue"});
  std::size_t both = 0;
  std::size_t alike = 0;
  for (const auto& [message, finish] : links) {
    const auto other = queue.find(message);
    if (other == queue.end()) continue;
    ++both;
    alike += std::abs(finish - other->second) <= 10;
  }
  EXPECT_GT(both, 3000U);
  EXPECT_EQ(alike, both);
}

// On one bottleneck, the cable to the only receiver, inputs take turns as in packet: slowdowns have
// the same distribution, but for the grain of packets: a small flow waits for whole packets of the
// others, which shows where waits are short.
TEST(Links, ArePacketOnOneBottleneck) {
  const auto switched = star(9);
  TrafficConfig c = flows_at(0.08);  // Of eight senders.
  c.pattern = "incast";
  c.duration = Time::ms(10);
  Settings settings(network::network_sections());
  settings.assign("packet.buffer=1M", {});
  const FlowGroup links = run_traffic(c, *switched, "links", settings).front().flows.front();
  const FlowGroup packet = run_traffic(c, *switched, "packet", settings).front().flows.front();
  EXPECT_EQ(links.flows, packet.flows);
  EXPECT_NEAR(links.slowdown_mean / packet.slowdown_mean, 1, 0.03);
  EXPECT_NEAR(links.slowdown_p50 / packet.slowdown_p50, 1, 0.1);
  EXPECT_NEAR(links.slowdown_p99 / packet.slowdown_p99, 1, 0.03);
}

// However many threads share the links, every message finishes at the same picosecond; on a torus,
// too, where links wait for each other in circles.
TEST(Links, DoNotDependOnThreads) {
  const auto tree = tree_of_64();
  auto topology = std::make_unique<platform::Torus>(std::vector<std::int64_t>{4, 4, 2}, 1,
                                                    platform::Torus::Edges::wrapped);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::Platform torus(
      "torus", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(), {});
  for (const platform::Platform* platform :
       std::vector<const platform::Platform*>{tree.get(), &torus}) {
    const auto one = finishes(flows_at(0.3), *platform, "links", {"links.threads=1"});
    EXPECT_EQ(one, finishes(flows_at(0.3), *platform, "links", {"links.threads=4"}));
    EXPECT_GT(one.size(), 1000U);
  }
}

// Of links of which some are alike fewer are simulated, and all are accounted for; what flows draw
// for the others does not depend on threads. Alike to nothing are none of them, for random flows
// are never the same.
TEST(Links, ThatAreAlikeAreSimulatedOnce) {
  const auto tree = tree_of_64();
  const auto run = [&](const char* alike, const char* threads) {
    Settings settings(network::network_sections());
    settings.assign(alike, {});
    settings.assign(threads, {});
    TrafficConfig c = flows_at(0.5);
    c.size = SizeDistribution::parse("exponential:4KiB").value();
    c.slowdown = Slowdown::yes;
    c.duration = Time::us(300);
    return run_traffic(c, *tree, "links", settings).front();
  };
  const TrafficResult each = run("links.alike=0", "links.threads=1");
  const TrafficResult some = run("links.alike=0.1", "links.threads=1");
  EXPECT_EQ(each.links_alike, 0U);
  EXPECT_GT(some.links_alike, each.links_simulated / 8);
  EXPECT_EQ(some.links_simulated + some.links_alike, each.links_simulated);
  EXPECT_LT(some.events, each.events);
  EXPECT_EQ(some.messages, each.messages);
  EXPECT_NEAR(some.flows.front().slowdown_p99 / each.flows.front().slowdown_p99, 1, 0.15);
  EXPECT_EQ(run("links.alike=0.1", "links.threads=4").fingerprint, some.fingerprint);
}

// A closed loop sends when something has arrived, which nobody knows beforehand.
TEST(Links, RefuseClosedLoops) {
  EXPECT_THAT(heddle::error_of([] { run_all(closed("uniform", 10, 1), *star(4), {}, "links"); }),
              HasSubstr("accepted are loop open"));
}

}  // namespace
}  // namespace heddle::traffic
