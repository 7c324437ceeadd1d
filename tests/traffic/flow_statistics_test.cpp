#include "traffic/flow_statistics.hpp"

#include <gtest/gtest.h>

namespace heddle::traffic {
namespace {

// Ten flows of 500 B that take 1 us alone and 1, 2, ..., 10 us, and one of 5 MB that takes twice
// its 400 us: slowdowns 1 ... 10 and 2, so that the mean of all is (55 + 2) / 11.
TEST(FlowStatistics, SlowdownsByDecade) {
  FlowStatistics statistics;
  for (int i = 1; i <= 10; ++i) statistics.add(Bytes(500), Time::us(i), Time::us(1));
  statistics.add(Bytes(5'000'000), Time::us(800), Time::us(400));
  const std::vector<FlowGroup> groups = statistics.groups();
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].flows, 11U);
  EXPECT_NEAR(groups[0].slowdown_mean, 57.0 / 11, 1e-6);
  EXPECT_EQ(groups[1].kind, GroupKind::all);
  EXPECT_EQ(groups[1].from, Bytes(0));
  EXPECT_EQ(groups[1].below, Bytes(1000));
  EXPECT_EQ(groups[1].slowdown_p50, 5);
  EXPECT_EQ(groups[1].slowdown_p99, 10);
  EXPECT_EQ(groups[1].p50, Time::us(5));
  EXPECT_EQ(groups[2].from, Bytes(1'000'000));
  EXPECT_EQ(groups[2].flows, 1U);
  EXPECT_EQ(groups[2].slowdown_p999, 2);
}

TEST(FlowStatistics, NothingOfNoFlows) {
  EXPECT_TRUE(FlowStatistics().groups().empty());
}

// Of two runs: counts are summed, figures are the means of both, and all flows stay first.
TEST(FlowStatistics, RunsArePutTogether) {
  FlowStatistics one;
  FlowStatistics two;
  one.add(Bytes(500), Time::us(2), Time::us(1));
  two.add(Bytes(500), Time::us(4), Time::us(1));
  two.add(Bytes(5000), Time::us(8), Time::us(1));
  const auto all = combined_groups({one.groups(), two.groups()});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].flows, 3U);
  EXPECT_EQ(all[1].flows, 2U);
  EXPECT_DOUBLE_EQ(all[1].slowdown_p50, 3);
  EXPECT_EQ(all[2].from, Bytes(1000));
  EXPECT_DOUBLE_EQ(all[2].slowdown_mean, 8);
}

}  // namespace
}  // namespace heddle::traffic
