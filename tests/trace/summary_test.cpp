#include "trace/summary.hpp"

#include <gtest/gtest.h>

namespace heddle::trace {
namespace {

using nic::Activity;

Row row_of(Activity activity, std::int64_t start_ns, std::int64_t end_ns, bool failed = false) {
  return {1, activity, {0, 0}, {1, 1}, Bytes(100), 1, Time::ns(start_ns), Time::ns(end_ns), failed};
}

// Puts of 10, 20 and 33 ns, one of them lost: 300 bytes, 63 ns together, 21 ns on average, 33 ns at
// most. Everything lies between 5 and 90 ns.
TEST(Summary, AddsUpPerActivity) {
  Summary summary;
  summary.add(row_of(Activity::put, 20, 30));
  summary.add(row_of(Activity::put, 5, 25, true));
  summary.add(row_of(Activity::put, 30, 63));
  summary.add(row_of(Activity::portals_ack, 63, 90));
  const ActivityTotals& puts = summary.of(Activity::put);
  EXPECT_EQ(puts.count, 3U);
  EXPECT_EQ(puts.failed, 1U);
  EXPECT_EQ(puts.bytes, Bytes(300));
  EXPECT_EQ(puts.busy, Time::ns(63));
  EXPECT_EQ(puts.mean(), Time::ns(21));
  EXPECT_EQ(puts.longest, Time::ns(33));
  EXPECT_EQ(summary.of(Activity::portals_ack).count, 1U);
  EXPECT_EQ(summary.rows(), 4U);
  EXPECT_EQ(summary.first(), Time::ns(5));
  EXPECT_EQ(summary.last(), Time::ns(90));
}

TEST(Summary, OfNothingIsZero) {
  const Summary summary;
  EXPECT_EQ(summary.of(Activity::put).mean(), Time::zero());
  EXPECT_EQ(summary.first(), Time::zero());
  EXPECT_EQ(summary.last(), Time::zero());
}

}  // namespace
}  // namespace heddle::trace
