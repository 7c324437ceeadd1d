#include "core/containers/min_tree.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace heddle {
namespace {

// Nothing set: there is no least.
TEST(MinTree, WithoutKeysThereIsNoLeast) {
  MinTree tree;
  EXPECT_EQ(tree.least(), MinTree::kNone);
  tree.resize(20);
  EXPECT_EQ(tree.least(), MinTree::kNone);
}

// Keys 5 and 3 in slots 2 and 17: the least is 3; once slot 17 is cleared it is 5; of equal keys
// the lowest slot counts.
TEST(MinTree, FindsTheLeastAndItsSlot) {
  MinTree tree;
  tree.resize(20);
  tree.set(2, 5);
  tree.set(17, 3);
  EXPECT_EQ(tree.least(), 3);
  EXPECT_EQ(tree.least_slot(), 17U);
  tree.set(17, MinTree::kNone);
  EXPECT_EQ(tree.least(), 5);
  tree.set(1, 5);
  EXPECT_EQ(tree.least_slot(), 1U);
}

// Growing and random changes: always what a search through all keys finds.
TEST(MinTree, AgreesWithASearchThroughAll) {
  MinTree tree;
  std::vector<std::int64_t> keys;
  RandomStream random(3);
  for (int step = 0; step < 20'000; ++step) {
    if (keys.empty() || random.below(8) == 0) {
      keys.push_back(MinTree::kNone);
      tree.resize(keys.size());
    }
    const std::size_t slot = random.below(keys.size());
    keys[slot] = random.below(3) ? static_cast<std::int64_t>(random.below(1000)) : MinTree::kNone;
    tree.set(slot, keys[slot]);
    const auto least = std::min_element(keys.begin(), keys.end());
    ASSERT_EQ(tree.least(), *least);
    if (*least != MinTree::kNone) {
      ASSERT_EQ(tree.least_slot(), static_cast<std::size_t>(least - keys.begin()));
    }
  }
}

}  // namespace
}  // namespace heddle
