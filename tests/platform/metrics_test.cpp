#include "platform/figures/metrics.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "platform/figures/bisection.hpp"
#include "platform/routing.hpp"
#include "platform/topology/dragonfly.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/graph.hpp"
#include "platform/topology/hyperx.hpp"
#include "platform/topology/single_switch.hpp"
#include "platform/topology_checks.hpp"
#include "platform/torus_edges.hpp"

namespace heddle::platform {
namespace {

Platform machine(std::unique_ptr<const Topology> topology) {
  auto routing = make_routing("minimal", *topology);
  return Platform("test", std::move(topology), std::move(routing), link_table().defaults(),
                  switch_table().defaults(), node_table().defaults(), nic_table().defaults());
}

template <class T, class... Args>
Platform machine_of(Args&&... args) {
  return machine(std::make_unique<T>(std::forward<Args>(args)...));
}

// The four ways to join 8 hosts that the InfiniBand thesis compares have 2, 2.57, 2.85 and 3.7 hops
// in the mean: one switch; two stars of 4, where 4 of the 7 other hosts are one cable further:
// 18/7; four stars of 2 "interconnected with each other", where all 6 are: 20/7, so every star is
// joined to every other (a chain of four would have 24/7 and a ring 22/7); and four leaves of 2
// under two spines, where 6 are 4 links away: 26/7.
TEST(Metrics, MeanHopsOfTheInfinibandThesis) {
  const auto sum_over_7 = [](const Topology& t) {
    const HopCounts hops = count_hops(t);
    EXPECT_TRUE(hops.exact);
    EXPECT_EQ(hops.pairs, 8U * 7U);
    return hops.sum;  // Over 8 hosts: 8 times the sum of one.
  };
  EXPECT_EQ(sum_over_7(SingleSwitch(8)), 8U * 14);
  EXPECT_EQ(sum_over_7(Torus({2}, 4, kOpen)), 8U * 18);
  EXPECT_EQ(sum_over_7(HyperX({4}, 2)), 8U * 20);
  EXPECT_EQ(sum_over_7(FatTree({{2, 4}, {1, 2}, {1, 1}})), 8U * 26);
  EXPECT_NEAR(count_hops(HyperX({4}, 2)).mean(), 2.857, 0.001);
}

// A tree of arity 8 and 2 levels: leaves have 8 + 8 ports; two spines are 2 links apart; of the 63
// other nodes 7 are 2 links away and 56 are 4: 238/63 in the mean; 32 cables of 100 Gb/s cross.
TEST(Metrics, FatTree) {
  const Platform p = machine_of<FatTree>(FatTreeShape::k_ary_n_tree(8, 2));
  const Metrics m = measure(p);
  EXPECT_EQ(m.radix, 16U);
  EXPECT_EQ(m.switch_diameter, 2U);
  EXPECT_TRUE(m.switch_diameter_exact);
  EXPECT_EQ(m.hops.most, 4U);
  EXPECT_EQ(m.hops.sum, 64U * 238);
  ASSERT_TRUE(m.bisection);
  EXPECT_EQ(m.bisection->bandwidth, Bandwidth::gbps(3200));
  EXPECT_TRUE(m.bisection->exact);
  ASSERT_EQ(m.cables.size(), 2U);
  EXPECT_EQ(m.cables[0].group, "access");
  EXPECT_EQ(m.cables[0].cables, 64U);
  EXPECT_EQ(m.cables[1].group, "level 1");
}

// Cables of one group with other parameters are counted apart, and the cut follows their bandwidth:
// a chain of two switches whose middle cable has 40 Gb/s has 40 Gb/s across, not 100.
TEST(Metrics, OverridesAreCountedApartAndNarrowTheCut) {
  Platform p = machine_of<Torus>(std::vector<std::int64_t>{2}, 4, kOpen);
  LinkParams slow = p.cable(8);
  slow.bandwidth = Bandwidth::gbps(40);
  p.set_cable(8, slow);
  slow.bandwidth = Bandwidth::gbps(50);
  p.set_cable(3, slow);
  const Metrics m = measure(p);
  ASSERT_EQ(m.cables.size(), 3U);
  EXPECT_EQ(m.cables[0].cables, 7U);
  EXPECT_EQ(m.cables[1].cables, 1U);
  EXPECT_EQ(m.cables[1].params.bandwidth, Bandwidth::gbps(50));
  ASSERT_TRUE(m.bisection);
  EXPECT_FALSE(m.bisection->exact);
  EXPECT_EQ(m.bisection->bandwidth, Bandwidth::gbps(40));
  EXPECT_EQ(m.bisection->cables, 1U);
}

/// A ring of switches with so many nodes each, and one route that is given.
Graph ring_with_a_route(std::uint32_t switches, std::uint32_t nodes_each) {
  const std::uint32_t nodes = switches * nodes_each;
  GraphPlan plan;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    plan.nodes.push_back("n" + std::to_string(n));
    plan.cables.push_back({VertexId{n}, VertexId{nodes + n / nodes_each}});
  }
  for (std::uint32_t s = 0; s < switches; ++s) {
    plan.switches.push_back("s" + std::to_string(s));
    plan.cables.push_back({VertexId{nodes + s}, VertexId{nodes + (s + 1) % switches}});
  }
  plan.routes.push_back({VertexId{0}, VertexId{1}, {LinkId{0}, LinkId{3}}});
  return Graph(std::move(plan));
}

// A graph in which routes are given must be followed route by route; with more nodes than can be
// looked at in pairs, a sample is, said to be one, twice the same. In a ring of 70 switches with 30
// nodes each, all switches are 17.5 links away in the mean and 35 at most, so all nodes but oneself
// 17.5 * 2100 / 2099 + 2, and at most 37.
TEST(Metrics, LargeGraphsWithRoutesAreSampledAlwaysAlike) {
  const Graph t = ring_with_a_route(70, 30);
  const HopCounts hops = count_hops(t);
  EXPECT_FALSE(hops.exact);
  EXPECT_EQ(hops.most, 37U);
  EXPECT_NEAR(hops.mean(), 19.508, 0.1);
  EXPECT_EQ(count_hops(t).sum, hops.sum);
}

/// The least width over all halves of the nodes and all places of the switches, by trying them all,
/// where cable c counts `weight(c)`.
template <class Weight>
std::uint64_t narrowest_of_all(const Topology& t, Weight weight) {
  std::uint64_t narrowest = UINT64_MAX;
  for (std::uint32_t sides = 0; sides < 1U << t.vertices(); ++sides) {
    const auto ones = static_cast<std::uint32_t>(std::popcount(sides & ((1U << t.nodes()) - 1)));
    if (ones != t.nodes() / 2) continue;
    std::uint64_t width = 0;
    for (std::uint32_t cable = 0; cable < t.cables(); ++cable) {
      const LinkEnds e = t.ends(LinkId{2 * cable});
      width += (sides >> index(e.from) & 1) != (sides >> index(e.to) & 1) ? weight(cable) : 0;
    }
    narrowest = std::min(narrowest, width);
  }
  return narrowest;
}

// On machines small enough to try every cut, the formulas give the narrowest one, and the search
// finds it too.
TEST(Bisection, FormulasAndSearchAgreeWithTryingEveryCut) {
  std::vector<std::unique_ptr<const Topology>> small;
  small.push_back(std::make_unique<SingleSwitch>(9));
  small.push_back(std::make_unique<Torus>(std::vector<std::int64_t>{4, 2}, 1, kWrapped));
  small.push_back(std::make_unique<Torus>(std::vector<std::int64_t>{8}, 1, kWrapped));
  small.push_back(std::make_unique<Torus>(std::vector<std::int64_t>{3, 3}, 1, kWrapped));
  small.push_back(std::make_unique<Torus>(std::vector<std::int64_t>{4, 2}, 1, kOpen));
  small.push_back(std::make_unique<Torus>(std::vector<std::int64_t>{4}, 3, kOpen));
  small.push_back(std::make_unique<Torus>(std::vector<std::int64_t>{5}, 2, kOpen));
  small.push_back(std::make_unique<HyperX>(std::vector<std::int64_t>{4}, 3));
  small.push_back(std::make_unique<HyperX>(std::vector<std::int64_t>{2, 3}, 2));
  small.push_back(std::make_unique<HyperX>(std::vector<std::int64_t>{4, 2}, 1));
  small.push_back(std::make_unique<FatTree>(FatTreeShape{{2, 4}, {1, 2}, {1, 1}}));
  small.push_back(std::make_unique<FatTree>(FatTreeShape{{4, 2}, {1, 2}, {1, 1}}));
  small.push_back(std::make_unique<FatTree>(FatTreeShape::k_ary_n_tree(2, 2)));
  small.push_back(std::make_unique<FatTree>(FatTreeShape{{3, 3}, {1, 2}, {1, 1}}));
  small.push_back(std::make_unique<Dragonfly>(DragonflyShape{4, 2, 1, 2}));
  small.push_back(std::make_unique<Dragonfly>(DragonflyShape{4, 2, 1, 3}));
  small.push_back(std::make_unique<Dragonfly>(DragonflyShape{3, 2, 1, 1}));
  for (auto& topology : small) {
    const std::uint64_t truth = narrowest_of_all(*topology, [](std::uint32_t) { return 1; });
    const std::string what = topology->describe();
    const auto formula = bisection_cables(*topology);
    EXPECT_EQ(formula.value_or(truth), truth) << what;
    const auto found = narrowest_cut_found(machine(std::move(topology)));
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->exact);
    EXPECT_EQ(found->cables, truth) << what;
  }
}

