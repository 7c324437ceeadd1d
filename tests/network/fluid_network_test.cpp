#include "network/fluid/fluid_network.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "platform/routing.hpp"
#include "platform/topology/single_switch.hpp"

namespace heddle::network {
namespace {

/// Nodes on one switch, 100 Gb/s (80 ps per byte) and 500 ns per link, and a fluid network.
class FluidTest : public testing::Test, protected TransferClient {
 protected:
  static constexpr std::int64_t kPsPerByte = 80;
  static constexpr std::int64_t kLatency = 1'000'000;  ///< Two links, in ps.

  void build() {
    auto topology = std::make_unique<platform::SingleSwitch>(8);
    auto routing = platform::make_routing("minimal", *topology);
    platform_ = std::make_unique<platform::Platform>(
        "star", std::move(topology), std::move(routing), link_, platform::SwitchParams{},
        platform::NodeParams{}, platform::NicParams{});
    network_ = std::make_unique<FluidNetwork>(simulation_, *platform_, config_);
  }
  Transfer transfer(std::uint32_t from, std::uint32_t to, std::int64_t bytes,
                    std::uint64_t cookie) {
    Transfer result;
    result.source = {NodeId{from}};
    result.destination = {NodeId{to}};
    result.size = Bytes(bytes);
    result.wants = 7;
    result.client = this;
    result.cookie = cookie;
    return result;
  }
  void start(std::uint32_t from, std::uint32_t to, std::int64_t bytes, std::uint64_t cookie) {
    network_->start(transfer(from, to, bytes, cookie));
  }
  void transfer_reached(Instant instant, std::uint64_t cookie) override {
    at_[{cookie, instant}] = simulation_.now();
    log_.push_back(instant);
    if (instant == Instant::tail && on_tail_) on_tail_(cookie);
  }
  /// 1000 B each way between two nodes are both there after so many byte times and the latency.
  void expect_exchange_to_take(std::int64_t byte_times) {
    build();
    start(0, 1, 1000, 0);
    start(1, 0, 1000, 1);
    simulation_.run();
    EXPECT_EQ(tail(0), kLatency + byte_times * kPsPerByte);
    EXPECT_EQ(tail(1), kLatency + byte_times * kPsPerByte);
  }
  std::int64_t at(std::uint64_t cookie, Instant instant) { return at_.at({cookie, instant}).ps(); }
  std::int64_t tail(std::uint64_t cookie) { return at(cookie, Instant::tail); }

