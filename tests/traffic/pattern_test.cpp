#include "traffic/pattern.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "core/error.hpp"
#include "error_of.hpp"
#include "traffic/grid.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::traffic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TrafficConfig config(const std::string& pattern) {
  TrafficConfig c = traffic_table().defaults();
  c.pattern = pattern;
  return c;
}

std::unique_ptr<const Pattern> make(const TrafficConfig& c, std::uint32_t nodes) {
  return make_pattern(c, nodes, RandomStream(7));
}

/// Where the first message of each node goes; a node that does not send stands for itself.
std::vector<std::uint32_t> map_of(const TrafficConfig& c, std::uint32_t nodes) {
  const auto pattern = make(c, nodes);
  RandomStream random(3);
  std::vector<std::uint32_t> map;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    map.push_back(pattern->sends(NodeId{n})
                      ? static_cast<std::uint32_t>(pattern->destination(NodeId{n}, 0, random))
                      : n);
  }
  return map;
}

/// How often node `source` sends to each node in `count` messages.
std::map<std::uint32_t, int> tally(const Pattern& pattern, std::uint32_t source, int count) {
  RandomStream random(11);
  std::map<std::uint32_t, int> tally;
  for (int k = 0; k < count; ++k) {
    ++tally[static_cast<std::uint32_t>(pattern.destination(NodeId{source}, k, random))];
  }
  return tally;
}

// Every pattern that chooses destinations stays within the platform and never sends to itself.
TEST(Pattern, DestinationsAreOtherNodes) {
  for (const PatternKind& kind : pattern_kinds()) {
    if (kind.make == nullptr) continue;
    const auto pattern = make(config(std::string(kind.name)), 16);
    RandomStream random(5);
    for (std::uint32_t n = 0; n < 16; ++n) {
      if (!pattern->sends(NodeId{n})) continue;
      for (std::uint64_t k = 0; k < 50; ++k) {
        const NodeId to = pattern->destination(NodeId{n}, k, random);
        EXPECT_LT(index(to), 16U) << kind.name;
        EXPECT_NE(to, NodeId{n}) << kind.name;
      }
    }
  }
}

// Uniform: of 7000 messages of node 2 among 8 nodes, each of the 7 others gets 1000, give or take
// five standard deviations (5 * 29.3 < 150).
TEST(Pattern, UniformTreatsAllOthersAlike) {
  const auto counts = tally(*make(config("uniform"), 8), 2, 7000);
  EXPECT_EQ(counts.size(), 7U);
  for (const auto& [node, count] : counts) EXPECT_NEAR(count, 1000, 150) << node;
}

// A permutation reaches every node exactly once, keeps to it for every message, and depends on the
// random stream.
TEST(Pattern, PermutationIsOneToOne) {
  const auto map = map_of(config("permutation"), 33);
  EXPECT_EQ(std::set<std::uint32_t>(map.begin(), map.end()).size(), 33U);
  EXPECT_EQ(tally(*make(config("permutation"), 33), 4, 20).size(), 1U);
  const auto other = make_pattern(config("permutation"), 33, RandomStream(8));
  RandomStream random(3);
  std::vector<std::uint32_t> other_map;
  for (std::uint32_t n = 0; n < 33; ++n) {
    other_map.push_back(static_cast<std::uint32_t>(other->destination(NodeId{n}, 0, random)));
  }
  EXPECT_NE(map, other_map);
}

// Shift by 3 of 5 nodes: i goes to (i + 3) mod 5.
TEST(Pattern, ShiftGoesAroundTheEnd) {
  TrafficConfig c = config("shift");
  c.shift = 3;
  EXPECT_THAT(map_of(c, 5), ElementsAre(3, 4, 0, 1, 2));
}

// Of 12 nodes in groups of 4: nodes of group 0 send to nodes 4 to 7, those of the last group to
// nodes 0 to 3; of 4,000 messages each of the four gets 1,000, with a standard deviation of 27.
TEST(Pattern, NextGroupSendsToAnyNodeOfTheNextGroup) {
  TrafficConfig c = config("next-group");
  c.group = 4;
  const auto pattern = make_pattern(c, 12, RandomStream(1));
  RandomStream random(2);
  for (const auto& [source, first] : {std::pair(2U, 4U), std::pair(11U, 0U)}) {
    std::map<std::uint32_t, int> count;
    for (std::uint64_t i = 0; i < 4000; ++i) {
      ++count[static_cast<std::uint32_t>(pattern->destination(NodeId{source}, i, random))];
    }
    ASSERT_EQ(count.size(), 4U);
    for (std::uint32_t n = first; n < first + 4; ++n) EXPECT_NEAR(count[n], 1000, 137);
  }
  c.group = 5;
  EXPECT_THROW(make_pattern(c, 12, RandomStream(1)), ParamError);
  c.group = 12;
  EXPECT_THROW(make_pattern(c, 12, RandomStream(1)), ParamError);
}

// Tornado: ceil(k/2) - 1 further in each dimension of k nodes. Of 8 in a ring: 3 further. Of 4x4:
// one further in both.
TEST(Pattern, TornadoGoesAlmostHalfWay) {
  EXPECT_THAT(map_of(config("tornado"), 8), ElementsAre(3, 4, 5, 6, 7, 0, 1, 2));
  TrafficConfig c = config("tornado");
  c.grid = "4x4";
  const auto map = map_of(c, 16);
  EXPECT_EQ(map[0], 5U);
  EXPECT_EQ(map[15], 0U);
}

