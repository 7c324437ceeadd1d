#include "platform/topology/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>
#include <utility>

#include "error_of.hpp"
#include "platform/topology_checks.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

VertexId v(std::uint32_t number) {
  return VertexId{number};
}

/// Nodes a, b (0, 1) and switches p, q, r (2, 3, 4): a-p, p-q, p-r, q-b, r-b.
GraphPlan diamond() {
  GraphPlan plan;
  plan.nodes = {"a", "b"};
  plan.switches = {"p", "q", "r"};
  plan.cables = {{v(0), v(2)}, {v(2), v(3)}, {v(2), v(4)}, {v(3), v(1)}, {v(4), v(1)}};
  return plan;
}

/// A random connected graph: each vertex hangs on an earlier one, and some cables more.
GraphPlan random_plan(std::uint64_t seed) {
  RandomStream random(seed);
  GraphPlan plan;
  const auto nodes = static_cast<std::uint32_t>(2 + random.below(12));
  const auto switches = static_cast<std::uint32_t>(random.below(8));
  for (std::uint32_t i = 0; i < nodes; ++i) plan.nodes.push_back("host" + std::to_string(i));
  for (std::uint32_t i = 0; i < switches; ++i) plan.switches.push_back("sw" + std::to_string(i));
  const auto other = [&](std::uint32_t bound) {
    return v(static_cast<std::uint32_t>(random.below(bound)));
  };
  for (std::uint32_t i = 1; i < nodes + switches; ++i) plan.cables.push_back({v(i), other(i)});
  for (std::uint64_t extra = random.below(12); extra > 0; --extra) {
    const VertexId a = other(nodes + switches);
    const VertexId b = other(nodes + switches);
    if (a != b) plan.cables.push_back({a, b, Time::ns(static_cast<std::int64_t>(random.below(3)))});
  }
  return plan;
}

// Random graphs, with twin cables, leaves and cycles: all routes are as short as they can be.
TEST(Graph, RoutesAreMinimalOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph t(random_plan(seed));
    check_structure(t);
    check_minimal_routes(t);
    check_adaptive(t);
    if (t.switches() > 0) check_valiant(t, t.vertices());
  }
}

// Two ways of three links lead from a to b. Without latencies the one by the lower vertex is taken,
// with them the quicker one; both are minimal outputs of p.
TEST(Graph, LatencyThenTheLowestNumberDecide) {
  GraphPlan plan = diamond();
  EXPECT_EQ(way(Graph(plan), v(0), v(1)), "a p q b");
  plan.cables[1].latency = Time::ns(1);
  const Graph t(plan);
  EXPECT_EQ(way(t, v(0), v(1)), "a p r b");
  LinkSet outputs;
  t.minimal_outputs({v(0), v(2), v(1)}, outputs);
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(t.link_name(outputs[0]), "p->q");
  EXPECT_EQ(t.link_name(outputs[1]), "p->r");
}

// A quicker way of more links is not taken: links count first.
TEST(Graph, FewerLinksBeatLessLatency) {
  GraphPlan plan = diamond();
  plan.cables.push_back({v(0), v(1), Time::s(1)});
  EXPECT_EQ(way(Graph(plan), v(0), v(1)), "a b");
}

// A given route is followed in its direction; the way back, not given, is the shortest.
TEST(Graph, FollowsGivenRoutes) {
  GraphPlan plan = diamond();
  plan.cables.push_back({v(3), v(4)});
  plan.routes = {{v(0), v(1), {LinkId{0}, LinkId{2}, LinkId{10}, LinkId{8}}}};
  const Graph t(plan);
  EXPECT_EQ(way(t, v(0), v(1)), "a p q r b");
  EXPECT_EQ(way(t, v(1), v(0)), "b q p a");
  EXPECT_FALSE(t.routes_to_switches());
}

std::string problem_of_plan(const GraphPlan& plan) {
  return error_of<std::invalid_argument>([&] { const Graph graph(plan); });
}

TEST(Graph, RefusesWhatIsNotAConnectedGraph) {
  GraphPlan plan = diamond();
  plan.nodes.push_back("c");
  for (GraphPlan::Cable& cable : plan.cables) {
    if (index(cable.from) >= 2) cable.from = v(static_cast<std::uint32_t>(cable.from) + 1);
    if (index(cable.to) >= 2) cable.to = v(static_cast<std::uint32_t>(cable.to) + 1);
  }
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("no path joins 'c' to 'a'"));
  plan = diamond();
  plan.switches[2] = "a";
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("two vertices are called 'a'"));
  plan = diamond();
  plan.cables.push_back({v(0), v(9)});
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("vertex 9, which does not exist"));
  plan = diamond();
  plan.cables.push_back({v(3), v(3)});
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("joins 'q' to itself"));
  EXPECT_THAT(problem_of_plan(GraphPlan{}), HasSubstr("at least one node"));
}

TEST(Graph, RefusesRoutesThatAreNoPaths) {
  GraphPlan plan = diamond();
  plan.routes = {{v(0), v(1), {LinkId{0}, LinkId{6}}}};
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("stands at 'p' and goes on with q->b"));
  plan.routes = {{v(0), v(1), {LinkId{0}}}};
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("ends at 'p'"));
  plan.routes = {{v(0), v(1), {LinkId{99}}}};
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("a link that does not exist"));
  plan.routes = {{v(0), v(2), {LinkId{0}}}};
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("accepted are nodes"));
  const std::vector<LinkId> good = {LinkId{0}, LinkId{2}, LinkId{6}};
  plan.routes = {{v(0), v(1), good}, {v(0), v(1), good}};
  EXPECT_THAT(problem_of_plan(plan), HasSubstr("given twice"));
}