  Simulation simulation_;
  platform::LinkParams link_{Bandwidth::gbps(100), {}, Time::ns(500)};
  FluidConfig config_ = FluidNetwork::table().defaults();
  std::unique_ptr<platform::Platform> platform_;
  std::unique_ptr<FluidNetwork> network_;
  std::map<std::pair<std::uint64_t, Instant>, Time> at_;
  std::vector<Instant> log_;
  std::function<void(std::uint64_t)> on_tail_;
};

// An idle message of 1000 B: its last byte leaves after 1000 * 80 ps, the first is there after the
// latency of 1 us, the last after both.
TEST_F(FluidTest, AnIdleMessageCostsLatencyAndBytes) {
  build();
  start(0, 1, 1000, 0);
  simulation_.run();
  EXPECT_EQ(at(0, Instant::injected), 1000 * kPsPerByte);
  EXPECT_EQ(at(0, Instant::head), kLatency);
  EXPECT_EQ(tail(0), kLatency + 1000 * kPsPerByte);
}

// SimGrid's way: nothing is used during the latency; then the message is sent, and there at once.
TEST_F(FluidTest, AfterLatencyInjectedIsTail) {
  config_.occupancy = Occupancy::after_latency;
  build();
  start(0, 1, 1000, 0);
  simulation_.run();
  EXPECT_EQ(at(0, Instant::head), kLatency);
  EXPECT_EQ(at(0, Instant::injected), kLatency + 1000 * kPsPerByte);
  EXPECT_EQ(tail(0), kLatency + 1000 * kPsPerByte);
  EXPECT_EQ(log_, (std::vector{Instant::head, Instant::injected, Instant::tail}));
}

// An empty message is injected at once and there after the latency.
TEST_F(FluidTest, AnEmptyMessageTakesTheLatency) {
  build();
  start(0, 1, 0, 0);
  simulation_.run();
  EXPECT_EQ(at(0, Instant::injected), 0);
  EXPECT_EQ(at(0, Instant::head), kLatency);
  EXPECT_EQ(tail(0), kLatency);
}

// Without any limit on the way even a large message takes the latency only.
TEST_F(FluidTest, UnlimitedLinksAreInfinitelyFast) {
  link_.bandwidth = Bandwidth::unlimited();
  build();
  start(0, 1, 1'000'000, 0);
  simulation_.run();
  EXPECT_EQ(tail(0), kLatency);
}

// Five equal messages into one node share its link: each takes five times as long as one alone.
TEST_F(FluidTest, AnIncastOfEqualMessagesTakesAsLongAsAllTogether) {
  build();
  for (std::uint32_t n = 1; n <= 5; ++n) start(n, 0, 10'000, n);
  simulation_.run();
  for (std::uint64_t n = 1; n <= 5; ++n) EXPECT_EQ(tail(n), kLatency + 5 * 10'000 * kPsPerByte);
}

// Two messages of one pair, 1000 B and 3000 B: at half the rate the first is through after 2000
// byte times; the second has 2000 B left and is through after 4000.
TEST_F(FluidTest, MessagesOfOnePairShareAndEndOneByOne) {
  build();
  start(0, 1, 1000, 0);
  start(0, 1, 3000, 1);
  simulation_.run();
  EXPECT_EQ(tail(0), kLatency + 2000 * kPsPerByte);
  EXPECT_EQ(tail(1), kLatency + 4000 * kPsPerByte);
}

// A message of 3000 B is alone for 1000 byte times, then shares with one of 500 B: that one needs
// 1000 byte times, after which the first has 1500 B left: through at 3500.
TEST_F(FluidTest, ByPairMessagesOfOnePairFollowEachOther) {
  // Of 1000 B, 3000 B and nothing from node 0 to node 1 each is through when it and those before it
  // are; another sender to node 1 gets half of the bandwidth, not a quarter.
  config_.order = FluidOrder::by_pair;
  build();
  start(0, 1, 1000, 0);
  start(0, 1, 3000, 1);
  start(0, 1, 0, 2);
  start(2, 1, 4000, 3);
  simulation_.run();
  EXPECT_EQ(tail(0), kLatency + 2000 * kPsPerByte);
  EXPECT_EQ(tail(1), kLatency + 8000 * kPsPerByte);
  EXPECT_EQ(tail(2), tail(1));
  EXPECT_EQ(tail(3), kLatency + 8000 * kPsPerByte);
}

TEST_F(FluidTest, ByPairALaterMessageWaitsAndALineBeginsAnew) {
  // 1000 B pass by themselves, and so do 1000 B that begin when the first are there.
  config_.order = FluidOrder::by_pair;
  build();
  on_tail_ = [this](std::uint64_t cookie) {
    if (cookie == 0) start(0, 1, 1000, 1);
  };
  start(0, 1, 1000, 0);
  simulation_.run();
  EXPECT_EQ(tail(0), kLatency + 1000 * kPsPerByte);
  EXPECT_EQ(tail(1), 2 * (kLatency + 1000 * kPsPerByte));
}

TEST_F(FluidTest, ByPairLatenciesPassTogether) {
  // Also where bandwidth is used after the latency.
  config_.order = FluidOrder::by_pair;
  config_.occupancy = Occupancy::after_latency;
  build();
  start(0, 1, 1000, 0);
  start(0, 1, 1000, 1);
  simulation_.run();
  EXPECT_EQ(tail(0), kLatency + 1000 * kPsPerByte);
  EXPECT_EQ(tail(1), kLatency + 2000 * kPsPerByte);
}

TEST_F(FluidTest, ALateMessageSlowsTheEarlierOneWhileItLasts) {
  build();
  start(0, 1, 3000, 0);
  simulation_.run_until(Time::ps(1000 * kPsPerByte));
  start(2, 1, 500, 1);
  simulation_.run();
  EXPECT_EQ(tail(1), kLatency + 2000 * kPsPerByte);
  EXPECT_EQ(tail(0), kLatency + 3500 * kPsPerByte);
}

// A cap of 25 Gb/s on a cable binds each message, not their sum: two into one node take 320 ps per
// byte each, side by side.
TEST_F(FluidTest, AFlowCapBindsEachMessage) {
  link_.flow_cap = Bandwidth::gbps(25);
  build();
  start(1, 0, 1000, 1);
  start(2, 0, 1000, 2);
  simulation_.run();
  EXPECT_EQ(tail(1), kLatency + 1000 * 4 * kPsPerByte);
  EXPECT_EQ(tail(2), kLatency + 1000 * 4 * kPsPerByte);
}

// A message with a cap of its own of 10 Gb/s leaves 90 Gb/s to the other, whose 9000 B then take
// 800 ns; its own 100,000 B take 80 us.
TEST_F(FluidTest, ACappedMessageLeavesTheRestToTheOthers) {
  build();
  Transfer capped = transfer(1, 0, 100'000, 1);
  capped.rate_cap = Bandwidth::gbps(10);
  network_->start(capped);
  start(2, 0, 9000, 2);
  simulation_.run();
  EXPECT_EQ(tail(2), kLatency + 800'000);
  EXPECT_EQ(tail(1), kLatency + 80'000'000);
}

// On half-duplex cables two opposite messages share both cables: twice the time of full duplex.
TEST_F(FluidTest, BothDirectionsShareAHalfDuplexCable) {
  link_.duplex = platform::Duplex::half;
  expect_exchange_to_take(2000);
}

// A part of 0.25 of each message's rate loads the way back: two opposite messages get 1/1.25 each.
TEST_F(FluidTest, CrossTrafficLoadsTheWayBack) {
  config_.cross_traffic = 0.25;
  expect_exchange_to_take(1250);
}

// Factors: three latencies, and a payload of half of the bandwidth used.
TEST_F(FluidTest, FactorsScaleLatencyAndProgress) {
  config_.latency_factor = 3;
  config_.bandwidth_factor = 0.5;
  build();
  start(0, 1, 1000, 0);
  simulation_.run();
  EXPECT_EQ(tail(0), 3 * kLatency + 2000 * kPsPerByte);
}

// A window of 10,000 B over a latency of 1 us bounds the rate to 10,000 B / 2 us: 200 ps per byte.
TEST_F(FluidTest, AWindowBoundsTheRate) {
  config_.tcp_gamma = Bytes(10'000);
  build();
  start(0, 1, 1000, 0);
  simulation_.run();
  EXPECT_EQ(tail(0), kLatency + 200'000);
}

// A client that starts the next message from within the report of the last: three in a row.
TEST_F(FluidTest, ReportsMayStartMessages) {
  build();
  on_tail_ = [this](std::uint64_t cookie) {
    if (cookie < 2) start(0, 1, 1000, cookie + 1);
  };
  start(0, 1, 1000, 0);
  simulation_.run();
  EXPECT_EQ(tail(2), 3 * (kLatency + 1000 * kPsPerByte));
}

// Every link of a route counts the bytes once; other links stay at zero.
TEST_F(FluidTest, LinksCountTheirBytes) {
  build();
  start(0, 1, 1000, 0);
  start(0, 1, 500, 1);
  simulation_.run();
  const LinkBytes carried = network_->carried();
  EXPECT_EQ(carried[0], 1500);
  EXPECT_EQ(carried[3], 1500);
  EXPECT_EQ(carried[1], 0);
  EXPECT_EQ(carried[2], 0);
}

// The load of a link is the number of messages that use it, and none when they are through.
TEST_F(FluidTest, LoadIsTheNumberOfMessages) {
  build();
  start(0, 1, 1000, 0);
  start(2, 1, 1000, 1);
  EXPECT_EQ(network_->load(LinkId{0}), 1);
  EXPECT_EQ(network_->load(LinkId{3}), 2);
  simulation_.run();
  EXPECT_EQ(network_->load(LinkId{3}), 0);
}

FluidParams config_of(std::initializer_list<std::string_view> assignments) {
  Settings settings(network_sections());
  for (const std::string_view assignment : assignments) settings.assign(assignment, {});
  return params_of(settings.get(FluidNetwork::table()));
}

// A preset stands for SimGrid's figures of its LV08; what is set beside it counts more, in
// whichever order. Without one the defaults stay.
TEST(FluidConfig, APresetSetsSeveralParameters) {
  const FluidParams lv08 = config_of({"fluid.latency_factor=2", "fluid.preset=simgrid-lv08"});
  EXPECT_EQ(lv08.latency_factor, 2);
  EXPECT_EQ(lv08.bandwidth_factor, 0.97);
  EXPECT_EQ(lv08.weight_s, Bytes(20537));
  EXPECT_EQ(lv08.tcp_gamma, Bytes(4 << 20));
  EXPECT_EQ(lv08.cross_traffic, 0.05);
  EXPECT_EQ(lv08.weighting, Weighting::simgrid);
  EXPECT_EQ(lv08.occupancy, Occupancy::after_latency);
  const FluidParams cm02 = config_of({"fluid.preset=simgrid-cm02"});
  EXPECT_EQ(cm02.latency_factor, 1);
  EXPECT_EQ(cm02.weight_s, Bytes(0));
  EXPECT_EQ(config_of({"fluid.preset=smpi"}).weight_s, Bytes(8775));
  EXPECT_EQ(config_of({}).weighting, Weighting::none);
}

// SMPI's factors of a message of 1,000 B are 1.9503 (latency) and 0.341987 (bandwidth): it is there
// after 1.9503 us and 1000 * 80 ps / 0.341987, beside a preset's weight and window, which do not
// matter to one message. One of 65,473 B has 11.6436 and 0.940694; of 65,472 B 3.48845.
TEST_F(FluidTest, SmpisFactorsGoBySize) {
  config_.size_factors = SizeFactors::smpi;
  config_.occupancy = Occupancy::after_latency;
  const auto expected = [](double latency, double bandwidth, double bytes) {
    return latency * kLatency + bytes * kPsPerByte / bandwidth;
  };
  const auto time_of = [this](std::int64_t bytes) {
    build();
    const Time begin = simulation_.now();
    start(0, 1, bytes, 0);
    simulation_.run();
    return static_cast<double>(tail(0) - begin.ps());
  };
  EXPECT_NEAR(time_of(1000), expected(1.9503, 0.341987, 1000), 2);
  EXPECT_NEAR(time_of(65473), expected(11.6436, 0.940694, 65473), 2);
  EXPECT_NEAR(time_of(65472), expected(3.48845, 0.697866, 65472), 2);
}

// All of a thousand random messages end, in the same order and at the same instants in two runs.
TEST_F(FluidTest, RunsRepeat) {
  std::uint64_t fingerprints[2];
  for (std::uint64_t& fingerprint : fingerprints) {
    Simulation simulation;
    build();
    FluidNetwork network(simulation, *platform_, config_);
    RandomStream random(7);
    on_tail_ = nullptr;
    log_.clear();
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const auto from = static_cast<std::uint32_t>(random.below(8));
      Transfer t = transfer(from, static_cast<std::uint32_t>((from + 1 + random.below(7)) % 8),
                            static_cast<std::int64_t>(random.below(100'000)), i);
      t.wants = static_cast<std::uint8_t>(Instant::tail);
      network.start(t);
    }
    simulation.run();
    EXPECT_EQ(log_.size(), 1000U);
    fingerprint = simulation.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

// Two links of 500 ns: a message will need 1 us besides what its bytes take, and to ask changes
// nothing. Messages of a node to itself, which have no link here, need nothing.
TEST_F(FluidTest, TellsTheLatencyOfARouteAheadOfItsMessage) {
  build();
  const platform::Endpoint first{NodeId{0}};
  EXPECT_EQ(network_->route_latency(first, {NodeId{1}}), Time::us(1));
  EXPECT_EQ(network_->route_latency(first, first), Time::zero());
  start(0, 1, 1000, 0);
  start(0, 2, 1000, 1);
  EXPECT_EQ(network_->route_latency(first, {NodeId{2}}), Time::us(1));
  simulation_.run();
  EXPECT_EQ(tail(0), kLatency + 2000 * kPsPerByte);
  EXPECT_EQ(tail(1), kLatency + 2000 * kPsPerByte);
  EXPECT_EQ(network_->delivered(), Bytes(2000));
}

}  // namespace
}  // namespace heddle::network