// Three bits reversed: 001 <-> 100, 011 <-> 110; 000, 010, 101 and 111 are their own and silent.
TEST(Pattern, BitReverse) {
  EXPECT_THAT(map_of(config("bit-reverse"), 8), ElementsAre(0, 4, 2, 6, 1, 5, 3, 7));
  EXPECT_FALSE(make(config("bit-reverse"), 8)->sends(NodeId{2}));
}

TEST(Pattern, BitComplement) {
  EXPECT_THAT(map_of(config("bit-complement"), 8), ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
}

// Of 3x3 nodes, (row, column) goes to (column, row): 1 <-> 3, 2 <-> 6, 5 <-> 7.
TEST(Pattern, Transpose) {
  EXPECT_THAT(map_of(config("transpose"), 9), ElementsAre(0, 3, 6, 1, 4, 7, 2, 5, 8));
}

// Half of the messages go to the hot node, which gets its uniform share of the other half, too:
// 0.5 + 0.5/7 of 10000, five standard deviations are 248.
TEST(Pattern, HotspotGetsItsFraction) {
  TrafficConfig c = config("hotspot");
  c.hot_fraction = 0.5;
  c.target = 6;
  EXPECT_NEAR(tally(*make(c, 8), 1, 10000).at(6), 5714, 248);
}

// With a fraction of 1 and two hot nodes of 8 from node 1 on, nodes 1 and 5 get everything.
TEST(Pattern, HotNodesAreSpread) {
  TrafficConfig c = config("hotspot");
  c.hot_fraction = 1;
  c.hot_nodes = 2;
  c.target = 1;
  const auto counts = tally(*make(c, 8), 0, 1000);
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts.at(1) + counts.at(5), 1000);
}

// Three of six nodes, those behind the target 4 around the end, send to it.
TEST(Pattern, IncastHasOneTarget) {
  TrafficConfig c = config("incast");
  c.target = 4;
  c.fan_in = 3;
  EXPECT_THAT(map_of(c, 6), ElementsAre(4, 4, 2, 3, 4, 4));
  c.fan_in.reset();
  EXPECT_THAT(map_of(c, 6), ElementsAre(4, 4, 4, 4, 4, 4));
}

// n - 1 messages reach each other node once; the k-th messages of all nodes are a permutation.
TEST(Pattern, AllToAllReachesEverybodyOnce) {
  const auto pattern = make(config("all-to-all"), 6);
  EXPECT_EQ(pattern->usual_messages(), 5);
  const auto counts = tally(*pattern, 2, 5);
  EXPECT_EQ(counts.size(), 5U);
  RandomStream random(1);
  std::set<NodeId> in_round;
  for (std::uint32_t n = 0; n < 6; ++n) in_round.insert(pattern->destination(NodeId{n}, 3, random));
  EXPECT_EQ(in_round.size(), 6U);
}

// In a 4x3 grid with joined edges node 0 has the neighbours 1 and 3 (first dimension), 4 and 8.
// In 2x2x2 both directions lead to the same node: three neighbours.
TEST(Pattern, NeighboursOfAGrid) {
  TrafficConfig c = config("neighbours");
  c.grid = "4x3";
  const auto counts = tally(*make(c, 12), 0, 4);
  EXPECT_THAT(counts, ElementsAre(testing::Pair(1, 1), testing::Pair(3, 1), testing::Pair(4, 1),
                                  testing::Pair(8, 1)));
  EXPECT_EQ(make(config("neighbours"), 8)->usual_messages(), 3);
}

// The extents are as equal as the factors allow: 64 = 4x4x4 = 8x8, 12 = 4x3 = 3x2x2, 7 is prime.
TEST(Grid, ClosestFactors) {
  EXPECT_THAT(Grid("3d", 64).extents(), ElementsAre(4, 4, 4));
  EXPECT_THAT(Grid("2d", 64).extents(), ElementsAre(8, 8));
  EXPECT_THAT(Grid("2d", 12).extents(), ElementsAre(4, 3));
  EXPECT_THAT(Grid("3d", 12).extents(), ElementsAre(3, 2, 2));
  EXPECT_THAT(Grid("2d", 7).extents(), ElementsAre(7, 1));
  EXPECT_THAT(Grid("1d", 5).extents(), ElementsAre(5));
}

TEST(Pattern, SaysWhatItNeeds) {
  const auto error_of = [](const TrafficConfig& c, std::uint32_t nodes) {
    return heddle::error_of([&] { make(c, nodes); });
  };
  EXPECT_THAT(error_of(config("bit-reverse"), 48), HasSubstr("power of two"));
  EXPECT_THAT(error_of(config("bit-reverse"), 48), HasSubstr("32 and 64"));
  EXPECT_THAT(error_of(config("transpose"), 48), HasSubstr("36 and 49"));
  EXPECT_THAT(error_of(config("uniform"), 1), HasSubstr("at least 2 nodes"));
  TrafficConfig c = config("shift");
  c.shift = 8;
  EXPECT_THAT(error_of(c, 8), HasSubstr("accepted is 1 to 7"));
  c = config("incast");
  c.target = 8;
  EXPECT_THAT(error_of(c, 8), HasSubstr("accepted is 0 to 7"));
  c = config("neighbours");
  c.grid = "3x3";
  EXPECT_THAT(error_of(c, 8), HasSubstr("product is the number of nodes, here 8"));
}

}  // namespace
}  // namespace heddle::traffic
