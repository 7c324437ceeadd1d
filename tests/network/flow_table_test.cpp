#include "network/fluid/flow_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::network {
namespace {

constexpr double kFree = FlowTable::kUnbounded;

/// Lets a link become shared, as the graph does when another variable comes.
struct OpenTable : FlowTable {
  using FlowTable::FlowTable;
  using FlowTable::make_shared_use;
};
using Route = std::vector<FlowTable::Element>;

// The first on a link has it to itself and is not among its users; made shared, it is the first of
// them, and the next is the second. Flows are counted in any case: 2 and 3 are 5.
TEST(FlowTable, TheSecondVariableMakesALinkShared) {
  OpenTable table(1);
  const auto first = table.add(Route{{0, 1}}, 2, kFree, 2);
  EXPECT_EQ(table.seat(0).only, first);
  EXPECT_TRUE(table.users(0).empty());
  EXPECT_TRUE(table.share(first).lone);
  table.make_shared_use(0);
  const auto second = table.add(Route{{0, 1}}, 3, kFree, 3);
  EXPECT_EQ(table.seat(0).only, FlowTable::kNobody);
  ASSERT_EQ(table.users(0).size(), 2U);
  EXPECT_EQ(table.users(0)[0].variable, first);
  EXPECT_EQ(table.users(0)[1].variable, second);
  EXPECT_FALSE(table.share(first).lone);
  EXPECT_EQ(table.seat(0).flows, 5);
}

// A variable that passes a link twice, by 1 and 0.5, loads it by 1.5, whether the link is private
// or shared with another.
TEST(FlowTable, ALinkPassedAgainIsLoadedByTheSum) {
  OpenTable table(2);
  const Route twice{{0, 1}, {1, 1}, {0, 0.5}};
  const auto first = table.add(twice, 1, kFree, 1);
  EXPECT_EQ(table.uses(table.share(first))[0].coefficient, 1.5);
  table.make_shared_use(0);
  table.make_shared_use(1);
  const auto second = table.add(twice, 1, kFree, 1);
  EXPECT_EQ(table.uses(table.share(second)).size(), 2U);
  EXPECT_THAT(table.users(0), testing::Each(testing::Field(&FlowTable::User::coefficient, 1.5)));
  EXPECT_EQ(table.seat(0).flows, 2);
}

// A link whose users have gone is private again only once there is a solution without them: until
// then something may be left to do about it.
TEST(FlowTable, ALinkIsPrivateAgainAfterTheNextSolution) {
  OpenTable table(1);
  const Route route{{0, 1}};
  const auto first = table.add(route, 1, kFree, 1);
  table.make_shared_use(0);
  table.remove(first, 1);
  const auto second = table.add(route, 1, kFree, 1);
  EXPECT_EQ(table.users(0).size(), 1U);
  table.remove(second, 1);
  table.settle();
  const auto third = table.add(route, 1, kFree, 1);
  EXPECT_EQ(table.seat(0).only, third);
}

// Of three users the first goes: the last takes its place, and knows it.
TEST(FlowTable, TheLastUserFillsAGap) {
  OpenTable table(1);
  const Route route{{0, 1}};
  const auto first = table.add(route, 1, kFree, 1);
  table.make_shared_use(0);
  const auto second = table.add(route, 1, kFree, 1);
  const auto third = table.add(route, 1, kFree, 1);
  table.remove(first, 1);
  ASSERT_EQ(table.users(0).size(), 2U);
  EXPECT_EQ(table.users(0)[0].variable, third);
  EXPECT_EQ(table.users(0)[1].variable, second);
  EXPECT_EQ(table.uses(table.share(third))[0].place, 0U);
}

// Of three links, the variable that goes had the first to itself, shared the second, and was the
// last user of the third: that is the one told of.
TEST(FlowTable, LinksThatLoseTheirLastUserAreToldOf) {
  OpenTable table(3);
  const auto first = table.add(Route{{0, 1}, {1, 1}, {2, 1}}, 1, kFree, 1);
  table.make_shared_use(1);
  table.make_shared_use(2);
  const auto second = table.add(Route{{1, 1}}, 1, kFree, 1);
  EXPECT_THAT(table.remove(first, 1), testing::ElementsAre(2));
  EXPECT_THAT(table.remove(second, 1), testing::ElementsAre(1));
}

}  // namespace
}  // namespace heddle::network
