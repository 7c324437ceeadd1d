#include <gtest/gtest.h>

#include "platform/figures/metrics.hpp"
#include "platform/routing.hpp"
#include "platform/topology/torus.hpp"

namespace heddle::platform {
namespace {

/// 27 million links.
Platform large_torus() {
  auto torus =
      std::make_unique<Torus>(std::vector<std::int64_t>{150, 150, 150}, 1, Torus::Edges::wrapped);
  auto routing = make_routing("minimal", *torus);
  return Platform("large", std::move(torus), std::move(routing), link_table().defaults(),
                  switch_table().defaults(), node_table().defaults(), nic_table().defaults());
}

Time latency_between(const Platform& platform, NodeId from, NodeId to) {
  const NoLoads idle;
  Time latency;
  Walk walk = platform.routes().walk({from}, {to}, 0);
  for (LinkId link; (link = platform.routes().next(walk, idle)) != kNoLink;) {
    latency += platform.routes().latency(walk, link);
  }
  return latency;
}

// Cables of 100 ns and switches of 100 ns. Half way round the first ring: the node's own cable, 75
// cables to the next switch and the one to the other node leave 76 switches, so 77 * 100 ns and
// 76 * 100 ns. A cable with a latency of 1 us instead adds 900 ns, in either direction.
TEST(LargeFabric, LinksAreWorkedOutWithoutTables) {
  Platform platform = large_torus();
  EXPECT_EQ(latency_between(platform, NodeId{0}, NodeId{75}), Time::ns(77 * 100 + 76 * 100));
  LinkParams slow = platform.cable(0);
  slow.latency = Time::us(1);
  platform.set_cable(0, slow);
  EXPECT_EQ(latency_between(platform, NodeId{0}, NodeId{75}), Time::ns(76 * 100 + 76 * 100 + 1000));
  EXPECT_EQ(latency_between(platform, NodeId{75}, NodeId{0}), Time::ns(76 * 100 + 76 * 100 + 1000));
  EXPECT_EQ(latency_between(platform, NodeId{1}, NodeId{2}), Time::ns(3 * 100 + 2 * 100));
}

// One cable of another bandwidth among the access cables leaves no formula for the bisection, and
// the search is left out: there is a reason in the place of a figure. The rest is exact: 225 links
// between switches at most.
TEST(LargeFabric, SaysWhyThereIsNoBisection) {
  Platform platform = large_torus();
  EXPECT_TRUE(measure(platform).bisection->exact);
  EXPECT_EQ(measure(platform).bisection->cables, 2U * 150 * 150);
  LinkParams slow = platform.cable(0);
  slow.bandwidth = Bandwidth::gbps(10);
  platform.set_cable(0, slow);
  const Metrics metrics = measure(platform);
  EXPECT_FALSE(metrics.bisection);
  EXPECT_NE(metrics.no_bisection.find("too large"), std::string::npos);
  EXPECT_EQ(metrics.switch_diameter, 225U);
  EXPECT_EQ(metrics.cables.size(), 5U);
  EXPECT_EQ(metrics.cables[1].cables, 3'374'999U);
}

}  // namespace
}  // namespace heddle::platform
