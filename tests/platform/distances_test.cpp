#include "platform/distance_search.hpp"
#include "platform/figures/metrics.hpp"
#include "platform/topology/dragonfly.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/graph.hpp"
#include "platform/topology/hyperx.hpp"
#include "platform/topology/single_switch.hpp"
#include "platform/topology_checks.hpp"
#include "platform/torus_edges.hpp"

namespace heddle::platform {
namespace {

/// Every route of every pair of nodes, one by one.
HopCounts followed(const Topology& t) {
  HopCounts counts;
  for (std::uint32_t from = 0; from < t.nodes(); ++from) {
    for (std::uint32_t to = 0; to < t.nodes(); ++to) {
      if (from == to) continue;
      const auto links = minimal_route(t, VertexId{from}, VertexId{to}).size();
      counts.most = std::max(counts.most, static_cast<std::uint32_t>(links));
      counts.sum += links;
      ++counts.pairs;
    }
  }
  return counts;
}

/// The most cables at a switch, by counting them.
std::uint32_t counted_radix(const Topology& t) {
  const auto leaving = links_leaving(t);
  std::size_t radix = 0;
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    radix = std::max(radix, leaving[t.nodes() + s].size());
  }
  return static_cast<std::uint32_t>(radix);
}

/// The largest distance between switches, by a search from every one.
std::uint32_t searched_diameter(const Topology& t) {
  const auto leaving = links_leaving(t);
  std::uint32_t most = 0;
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const auto distance = distances(t, leaving, VertexId{t.nodes() + s});
    most = std::max(most, *std::max_element(distance.begin() + t.nodes(), distance.end()));
  }
  return most;
}

/// What the topology says of its distances is what looking at every pair finds.
void expect_counted(const Topology& t, const Distances& said) {
  SCOPED_TRACE(t.describe());
  const HopCounts hops = followed(t);
  EXPECT_TRUE(said.hops.exact);
  EXPECT_EQ(said.hops.most, hops.most);
  EXPECT_EQ(said.hops.sum, hops.sum);
  EXPECT_EQ(said.hops.pairs, hops.pairs);
  EXPECT_EQ(said.radix, counted_radix(t));
  EXPECT_EQ(said.switch_diameter, searched_diameter(t));
}

/// The runs hold every cable, in order, with the group that each cable names.
void expect_runs(const Topology& t) {
  SCOPED_TRACE(t.describe());
  std::uint32_t next = 0;
  for (const CableRun& run : t.cable_runs()) {
    EXPECT_EQ(run.first, next);
    EXPECT_GT(run.cables, 0U);
    next = run.first + run.cables;
    ASSERT_LE(next, t.cables());
    for (std::uint32_t c = run.first; c < next; ++c) EXPECT_EQ(t.cable_group(c), run.group);
  }
  EXPECT_EQ(next, t.cables());
}

void expect_exact(const Topology& t) {
  const auto said = t.distances();
  ASSERT_TRUE(said) << t.describe();
  expect_counted(t, *said);
  expect_runs(t);
}

TEST(Distances, SingleSwitches) {
  for (const std::uint32_t nodes : {1U, 2U, 3U, 9U}) expect_exact(SingleSwitch(nodes));
}

TEST(Distances, ToriAndMeshes) {
  for (const auto edges : {kWrapped, kOpen}) {
    for (std::int64_t nodes = 1; nodes <= 3; ++nodes) {
      for (std::int64_t k = 1; k <= 9; ++k) expect_exact(Torus({k}, nodes, edges));
      for (const List& dims : {List{1, 1}, List{2, 2}, List{3, 4}, List{5, 2}, List{1, 6},
                               List{2, 3, 4}, List{5, 1, 3}, List{2, 2, 2, 3}}) {
        expect_exact(Torus(dims, nodes, edges));
      }
    }
  }
}

TEST(Distances, HyperXs) {
  for (std::int64_t nodes = 1; nodes <= 3; ++nodes) {
    for (std::int64_t k = 1; k <= 6; ++k) expect_exact(HyperX({k}, nodes));
    for (const List& dims : {List{1, 1}, List{2, 3}, List{4, 4}, List{3, 1, 2}, List{2, 2, 2, 2}}) {
      expect_exact(HyperX(dims, nodes));
      expect_exact(HyperX(dims, nodes, {3}));
    }
  }
}

