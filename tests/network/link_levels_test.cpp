// The order in which links are simulated.
#include <gtest/gtest.h>

#include <algorithm>

#include "network/links/link_levels.hpp"
#include "platform/topology/torus.hpp"
#include "support.hpp"

namespace heddle::network {
namespace {

using Links = std::vector<std::uint32_t>;

/// One at the beginning, of 1 kB.
Flow flow(std::uint32_t from, std::uint32_t to) {
  return {{NodeId{from}}, {NodeId{to}}, Bytes(1000), Time::zero()};
}

std::vector<LinkLevels::Level> levels_of(const FlowRoutes& routes, std::size_t flows) {
  std::vector<LinkLevels::Level> all;
  for (LinkLevels levels(routes, flows); !levels.done();) all.push_back(levels.next());
  return all;
}

/// The link at that place of each route, in the order of numbers.
Links links_at(const FlowRoutes& routes, std::uint32_t flows, std::size_t place) {
  Links links;
  for (std::uint32_t i = 0; i < flows; ++i) links.push_back(routes.of(i)[place]);
  std::sort(links.begin(), links.end());
  return links;
}

// On one switch flows cross a link that waits for nothing and one that waits for the first. Links
// that nobody crosses are in no level.
TEST(LinkLevels, LinksWaitForThoseBefore) {
  const platform::Platform machine = star(4);
  const std::vector<Flow> flows = {flow(0, 1), flow(1, 2)};
  const FlowRoutes routes(machine, flows, 0, 1);
  const auto levels = levels_of(routes, flows.size());
  ASSERT_EQ(levels.size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(levels[i].links, links_at(routes, 2, i));
    EXPECT_TRUE(levels[i].independent);
  }
}

// Five nodes on a ring, each of which sends to the next but one: links of the ring wait for each
// other. They come together, in a level that says so, between those that leave and reach nodes:
// flows cross them in the second and the third place, those that reach nodes in the fourth.
TEST(LinkLevels, ThoseOfACircleComeTogether) {
  auto topology = std::make_unique<platform::Torus>(std::vector<std::int64_t>{5}, 1,
                                                    platform::Torus::Edges::wrapped);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::Platform machine("ring", std::move(topology), std::move(routing), {}, {}, {}, {});
  std::vector<Flow> flows;
  for (std::uint32_t node = 0; node < 5; ++node) flows.push_back(flow(node, (node + 2) % 5));
  const FlowRoutes routes(machine, flows, 0, 1);
  const auto levels = levels_of(routes, flows.size());
  ASSERT_EQ(levels.size(), 3);
  EXPECT_EQ(levels[0].links, links_at(routes, 5, 0));
  EXPECT_TRUE(levels[0].independent);
  EXPECT_EQ(levels[1].links, links_at(routes, 5, 1));
  EXPECT_EQ(levels[1].links, links_at(routes, 5, 2));
  EXPECT_FALSE(levels[1].independent);
  EXPECT_EQ(levels[2].links, links_at(routes, 5, 3));
  EXPECT_TRUE(levels[2].independent);
}

}  // namespace
}  // namespace heddle::network
