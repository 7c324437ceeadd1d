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

// A pair whose second message comes soon finds its group and keeps it, with what was known.
TEST(FluidGroups, APairThatComesAgainIsKept) {
  FluidGroups groups(true, KeptGroups::repeated);
  FluidGroup& first = pass(groups, 0, 1);
  first.known = true;
  EXPECT_FALSE(first.kept);
  EXPECT_EQ(&pass(groups, 0, 1), &first);
  EXPECT_TRUE(first.kept);
  EXPECT_TRUE(first.known);
}

// Pairs that meet once each share 4,096 records, however many they are: the last ones take each
// other's place, and those before are still found. A group with messages keeps its record, and so
// does one that is kept.
TEST(FluidGroups, PairsThatMeetOnceTakeEachOthersRecords) {
  FluidGroups groups(true, KeptGroups::repeated);
  FluidGroup& busy = groups.find(between(1, 2), {}, 0);
  busy.messages = 1;
  pass(groups, 1, 3);
  const FluidGroup& kept = pass(groups, 1, 3);
  FluidGroup& early = pass(groups, 0, 1);
  early.known = true;
  for (std::uint32_t to = 2; to <= 10'000; ++to) pass(groups, 0, to);
  EXPECT_EQ(groups.size(), 4097U);
  EXPECT_EQ(&groups.find(between(1, 2), {}, 0), &busy);
  EXPECT_EQ(&groups.find(between(1, 3), {}, 0), &kept);
  EXPECT_EQ(&groups.find(between(0, 1), {}, 0), &early);
  EXPECT_TRUE(early.known);
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
