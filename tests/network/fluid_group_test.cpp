#include "network/fluid/fluid_group.hpp"

#include <gtest/gtest.h>

namespace heddle::network {
namespace {

Transfer between(std::uint32_t from, std::uint32_t to) {
  Transfer transfer;
  transfer.source.node = NodeId{from};
  transfer.destination.node = NodeId{to};
  return transfer;
}

/// A message between the two comes and goes.
FluidGroup& pass(FluidGroups& groups, std::uint32_t from, std::uint32_t to) {
  FluidGroup& group = groups.find(between(from, to), {}, 0);
  if (!group.kept) groups.erase(group);
  return group;
}

// The first message of a pair leaves nothing but its record, which the next pair has; the second
// one's group stays, and the third finds it.
TEST(FluidGroups, APairIsKeptFromItsSecondMessageOn) {
  FluidGroups groups(true, KeptGroups::repeated);
  const FluidGroup& first = pass(groups, 0, 1);
  EXPECT_FALSE(first.kept);
  EXPECT_EQ(&pass(groups, 0, 2), &first);
  FluidGroup& second = pass(groups, 0, 1);
  EXPECT_TRUE(second.kept);
  second.known = true;
  EXPECT_TRUE(groups.find(between(0, 1), {}, 0).known);
  EXPECT_FALSE(groups.find(between(0, 2), {}, 0).known);
}

// Ten thousand pairs that meet once each have one record, one after another.
TEST(FluidGroups, PairsThatMeetOnceTakeNoMemory) {
  FluidGroups groups(true, KeptGroups::repeated);
  for (std::uint32_t to = 1; to <= 10'000; ++to) pass(groups, 0, to);
  EXPECT_EQ(groups.size(), 1U);
}

// Where the first are kept, they are kept at once, each in a record of its own.
TEST(FluidGroups, TheFirstAreKeptIfSo) {
  FluidGroups groups(true, KeptGroups::first);
  EXPECT_TRUE(pass(groups, 0, 1).kept);
  EXPECT_TRUE(pass(groups, 0, 2).kept);
  EXPECT_EQ(groups.size(), 2U);
}

}  // namespace
}  // namespace heddle::network
