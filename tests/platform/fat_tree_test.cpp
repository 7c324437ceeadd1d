#include "platform/topology/fat_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "platform/topology_checks.hpp"

namespace heddle::platform {
namespace {

FatTree k_ary(std::int64_t arity, std::int64_t levels) {
  return FatTree(FatTreeShape::k_ary_n_tree(arity, levels));
}

const std::vector<FatTreeShape>& shapes() {
  static const std::vector<FatTreeShape> shapes = {
      FatTreeShape::k_ary_n_tree(4, 1), FatTreeShape::k_ary_n_tree(1, 3),
      FatTreeShape::k_ary_n_tree(2, 4), FatTreeShape::k_ary_n_tree(3, 3),
      FatTreeShape::k_ary_n_tree(6, 2), {{2, 4}, {1, 2}, {1, 1}},
      {{4, 4}, {1, 2}, {1, 2}},         {{3, 2, 4}, {1, 2, 3}, {1, 1, 2}},
      {{4, 3}, {2, 2}, {1, 3}},         {{2, 3, 2, 2}, {1, 1, 2, 1}, {2, 1, 2, 1}},
  };
  return shapes;
}

// Over many shapes, with parallel cables and nodes of two ports among them: every output upwards
// and downwards is on a shortest path, and adaptive routes are as short as deterministic ones.
TEST(FatTree, RoutesAreMinimalOnEveryShape) {
  for (const FatTreeShape& shape : shapes()) {
    const FatTree t(shape);
    check_structure(t);
    check_minimal_routes(t);
    check_adaptive(t);
  }
}

// A route found at once is the one that output() leads along hop by hop, from every vertex.
TEST(FatTree, FindsRoutesAsOutputsLead) {
  for (const FatTreeShape& shape : shapes()) {
    const FatTree t(shape);
    LinkSet at_once;
    LinkSet by_hops;
    for (std::uint32_t from = 0; from < t.vertices(); ++from) {
      for (std::uint32_t to = 0; to < t.nodes(); ++to) {
        t.find_route(VertexId{from}, VertexId{to}, at_once);
        t.Topology::find_route(VertexId{from}, VertexId{to}, by_hops);
        ASSERT_TRUE(std::equal(at_once.begin(), at_once.end(), by_hops.begin(), by_hops.end()))
            << t.describe() << ": " << from << " to " << to;
      }
    }
  }
}

// A k-ary n-tree has k^n nodes, n k^(n-1) switches, n k^n cables; the longest route climbs n levels
// and comes down again; half of the k^n cables of each level cross the middle.
TEST(FatTree, KAryNTreeCounts) {
  for (const auto& [k, n] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {2, 1}, {2, 2}, {2, 5}, {4, 2}, {4, 3}, {8, 2}}) {
    std::uint64_t nodes = 1;
    for (std::int64_t i = 0; i < n; ++i) nodes *= static_cast<std::uint64_t>(k);
    const FatTree t = k_ary(k, n);
    EXPECT_EQ(t.nodes(), nodes);
    EXPECT_EQ(t.switches(), static_cast<std::uint64_t>(n) * nodes / static_cast<std::uint64_t>(k));
    EXPECT_EQ(t.cables(), static_cast<std::uint64_t>(n) * nodes);
    EXPECT_EQ(longest_route(t), 2 * n);
    EXPECT_EQ(bisection_cables(t), nodes / 2);
  }
}

// A PGFT has prod(down) nodes, and at level l prod(up_1..up_l) * prod(down_l+1..down_h) switches:
// for down 3,2,4 and up 1,2,3 that is 24 nodes and 8, 8 and 6 switches; the cables are 24*1,
// 8*2 and 8*3*2.
TEST(FatTree, GeneralCounts) {
  const FatTree t({{3, 2, 4}, {1, 2, 3}, {1, 1, 2}});
  EXPECT_EQ(t.nodes(), 24U);
  EXPECT_EQ(t.switches(), 8U + 8U + 6U);
  EXPECT_EQ(t.cables(), 24U + 16U + 48U);
  EXPECT_EQ(t.name(VertexId{24 + 8 + 8 + 5}), "L3.5");
  EXPECT_EQ(t.cable_group(0), "access");
  EXPECT_EQ(t.cable_group(24), "level 1");
  EXPECT_EQ(t.cable_group(24 + 16), "level 2");
  EXPECT_EQ(bisection_cables(t), 8U);  // Half of the 16 cables of the thinnest level.
}

// D-mod-K in a tree of two levels: the spine is the destination modulo the spines. Of 4 leaves with
// 2 hosts and 2 spines, host 0 reaches host 4 (on leaf 2) by spine 0 and host 7 (leaf 3) by
// spine 1. The machine of 648 hosts has 36 leaves of 18 hosts and 18 spines.
TEST(FatTree, SpineIsTheDestinationModuloTheSpines) {
  const FatTree small({{2, 4}, {1, 2}, {1, 1}});
  EXPECT_EQ(way(small, VertexId{0}, VertexId{4}), "n0 L1.0 L2.0 L1.2 n4");
  EXPECT_EQ(way(small, VertexId{0}, VertexId{7}), "n0 L1.0 L2.1 L1.3 n7");
  EXPECT_EQ(way(small, VertexId{0}, VertexId{1}), "n0 L1.0 n1");
  const FatTree big({{18, 36}, {1, 18}, {1, 1}});
  EXPECT_EQ(big.nodes(), 648U);
  EXPECT_EQ(big.switches(), 36U + 18U);
  for (std::uint32_t to = 18; to < 648; to += 7) {
    const std::uint32_t leaf = to / 18;
    EXPECT_EQ(way(big, VertexId{5}, VertexId{to}), "n5 L1.0 L2." + std::to_string(to % 18) +
                                                       " L1." + std::to_string(leaf) + " n" +
                                                       std::to_string(to));
  }
}

/// How often each link is used when every node i sends to i + shift.
std::map<LinkId, int> uses_of_shift(const Topology& t, std::uint32_t shift) {
  std::map<LinkId, int> uses;
  for (std::uint32_t i = 0; i < t.nodes(); ++i) {
    for (const LinkId link : minimal_route(t, VertexId{i}, VertexId{(i + shift) % t.nodes()})) {
      ++uses[link];
    }
  }
  return uses;
}

// In trees with full bandwidth at every level, D-mod-K keeps every shift permutation apart: no
// link, upwards or downwards, carries two of its messages. Of parallel cables too, if routes
// spread.
TEST(FatTree, ShiftPermutationsNeverShareALink) {
  const std::vector<FatTreeShape> full = {
      FatTreeShape::k_ary_n_tree(2, 4), FatTreeShape::k_ary_n_tree(4, 3),
      FatTreeShape::k_ary_n_tree(8, 2), {{4, 4}, {1, 2}, {1, 2}},
      {{6, 4}, {1, 3}, {1, 2}},         {{4, 4, 8}, {1, 4, 4}, {1, 1, 1}}};
  for (const FatTreeShape& shape : full) {
    const FatTree t(shape);
    for (std::uint32_t shift = 1; shift < t.nodes(); ++shift) {
      for (const auto& [link, uses] : uses_of_shift(t, shift)) {
        ASSERT_EQ(uses, 1) << t.describe() << ", shift " << shift << ", " << t.link_name(link);
      }
    }
  }
}

// With half the spines, each carries exactly two messages of a shift past the leaf.
TEST(FatTree, HalfTheSpinesCarryTwice) {
  const FatTree t({{4, 4}, {1, 2}, {1, 1}});
  for (const auto& [link, uses] : uses_of_shift(t, 4)) {
    EXPECT_EQ(uses, t.cable_group(static_cast<std::uint32_t>(link) / 2) == "access" ? 1 : 2);
  }
}

// Four parallel cables to one spine: of four destinations, each uses a cable of its own, and comes
// down by the cable of the same rank.
TEST(FatTree, DestinationsShareParallelCables) {
  const FatTree t({{4, 2}, {1, 1}, {1, 4}});
  for (std::uint32_t to = 4; to < 8; ++to) {
    const auto route = minimal_route(t, VertexId{0}, VertexId{to});
    const std::string rank = to == 4 ? "" : "#" + std::to_string(to - 4);
    EXPECT_EQ(t.link_name(route[1]), "L1.0->L2.0" + rank);
    EXPECT_EQ(t.link_name(route[2]), "L2.0->L1.1" + rank);
  }
}

// A tree of 3 levels of arity 48 has 110592 nodes; its routes are computed, not stored.
TEST(FatTree, LargeTreesNeedNoTables) {
  const FatTree t = k_ary(48, 3);
  EXPECT_EQ(t.nodes(), 110592U);
  EXPECT_EQ(minimal_route(t, VertexId{0}, VertexId{110591}).size(), 6U);
  EXPECT_EQ(minimal_route(t, VertexId{48}, VertexId{50000}).size(), 6U);
}

// Ten leaves of 24 places hold 233 nodes; the seven missing ones take their cables with them.
TEST(FatTree, LastPlacesMayStayEmpty) {
  const FatTree t({{24, 10}, {1, 12}, {1, 1}, 233});
  EXPECT_EQ(t.nodes(), 233U);
  EXPECT_EQ(t.switches(), 22U);
  EXPECT_EQ(t.cables(), 233U + 10 * 12);
  EXPECT_EQ(t.name(VertexId{233}), "L1.0");
  EXPECT_EQ(bisection_cables(t), std::nullopt);
  check_structure(t);
  check_minimal_routes(t);
  EXPECT_THROW(FatTree({{2, 2}, {1, 2}, {1, 1}, 5}), ParamError);
}

TEST(FatTree, RefusesShapesThatCannotBe) {
  EXPECT_THROW(FatTree({{2, 2}, {1}, {1, 1}}), ParamError);
  EXPECT_THROW(FatTree({{2, 0}, {1, 1}, {1, 1}}), ParamError);
  EXPECT_THROW(FatTree({{}, {}, {}}), ParamError);
  EXPECT_THROW(k_ary(1000, 10), ParamError);
  EXPECT_THROW(FatTree({{2, 2}, {1, 1000000}, {1, 1000000}}), ParamError);
}

// A leaf with 200 cables upwards offers all of them to a message for another leaf.
TEST(FatTree, OffersEveryCableUpwards) {
  const FatTree t({{200, 2}, {1, 200}, {1, 1}});
  const VertexId node{0};
  const VertexId leaf = t.ends(t.output({node, node, VertexId{399}})).to;
  LinkSet outputs;
  t.minimal_outputs({node, leaf, VertexId{399}, 1}, outputs);
  EXPECT_EQ(outputs.size(), 200U);
}

}  // namespace
}  // namespace heddle::platform