/// The links of a ring of so many vertices: v's cable leads to v + 1.
std::vector<LinkEnds> ring(std::uint32_t vertices) {
  std::vector<LinkEnds> ends;
  for (std::uint32_t i = 0; i < vertices; ++i) {
    ends.push_back({v(i), v((i + 1) % vertices)});
    ends.push_back({v((i + 1) % vertices), v(i)});
  }
  return ends;
}

// Trees of paths are forgotten when they fill the budget; what is asked again is answered the same.
// On a ring of 21 the ten vertices ahead are reached by going on, the others by going back.
TEST(ShortestPaths, ForgetsTheOldestTreeAndFindsItAgain) {
  constexpr std::uint32_t kVertices = 21;
  constexpr std::size_t kBudget = 5 * kVertices;  // Five trees of a byte per vertex.
  ShortestPaths paths(kVertices, ring(kVertices), std::vector<Time>(kVertices), kBudget);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint32_t to = 1; to < kVertices; to += pass == 0 ? 1 : 3) {
      const LinkId back{2 * (kVertices - 1) + 1};
      ASSERT_EQ(paths.first(v(0), v(to)), to <= kVertices / 2 ? LinkId{0} : back);
    }
  }
}

/// Paths in the plainest way: tables of links and latency to one destination, made better until
/// nothing changes.
class PlainPaths {
 public:
  PlainPaths(const Graph& graph, const GraphPlan& plan, VertexId to)
      : graph_(graph), plan_(plan), cost_(graph.vertices(), kNone) {
    cost_[index(to)] = {0, Time::zero()};
    for (std::uint32_t round = 0; round < graph.vertices(); ++round) {
      for (std::uint32_t link = 0; link < graph.links(); ++link) improve(LinkId{link});
    }
  }
  /// The link of least links, latency, next vertex and number.
  LinkId first(VertexId at) const {
    using Key = std::tuple<Cost, VertexId, LinkId>;
    Key best{kNone, kNoVertex, kNoLink};
    for (std::uint32_t link = 0; link < graph_.links(); ++link) {
      const LinkEnds ends = graph_.ends(LinkId{link});
      if (ends.from == at) best = std::min(best, Key{by(LinkId{link}), ends.to, LinkId{link}});
    }
    return std::get<LinkId>(best);
  }

 private:
  using Cost = std::pair<std::uint32_t, Time>;
  static constexpr Cost kNone{1U << 30, Time::zero()};
  Cost by(LinkId link) const {
    const auto [links, latency] = cost_[index(graph_.ends(link).to)];
    return {links + 1, latency + plan_.cables[index(link) / 2].latency};
  }
  void improve(LinkId link) {
    Cost& cost = cost_[index(graph_.ends(link).from)];
    cost = std::min(cost, by(link));
  }
  const Graph& graph_;
  const GraphPlan& plan_;
  std::vector<Cost> cost_;  ///< By vertex.
};

// What is special about leaves and twin cables changes no path: on random graphs every first link
// is the one that the definition gives.
TEST(Graph, PathsAreThoseOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const GraphPlan plan = random_plan(seed);
    const Graph graph(plan);
    for (std::uint32_t to = 0; to < graph.vertices(); ++to) {
      const PlainPaths expected(graph, plan, v(to));
      for (std::uint32_t at = 0; at < graph.vertices(); ++at) {
        if (at == to) continue;
        ASSERT_EQ(graph.output({v(at), v(at), v(to)}), expected.first(v(at)))
            << "seed " << seed << ", from " << at << " to " << to;
      }
    }
  }
}

// A switch with so many cables to others that the number of one does not fit a byte, or two: hub 0,
// spokes 1 ... n, and one more vertex that is joined to all spokes by slower cables.
TEST(ShortestPaths, CountsTheCablesOfALargeSwitch) {
  for (const std::uint32_t spokes : {300U, 70'000U}) {
    std::vector<LinkEnds> ends;
    std::vector<Time> latency;
    for (std::uint32_t i = 1; i <= spokes; ++i) {
      ends.insert(ends.end(), {{v(0), v(i)}, {v(i), v(0)}});
      ends.insert(ends.end(), {{v(spokes + 1), v(i)}, {v(i), v(spokes + 1)}});
      latency.insert(latency.end(), {Time::ns(1), Time::ns(2)});
    }
    ShortestPaths paths(spokes + 2, ends, latency);
    EXPECT_EQ(paths.first(v(0), v(spokes)), LinkId{4 * (spokes - 1)});
    EXPECT_EQ(paths.first(v(0), v(spokes + 1)), LinkId{0});
    EXPECT_EQ(paths.first(v(1), v(spokes)), LinkId{1});
  }
}

// Other latencies make other paths, also for trees and twin cables that were in use before: of the
// two ways from a to b, and of the two cables at a, the quicker ones.
TEST(Graph, FollowsNewLatencies) {
  GraphPlan plan = diamond();
  plan.cables.push_back({v(0), v(2)});
  Graph t(plan);
  EXPECT_EQ(way(t, v(0), v(1)), "a p q b");
  EXPECT_EQ(t.output({v(0), v(0), v(1)}), LinkId{0});
  t.set_latencies(
      {Time::ns(2), Time::ns(2), Time::zero(), Time::zero(), Time::zero(), Time::zero()});
  EXPECT_EQ(way(t, v(0), v(1)), "a p r b");
  EXPECT_EQ(t.output({v(0), v(0), v(1)}), LinkId{10});
  EXPECT_EQ(t.output({v(1), v(2), v(0)}), LinkId{11});
}

}  // namespace
}  // namespace heddle::platform
