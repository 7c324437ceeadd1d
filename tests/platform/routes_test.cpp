#include "platform/routes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platform/no_loads.hpp"
#include "platform/routing.hpp"
#include "platform/topology/single_switch.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Nodes on one switch: cables of 10 ns, a switch of 300 ns, and nodes as a test wants them.
class RoutesTest : public testing::Test {
 protected:
  void SetUp() override {
    node_.pcie_bandwidth = Bandwidth::gbps(64);
    node_.pcie_latency = Time::ns(200);
  }
  /// The names of the links from one endpoint to another.
  std::vector<std::string> names(Endpoint from, Endpoint to) {
    std::vector<std::string> result;
    pass(from, to, [&](const Walk&, LinkId link) { result.push_back(links().name(link)); });
    return result;
  }
  Time latency(Endpoint from, Endpoint to) {
    Time sum;
    pass(from, to, [&](const Walk& walk, LinkId link) { sum += routes().latency(walk, link); });
    return sum;
  }
  template <class Use>
  void pass(Endpoint from, Endpoint to, Use use) {
    Walk walk = Routes::walk(from, to, 0);
    for (LinkId link; (link = routes().next(walk, NoLoads{})) != kNoLink;) use(walk, link);
    EXPECT_TRUE(routes().at_end(walk));
  }
  const Links& links() {
    if (links_ == nullptr) {
      links_ = std::make_unique<Links>(
          star_, LinkParams{Bandwidth::gbps(100), {}, Time::ns(10), Duplex::full},
          SwitchParams{Time::ns(300)}, node_);
    }
    return *links_;
  }
  const Routes& routes() {
    if (routes_ == nullptr) routes_ = std::make_unique<Routes>(star_, *routing_, links());
    return *routes_;
  }

  SingleSwitch star_{3};
  std::unique_ptr<const Routing> routing_ = make_routing("minimal", star_);
  NodeParams node_;

 private:
  std::unique_ptr<Links> links_;
  std::unique_ptr<Routes> routes_;
};

constexpr Endpoint memory(std::uint32_t node) {
  return {NodeId{node}, Port::memory};
}
constexpr Endpoint nic(std::uint32_t node) {
  return {NodeId{node}, Port::nic};
}
constexpr Endpoint stream(std::uint32_t node) {
  return {NodeId{node}, Port::stream};
}

// From memory to memory: over the bus, two cables, and the other bus. 200 + 10 + 310 + 200 ns.
TEST_F(RoutesTest, LeadThroughBusesAndFabric) {
  EXPECT_THAT(names(memory(0), memory(2)),
              ElementsAre("n0 pcie out", "n0->s0", "s0->n2", "n2 pcie in"));
  EXPECT_EQ(latency(memory(0), memory(2)), Time::ns(720));
  EXPECT_THAT(names(nic(0), nic(2)), ElementsAre("n0->s0", "s0->n2"));
}

// A stream uses the buses, but their latency is not counted: 10 + 310 ns.
TEST_F(RoutesTest, LatencyOfAStreamsBusIsNotCounted) {
  EXPECT_EQ(names(stream(0), stream(2)), names(memory(0), memory(2)));
  EXPECT_EQ(latency(stream(0), stream(2)), Time::ns(320));
}

// Within a node: the bus between memory and adapter, in the direction of the message; between equal
// ports the loopback, which this node has not, so there is nothing to cross.
TEST_F(RoutesTest, StayWithinANode) {
  EXPECT_THAT(names(memory(1), nic(1)), ElementsAre("n1 pcie out"));
  EXPECT_THAT(names(nic(1), memory(1)), ElementsAre("n1 pcie in"));
  EXPECT_THAT(names(memory(1), memory(1)), IsEmpty());
}

// A node with a loopback, and a limiter of both directions: the one for messages to itself, the
// other for those that leave it or come in.
TEST_F(RoutesTest, PassLoopbackOrLimiters) {
  node_ = {};
  node_.loopback_latency = Time::ns(5);
  node_.limiter_bandwidth = Bandwidth::gbps(1);
  EXPECT_THAT(names(memory(1), memory(1)), ElementsAre("n1 loopback"));
  EXPECT_THAT(names(nic(0), nic(1)), ElementsAre("n0 limiter", "n0->s0", "s0->n1", "n1 limiter"));
}

// Devices at two adapters of one node: the inner cables of both, out and in.
TEST_F(RoutesTest, LeadFromDeviceToDevice) {
  node_.adapters = 2;
  node_.inner_latency = Time::ns(30);
  const Endpoint first{NodeId{1}, Port::memory, 0};
  const Endpoint second{NodeId{1}, Port::memory, 1};
  EXPECT_THAT(names(first, second), ElementsAre("n1 inner 0 out", "n1 inner 1 in"));
  EXPECT_EQ(latency(first, second), Time::ns(60));
}

// The way back takes the same half-duplex cables, whose capacity is that of the even link: the walk
// knows in which direction it crosses them.
TEST_F(RoutesTest, AWalkKnowsItsDirection) {
  Walk walk = Routes::walk(nic(0), nic(1), 0);
  EXPECT_FALSE(routes().at_end(walk));
  const LinkId up = routes().next(walk, NoLoads{});
  EXPECT_EQ(walk.direction(up), up);
  const LinkId down = routes().next(walk, NoLoads{});
  EXPECT_EQ(walk.direction(down), down);
  EXPECT_TRUE(walk.backward);
}

// What is found in one go is what a walk says link by link, and ends with no link.
TEST_F(RoutesTest, FixedOnesAreWhatWalksSay) {
  node_.limiter_bandwidth = Bandwidth::gbps(1);
  for (const Port port : {Port::nic, Port::memory, Port::stream}) {
    for (std::uint32_t to = 0; to < 3; ++to) {
      std::vector<RouteStep> found;
      LinkSet fabric;
      routes().find_fixed({NodeId{0}, port}, {NodeId{to}, port}, found, fabric);
      std::size_t step = 0;
      pass({NodeId{0}, port}, {NodeId{to}, port}, [&](const Walk& walk, LinkId link) {
        ASSERT_LT(step, found.size());
        EXPECT_EQ(found[step].link, link);
        EXPECT_EQ(found[step++].latency, routes().latency(walk, link));
      });
      ASSERT_EQ(step + 1, found.size());
      EXPECT_EQ(found.back().link, kNoLink);
    }
  }
}

}  // namespace
}  // namespace heddle::platform