// Of an odd number g of groups of a switches with c cables between any two groups, one group is
// divided, and each half stands with the (g - 1) / 2 groups that it leads to: c ((g - 1) / 2)^2
// global cables cross, and (a / 2)^2 local ones. 4^2 + 2^2 = 20, 16^2 + 4^2 = 272, 4 * 4^2 + 4^2 =
// 80, 2 * 2^2 + 2^2 = 12. Of 8 groups with one cable each, 4 * 4 = 16.
TEST(Bisection, ADragonflyIsDividedBetweenGroups) {
  const auto cables = [](const DragonflyShape& shape) {
    return narrowest_cut_found(machine_of<Dragonfly>(shape))->cables;
  };
  EXPECT_EQ(cables({9, 4, 2, 2}), 20U);
  EXPECT_EQ(cables({33, 8, 4, 4}), 272U);
  EXPECT_EQ(cables({9, 8, 4, 4}), 80U);
  EXPECT_EQ(cables({5, 4, 2, 2}), 12U);
  EXPECT_LE(cables({8, 4, 2, 2}), 18U);
}

/// What a cable of each group carries, in Gb/s, by the group's place among the runs.
using Widths = std::vector<std::int64_t>;

/// The formula's cut of a machine whose groups of cables differ, if it gives one, is as wide as the
/// narrowest of all. Whether it gives one.
bool expect_narrowest(const Topology& t, const Widths& widths) {
  std::vector<Bandwidth> by_run;
  for (const std::int64_t width : widths) by_run.push_back(Bandwidth::gbps(width));
  const std::vector<CableRun> runs = t.cable_runs();
  EXPECT_EQ(runs.size(), widths.size()) << t.describe();
  const auto cut = t.narrowest_cut(by_run);
  if (!cut) return false;
  const auto weight = [&](std::uint32_t cable) {
    std::size_t run = 0;
    while (cable >= runs[run].first + runs[run].cables) ++run;
    return static_cast<std::uint64_t>(widths[run]);
  };
  EXPECT_EQ(cut->cables * static_cast<std::uint64_t>(widths[cut->run]), narrowest_of_all(t, weight))
      << t.describe();
  return true;
}

