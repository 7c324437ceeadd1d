#include "traffic/settling.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace heddle::traffic {
namespace {

double noise(RandomStream& random) {
  return static_cast<double>(random.below(1000)) / 1000;
}

// 1,000 values that begin at 100 and fall by 1 to about 0 within the first 100, with noise of up to
// 1: the first tenth is best left out, give or take a batch or two.
TEST(SettlingSeries, FindsTheBeginning) {
  RandomStream random(1);
  SettlingSeries series;
  for (int i = 0; i < 1000; ++i) series.add(std::max(0, 100 - i) + noise(random));
  EXPECT_NEAR(series.transient(), 0.1, 0.02);
  EXPECT_TRUE(series.settled());
}

// Noise alone has no beginning: less than half of it is left out.
TEST(SettlingSeries, LeavesMostOfWhatIsSteady) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomStream random(seed);
    SettlingSeries series;
    for (int i = 0; i < 2000; ++i) series.add(noise(random));
    EXPECT_TRUE(series.settled()) << "seed " << seed << ": " << series.transient();
  }
}

// What keeps growing never settles: leaving out more is always better.
TEST(SettlingSeries, NeverSettlesWhereItGrows) {
  RandomStream random(1);
  SettlingSeries series;
  for (int i = 0; i < 1000; ++i) series.add(i + noise(random));
  EXPECT_FALSE(series.settled());
}

// 99 values are 19 batches: too few to say. With one more it can be said that they grow.
TEST(SettlingSeries, SaysNothingOfFewValues) {
  SettlingSeries series;
  for (int i = 0; i < 99; ++i) series.add(i);
  EXPECT_EQ(series.transient(), 0);
  series.add(99);
  EXPECT_GT(series.transient(), 0.5);
}

// A million values take bounded memory, and the tenth that is different is still found.
TEST(SettlingSeries, TakesLongSeries) {
  RandomStream random(1);
  SettlingSeries series;
  for (int i = 0; i < 1'000'000; ++i) series.add((i < 100'000 ? 3 : 0) + noise(random));
  EXPECT_NEAR(series.transient(), 0.1, 0.001);
}

}  // namespace
}  // namespace heddle::traffic
