// Patterns of messages that begin at times of their own, whatever becomes of the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "platform/topology/fat_tree.hpp"
#include "sanitized.hpp"
#include "traffic/support.hpp"
#include "validation.hpp"

namespace heddle::traffic {
namespace {

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

/// The mean and the standard deviation of the logarithm of the time between messages of node 0.
std::pair<double, double> log_intervals(double sigma) {
  TrafficConfig c = open("permutation", "0.01");
  c.spacing = Spacing::log_normal;
  c.spacing_sigma = sigma;
  c.warm_up = Time::zero();
  c.duration = Time::ms(100);
  Collected collected;
  run(c, *star(2), {5, &collected});
  std::vector<Time> times;
  for (const MessageRecord& record : collected.records) {
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

// Half-way round an even ring messages go both ways alike, so that an 8x8 torus carries uniform
// traffic up to 63 / 64 of what its nodes can inject; with all of them upwards it was 0.79.
TEST(Torus, UniformTrafficUsesBothDirections) {
  const platform::Platform torus = torus_8x8();
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

}  // namespace
}  // namespace heddle::traffic