// Groups of cables with different bandwidths move the narrowest cut: to the access cables where
// these are thin, to a level of a tree that is thinned out, to another dimension of a grid.
TEST(Bisection, FormulasKnowGroupsOfDifferentBandwidth) {
  int formulas = 0;
  for (const Widths& two : {Widths{1, 1}, Widths{1, 9}, Widths{9, 1}, Widths{3, 2}, Widths{2, 3}}) {
    const FatTreeShape wide{{2, 4}, {1, 2}, {1, 1}};
    const FatTreeShape double_homed{{2, 2}, {2, 1}, {1, 2}};
    formulas += expect_narrowest(FatTree(wide), two);
    formulas += expect_narrowest(FatTree(double_homed), two);
    formulas += expect_narrowest(Torus({4}, 3, kOpen), two);
    formulas += expect_narrowest(Torus({4}, 3, kWrapped), two);
    formulas += expect_narrowest(Torus({5}, 2, kWrapped), two);
    formulas += expect_narrowest(HyperX({4}, 3), two);
    formulas += expect_narrowest(HyperX({3}, 4, {2}), two);
    for (const std::int64_t third : {1, 2, 5}) {
      const Widths three = {two[0], two[1], third};
      formulas += expect_narrowest(Torus({4, 2}, 1, kWrapped), three);
      formulas += expect_narrowest(Torus({3, 2}, 1, kOpen), three);
      formulas += expect_narrowest(HyperX({2, 4}, 1), three);
      formulas += expect_narrowest(HyperX({3, 2}, 1, {1, 2}), three);
      formulas += expect_narrowest(FatTree({{2, 2, 2}, {1, 1, 2}, {1, 1, 1}}), three);
    }
  }
  EXPECT_GT(formulas, 50);
}

