#include "platform/topology/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

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

std::string problem_of(const GraphPlan& plan) {
  return error_of<std::invalid_argument>([&] { const Graph graph(plan); });
}

TEST(Graph, RefusesWhatIsNotAConnectedGraph) {
  GraphPlan plan = diamond();
  plan.nodes.push_back("c");
  for (GraphPlan::Cable& cable : plan.cables) {
    if (index(cable.from) >= 2) cable.from = v(static_cast<std::uint32_t>(cable.from) + 1);
    if (index(cable.to) >= 2) cable.to = v(static_cast<std::uint32_t>(cable.to) + 1);
  }
  EXPECT_THAT(problem_of(plan), HasSubstr("no path joins 'c' to 'a'"));
  plan = diamond();
  plan.switches[2] = "a";
  EXPECT_THAT(problem_of(plan), HasSubstr("two vertices are called 'a'"));
  plan = diamond();
  plan.cables.push_back({v(0), v(9)});
  EXPECT_THAT(problem_of(plan), HasSubstr("vertex 9, which does not exist"));
  plan = diamond();
  plan.cables.push_back({v(3), v(3)});
  EXPECT_THAT(problem_of(plan), HasSubstr("joins 'q' to itself"));
  EXPECT_THAT(problem_of(GraphPlan{}), HasSubstr("at least one node"));
}

TEST(Graph, RefusesRoutesThatAreNoPaths) {
  GraphPlan plan = diamond();
  plan.routes = {{v(0), v(1), {LinkId{0}, LinkId{6}}}};
  EXPECT_THAT(problem_of(plan), HasSubstr("stands at 'p' and goes on with q->b"));
  plan.routes = {{v(0), v(1), {LinkId{0}}}};
  EXPECT_THAT(problem_of(plan), HasSubstr("ends at 'p'"));
  plan.routes = {{v(0), v(1), {LinkId{99}}}};
  EXPECT_THAT(problem_of(plan), HasSubstr("a link that does not exist"));
  plan.routes = {{v(0), v(2), {LinkId{0}}}};
  EXPECT_THAT(problem_of(plan), HasSubstr("accepted are nodes"));
  const std::vector<LinkId> good = {LinkId{0}, LinkId{2}, LinkId{6}};
  plan.routes = {{v(0), v(1), good}, {v(0), v(1), good}};
  EXPECT_THAT(problem_of(plan), HasSubstr("given twice"));
}

// Trees of paths are forgotten when they fill the budget; what is asked again is answered the same.
TEST(ShortestPaths, ForgetsTheOldestTreeAndFindsItAgain) {
  constexpr std::uint32_t kVertices = 20;
  constexpr std::size_t kBudget = 5 * kVertices;  // Five trees.
  std::vector<LinkEnds> ends;
  for (std::uint32_t i = 1; i < kVertices; ++i) {
    ends.push_back({v(0), v(i)});
    ends.push_back({v(i), v(0)});
  }
  ShortestPaths paths(kVertices, ends, std::vector<Time>(kVertices - 1), kBudget);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint32_t to = 1; to < kVertices; to += pass == 0 ? 1 : 3) {
      ASSERT_EQ(paths.first(v(0), v(to)), LinkId{2 * (to - 1)});
    }
  }
}

}  // namespace
}  // namespace heddle::platform
