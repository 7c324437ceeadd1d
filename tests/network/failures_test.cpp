// What becomes of messages while cables fail.
#include <gmock/gmock.h>

#include "network/support.hpp"
#include "platform/machine_support.hpp"

namespace heddle::network {
namespace {

using platform::platform_of;
using testing::HasSubstr;

const std::string kFailingStar =
    "topology: {kind: single-switch, nodes: 4}\n"
    "link: {bandwidth: 100Gbps, latency: 100ns}\n"
    "switch: {latency: 50ns}\n";
const std::string kFailingTree =
    "topology: {kind: fat-tree, arity: 4, levels: 2}\n"
    "link: {bandwidth: 100Gbps, latency: 100ns}\n"
    "switch: {latency: 50ns}\n";
constexpr std::int64_t kMegabyte = 1'000'000;

class FailingModel : public testing::TestWithParam<std::string> {
 protected:
  /// When a message of 1 MB from node 0 to node 1, sent at once, is there.
  Time arrival(const std::string& failures, std::uint32_t to = 1,
               const std::string& machine = kFailingStar, Time start = Time::zero()) {
    const auto platform = platform_of(machine + "failures: {" + failures + "}\n");
    Bed bed(GetParam(), *platform, {"packet.header=0B"});
    bed.simulation.run_until(start);
    bed.send(0, 0, to, kMegabyte);
    bed.simulation.run();
    losses = bed.network->losses();
    EXPECT_EQ(bed.network->stuck(), "");
    return bed.recorder.at(0);
  }
  bool is(const char* model) const { return GetParam() == model; }

  Losses losses;  ///< Of the last arrival().
};
INSTANTIATE_TEST_SUITE_P(Models, FailingModel, testing::Values("queue", "fluid", "packet"),
                         [](const auto& model) { return model.param; });

// Idle, the message takes 250 ns and 1 MB at 80 ps per byte; it waits while its cable is down.
TEST_P(FailingModel, WhatIsHeldGoesOnWhenTheCableWorksAgain) {
  const Time idle = Time::ns(80'250);
  EXPECT_EQ(arrival("cables: '*s0->n3@20us-30us'"), idle);
  EXPECT_EQ(arrival("cables: '*n1@20us-30us', under_way: held"), idle + Time::us(10));
  EXPECT_EQ(losses.lost, 0U);
}

// 250 kB in the first 20 us, 125 kB in 40 us at a quarter, the other 625 kB in 50 us. The packet
// under way when that begins and ends is slow as a whole or in part.
TEST_P(FailingModel, ASlowCableTakesLonger) {
  const Time took = arrival("degraded: '*n1@20us-60us', degraded_bandwidth: 25%");
  EXPECT_NEAR(took.seconds() * 1e6, 110.25, is("fluid") || is("queue") ? 0.15 : 0.8);
}

// Lost, a message is sent again 100 us after that is so: over queue when its last byte has left for
// the failed cable, 80.1 us, over fluid when the cable fails, over packet when the last packet has
// ended, 80.25 us. The second time it takes 80.25 us.
TEST_P(FailingModel, WhatIsLostIsSentAgain) {
  const Time took = arrival("cables: '*n1@20us-30us', resend_after: 100us");
  const double lost_at = is("queue") ? 80.1 : is("fluid") ? 20 : 80.25;
  EXPECT_NEAR(took.seconds() * 1e6, lost_at + 100 + 80.25, 0.001);
  EXPECT_EQ(losses.lost, 1U);
  EXPECT_EQ(losses.resent, 1U);
}

TEST_P(FailingModel, ACableThatStaysDownHoldsNobodyForEver) {
  for (const std::string under_way : {"lost", "held"}) {
    EXPECT_THAT(error_of<RunError>(
                    [&] { arrival("cables: '*n1@20us-', resends: 2, under_way: " + under_way); }),
                HasSubstr("n0 could not reach n1: a message of 1000000 bytes was lost 3 times"))
        << under_way;
  }
}

// The climb to the usual spine fails for good at 1 us. What comes there after the switch knows it
// takes another spine: nothing is lost. What is sent before that is lost, and gets through the next
// time.
TEST_P(FailingModel, SwitchesTakeOtherLinks) {
  const std::string down = "cables: L1.0->L2.0@1us-, detection: 5us, rerouting: ";
  const Time idle = arrival("cables: L1.1->L2.3@1us-", 4, kFailingTree);
  const Time early = arrival(down + "local", 4, kFailingTree);
  EXPECT_EQ(losses.lost, 1U);
  EXPECT_GT(early, idle);
  EXPECT_EQ(arrival(down + "local", 4, kFailingTree, Time::us(6)), idle + Time::us(6));
  EXPECT_EQ(losses.lost, 0U);
  EXPECT_EQ(arrival(down + "tables, sweep: 10us", 4, kFailingTree, Time::us(16)),
            idle + Time::us(16));
  EXPECT_EQ(losses.lost, 0U);
  EXPECT_THAT(error_of<RunError>([&] { arrival(down + "none, resends: 3", 4, kFailingTree); }),
              HasSubstr("n0 could not reach n4"));
}

/// Wants to know of losses itself.
class Counting final : public TransferClient {
 public:
  void transfer_reached(Instant instant, std::uint64_t) override {
    ++(instant == Instant::lost ? lost : reached);
  }
  int lost = 0;
  int reached = 0;
};

TEST_P(FailingModel, WhoWantsToKnowIsToldAndNothingIsSentAgain) {
  const auto platform = platform_of(kFailingStar + "failures: {cables: '*n1@20us-30us'}\n");
  Bed bed(GetParam(), *platform);
  Counting client;
  Transfer transfer = bed.transfer(0, 0, 1, kMegabyte);
  transfer.client = &client;
  transfer.wants =
      static_cast<std::uint8_t>(Instant::tail) | static_cast<std::uint8_t>(Instant::lost);
  bed.network->start(transfer);
  bed.simulation.run();
  EXPECT_EQ(client.lost, 1);
  EXPECT_EQ(client.reached, 0);
  EXPECT_EQ(bed.network->losses().resent, 0U);
}

TEST(FailingModels, ThoseWithoutLinksAreRefused) {
  const auto platform = platform_of(kFailingStar + "failures: {cables: '*n1@20us-30us'}\n");
  EXPECT_THAT(error_of([&] { Bed bed("loggops", *platform); }),
              HasSubstr("'loggops' knows no links, so none can fail while it runs: accepted with "
                        "failures that have times are queue, fluid, packet"));
}

}  // namespace
}  // namespace heddle::network
