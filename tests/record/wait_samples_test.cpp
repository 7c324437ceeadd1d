// What waited for links, slice by slice.
#include "record/wait_samples.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace heddle::record {
namespace {

using Series = std::vector<std::int64_t>;

std::int64_t sum(const Series& series) {
  return std::accumulate(series.begin(), series.end(), std::int64_t{0});
}

// Two links, looked at each 100 ns for 400 ns. The queue of the first grows by 10 B in each slice
// and then empties, that of the second is 7 B from the beginning on: these are told as they were at
// the end of each slice, and those of both added up. All else is told as what came in each slice:
// of a packet marked each 50 ns, two.
TEST(WaitSamples, QueuesAreTakenAsTheyAreAndCountsAsTheyGrow) {
  WaitSamples samples;
  std::int64_t now = 0;
  samples.watch([&] {
    const std::int64_t slices = now / 100'000;
    const std::int64_t queue = slices < 4 ? 10 * slices : 0;
    return std::vector<WaitSamples::Row>{{queue, 50'000 * slices, 2 * slices, 0, 1000 * slices},
                                         {7, 0, 0, slices / 4, 0}};
  });
  for (; now < 400'000; now += 100'000) {
    if (samples.due(now)) samples.advance(now, 1'000'000);
  }
  samples.finish(Time::ps(400'000));
  ASSERT_EQ(samples.slice(), Time::ns(100));
  EXPECT_EQ(samples.of(0, WaitSamples::queued), (Series{10, 20, 30, 0}));
  EXPECT_EQ(samples.of(1, WaitSamples::queued), (Series{7, 7, 7, 7}));
  EXPECT_EQ(samples.of_all(WaitSamples::queued), (Series{17, 27, 37, 7}));
  EXPECT_EQ(samples.of(0, WaitSamples::held_up), (Series{50'000, 50'000, 50'000, 50'000}));
  EXPECT_EQ(samples.of(0, WaitSamples::marked), (Series{2, 2, 2, 2}));
  EXPECT_EQ(samples.of_all(WaitSamples::lost), (Series{0, 0, 0, 1}));
  EXPECT_EQ(samples.of(0, WaitSamples::carried), (Series{1000, 1000, 1000, 1000}));
  EXPECT_TRUE(samples.any());
}

// However long the run, there are no more than some hundred slices: a second of a link that carries
// a byte per nanosecond, and whose queue is 5 B.
TEST(WaitSamples, TakeNoMoreMemoryOfALongRun) {
  WaitSamples samples;
  std::int64_t now = 0;
  samples.watch([&] { return std::vector<WaitSamples::Row>{{5, 0, 0, 0, now / 1000}}; });
  constexpr std::int64_t kEnd = 1'000'000'000'000;
  for (; now <= kEnd; now += kEnd / 20'000) {
    if (samples.due(now)) samples.advance(now, 1'000'000);
  }
  now = kEnd;
  samples.finish(Time::ps(kEnd));
  EXPECT_LE(samples.slices(), 257U);
  EXPECT_EQ(sum(samples.of_all(WaitSamples::carried)), kEnd / 1000);
  EXPECT_EQ(samples.of(0, WaitSamples::queued).back(), 5);
}

// 100,000 links are known together only, and what nobody waits for is nothing.
TEST(WaitSamples, VeryManyLinksAreOne) {
  WaitSamples samples;
  samples.watch([] { return std::vector<WaitSamples::Row>(100'000, {0, 0, 0, 0, 3}); });
  samples.finish(Time::ns(50));
  EXPECT_EQ(samples.links(), 0U);
  EXPECT_EQ(sum(samples.of_all(WaitSamples::carried)), 300'000);
  EXPECT_FALSE(samples.any());
}

// A network without packets has no rows, and is not looked at again.
TEST(WaitSamples, OfNetworksWithoutPacketsThereAreNone) {
  WaitSamples samples;
  int looks = 0;
  samples.watch([&] {
    ++looks;
    return std::vector<WaitSamples::Row>();
  });
  samples.advance(1'000'000, 0);
  samples.finish(Time::us(2));
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(samples.slices(), 0U);
  EXPECT_FALSE(samples.any());
}

}  // namespace
}  // namespace heddle::record
