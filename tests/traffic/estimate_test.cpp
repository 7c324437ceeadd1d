#include "traffic/estimate.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace heddle::traffic {
namespace {

// 1, 2, 3: the mean is 2, the standard deviation 1, that of the mean 1 / sqrt(3) = 0.57735; with
// two degrees of freedom t is 4.303, so half of the interval is 2.48434.
TEST(Estimate, AnIntervalFollowsStudentsDistribution) {
  const Estimate e = estimate(std::vector<double>{1, 2, 3});
  EXPECT_DOUBLE_EQ(e.mean, 2);
  EXPECT_NEAR(e.half_width, 2.48434, 1e-4);
  EXPECT_TRUE(e.known());
}

// One sample has a mean and no known error; none has neither.
TEST(Estimate, OneSampleSaysNothingOfItsError) {
  EXPECT_EQ(estimate(std::vector<double>{7}).mean, 7);
  EXPECT_FALSE(estimate(std::vector<double>{7}).known());
  EXPECT_FALSE(estimate({}).known());
}

// Of 1,000 intervals of ten uniform numbers each, 950 should contain the true mean 0.5: by chance
// 930 to 970 do.
TEST(Estimate, IntervalsContainTheTruthAsOftenAsTheySay) {
  RandomStream random(1);
  int right = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> samples(10);
    for (double& sample : samples) sample = random.uniform();
    const Estimate e = estimate(samples);
    right += e.mean - e.half_width <= 0.5 && 0.5 <= e.mean + e.half_width;
  }
  EXPECT_GE(right, 930);
  EXPECT_LE(right, 970);
}

// From 0 to 2 us in twenty batches of 100 ns: values 1 in the first and 3 in the last are two
// batches with means 1 and 3, and one batch alone has no error.
TEST(BatchMeans, BatchesWithNothingInThemDoNotCount) {
  BatchMeans batches(Time::zero(), Time::us(2));
  batches.add(Time::ns(10), 1);
  batches.add(Time::ns(90), 1);
  EXPECT_FALSE(batches.estimate().known());
  batches.add(Time::ns(1999), 3);
  EXPECT_DOUBLE_EQ(batches.estimate().mean, 2);
  EXPECT_EQ(batches.estimate().samples, 2U);
}

}  // namespace
}  // namespace heddle::traffic
