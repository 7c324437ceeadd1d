#include "core/containers/min_heap.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/random.hpp"

namespace heddle {
namespace {

// After each of 5,000 random calls the top is the least of an ordered set with the same elements.
TEST(MinHeap, HasTheLeastOnTop) {
  RandomStream random(1);
  MinHeap<std::uint64_t> heap;
  std::multiset<std::uint64_t> expected;
  for (int call = 0; call < 5000; ++call) {
    const std::uint64_t value = random.below(1000);
    const std::uint64_t kind = expected.empty() ? 0 : random.below(5);
    if (kind < 3) {
      heap.push(value);
      expected.insert(value);
    } else if (kind == 3) {
      heap.pop();
      expected.erase(expected.begin());
    } else {
      heap.replace_top(value);
      expected.erase(expected.begin());
      expected.insert(value);
    }
    ASSERT_EQ(heap.size(), expected.size());
    if (!expected.empty()) {
      ASSERT_EQ(heap.top(), *expected.begin()) << "after call " << call;
    }
  }
}

// 5, 3, 9, 1 and 7 are appended in no order; ordered, they come out from 1 to 9.
TEST(MinHeap, OrdersWhatWasAppended) {
  MinHeap<int> heap;
  for (const int value : {5, 3, 9, 1, 7}) heap.append(value);
  heap.order();
  for (const int value : {1, 3, 5, 7, 9}) {
    EXPECT_EQ(heap.top(), value);
    heap.pop();
  }
  EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace heddle
