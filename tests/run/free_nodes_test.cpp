#include "run/jobs/free_nodes.hpp"

#include <gmock/gmock.h>

#include <set>

#include "platform/machine_support.hpp"
#include "platform/placement.hpp"

namespace heddle::run {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> numbers(const std::vector<NodeId>& nodes) {
  std::vector<std::uint32_t> result;
  for (const NodeId node : nodes) result.push_back(static_cast<std::uint32_t>(node));
  return result;
}

// Leaves of four nodes: 0-3, 4-7, 8-11, 12-15.
const std::string kLeaves = "topology: {kind: fat-tree, arity: 4, levels: 2}\n";

TEST(FreeNodes, ContiguousTakesTheFirstGapThatIsLargeEnough) {
  const auto machine = platform::platform_of(kLeaves);
  FreeNodes free(*machine, 1);
  const auto first = free.take(3, JobPlacement::contiguous);
  EXPECT_THAT(numbers(first), ElementsAre(0, 1, 2));
  EXPECT_THAT(numbers(free.take(2, JobPlacement::contiguous)), ElementsAre(3, 4));
  free.give_back(first);
  EXPECT_THAT(numbers(free.take(4, JobPlacement::contiguous)), ElementsAre(5, 6, 7, 8));
  // 3 + 7 are left, in two gaps.
  EXPECT_EQ(free.count(), 10U);
  EXPECT_THAT(numbers(free.take(8, JobPlacement::contiguous)),
              ElementsAre(0, 1, 2, 9, 10, 11, 12, 13));
}

// The leaf with the fewest free nodes that are enough, here the second, and for more than any has,
// full ones first.
TEST(FreeNodes, BySwitchTakesAsFewSwitchesAsCanBeHad) {
  const auto machine = platform::platform_of(kLeaves);
  FreeNodes free(*machine, 1);
  free.take(6, JobPlacement::contiguous);
  EXPECT_THAT(numbers(free.take(2, JobPlacement::by_switch)), ElementsAre(6, 7));
  EXPECT_THAT(numbers(free.take(1, JobPlacement::by_switch)), ElementsAre(8));
  EXPECT_THAT(numbers(free.take(5, JobPlacement::by_switch)), ElementsAre(9, 12, 13, 14, 15));
}

// Eight nodes fill a group of the dragonfly with 4 switches of 2 nodes.
TEST(FreeNodes, ByGroupTakesAsFewGroupsAsCanBeHad) {
  const auto machine = platform::platform_of("topology: {kind: dragonfly, nodes_per_switch: 2}\n");
  FreeNodes free(*machine, 1);
  ASSERT_TRUE(free.has_groups());
  free.take(3, JobPlacement::contiguous);
  EXPECT_THAT(numbers(free.take(8, JobPlacement::by_group)),
              ElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_THAT(numbers(free.take(5, JobPlacement::by_group)), ElementsAre(3, 4, 5, 6, 7));
}

TEST(FreeNodes, RandomFollowsFromTheSeed) {
  const auto machine = platform::platform_of(kLeaves);
  const auto drawn = [&](std::uint64_t seed) {
    return numbers(FreeNodes(*machine, seed).take(6, JobPlacement::random));
  };
  const auto once = drawn(1);
  EXPECT_EQ(drawn(1), once);
  EXPECT_NE(drawn(2), once);
  EXPECT_EQ(std::set<std::uint32_t>(once.begin(), once.end()).size(), 6U);
}

}  // namespace
}  // namespace heddle::run
