#include "core/timed_entry.hpp"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>

#include "core/random.hpp"

namespace heddle {
namespace {

// Of one time, the lesser sequence comes first, whatever the entries are about.
TEST(TimedEntry, IsOrderedByTimeThenSequence) {
  EXPECT_TRUE(TimedEntry(1, 9, 0).before(TimedEntry(2, 3, 0)));
  EXPECT_TRUE(TimedEntry(2, 3, 7).before(TimedEntry(2, 4, 1)));
  EXPECT_FALSE(TimedEntry(2, 3, 0).before(TimedEntry(2, 3, 1)));
}

// A thousand entries, a third of them taken out while others come, are popped as a sorted list has
// them.
TEST(EntryHeap, PopsTheFirstOfThoseThatAreThere) {
  RandomStream random(5);
  EntryHeap heap;
  std::vector<TimedEntry> plain;
  const auto pop = [&] {
    const auto first = std::min_element(plain.begin(), plain.end(),
                                        [](const auto& a, const auto& b) { return a.before(b); });
    EXPECT_EQ(heap.top().sequence, first->sequence);
    EXPECT_EQ(heap.pop().sequence, first->sequence);
    plain.erase(first);
  };
  for (std::uint64_t i = 0; i < 1000; ++i) {
    plain.emplace_back(static_cast<std::int64_t>(random.below(100)), i, i);
    heap.push(plain.back());
    if (i % 3 == 2) pop();
  }
  EXPECT_EQ(heap.entries().size(), plain.size());
  while (!plain.empty()) pop();
  EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace heddle
