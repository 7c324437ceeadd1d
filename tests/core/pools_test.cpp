#include <gtest/gtest.h>

#include <set>

#include "core/containers/index_pool.hpp"
#include "core/containers/pool.hpp"

namespace heddle {
namespace {

struct Record {
  explicit Record(int own = 0) : number(own) {}
  int number;
};

// A record that was given back is used again as it is; only where there is none is another one
// made, of what is handed over.
TEST(Pool, UsesRecordsAgainAsTheyAre) {
  Pool<Record> pool;
  Record& first = pool.take(1);
  Record& second = pool.take(2);
  EXPECT_EQ(second.number, 2);
  EXPECT_EQ(pool.in_use(), 2U);
  pool.give_back(first);
  EXPECT_EQ(pool.in_use(), 1U);
  Record& again = pool.take(3);
  EXPECT_EQ(&again, &first);
  EXPECT_EQ(again.number, 1);
  EXPECT_EQ(pool.take(4).number, 4);
}

// All records there are get visited, those that were given back among them.
TEST(Pool, VisitsEveryRecordThereIs) {
  Pool<Record> pool;
  for (int i = 0; i < 20; ++i) pool.take(i);
  pool.give_back(pool.take(20));
  int sum = 0;
  pool.for_each([&](const Record& record) { sum += record.number; });
  EXPECT_EQ(sum, 20 * 21 / 2);
}

// A thousand records have a thousand numbers from 0 on, and each keeps its place and contents while
// others come.
TEST(IndexPool, NumbersRecordsThatStayWhereTheyAre) {
  IndexPool<Record> pool;
  std::set<std::uint32_t> numbers;
  const Record* first = nullptr;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t number = pool.take();
    if (i == 0) first = &pool[number];
    pool[number].number = i;
    numbers.insert(number);
  }
  EXPECT_EQ(numbers.size(), 1000U);
  EXPECT_EQ(*numbers.rbegin(), 999U);
  EXPECT_EQ(first->number, 0);
  EXPECT_EQ(pool.in_use(), 1000U);
  pool.give_back(17);
  EXPECT_EQ(pool.in_use(), 999U);
  EXPECT_EQ(pool.take(), 17U);
}

}  // namespace
}  // namespace heddle
