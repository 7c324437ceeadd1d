#include "network/fluid/due_links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::network {
namespace {

using Element = SharingGraph::Element;

/// Links of 10, each with two variables of which it holds the first at the given level.
class SharedLinks {
 public:
  explicit SharedLinks(const std::vector<double>& levels)
      : graph(std::vector<double>(levels.size(), 10)) {
    for (SharingGraph::Constraint link = 0; link < levels.size(); ++link) {
      const std::vector<Element> route{{link, 1}};
      const auto held = graph.add(route, 1, SharingGraph::kUnbounded, 1);
      graph.make_shared(link);
      graph.add(route, 1, SharingGraph::kUnbounded, 1);
      graph.hold(held, 0, link, levels[link]);
      graph.link(link).level = levels[link];
      graph.sum_up(link);
    }
  }
  SharingGraph graph;
};

// A link of 10 that holds one variable at 10 is full, and not due; at 9 and at 11 it is.
TEST(DueLinks, ALinkIsDueWhenItsLevelDoesNotFillIt) {
  SharedLinks links({10, 9, 11});
  DueLinks due(links.graph, 0);
  for (SharingGraph::Constraint link = 0; link < 3; ++link) due.note(link);
  EXPECT_THAT(due.noted(), testing::ElementsAre(1, 2));
}

// With a tolerance of 0.1 a level may be 8 % off, and the load 1 % of the capacity: 9.2 is within
// it and 8.9 is not.
TEST(DueLinks, WithinTheToleranceNothingIsDue) {
  SharedLinks links({9.2, 8.9});
  DueLinks due(links.graph, 0.1);
  due.note(0);
  due.note(1);
  EXPECT_THAT(due.noted(), testing::ElementsAre(1));
}

// Told twice, a link is due once; cleared, it may become due again.
TEST(DueLinks, WhatIsDueIsNotToldAgain) {
  SharedLinks links({9});
  DueLinks due(links.graph, 0);
  due.note(0);
  due.note(0);
  EXPECT_EQ(due.noted().size(), 1U);
  due.forget_noted();
  due.clear(0);
  due.note(0);
  EXPECT_EQ(due.noted().size(), 1U);
}

// Those noted come by level, each by the lower of the one it has and the one that fills it (10):
// 8, 9 and 10 for levels of 8, 9 and 11.
TEST(DueLinks, TheLowestLevelComesFirst) {
  SharedLinks links({11, 8, 9});
  DueLinks due(links.graph, 0);
  for (SharingGraph::Constraint link = 0; link < 3; ++link) due.note(link);
  due.begin();
  EXPECT_EQ(due.pop(), 1U);
  EXPECT_EQ(due.pop(), 2U);
  EXPECT_EQ(due.pop(), 0U);
  EXPECT_TRUE(due.empty());
}

// A link that holds nobody is due only if it is too full: here a variable that its bound holds
// takes 11 of the 10, or 4. The latter has room to sleep.
TEST(DueLinks, WhatHoldsNobodyMayHaveRoom) {
  for (const double bound : {11, 4}) {
    SharingGraph graph({10});
    const std::vector<Element> route{{0, 1}};
    const auto bounded = graph.add(route, 1, bound, 1);
    graph.make_shared(0);
    graph.add(route, 1, SharingGraph::kUnbounded, 1);
    graph.hold(bounded, 0, SharingGraph::kBound, bound);
    DueLinks due(graph, 0);
    due.note(0);
    EXPECT_EQ(due.noted().size(), bound > 10 ? 1U : 0U);
    EXPECT_EQ(due.has_room_to_sleep(0), bound < 10);
  }
}

}  // namespace
}  // namespace heddle::network
