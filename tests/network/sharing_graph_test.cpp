#include "network/fluid/sharing_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::network {
namespace {

using Elements = std::vector<SharingGraph::Element>;
constexpr double kNoBound = SharingGraph::kUnbounded;

// Nobody else is on links 0 and 1: they are private to the variable and have no users. The lower of
// what they allow, 10 / 2 of a variable that rises by 2 per level, is its limit.
TEST(SharingGraph, ALinkWithOneVariableIsALimit) {
  SharingGraph graph({20, 10});
  const auto variable = graph.add(Elements{{0, 1}, {1, 1}}, 2, kNoBound, 1);
  graph.find_limit(variable, false);
  EXPECT_TRUE(graph.users(0).empty());
  EXPECT_TRUE(graph.users(1).empty());
  EXPECT_EQ(graph.seat(0).only, variable);
  EXPECT_EQ(graph.share(variable).limit, 5);
  EXPECT_EQ(graph.share(variable).limited_by, 1U);
  EXPECT_TRUE(graph.share(variable).lone);
}

// Links 3, 1 and 2 are equal, and so is the bound: the bound limits the variable, or among numbers
// the least; a lower bound does in any case. Without a bound it is the first of the links.
TEST(SharingGraph, OfEqualLimitsOneIsChosen) {
  SharingGraph graph({9, 4, 4, 4});
  const Elements route{{3, 1}, {1, 1}, {2, 1}};
  const auto limited_by = [&](double bound, bool by_number) {
    const auto variable = graph.add(route, 1, bound, 1);
    graph.find_limit(variable, by_number);
    const auto result = graph.share(variable).limited_by;
    graph.remove(variable, 1);
    return result;
  };
  EXPECT_EQ(limited_by(kNoBound, false), 3U);
  EXPECT_EQ(limited_by(kNoBound, true), 1U);
  EXPECT_EQ(limited_by(4, false), SharingGraph::kBound);
  EXPECT_EQ(limited_by(4, true), 1U);
  EXPECT_EQ(limited_by(3, true), SharingGraph::kBound);
}

// A variable is held by its private link 0 of 10, at level 10, and has link 1 of 30 to itself as
// well. Once link 1 is shared, 20 of it are left; once link 0 is, it holds one variable, is full,
// and a change of its level would load link 1.
TEST(SharingGraph, WhatBecomesSharedKnowsItsUser) {
  SharingGraph graph({10, 30});
  const auto variable = graph.add(Elements{{0, 1}, {1, 1}}, 1, kNoBound, 1);
  graph.find_limit(variable, false);
  graph.hold(variable, 0, 0, 10);
  EXPECT_FALSE(graph.share(variable).is_held_by_link());
  graph.make_shared(1);
  EXPECT_EQ(graph.link(1).gap, 20);
  EXPECT_EQ(graph.link(1).highest, 10);
  EXPECT_EQ(graph.link(1).held, 0U);
  graph.make_shared(0);
  EXPECT_TRUE(graph.share(variable).is_held_by_link());
  EXPECT_EQ(graph.share(variable).limit, kNoBound);
  EXPECT_EQ(graph.link(0).held, 1U);
  EXPECT_EQ(graph.link(0).gap, 0);
  EXPECT_EQ(graph.link(0).full_level(), 10);
  ASSERT_EQ(graph.held_loads(0).awake().size(), 1U);
  EXPECT_EQ(graph.held_loads(0).awake()[0].constraint, 1U);
}

// Two variables take 3 each of a link of 12, for their bounds: 6 are left. When both have gone it
// is 12 again, to the bit.
TEST(SharingGraph, WithoutUsersAllOfTheCapacityIsLeft) {
  SharingGraph graph({12});
  const Elements route{{0, 1}};
  const auto first = graph.add(route, 1, 3, 1);
  graph.make_shared(0);
  const auto second = graph.add(route, 1, 3, 1);
  for (const auto variable : {first, second}) graph.hold(variable, 0, SharingGraph::kBound, 3);
  EXPECT_EQ(graph.link(0).gap, 6);
  for (const auto variable : {first, second}) {
    graph.hold(variable, 3, SharingGraph::kNothing, 0);
    graph.remove(variable, 1);
  }
  EXPECT_EQ(graph.link(0).gap, 12);
}

}  // namespace
}  // namespace heddle::network
