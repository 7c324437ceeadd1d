// Jellyfish and Xpander: random, but the same for the same seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "platform/topology/random_graphs.hpp"
#include "platform/topology_checks.hpp"
#include "sanitized.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

/// Cables to other switches, by switch.
std::vector<std::uint32_t> degrees(const GraphPlan& plan) {
  std::vector<std::uint32_t> degree(plan.switches.size());
  for (const GraphPlan::Cable& cable : plan.cables) {
    if (index(cable.from) < plan.nodes.size()) continue;
    ++degree[index(cable.from) - plan.nodes.size()];
    ++degree[index(cable.to) - plan.nodes.size()];
  }
  return degree;
}

double mean_links(const GraphPlan& plan) {
  return switch_search(Graph(plan)).mean;
}

struct Spread {
  double least;
  double most;
};

// Mean distances of switches beside another implementation of the same rule: the mean over some
// seeds is in the spread of its five, which is known to three digits, and each of them at most
// twice as far beyond that as it is wide.
TEST(Jellyfish, IsAsWideAsRandomGraphsAre) {
  struct Row {
    std::int64_t switches;
    std::int64_t ports;
    Spread spread;
    std::uint64_t seeds;
  };
  for (const Row& row : std::vector<Row>{{50, 7, {2.169, 2.197}, 20},
                                         {98, 11, {2.120, 2.137}, 20},
                                         {245, 11, {2.553, 2.556}, 20},
                                         {720, 9, {3.273, 3.278}, 5},
                                         {1000, 12, {3.046, 3.052}, 5}}) {
    SCOPED_TRACE(row.switches);
    const double wide = row.spread.most - row.spread.least;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= row.seeds; ++seed) {
      const double mean = mean_links(jellyfish({row.switches, row.ports, 1, seed}));
      EXPECT_GT(mean, row.spread.least - 2 * wide) << "seed " << seed;
      EXPECT_LT(mean, row.spread.most + 2 * wide) << "seed " << seed;
      sum += mean;
      if (kSanitized) break;
    }
    if (kSanitized) continue;
    EXPECT_GE(sum / static_cast<double>(row.seeds), row.spread.least - 0.0005);
    EXPECT_LE(sum / static_cast<double>(row.seeds), row.spread.most + 0.0005);
  }
}

// All switches have all their ports joined, but for one port if their number is odd.
TEST(Jellyfish, UsesAllPorts) {
  for (const auto& [switches, ports] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {50, 7}, {20, 4}, {7, 3}, {8, 7}, {5, 2}, {2, 1}}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::vector<std::uint32_t> degree = degrees(jellyfish({switches, ports, 1, seed}));
      const auto sum = std::accumulate(degree.begin(), degree.end(), std::int64_t{0});
      EXPECT_EQ(sum, switches * ports - switches * ports % 2)
          << switches << ", " << ports << ", seed " << seed;
      EXPECT_LE(*std::max_element(degree.begin(), degree.end()), ports);
    }
  }
}

// No two switches are joined twice, and the same seed gives the same cables, another one others.
TEST(Jellyfish, IsTheSameForTheSameSeed) {
  const Graph one(jellyfish({50, 7, 2, 1}));
  const Graph same(jellyfish({50, 7, 2, 1}));
  const Graph other(jellyfish({50, 7, 2, 2}));
  bool different = one.cables() != other.cables();
  for (std::uint32_t c = 0; c < one.cables(); ++c) {
    EXPECT_EQ(one.twin(c), 0U);
    EXPECT_EQ(one.ends(LinkId{2 * c}).to, same.ends(LinkId{2 * c}).to);
    different = different || one.ends(LinkId{2 * c}).to != other.ends(LinkId{2 * c}).to;
  }
  EXPECT_TRUE(different);
  check_structure(one);
  check_minimal_routes(one);
  EXPECT_EQ(one.describe(), "Jellyfish, 50 switches with 7 cables to others, 2 nodes each");
}

TEST(Jellyfish, RefusesWhatCannotBe) {
  EXPECT_THROW(jellyfish({4, 4, 1, 1}), ParamError);
  EXPECT_THROW(jellyfish({10, 1, 1, 1}), ParamError);
  try {
    jellyfish({4, 4, 1, 1});
  } catch (const ParamError& error) {
    EXPECT_THAT(error.problem(),
                HasSubstr("ports is 4, but there are 3 other switches; accepted is at most that"));
  }
}

/// Links from every switch to one of them.
std::vector<std::uint32_t> links_to(const GraphPlan& plan, std::uint32_t target) {
  const auto nodes = static_cast<std::uint32_t>(plan.nodes.size());
  std::vector<std::uint32_t> links(plan.switches.size(), UINT32_MAX);
  links[target] = 0;
  for (std::uint32_t now = 0; std::ranges::count(links, UINT32_MAX) > 0; ++now) {
    for (const GraphPlan::Cable& cable : plan.cables) {
      if (index(cable.from) < nodes) continue;
      std::uint32_t& one = links[index(cable.from) - nodes];
      std::uint32_t& other = links[index(cable.to) - nodes];
      if (one == now) other = std::min(other, now + 1);
      if (other == now) one = std::min(one, now + 1);
    }
  }
  return links;
}

