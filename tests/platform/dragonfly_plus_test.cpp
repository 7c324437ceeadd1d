// Dragonfly+: leaves and spines in groups.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "platform/topology/dragonfly_plus.hpp"
#include "platform/topology_checks.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

DragonflyPlusShape balanced(std::int64_t half) {
  return {half * half + 1, half, half, half, half};
}

// With half of the radix k for each kind of cable there are k^2/4 + 1 groups of k switches and
// k^2/4 nodes: 272 nodes of k = 8, 4160 of 16, 105,300 of 36.
TEST(DragonflyPlus, HasThePublishedSizes) {
  struct Row {
    std::int64_t half;
    std::uint32_t nodes;
    std::uint32_t switches;
  };
  for (const Row& row : std::vector<Row>{{4, 272, 136}, {8, 4160, 1040}, {18, 105300, 11700}}) {
    const DragonflyPlus t(balanced(row.half));
    EXPECT_EQ(t.nodes(), row.nodes);
    EXPECT_EQ(t.switches(), row.switches);
    EXPECT_EQ(t.distances()->radix, 2 * row.half);
    EXPECT_EQ(t.distances()->hops.most, 5U);
  }
}

/// Routes between all nodes are as short as the graph allows, and those to and from switches arrive
/// with at most one global cable.
void check_routes(const DragonflyPlus& t) {
  const auto leaving = links_leaving(t);
  unsigned __int128 sum = 0;
  for (std::uint32_t to = 0; to < t.vertices(); ++to) {
    const auto links = distances(t, leaving, VertexId{to});
    for (std::uint32_t from = 0; from < t.vertices(); ++from) {
      if (from == to) continue;
      const std::vector<LinkId> route = minimal_route(t, VertexId{from}, VertexId{to});
      const auto globals = std::count_if(route.begin(), route.end(), [&t](LinkId l) {
        return t.cable_group(index(l) / 2) == "global";
      });
      EXPECT_LE(globals, 1);
      if (from >= t.nodes() || to >= t.nodes()) continue;
      ASSERT_EQ(route.size(), links[from]);
      sum += route.size();
    }
  }
  EXPECT_TRUE(sum == t.distances()->hops.sum) << "the closed form counts the same links";
}

// Balanced ones, those with fewer groups and so several cables between two, and those whose ports
// do not come out even.
TEST(DragonflyPlus, RoutesAreMinimalBetweenNodes) {
  const std::vector<DragonflyPlusShape> shapes = {
      {5, 4, 4, 4, 4}, {17, 4, 4, 1, 4}, {3, 2, 3, 2, 2}, {4, 2, 3, 2, 3},
      {1, 2, 2, 2, 0}, {6, 2, 3, 1, 2},  {2, 1, 1, 1, 3}, {7, 3, 2, 2, 3}};
  for (const DragonflyPlusShape& shape : shapes) {
    const DragonflyPlus t(shape);
    SCOPED_TRACE(t.describe());
    check_structure(t);
    check_routes(t);
    check_adaptive(t);
    check_valiant(t, 6);
  }
}

// Four cables join each two of five groups, two at either of the two spines. Eight nodes of a group
// are reached over all of them, two over each.
TEST(DragonflyPlus, SharesTheCablesOfASpineOut) {
  const DragonflyPlus t({5, 4, 2, 2, 8});
  std::map<std::uint32_t, int> used;
  for (std::uint32_t node = 8; node < t.nodes(); ++node) {
    for (const LinkId link : minimal_route(t, VertexId{0}, VertexId{node})) {
      if (t.cable_group(index(link) / 2) == "global") ++used[index(link)];
    }
  }
  EXPECT_EQ(used.size(), 16U);
  for (const auto& [link, nodes] : used) EXPECT_EQ(nodes, 2) << "link " << link;
}

// Four groups of 64 nodes, 21 or 22 cables between two of them. If every node sends as much to
// every other one, an access link bears 255 messages, a global one 64 * 64 / 21.3 = 192 in the
// mean, and a local one 8 * 255 / 8 = 255 at most in the mean, had each spine as many: no link has
// more than one and a half times that.
TEST(DragonflyPlus, SpinesHaveTheirShareOfUniformTraffic) {
  const DragonflyPlus t({4, 8, 8, 8, 8});
  std::vector<int> load(2 * t.cables());
  for (std::uint32_t from = 0; from < t.nodes(); ++from) {
    for (std::uint32_t to = 0; to < t.nodes(); ++to) {
      if (from == to) continue;
      for (const LinkId link : minimal_route(t, VertexId{from}, VertexId{to})) ++load[index(link)];
    }
  }
  std::map<std::string, int> most;
  for (std::uint32_t link = 0; link < load.size(); ++link) {
    int& m = most[t.cable_group(link / 2)];
    m = std::max(m, load[link]);
  }
  EXPECT_EQ(most["access"], 255);
  EXPECT_LE(most["local"], 383);
  EXPECT_LE(most["global"], 288);
}

// As every group looks the same, the search from one group finds the diameter that a search from
// all switches finds.
TEST(DragonflyPlus, DiameterIsThatOfASearch) {
  for (const DragonflyPlusShape& shape :
       {DragonflyPlusShape{5, 4, 4, 4, 4}, DragonflyPlusShape{17, 4, 4, 1, 4},
        DragonflyPlusShape{6, 2, 3, 1, 2}}) {
    const DragonflyPlus t(shape);
    EXPECT_EQ(t.distances()->switch_diameter, switch_search(t).most);
  }
}

// Two groups of any pair are joined by as many cables as those of any other, give or take one: with
// 16 global cables of a group and four others, four each.
TEST(DragonflyPlus, JoinsGroupsEvenly) {
  const DragonflyPlus t({5, 4, 4, 4, 4});
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> cables;
  for (std::uint32_t c = 0; c < t.cables(); ++c) {
    if (t.cable_group(c) != "global") continue;
    const LinkEnds ends = t.ends(LinkId{2 * c});
    const std::string from = t.name(ends.from);
    const std::string to = t.name(ends.to);
    ++cables[{std::stoul(from.substr(1)), std::stoul(to.substr(1))}];
  }
  EXPECT_EQ(cables.size(), 10U);
  for (const auto& [groups, number] : cables) {
    EXPECT_EQ(number, 4) << groups.first << " and " << groups.second;
  }
}

// Between groups up, across, down; within one up and down.
TEST(DragonflyPlus, GoesUpAcrossAndDown) {
  const DragonflyPlus t({5, 4, 4, 4, 4});
  EXPECT_THAT(way(t, VertexId{0}, VertexId{79}),
              testing::MatchesRegex("n0 g0.l0 g0.s. g4.s. g4.l3 n79"));
  EXPECT_THAT(way(t, VertexId{0}, VertexId{5}), testing::MatchesRegex("n0 g0.l0 g0.s. g0.l1 n5"));
}

TEST(DragonflyPlus, RefusesGroupsThatCannotBeJoined) {
  try {
    DragonflyPlus({20, 4, 4, 4, 4});
    FAIL();
  } catch (const ParamError& error) {
    EXPECT_THAT(error.problem(),
                HasSubstr("at most 17 groups (spines_per_group * global_per_spine + 1)"));
  }
}

}  // namespace
}  // namespace heddle::platform
