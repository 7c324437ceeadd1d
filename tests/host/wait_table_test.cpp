#include "host/rank/wait_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "host/rank/job.hpp"
#include "host_support.hpp"

namespace heddle::host {
namespace {

/// One that waits, and notes when its turn was.
class NotedWaiter final : public WaitTable::Waiter {
 public:
  NotedWaiter(const Rank& rank, int number, std::vector<int>& woken)
      : Waiter(rank), number_(number), woken_(woken) {}
  void wake(const Thread*) override { woken_.push_back(number_); }

 private:
  int number_;
  std::vector<int>& woken_;
};

class WaitTableTest : public testing::Test {
 protected:
  TestMachine machine{1};
  FunctionProgram program{[](Rank&) { return 0; }};
  Job job{machine.fibers, *machine.platform, program, {}};
  Rank& rank = job.rank(RankId{0});
  std::vector<int> woken;
  NotedWaiter first{rank, 1, woken};
  NotedWaiter second{rank, 2, woken};
  NotedWaiter elsewhere{rank, 3, woken};
  WaitTable table;
  int place = 0;
  int other = 0;
};

// First come, first served, and only those at the same address, for the same rank.
TEST_F(WaitTableTest, WakesInOrder) {
  table.add({&place, nullptr}, first);
  table.add({&place, nullptr}, second);
  table.add({&other, nullptr}, elsewhere);
  EXPECT_EQ(table.wake({&place, &rank}, 1, nullptr), 0U);
  EXPECT_EQ(table.wake({&place, nullptr}, 1, nullptr), 1U);
  EXPECT_EQ(woken, std::vector{1});
  EXPECT_EQ(table.wake({&place, nullptr}, SIZE_MAX, nullptr), 1U);
  EXPECT_EQ(woken, (std::vector{1, 2}));
}

// Who no longer waits is not woken, nor is anybody of a rank that has ended.
TEST_F(WaitTableTest, ForgetsThoseThatAreGone) {
  table.add({&place, nullptr}, first);
  table.add({&place, nullptr}, second);
  table.remove({&place, nullptr}, first);
  EXPECT_EQ(table.wake({&place, nullptr}, SIZE_MAX, nullptr), 1U);
  EXPECT_EQ(woken, std::vector{2});
  table.add({&place, nullptr}, first);
  table.forget(rank);
  EXPECT_EQ(table.wake({&place, nullptr}, SIZE_MAX, nullptr), 0U);
}

}  // namespace
}  // namespace heddle::host