/// By link: the flows expected between switches, `each` from every one to every other, where each
/// takes any of the next links on shortest paths with the same probability.
std::vector<double> expected_flows(const GraphPlan& plan, double each) {
  const auto nodes = static_cast<std::uint32_t>(plan.nodes.size());
  std::vector<double> flows(2 * plan.cables.size());
  for (std::uint32_t to = 0; to < plan.switches.size(); ++to) {
    const std::vector<std::uint32_t> links = links_to(plan, to);
    std::vector<double> here(plan.switches.size(), each);
    for (std::uint32_t far = *std::ranges::max_element(links); far > 0; --far) {
      for (std::uint32_t at = 0; at < links.size(); ++at) {
        if (links[at] != far) continue;
        std::vector<std::pair<std::uint32_t, std::size_t>> next;  // Switch and link.
        for (std::size_t c = nodes; c < plan.cables.size(); ++c) {
          const std::uint32_t a = index(plan.cables[c].from) - nodes;
          const std::uint32_t b = index(plan.cables[c].to) - nodes;
          if (a == at && links[b] + 1 == far) next.emplace_back(b, 2 * c);
          if (b == at && links[a] + 1 == far) next.emplace_back(a, 2 * c + 1);
        }
        for (const auto& [on, link] : next) {
          here[on] += here[at] / static_cast<double>(next.size());
          flows[link] += here[at] / static_cast<double>(next.size());
        }
      }
    }
  }
  return flows;
}

/// By link: the flows from every node to every other; each goes by one of its shortest paths.
std::vector<double> counted_flows(const GraphPlan& plan, EqualPaths equal_paths) {
  GraphPlan own = plan;
  own.equal_paths = equal_paths;
  const Graph graph(std::move(own));
  std::vector<double> flows(graph.links());
  for (std::uint32_t to = 0; to < graph.nodes(); ++to) {
    const std::uint32_t home = index(plan.cables[to].to) - graph.nodes();
    const std::vector<std::uint32_t> links = links_to(plan, home);
    for (std::uint32_t from = 0; from < graph.nodes(); ++from) {
      if (from == to) continue;
      Hop hop{VertexId{from}, VertexId{from}, VertexId{to}};
      for (; hop.at != hop.to; ++hop.step) {
        const LinkId link = graph.output(hop);
        flows[index(link)] += 1;
        hop.at = graph.ends(link).to;
      }
      EXPECT_EQ(hop.step, links[index(plan.cables[from].to) - graph.nodes()] + 2);
    }
  }
  return flows;
}

// 40 switches with 6 cables to others and 4 nodes each, so that 16 flows go from every switch to
// every other. Each of the routes is one of the shortest. Where they are spread, flows draw their
// ways: on a link of which E are expected there are at most 5 sqrt(E) more or less, and the most
// loaded link has at most 1.15 times what the most loaded is expected to have. With the lowest
// numbers first it has more than 1.5 times as much as that.
TEST(Jellyfish, SpreadsFlowsOverShortestPaths) {
  const GraphPlan plan = jellyfish({40, 6, 4, 1});
  const std::vector<double> expected = expected_flows(plan, 16);
  const std::vector<double> flows = counted_flows(plan, EqualPaths::spread);
  for (std::size_t link = 2 * plan.nodes.size(); link < flows.size(); ++link) {
    EXPECT_NEAR(flows[link], expected[link], 5 * std::sqrt(expected[link])) << link;
  }
  const auto most = [&plan](const std::vector<double>& all) {
    return *std::max_element(all.begin() + std::ptrdiff_t(2 * plan.nodes.size()), all.end());
  };
  EXPECT_LT(most(flows), 1.15 * most(expected));
  EXPECT_GT(most(counted_flows(plan, EqualPaths::lowest)), 1.5 * most(expected));
}

// Every switch has a cable to one switch of every other group, so exactly as many as there are
// other groups; switches of one group are not joined. Mean distances are those of another
// implementation of the same rule.
TEST(Xpander, JoinsEveryTwoGroupsByAMatching) {
  struct Row {
    std::int64_t ports;
    std::int64_t lift;
    Spread mean;
  };
  for (const Row& row :
       std::vector<Row>{{7, 6, {2.15, 2.25}}, {11, 8, {2.14, 2.20}}, {17, 14, {2.24, 2.265}}}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const GraphPlan plan = xpander({row.ports, row.lift, 1, seed});
      EXPECT_EQ(plan.switches.size(), (row.ports + 1) * row.lift);
      for (const std::uint32_t degree : degrees(plan)) EXPECT_EQ(degree, row.ports);
      for (const GraphPlan::Cable& cable : plan.cables) {
        if (index(cable.from) < plan.nodes.size()) continue;
        EXPECT_NE((index(cable.from) - plan.nodes.size()) / row.lift,
                  (index(cable.to) - plan.nodes.size()) / row.lift);
      }
      EXPECT_GT(mean_links(plan), row.mean.least);
      EXPECT_LT(mean_links(plan), row.mean.most);
    }
  }
}

}  // namespace
}  // namespace heddle::platform