// Two switches of a HyperX of S_1 x ... x S_n are as many links apart as coordinates differ: over
// all other switches sum (1 - 1 / S_i) N / (N - 1) in the mean, N being the product of all S_i.
TEST(Distances, SwitchesOfAHyperXDifferInCoordinates) {
  for (const List& dims :
       {List{16, 16}, List{4, 5, 6}, List{3, 4, 5, 6}, List{2, 2, 2, 2, 2, 2, 2}}) {
    const HyperX t(dims, 1);
    const double switches = t.switches();
    double mean = 0;
    for (const std::int64_t size : dims) mean += 1 - 1 / static_cast<double>(size);
    const SwitchSearch found = switch_search(t);
    EXPECT_EQ(found.most, dims.size()) << t.describe();
    EXPECT_NEAR(found.mean, mean * switches / (switches - 1), 1e-9) << t.describe();
  }
}

TEST(Distances, FatTrees) {
  for (std::int64_t k = 1; k <= 4; ++k) {
    for (std::int64_t n = 1; n <= 3; ++n) expect_exact(FatTree(FatTreeShape::k_ary_n_tree(k, n)));
  }
  const std::vector<FatTreeShape> shapes = {{{4, 3}, {1, 2}, {1, 1}},
                                            {{4, 3}, {1, 2}, {1, 3}},
                                            {{2, 3}, {2, 2}, {1, 1}},
                                            {{2, 3, 2}, {2, 1, 2}, {1, 2, 1}},
                                            {{3, 1, 2}, {1, 2, 1}, {1, 1, 2}},
                                            {{2, 2, 1}, {1, 1, 3}, {2, 1, 1}},
                                            {{1, 4}, {3, 1}, {1, 1}},
                                            {{5}, {1}, {2}},
                                            {{5}, {3}, {1}},
                                            {{1, 1, 3}, {1, 2, 2}, {1, 1, 1}}};
  for (const FatTreeShape& shape : shapes) expect_exact(FatTree(shape));
}

// With places left empty, from one node to all but one of them; also where nodes have two parents.
TEST(Distances, FatTreesWithNodesMissing) {
  for (const FatTreeShape& whole :
       {FatTreeShape{{3, 2, 2}, {1, 2, 2}, {1, 1, 1}}, FatTreeShape{{4, 3}, {1, 2}, {1, 2}},
        FatTreeShape{{2, 2, 3}, {2, 1, 2}, {1, 1, 1}}}) {
    for (std::int64_t nodes = 1; nodes <= 12; ++nodes) {
      FatTreeShape shape = whole;
      shape.nodes = nodes;
      expect_exact(FatTree(shape));
    }
  }
}

// Every dragonfly of up to seven groups of up to four switches with up to five global cables each:
// with global ports left over, with several rounds of cables, with groups that face each other, and
// those where two global cables in a row are shorter than the dragonfly's own routes.
TEST(Distances, Dragonflies) {
  int shorter = 0;
  for (std::int64_t groups = 1; groups <= 7; ++groups) {
    for (std::int64_t a = 1; a <= 4; ++a) {
      for (std::int64_t h = 0; h <= 5; ++h) {
        if (groups > a * h + 1) continue;
        const Dragonfly t({groups, a, 1 + groups % 2, h});
        expect_exact(t);
        if (t.nodes() > 1 && t.distances()->switch_diameter + 2 < t.distances()->hops.most) {
          ++shorter;
        }
      }
    }
  }
  EXPECT_GT(shorter, 0);
}

