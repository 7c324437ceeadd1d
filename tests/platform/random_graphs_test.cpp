// Jellyfish and Xpander: random, but the same for the same seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