// On larger machines with a formula, the search is never below it, and here meets it.
TEST(Bisection, SearchMeetsTheFormulasOfLargerMachines) {
  std::vector<std::unique_ptr<const Topology>> large;
  large.push_back(std::make_unique<FatTree>(FatTreeShape::k_ary_n_tree(8, 2)));
  large.push_back(std::make_unique<FatTree>(FatTreeShape{{18, 36}, {1, 9}, {1, 1}}));
  large.push_back(std::make_unique<Torus>(std::vector<std::int64_t>{8, 8, 4}, 1, kWrapped));
  large.push_back(std::make_unique<HyperX>(std::vector<std::int64_t>{8, 6}, 8));
  for (auto& topology : large) {
    const std::string what = topology->describe();
    const std::uint64_t formula = bisection_cables(*topology).value();
    EXPECT_EQ(narrowest_cut_found(machine(std::move(topology)))->cables, formula) << what;
  }
}

// Nodes numbered across the fabric: two stars, whose hosts alternate, are joined by one cable.
// Halves by number would cut four access cables; the search finds the one.
TEST(Bisection, NumbersOfNodesDoNotMatter) {
  GraphPlan plan;
  for (std::uint32_t i = 0; i < 8; ++i) {
    plan.nodes.push_back("h" + std::to_string(i));
    plan.cables.push_back({VertexId{i}, VertexId{8 + i % 2}});
  }
  plan.switches = {"left", "right"};
  plan.cables.push_back({VertexId{8}, VertexId{9}});
  EXPECT_EQ(narrowest_cut_found(machine_of<Graph>(plan))->cables, 1U);
}

// A torus of 8 x 8 x 8 has at most 4 + 4 + 4 links between switches, and two of nodes; by way of a
// random switch 12 + 12 + 2. A dragonfly: local, global, local.
TEST(Metrics, LongestRoutes) {
  const Torus torus({8, 8, 8}, 1, kWrapped);
  EXPECT_EQ(longest_route(torus, RouteChoice::fixed), 14U);
  EXPECT_EQ(longest_route(torus, RouteChoice::detour), 26U);
  EXPECT_EQ(longest_route(Dragonfly({9, 4, 2, 2}), RouteChoice::adaptive), 5U);
  EXPECT_EQ(longest_route(SingleSwitch(1), RouteChoice::fixed), 2U);
}

// Up and down a tree nobody waits in a circle, nor dimension by dimension in a mesh or a HyperX;
// where the dimensions come in any order, and around a ring of four, they can. In a ring of three
// nobody goes further than one link.
TEST(Metrics, RoutesThatCanWaitInCircles) {
  const auto choices = [](const Topology& t) {
    std::string which;
    for (const auto choice : {RouteChoice::fixed, RouteChoice::adaptive, RouteChoice::detour}) {
      which += t.can_wait_in_circles(choice) ? 'y' : 'n';
    }
    return which;
  };
  EXPECT_EQ(choices(SingleSwitch(4)), "nnn");
  EXPECT_EQ(choices(FatTree(FatTreeShape::k_ary_n_tree(4, 3))), "nnn");
  EXPECT_EQ(choices(Torus({4}, 2, kOpen)), "nny");
  EXPECT_EQ(choices(Torus({4, 4}, 1, kOpen)), "nyy");
  EXPECT_EQ(choices(Torus({3}, 1, kWrapped)), "nny");
  EXPECT_EQ(choices(Torus({4}, 1, kWrapped)), "yyy");
  EXPECT_EQ(choices(HyperX({4}, 2)), "nny");
  EXPECT_EQ(choices(HyperX({4, 4}, 2)), "nyy");
  EXPECT_EQ(choices(Dragonfly({9, 4, 2, 2})), "yyy");
}

/// A graph of a switch per node, the switches joined in a row or, closed, in a ring.
Graph row_of(std::uint32_t switches, bool closed) {
  GraphPlan plan;
  for (std::uint32_t i = 0; i < switches; ++i) {
    plan.nodes.push_back("n" + std::to_string(i));
    plan.switches.push_back("s" + std::to_string(i));
    plan.cables.push_back({VertexId{i}, VertexId{switches + i}});
    if (i > 0) plan.cables.push_back({VertexId{switches + i - 1}, VertexId{switches + i}});
  }
  if (closed) plan.cables.push_back({VertexId{2 * switches - 1}, VertexId{switches}});
  return Graph(std::move(plan));
}

// The routes of a graph are followed: those of a row have no circle, those of a ring of five do.
TEST(Metrics, RoutesOfAGraphAreFollowed) {
  EXPECT_FALSE(row_of(5, false).can_wait_in_circles(RouteChoice::fixed));
  EXPECT_FALSE(row_of(5, false).can_wait_in_circles(RouteChoice::adaptive));
  EXPECT_TRUE(row_of(5, true).can_wait_in_circles(RouteChoice::fixed));
}

}  // namespace
}  // namespace heddle::platform
