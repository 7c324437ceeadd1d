// Flows over links that change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/flow_scenario.hpp"

namespace heddle::network {
namespace {

using platform::LinkQuantity;
using platform::Profile;
using testing::HasSubstr;

/// Two hosts and one link of 1 MB/s without latency, which follows profiles.
class ChangingLink {
 public:
  explicit ChangingLink(bool shared = true) {
    scenario_.hosts = 2;
    scenario_.links = {{1'000'000, 0, shared}};
    scenario_.routes = {{{0, 1}, {0}}, {{1, 0}, {0}}};
  }
  ChangingLink& follows(LinkQuantity quantity, std::vector<Profile::Point> points,
                        Time period = Time::zero()) {
    profiles_.links.push_back(
        {LinkId{0}, quantity, static_cast<std::uint32_t>(profiles_.profiles.size()), {}});
    profiles_.profiles.emplace_back(std::move(points), period);
    return *this;
  }
  ChangingLink& flow(std::int64_t start_ms, std::int64_t bytes) {
    scenario_.flows.push_back({0, 1, Time::ms(start_ms).ps(), bytes});
    return *this;
  }
  FlowRun run(const FluidConfig& config = FluidNetwork::table().defaults()) const {
    auto platform = make_platform(scenario_);
    platform->set_profiles(profiles_);
    return FlowRun(std::move(platform), scenario_.flows, config);
  }

 private:
  FlowScenario scenario_;
  platform::LinkProfiles profiles_;
};

// 1 MB at 1 MB/s for 0.5 s, at 0.25 MB/s for 1 s, then at 2 MB/s: 0.5 + 0.25 MB by 1.5 s, and the
// rest in 0.125 s.
TEST(FluidProfiles, AFlowGetsWhatItsLinkHasMeanwhile) {
  const FlowRun run =
      ChangingLink()
          .follows(LinkQuantity::bandwidth, {{Time::ms(500), 0.25e6}, {Time::ms(1500), 2e6}})
          .flow(0, 1'000'000)
          .run();
  EXPECT_EQ(run.finish()[0], Time::us(1'625'000));
}

// As in SimGrid, a flow stays below what its route had when it began: 0.25 MB at 1 MB/s from 1.5 s.
TEST(FluidProfiles, AFlowMayBeHeldToWhatItBeganWith) {
  FluidConfig config = FluidNetwork::table().defaults();
  config.start_cap = StartCap::route;
  const FlowRun run =
      ChangingLink()
          .follows(LinkQuantity::bandwidth, {{Time::ms(500), 0.25e6}, {Time::ms(1500), 2e6}})
          .flow(0, 1'000'000)
          .flow(1500, 1'000'000)
          .run(config);
  // From 1.5 s on two share 2 MB/s, 1 MB/s for each; when the first is through, 0.25 s later, the
  // second has 0.75 MB left for 2 MB/s.
  EXPECT_EQ(run.finish()[0], Time::ms(1750));
  EXPECT_EQ(run.finish()[1], Time::ms(2125));
}

// Nothing passes from 0.25 s to 1.25 s, on a link that all share or that each has: a second later.
TEST(FluidProfiles, ALinkMayStopAndGoOn) {
  for (const bool shared : {true, false}) {
    const FlowRun run =
        ChangingLink(shared)
            .follows(LinkQuantity::bandwidth, {{Time::ms(250), 0}, {Time::ms(1250), 1e6}})
            .flow(0, 1'000'000)
            .run();
    EXPECT_EQ(run.finish()[0], Time::ms(2000)) << shared;
    EXPECT_EQ(run.network().stuck(), "");
  }
}

// A change after the last flow, or of a profile that never ends, does not make the run longer.
TEST(FluidProfiles, ChangesDoNotKeepARunAlive) {
  const FlowRun run = ChangingLink()
                          .follows(LinkQuantity::bandwidth, {{Time::ms(100), 1e6}}, Time::ms(700))
                          .flow(0, 1'000'000)
                          .run();
  EXPECT_EQ(run.finish()[0], Time::s(1));
  EXPECT_EQ(run.simulation().now(), Time::s(1));
}

// What changed while nothing was under way holds for who comes later: 2 MB/s at 3,000,000.6 s, in
// the middle of a round, half a second at which make the megabyte.
TEST(FluidProfiles, ChangesAreCaughtUpWith) {
  const FlowRun run =
      ChangingLink()
          .follows(LinkQuantity::bandwidth, {{Time::zero(), 4e6}, {Time::ms(500), 2e6}}, Time::s(2))
          .flow(0, 1000)
          .flow(3'000'000'600, 1'000'000)
          .run();
  EXPECT_EQ(run.finish()[0], Time::us(250));
  EXPECT_EQ(run.finish()[1], Time::ms(3'000'001'100));
}

// A link that stays closed, or is closed again and again, ends the run with an explanation.
TEST(FluidProfiles, WhoWaitsForEverIsToldOf) {
  for (const bool shared : {true, false}) {
    for (const Time period : {Time::zero(), Time::ms(10)}) {
      const FlowRun run = ChangingLink(shared)
                              .follows(LinkQuantity::bandwidth, {{Time::ms(1), 0}}, period)
                              .flow(0, 1'000'000)
                              .run();
      EXPECT_EQ(run.finish()[0], Time::zero());
      EXPECT_THAT(run.network().stuck(), HasSubstr("1 message waits for bandwidth"));
    }
  }
}

// The latency is 0 for the first, 0.2 s for the second, which begins at that instant, and its 1 MB
// take a second (of both: the first is through by then).
TEST(FluidProfiles, LatencyIsThatOfTheStart) {
  const FlowRun run = ChangingLink()
                          .follows(LinkQuantity::latency, {{Time::s(2), 0.2}})
                          .flow(0, 1'000'000)
                          .flow(2000, 1'000'000)
                          .run();
  EXPECT_EQ(run.finish()[0], Time::s(1));
  EXPECT_EQ(run.finish()[1], Time::ms(3200));
}

// The window is that of the latency of now: 100 kB / (2 * 0.1 s) = 0.5 MB/s for a second, then
// 0.25 MB/s for the other half of the megabyte; the head took 0.1 s.
TEST(FluidProfiles, TheWindowFollowsTheLatency) {
  FluidConfig config = simgrid_fluid();
  config.tcp_gamma = Bytes(100'000);
  const FlowRun run =
      ChangingLink()
          .follows(LinkQuantity::latency, {{Time::zero(), 0.1}, {Time::ms(1100), 0.2}})
          .flow(0, 1'000'000)
          .run(config);
  EXPECT_EQ(run.finish()[0], Time::ms(3100));
}

// The same changes are the same bits.
TEST(FluidProfiles, RunsAreReproducible) {
  ChangingLink link;
  link.follows(LinkQuantity::bandwidth, {{Time::ms(10), 3e5}, {Time::ms(25), 7e5}}, Time::ms(33))
      .follows(LinkQuantity::latency, {{Time::ms(7), 1e-3}}, Time::ms(11));
  for (int i = 0; i < 20; ++i) link.flow(13 * i, 1000 * (i + 1));
  EXPECT_EQ(link.run().simulation().fingerprint(), link.run().simulation().fingerprint());
}

}  // namespace
}  // namespace heddle::network
