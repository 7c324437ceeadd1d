// The closed forms of LogGOPS.
#include <gtest/gtest.h>

#include "network/loggops/loggops_network.hpp"
#include "network/support.hpp"

namespace heddle::network {
namespace {

const std::vector<std::string> kClassic = {"loggops.L=2500ns", "loggops.o=1500ns",
                                           "loggops.g=1000ns", "loggops.G=6ns/B"};

/// When a message that has the network for itself is there.
Time alone(std::int64_t bytes, const std::vector<std::string>& assignments) {
  const platform::Platform platform = star(2);
  Bed bed("loggops", platform, assignments);
  bed.send(0, 0, 1, bytes);
  bed.simulation.run();
  return bed.recorder.at(0);
}

// An idle message: 2o + L + (s-1)G. For 10 bytes: 3000 + 2500 + 9 * 6 = 5554 ns.
TEST(LogGops, AnIdleMessageTakesTwoOverheadsALatencyAndTheBytesAfterTheFirst) {
  EXPECT_EQ(alone(10, kClassic), Time::ns(5554));
}

// Between memory and adapter a message takes the time of the idle bus: 250 ns + 64 B / 16 GB/s. It
// waits for nobody, and nobody waits for it.
TEST(LogGops, TheBusIsIdle) {
  MachineParams params;
  params.node.pcie_latency = Time::ns(250);
  params.node.pcie_bandwidth = Bandwidth::bytes_per_second(16'000'000'000);
  const platform::Platform platform = star(2, params);
  Bed bed("loggops", platform, kClassic);
  bed.send(0, 0, 1, 10);
  for (const std::uint64_t cookie : {1, 2}) {
    Transfer transfer{{NodeId{0}, platform::Port::memory}, {NodeId{0}}, Bytes(64)};
    transfer.client = &bed.recorder;
    transfer.cookie = cookie;
    transfer.wants = kAllInstants;
    bed.network->start(transfer);
  }
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0), Time::ns(5554));
  EXPECT_EQ(bed.recorder.at(1), Time::ns(254));
  EXPECT_EQ(bed.recorder.at(2), Time::ns(254));
  EXPECT_EQ(bed.recorder.at(2, Instant::head), Time::ns(250));
  EXPECT_EQ(bed.recorder.at(2, Instant::injected), Time::ns(4));
}

// A message's own cap counts where it is slower than G. 10 bytes at 10 ns each: 3000 + 2500 + 10 *
// 10 ns, of which the first byte's 6 ns are in L; at 1 ns each, G = 6 ns stays.
TEST(LogGops, AMessagesOwnCapSlowsItDown) {
  const platform::Platform platform = star(2);
  for (const auto& [cap, expected] :
       {std::pair{Bandwidth::bytes_per_second(100'000'000), 5594},
        std::pair{Bandwidth::bytes_per_second(1'000'000'000), 5554}}) {
    Bed bed("loggops", platform, kClassic);
    Transfer transfer{{NodeId{0}}, {NodeId{1}}, Bytes(10)};
    transfer.rate_cap = cap;
    transfer.client = &bed.recorder;
    transfer.wants = kAllInstants;
    bed.network->start(transfer);
    bed.simulation.run();
    EXPECT_EQ(bed.recorder.at(0), Time::ns(expected));
  }
}

// O adds (s-1)O at each end: 101 bytes at 2 ns/B more are 200 ns more at each end.
TEST(LogGops, TheOverheadPerByteIsPaidAtBothEnds) {
  auto with_o = kClassic;
  with_o.emplace_back("loggops.O=2ns/B");
  EXPECT_EQ(alone(101, with_o), Time::ns(2 * (1500 + 200) + 2500 + 600));
}

// k messages of one byte to different nodes leave max(o, g) apart: the last arrives (k-1) max(o, g)
// after the first would. With o = 1500, g = 1000: 5 messages end at 2o + L + 4 * 1500; with g =
// 4000 at 2o + L + 4 * 4000.
TEST(LogGops, ASenderIsPacedByTheLargerOfOverheadAndGap) {
  const platform::Platform platform = star(8);
  for (const auto& [gap, step] :
       {std::pair{"loggops.g=1000ns", 1500}, {"loggops.g=4000ns", 4000}}) {
    auto assignments = kClassic;
    assignments.emplace_back(gap);
    Bed bed("loggops", platform, assignments);
    for (std::uint32_t i = 1; i <= 5; ++i) bed.send(i, 0, i, 1);
    bed.simulation.run();
    EXPECT_EQ(bed.recorder.at(5), Time::ns(2 * 1500 + 2500 + 4 * step)) << gap;
  }
}

// An incast of n messages of s bytes is paced by the receiver: g + (s-1)G each, after the first.
// 8 senders, 60,001 bytes, G = 6 ns: 7 * (1000 + 360,000) + 2o + L + 360,000 ns.
TEST(LogGops, AnIncastIsPacedByTheReceiversGap) {
  const platform::Platform platform = star(9);
  Bed bed("loggops", platform, kClassic);
  for (std::uint32_t i = 1; i <= 8; ++i) bed.send(i, i, 0, 60'001);
  bed.simulation.run();
  EXPECT_EQ(bed.simulation.now(), Time::ns(7 * 361'000 + 5500 + 360'000));
}

// The buffer of a long message is free when its last byte has left, long after its head has
// arrived: o + (s-1)G, here 1500 ns + 1,000,000 * 6 ns, while the head is there after o + L = 4000
// ns.
TEST(LogGops, ALongMessageIsInjectedWhenItsLastByteHasLeft) {
  const platform::Platform platform = star(2);
  Bed bed("loggops", platform, kClassic);
  bed.send(0, 0, 1, 1'000'001, kAllInstants);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.at(0, Instant::head), Time::ns(4'000));
  EXPECT_EQ(bed.recorder.at(0, Instant::injected), Time::ns(6'001'500));
}

// A message without bytes costs what one of one byte costs: 2o + L.
TEST(LogGops, AnEmptyMessageCostsNothingPerByte) {
  EXPECT_EQ(alone(0, kClassic), Time::ns(5500));
}

// Fractions of a picosecond per byte add up exactly: 0.04 ns/B over 1,000,001 bytes is 40 us.
TEST(LogGops, FractionalGapsAreExact) {
  EXPECT_EQ(alone(1'000'001, {"loggops.L=1us", "loggops.G=0.04ns/B"}), Time::us(41));
}

// Without L and G the platform gives them: 80 ps per byte at 100 Gb/s, and the route's 250 ns plus
// one byte.
TEST(LogGops, TakesLatencyAndGapFromThePlatform) {
  const platform::Platform platform = star(4);
  Simulation simulation;
  const LogGopsNetwork network(simulation, platform, LogGopsNetwork::table().defaults());
  EXPECT_EQ(network.config().gap_per_byte->attoseconds(), 80'000'000);
  EXPECT_EQ(*network.config().latency, Time::ns(250) + Time::ps(80));
}

// The same is known without a simulation, of one whole model or of the parts that a user left open:
// with L of 3 us only G comes from the machine.
TEST(LogGops, SaysWithoutASimulationWhatItTakesFromThePlatform) {
  const platform::Platform platform = star(4);
  LogGopsConfig config = LogGopsNetwork::table().defaults();
  EXPECT_EQ(*LogGopsNetwork::on_platform(platform, config).latency, Time::ns(250) + Time::ps(80));
  config.latency = Time::us(3);
  const LogGopsConfig used = LogGopsNetwork::on_platform(platform, config);
  EXPECT_EQ(*used.latency, Time::us(3));
  EXPECT_EQ(used.gap_per_byte->attoseconds(), 80'000'000);
}

// The model that settings choose is the one that is made, with their values.
TEST(LogGops, IsMadeWhereSettingsChooseIt) {
  const platform::Platform platform = star(4);
  Settings settings(network_sections());
  settings.assign("network.model=loggops", {});
  settings.assign("loggops.L=3us", {});
  Simulation simulation;
  const auto network = make_network(simulation, platform, settings);
  const auto* loggops = dynamic_cast<const LogGopsNetwork*>(network.get());
  ASSERT_NE(loggops, nullptr);
  EXPECT_EQ(*loggops->config().latency, Time::us(3));
}

// A slow cable counts where it is: of the 12 ordered pairs of four nodes, six have the cable of 1
// Gb/s and 1 us on their way, six only cables of 100 Gb/s and 100 ns. G = (8,000 + 80) / 2 ps, and
// L = (1,150 + 250) / 2 ns and one byte.
TEST(LogGops, TakesTheMeanRouteNotTheWorst) {
  platform::Platform platform = star(4);
  platform.set_cable(0, {Bandwidth::gbps(1), {}, Time::us(1), platform::Duplex::full});
  Simulation simulation;
  const LogGopsNetwork network(simulation, platform, LogGopsNetwork::table().defaults());
  EXPECT_EQ(network.config().gap_per_byte->attoseconds(), 4'040'000'000);
  EXPECT_EQ(*network.config().latency, Time::ns(700) + Time::ps(4'040));
}

}  // namespace
}  // namespace heddle::network
