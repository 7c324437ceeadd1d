#include "core/containers/ring.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// Two lie within the ring and more elsewhere: with one taken for every two put in, numbers come out
// in the order in which they went in.
TEST(Ring, KeepsTheOrderAsItGrows) {
  Ring<int, 2> ring;
  int next = 0;
  for (int i = 0; i < 40; ++i) {
    ring.push_back(i);
    if (i % 2 == 1) {
      EXPECT_EQ(ring.front(), next++);
      ring.pop_front();
    }
  }
  ASSERT_EQ(ring.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(ring[i], 20 + static_cast<int>(i));
}

// Whatever it has grown to, from empty it goes on as if it were new: 5, then 3, then 9 at a time
// come out as they went in.
TEST(Ring, BeginsAnewWhenEmpty) {
  Ring<int, 2> ring;
  int put = 0;
  int taken = 0;
  for (const int count : {5, 3, 9, 1}) {
    for (int i = 0; i < count; ++i) ring.push_back(put++);
    EXPECT_EQ(ring.size(), static_cast<std::size_t>(count));
    for (; !ring.empty(); ring.pop_front()) EXPECT_EQ(ring.front(), taken++);
  }
  EXPECT_EQ(taken, 18);
}

}  // namespace
}  // namespace heddle
