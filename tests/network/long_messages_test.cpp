// Messages that take longer than a simulation can last, and where reports come from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "network/support.hpp"

namespace heddle::network {
namespace {

using testing::HasSubstr;

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const NetworkModel& model : network_models()) names.emplace_back(model.name);
  return names;
}

class AnyNetwork : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Networks, AnyNetwork, testing::ValuesIn(model_names()),
                         [](const auto& test) { return test.param; });

// 2^50 bytes at 1 bit per second take 285 million years, and time ends after 106 days: an error,
// not a message that is never heard of again. It does not matter who slows the message down.
TEST_P(AnyNetwork, RefusesMessagesBeyondTheEndOfTime) {
  const auto own_cap = [&] {
    const platform::Platform platform = star(2);
    Bed bed(GetParam(), platform);
    bed.send(0, 0, 1, 1'000);
    Transfer endless = bed.transfer(1, 0, 1, 1LL << 50);
    endless.rate_cap = Bandwidth::bits_per_second(1);
    bed.network->start(endless);
    bed.simulation.run();
  };
  const auto slow_cables = [&] {
    MachineParams params;
    params.link.bandwidth = Bandwidth::bits_per_second(1);
    const platform::Platform platform = star(2, params);
    Bed bed(GetParam(), platform);
    bed.send(0, 0, 1, 1LL << 50);
    bed.simulation.run();
  };
  EXPECT_THAT(error_of<RunError>(own_cap), HasSubstr("beyond 106 days"));
  EXPECT_THAT(error_of<RunError>(slow_cables), HasSubstr("beyond 106 days"));
}

// At 1 b/s a message of 648,000 B takes 60 days alone, and one of 10,800 B a day. Sharing, the long
// one would need 120 days, which is beyond the end of time; but after two the short one is through,
// and the long one after 61 (and the latency of 250 ns).
TEST(Fluid, AMessageMayHopeThatOthersMakeRoom) {
  MachineParams params;
  params.link.bandwidth = Bandwidth::bits_per_second(1);
  const platform::Platform platform = star(2, params);
  Bed bed("fluid", platform);
  bed.send(0, 0, 1, 648'000);
  bed.send(1, 0, 1, 10'800);
  bed.simulation.run();
  const auto days = [](std::int64_t n) { return Time::s(86'400) * n; };
  EXPECT_NEAR(bed.recorder.at(1).seconds(), days(2).seconds(), 1e-3);
  EXPECT_NEAR(bed.recorder.at(0).seconds(), days(61).seconds(), 1e-3);
}

// Congestion control may slow a flow down so much that its next packet never leaves: two sources
// fill a link, the first mark stops one of them for 10^6 packet times a step, 127 steps high, of
// packets that take 18 minutes each at 16 b/s. That is an error, too.
TEST(Packet, RefusesPausesBeyondTheEndOfTime) {
  MachineParams params;
  params.link.bandwidth = Bandwidth::bits_per_second(16);
  const platform::Platform platform = star(3, params);
  Bed bed("packet", platform,
          {"packet.congestion=ib", "packet.mark_threshold=0", "packet.marking_rate=1",
           "packet.cct_step=1000000", "packet.cct_increase=127", "packet.cct_timer=1000s"});
  const auto incast = [&] {
    bed.send(0, 0, 2, 20'000);
    bed.send(1, 1, 2, 20'000);
    bed.simulation.run();
  };
  EXPECT_THAT(error_of<RunError>(incast), HasSubstr("beyond 106 days"));
  EXPECT_NE(bed.network->stuck(), "");
}

/// Notes whether it is called while a transfer is being started.
struct Watcher final : TransferClient {
  void transfer_reached(Instant, std::uint64_t) override {
    ++reached;
    if (starting) ++too_soon;
  }
  bool starting = false;
  int reached = 0;
  int too_soon = 0;
};

// A message without bytes from a node to itself crosses no link and takes no time; still its
// instants are reported by events, after start() has returned. So are those of any other.
TEST_P(AnyNetwork, ReportsNothingFromWithinStart) {
  const platform::Platform platform = star(2);
  Bed bed(GetParam(), platform);
  Watcher watcher;
  for (const std::uint32_t to : {0, 1}) {
    for (const std::int64_t size : {0, 1'000}) {
      Transfer transfer = bed.transfer(0, 0, to, size);
      transfer.client = &watcher;
      transfer.wants = kAllInstants;
      watcher.starting = true;
      bed.network->start(transfer);
      watcher.starting = false;
    }
  }
  bed.simulation.run();
  EXPECT_EQ(watcher.too_soon, 0);
  EXPECT_EQ(watcher.reached, 4 * 3);
}

}  // namespace
}  // namespace heddle::network
