#include "coll/costs/path_factors.hpp"

#include <gtest/gtest.h>

#include "platform/routing.hpp"
#include "platform/topology/single_switch.hpp"

namespace heddle::coll {
namespace {

platform::Platform star(std::uint32_t nodes) {
  auto topology = std::make_unique<platform::SingleSwitch>(nodes);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::LinkParams link{Bandwidth::gbps(100), {}, Time::ns(100), platform::Duplex::full};
  return {"star", std::move(topology), std::move(routing), link, {Time::ns(50)}, {}, {}};
}

/// Somebody who knows the latencies of routes, to[i] microseconds, and counts who asks.
struct Knower {
  PathFactors::KnownLatency answer() {
    return [this](platform::Endpoint, platform::Endpoint to) {
      ++asked;
      return std::optional<Time>(Time::us(static_cast<std::int64_t>(to.node)));
    };
  }
  int asked = 0;
};

// With a factor of 1.5 a message takes half of its route's latency longer: 1, 2, 3 and 4 us to
// nodes 2, 4, 6 and 8. Those four are asked for once, from two nodes eight times in all, whatever
// node 4096 asks for, which has the place of node 0: then that is asked for again.
TEST(PathFactors, FourRoutesOfANodeAreAskedForOnce) {
  const platform::Platform machine = star(4098);
  Knower knower;
  PathFactors factors(machine, *Factors::parse("1.5"), {}, knower.answer());
  const auto expect_all = [&](std::uint32_t from) {
    for (std::uint32_t to = 2; to <= 8; to += 2) {
      EXPECT_EQ(factors.extra_latency(NodeId{from}, NodeId{to}, 8), Time::us(to / 2));
    }
  };
  for (int round = 0; round < 3; ++round) {
    expect_all(0);
    expect_all(1);
  }
  EXPECT_EQ(knower.asked, 8);
  expect_all(4096);
  EXPECT_EQ(knower.asked, 12);
  expect_all(0);
  EXPECT_EQ(knower.asked, 16);
}

// A fifth route has the place of the first, whose latency is the same when it is asked for again.
TEST(PathFactors, AFifthRouteHasThePlaceOfTheFirst) {
  const platform::Platform machine = star(16);
  Knower knower;
  PathFactors factors(machine, *Factors::parse("2"), {}, knower.answer());
  for (const std::uint32_t to : {1, 2, 3, 4, 5, 2, 1}) {
    EXPECT_EQ(factors.extra_latency(NodeId{0}, NodeId{to}, 8), Time::us(to));
  }
  EXPECT_EQ(knower.asked, 6);
}

}  // namespace
}  // namespace heddle::coll
