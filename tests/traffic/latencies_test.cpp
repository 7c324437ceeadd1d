#include "traffic/latencies.hpp"

#include <gtest/gtest.h>

namespace heddle::traffic {
namespace {

// Of 1 .. 100 in any order: the mean 50.5 rounds to 51, the p-th percentile is p itself.
TEST(Latencies, ExactForFew) {
  Latencies latencies;
  for (int i = 0; i < 100; ++i) latencies.add(Time::ps(i * 37 % 100 + 1));
  const LatencySummary summary = latencies.summary();
  EXPECT_EQ(latencies.count(), 100U);
  EXPECT_EQ(summary.mean, Time::ps(51));
  EXPECT_EQ(summary.min, Time::ps(1));
  EXPECT_EQ(summary.max, Time::ps(100));
  EXPECT_EQ(summary.p50, Time::ps(50));
  EXPECT_EQ(summary.p95, Time::ps(95));
  EXPECT_EQ(summary.p99, Time::ps(99));
}

// Of a million and a half latencies 1, 2, 3, ... ns percentiles are within 1/1024, the rest exact.
TEST(Latencies, NearForMany) {
  Latencies latencies;
  const std::int64_t n = 1'500'000;
  for (std::int64_t i = 1; i <= n; ++i) latencies.add(Time::ns(i));
  const LatencySummary summary = latencies.summary();
  EXPECT_EQ(latencies.count(), static_cast<std::uint64_t>(n));
  EXPECT_EQ(summary.mean, Time::ps((n + 1) * 500));
  EXPECT_EQ(summary.min, Time::ns(1));
  EXPECT_EQ(summary.max, Time::ns(n));
  EXPECT_NEAR(summary.p50.seconds(), 0.50 * 1e-9 * n, 0.50 * 1e-9 * n / 1024);
  EXPECT_NEAR(summary.p95.seconds(), 0.95 * 1e-9 * n, 0.95 * 1e-9 * n / 1024);
  EXPECT_NEAR(summary.p99.seconds(), 0.99 * 1e-9 * n, 0.99 * 1e-9 * n / 1024);
}

// Each latency falls into the class whose middle is within 1/1024 of it, from 0 to the largest.
TEST(Latencies, ClassesCoverEverything) {
  for (std::int64_t value : {0L, 1023L, 1024L, 1L << 62}) {
    Latencies latencies;
    for (std::size_t i = 0; i <= Latencies::kExact; ++i) latencies.add(Time::ps(value));
    EXPECT_EQ(latencies.percentile(0.5), Time::ps(value));
  }
}

TEST(Latencies, NoneAtAll) {
  EXPECT_EQ(Latencies().summary().p99, Time::zero());
}

}  // namespace
}  // namespace heddle::traffic
