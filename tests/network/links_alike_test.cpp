// Links that are alike are simulated once.
#include <gtest/gtest.h>

#include <cmath>

#include "network/links/delay_samples.hpp"
#include "network/links/link_profile.hpp"

namespace heddle::network {
namespace {

/// A flow of each size at the beginning.
LinkProfile profile(const std::vector<std::int64_t>& sizes, double rate = 1,
                    std::uint32_t inputs = 1, double when = 0) {
  LinkProfile made(rate, inputs);
  for (const std::int64_t size : sizes) made.add(size, when);
  return made;
}

// 1000 B and 1000 B beside 1000 B and 500 B, all at the same time: by size 2000 of one power of two
// beside 1000 of the same (512 to 1023) and 500 of the one below, so that 1000 + 500 of 3500 are
// not in common, 3/7; by time 500 of 3500. What begins at another time has nothing in common, and
// links of other rates or other numbers of inputs are of other kinds.
TEST(LinkProfile, DiffersByWhatIsNotInCommon) {
  const LinkProfile one = profile({1000, 1000});
  EXPECT_EQ(one.difference(one), 0);
  EXPECT_DOUBLE_EQ(one.difference(profile({1000, 500})), 3.0 / 7);
  EXPECT_DOUBLE_EQ(profile({1000, 500}).difference(one), 3.0 / 7);
  EXPECT_EQ(one.difference(profile({1000, 1000}, 1, 1, 0.9)), 1);
  EXPECT_EQ(one.difference(profile({1000, 1000}, 2)), 1);
  EXPECT_EQ(one.difference(profile({1000, 1000}, 1, 2)), 1);
}

// Four links: the second is as the first, the third differs by a fifth, the fourth by more. With
// nothing allowed only the equal ones are alike, with a quarter the third is, too.
TEST(LinkProfile, OneStandsForThoseThatAreAlike) {
  const std::vector<LinkProfile> all = {profile({1000, 1000}), profile({1000, 1000}),
                                        profile({1000, 1000, 1000}), profile({8, 9})};
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(representatives(all, 0), (Numbers{0, 0, 2, 3}));
  EXPECT_EQ(representatives(all, 0.25), (Numbers{0, 0, 0, 3}));
}

// 200 flows of 100 B whose delays are 1 to 200, and 200 of 1000 B whose delays are 1001 to 1200 and
// which were drawn out by as much again. What is drawn for 100 B is one of the first, for 1000 B
// one of the others; of 2000 B, more than any had, it is one of these, drawn out by twice as much.
TEST(DelaySamples, AreThoseOfEqualSizes) {
  DelaySamples samples;
  for (int i = 1; i <= 200; ++i) {
    samples.add(1000, {1000.0 + i, 2 * (1000.0 + i)});
    samples.add(100, {1.0 * i, 1.0 * i});
  }
  samples.finish();
  std::vector<bool> seen(201);
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const FlowDelay small = samples.draw(100, number);
    ASSERT_GE(small.begin, 1);
    ASSERT_LE(small.begin, 200);
    ASSERT_EQ(small.end, small.begin);
    seen[static_cast<std::size_t>(std::lround(small.begin))] = true;
    const FlowDelay large = samples.draw(1000, number);
    ASSERT_GT(large.begin, 1000);
    ASSERT_DOUBLE_EQ(large.end, 2 * large.begin);
    ASSERT_DOUBLE_EQ(samples.draw(2000, number).end, 3 * samples.draw(2000, number).begin);
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 200) << "each may be drawn";
}

// Fewer flows than a bucket needs are one bucket.
TEST(DelaySamples, OfFewFlowsAnyIsDrawn) {
  DelaySamples samples;
  samples.add(100, {1, 1});
  samples.add(10'000, {2, 2});
  samples.finish();
  EXPECT_EQ(samples.draw(100, 0).begin + samples.draw(100, 1).begin, 3);
}

}  // namespace
}  // namespace heddle::network
