#include "core/containers/record_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace heddle {
namespace {

/// Counts how many of it live.
struct alignas(64) Counted {
  Counted(int number, int& alive) : number(number), alive(alive) { ++alive; }
  ~Counted() { --alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int number;
  int& alive;
};

// Seven hundred thousand records of 64 bytes take pieces of both kinds of pages: each stays where
// it was made, aligned and as it was, all are visited in the order in which they came, each 16 of
// them lie in a row, and none outlives the store.
TEST(RecordStore, KeepsManyRecordsWhereTheyAreUntilItGoes) {
  constexpr int kRecords = 700'000;
  int alive = 0;
  {
    RecordStore<Counted, 16> store;
    std::vector<const Counted*> made;
    for (int i = 0; i < kRecords; ++i) made.push_back(&store.add(i, alive));
    EXPECT_EQ(store.size(), static_cast<std::size_t>(kRecords));
    EXPECT_EQ(alive, kRecords);
    std::size_t visited = 0;
    store.for_each([&](const Counted& record) {
      ASSERT_EQ(&record, made[visited]);
      ASSERT_EQ(record.number, static_cast<int>(visited));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&record) % 64, 0U);
      ASSERT_EQ(&record, made[visited - visited % 16] + visited % 16);
      ++visited;
    });
    EXPECT_EQ(visited, static_cast<std::size_t>(kRecords));
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace heddle
