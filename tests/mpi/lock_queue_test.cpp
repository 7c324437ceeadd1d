#include "mpi/rma/lock_queue.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace heddle::mpi {
namespace {

using testing::ElementsAre;

std::vector<int> granted_by_release(LockQueue& queue, LockKind kind) {
  std::vector<int> granted;
  queue.release(kind, [&](int origin) { granted.push_back(origin); });
  return granted;
}

TEST(LockQueue, LetsSharedOnesInTogether) {
  LockQueue queue;
  EXPECT_TRUE(queue.request({0, LockKind::shared}));
  EXPECT_TRUE(queue.request({1, LockKind::shared}));
  EXPECT_FALSE(queue.request({2, LockKind::exclusive}));
  EXPECT_TRUE(granted_by_release(queue, LockKind::shared).empty());
  EXPECT_THAT(granted_by_release(queue, LockKind::shared), ElementsAre(2));
}

TEST(LockQueue, LetsNobodyOvertake) {
  // Shared locks that come behind an exclusive one wait, though others share the lock now; when it
  // goes they come in together, up to the next exclusive one.
  LockQueue queue;
  EXPECT_TRUE(queue.request({0, LockKind::shared}));
  EXPECT_FALSE(queue.request({1, LockKind::exclusive}));
  EXPECT_FALSE(queue.request({2, LockKind::shared}));
  EXPECT_FALSE(queue.request({3, LockKind::shared}));
  EXPECT_FALSE(queue.request({4, LockKind::exclusive}));
  EXPECT_THAT(granted_by_release(queue, LockKind::shared), ElementsAre(1));
  EXPECT_THAT(granted_by_release(queue, LockKind::exclusive), ElementsAre(2, 3));
  EXPECT_TRUE(granted_by_release(queue, LockKind::shared).empty());
  EXPECT_THAT(granted_by_release(queue, LockKind::shared), ElementsAre(4));
}

}  // namespace
}  // namespace heddle::mpi
