#include "platform/routing/up_down.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "core/error.hpp"
#include "platform/topology/random_graphs.hpp"
#include "platform/topology/torus.hpp"
#include "platform/topology_checks.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

std::unique_ptr<const Topology> made(const std::string& kind,
                                     const std::vector<std::string>& assignments) {
  Settings settings(topology_sections());
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  return make_topology(kind, settings);
}

/// Links of the shortest way from one node to all vertices that goes up first and down then, by a
/// search over vertices and whether a way has gone down.
std::vector<std::uint32_t> legal_distances(const Topology& t, const UpDownGraph& graph,
                                           VertexId from) {
  const auto leaving = links_leaving(t);
  std::vector<std::array<std::uint32_t, 2>> found(t.vertices(), {kUnreached, kUnreached});
  found[index(from)][0] = 0;
  std::deque<std::pair<VertexId, int>> queue = {{from, 0}};
  for (; !queue.empty(); queue.pop_front()) {
    const auto [at, down] = queue.front();
    for (const LinkId link : leaving[index(at)]) {
      const bool up = graph.is_up(link);
      if (up && down == 1) continue;
      const int phase = up ? 0 : 1;
      std::uint32_t& there = found[index(t.ends(link).to)][static_cast<std::size_t>(phase)];
      if (there != kUnreached) continue;
      there = found[index(at)][static_cast<std::size_t>(down)] + 1;
      queue.emplace_back(t.ends(link).to, phase);
    }
  }
  std::vector<std::uint32_t> best;
  for (const auto& both : found) best.push_back(std::min(both[0], both[1]));
  return best;
}

// On shapes with circles: every route goes up first and down then, and is as short as such a way
// can be, by a search of its own.
TEST(UpDown, RoutesAreTheShortestThatGoUpAndDown) {
  std::vector<std::unique_ptr<const Topology>> all;
  all.push_back(made("torus", {"torus.dims=5x4"}));
  all.push_back(made(
      "jellyfish", {"jellyfish.switches=24", "jellyfish.ports=4", "jellyfish.nodes_per_switch=2"}));
  all.push_back(made("dragonfly", {"dragonfly.nodes_per_switch=2"}));
  all.push_back(made("fat-tree", {"fat-tree.arity=3", "fat-tree.levels=3"}));
  for (const auto& t : all) {
    SCOPED_TRACE(t->describe());
    const UpDownGraph graph(*t, kNoVertex);
    const auto routing = make_routing("up-down", *t);
    EXPECT_FALSE(routing->can_wait_in_circles());
    for (std::uint32_t from = 0; from < t->nodes(); ++from) {
      const auto shortest = legal_distances(*t, graph, VertexId{from});
      for (std::uint32_t to = 0; to < t->nodes(); ++to) {
        if (from == to) continue;
        const auto links =
            route_of(*t, *routing, VertexId{from}, VertexId{to}, t->vertices(), NoLoads());
        ASSERT_EQ(links.size(), shortest[to]) << from << " to " << to;
        ASSERT_LE(links.size(), routing->longest_route());
        bool down = false;
        for (const LinkId link : links) {
          ASSERT_FALSE(down && graph.is_up(link)) << from << " to " << to;
          down = down || !graph.is_up(link);
        }
      }
    }
  }
}

// A row of five: the middle, s2, has no switch further than two links away. Few tables at a time
// give the same routes as many.
TEST(UpDown, TheRootIsInTheMiddle) {
  const auto row = made("chain", {"chain.switches=5", "chain.nodes_per_switch=1"});
  EXPECT_EQ(row->name(UpDownGraph(*row, kNoVertex).root()), "s2");
  const auto t = made("torus", {"torus.dims=5x4"});
  UpDownGraph many(*t, kNoVertex);
  UpDownGraph one(*t, kNoVertex, 1);
  for (std::uint32_t from = 0; from < t->nodes(); ++from) {
    for (std::uint32_t to = 0; to < t->nodes(); ++to) {
      if (from == to) continue;
      std::vector<LinkId> some;
      std::vector<LinkId> others;
      const VertexId at = t->ends(LinkId{2 * from}).to;
      many.outputs(at, VertexId{to}, false, some);
      one.outputs(at, VertexId{to}, false, others);
      ASSERT_EQ(some, others);
    }
  }
}

TEST(UpDown, TheRootCanBeGiven) {
  const auto row = made("chain", {"chain.switches=5", "chain.nodes_per_switch=1"});
  Settings settings(routing_sections());
  settings.assign("up-down.root=s9", {});
  try {
    make_routing("up-down", *row, {}, settings);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no switch 's9': accepted are auto and names of "
                                        "switches, such as s0"));
  }
  settings.assign("up-down.root=s0", {});
  EXPECT_NE(make_routing("up-down", *row, {}, settings), nullptr);
  EXPECT_TRUE(
      UpDownGraph(*row, VertexId{5}).is_up(minimal_route(*row, VertexId{4}, VertexId{0})[1]));
}

}  // namespace
}  // namespace heddle::platform