// 100 x 100 x 100 switches in rings: half way round is 50, so 150 links and those of the two nodes
// are the most. Around one ring the mean over all 100 switches is 25, so 75 over all pairs, and
// 75 * 10^12 / (10^12 - 10^6) without the pairs of a switch with itself, and two links of nodes:
// 10^6 * (10^6 * 75 + (10^6 - 1) * 2) in all.
TEST(Distances, LargeTorus) {
  const Distances said = *Torus({100, 100, 100}, 1, kWrapped).distances();
  EXPECT_EQ(said.radix, 7U);
  EXPECT_EQ(said.switch_diameter, 150U);
  EXPECT_EQ(said.hops.most, 152U);
  EXPECT_EQ(said.hops.sum, 1'000'000ULL * (75'000'000ULL + 2 * 999'999ULL));
  EXPECT_NEAR(said.hops.mean(), 77.000075, 1e-6);
}

// 16^6 nodes: of the 16^6 - 1 others, 15 * 16^(l-1) are 2 l links away.
TEST(Distances, LargeTree) {
  const Distances said = *FatTree(FatTreeShape::k_ary_n_tree(16, 6)).distances();
  const std::uint64_t nodes = 16'777'216;
  const std::uint64_t of_one =
      15 * (2 + 4 * 16 + 6 * 256 + 8 * 4096 + 10 * 65'536 + 12 * 1'048'576ULL);
  EXPECT_EQ(said.radix, 32U);
  EXPECT_EQ(said.switch_diameter, 10U);
  EXPECT_EQ(said.hops.most, 12U);
  EXPECT_EQ(said.hops.sum, nodes * of_one);
  EXPECT_EQ(said.hops.pairs, nodes * (nodes - 1));
}

// The sum over the pairs of the longest row there can be does not fit 64 bits: n (n^2 - 1) / 3
// links between switches and 2 n (n - 1) of nodes, so (n + 1) / 3 + 2 in the mean.
TEST(Distances, SumsOfHugeMachinesAreExact) {
  const Distances said = *Torus({100'000'000}, 1, kOpen).distances();
  EXPECT_EQ(said.hops.most, 100'000'001U);
  EXPECT_DOUBLE_EQ(said.hops.mean(), 100'000'001.0 / 3 + 2);
}

// The dragonfly of 32 switches with 16 nodes and 16 global cables each, 513 groups: each two groups
// are joined by one cable, so of the 32 * 32 pairs of switches of two groups one is one link apart,
// 31 + 31 are two, and 31 * 31 three.
TEST(Distances, LargeDragonfly) {
  const Distances said = *Dragonfly({513, 32, 16, 16}).distances();
  const std::uint64_t groups = 513;
  const std::uint64_t nodes = groups * 32 * 16;
  EXPECT_EQ(said.radix, 16U + 31 + 16);
  EXPECT_EQ(said.switch_diameter, 3U);
  EXPECT_EQ(said.hops.most, 5U);
  const std::uint64_t between = groups * (groups - 1) * (1 + 2 * 62 + 3 * 961);
  const std::uint64_t within = groups * 32 * 31;
  EXPECT_EQ(said.hops.sum, 2 * nodes * (nodes - 1) + 256 * (between + within));
}

/// A connected graph with cables at random: some nodes hang on a switch, some have several cables,
/// some are joined to each other, some cables are double.
Graph random_graph(std::uint64_t seed) {
  RandomStream random(seed);
  GraphPlan plan;
  const auto nodes = static_cast<std::uint32_t>(2 + random.below(8));
  const auto switches = static_cast<std::uint32_t>(random.below(7));
  for (std::uint32_t n = 0; n < nodes; ++n) plan.nodes.push_back("n" + std::to_string(n));
  for (std::uint32_t s = 0; s < switches; ++s) plan.switches.push_back("s" + std::to_string(s));
  for (std::uint32_t v = 1; v < nodes + switches; ++v) {
    plan.cables.push_back({VertexId{v}, VertexId{static_cast<std::uint32_t>(random.below(v))}});
  }
  for (std::uint64_t more = random.below(8); more > 0; --more) {
    const auto a = static_cast<std::uint32_t>(random.below(nodes + switches));
    const auto b = static_cast<std::uint32_t>(random.below(nodes + switches));
    if (a != b) plan.cables.push_back({VertexId{a}, VertexId{b}});
  }
  return Graph(std::move(plan));
}

TEST(Distances, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) expect_exact(random_graph(seed));
}

// A search finds of a regular fabric what its formulas say, at a size where many nodes hang on each
// switch.
TEST(Distances, SearchAgreesWithFormulas) {
  const FatTree tree(FatTreeShape{{18, 12}, {1, 9}, {1, 1}});
  const Torus torus({5, 4, 3}, 8, kWrapped);
  for (const Topology* t :
       {static_cast<const Topology*>(&tree), static_cast<const Topology*>(&torus)}) {
    const Distances said = *t->distances();
    const Distances found = *searched_distances(*t);
    EXPECT_EQ(found.radix, said.radix);
    EXPECT_EQ(found.switch_diameter, said.switch_diameter);
    EXPECT_EQ(found.hops.most, said.hops.most);
    EXPECT_EQ(found.hops.sum, said.hops.sum);
    EXPECT_EQ(found.hops.pairs, said.hops.pairs);
  }
}

}  // namespace
}  // namespace heddle::platform
