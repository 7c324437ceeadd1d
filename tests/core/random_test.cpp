#include "core/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace heddle {
namespace {

std::array<std::uint64_t, 3> first_three(RandomStream stream) {
  return {stream.next(), stream.next(), stream.next()};
}

// The published xoshiro256** seeded by splitmix64, computed independently; results of simulations
// depend on these very bits.
TEST(RandomStream, FirstValuesArePinned) {
  const std::array<std::uint64_t, 3> of_zero = {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a,
                                                0x1a5f849d4933e6e0};
  const std::array<std::uint64_t, 3> of_one = {0xb3f2af6d0fc710c5, 0x853b559647364cea,
                                               0x92f89756082a4514};
  const std::array<std::uint64_t, 3> of_links = {0xf14bb6e3b19b7d06, 0x631a0690e9b332a6,
                                                 0x5965eb28625bd43e};
  EXPECT_EQ(first_three(RandomStream(0)), of_zero);
  EXPECT_EQ(first_three(RandomStream(1)), of_one);
  EXPECT_EQ(first_three(RandomStream(1).split("links")), of_links);
}

// Streams do not depend on how much was drawn from their parent, only on its seed and the name.
TEST(RandomStream, SplitsDoNotDependOnDraws) {
  RandomStream parent(42);
  const auto before = first_three(parent.split("links"));
  for (int i = 0; i < 100; ++i) parent.next();
  EXPECT_EQ(first_three(parent.split("links")), before);
}

TEST(RandomStream, SplitsDifferByNameNumberSeedAndDepth) {
  const RandomStream parent(42);
  const auto links = first_three(parent.split("links"));
  EXPECT_NE(first_three(parent.split("nodes")), links);
  EXPECT_NE(first_three(RandomStream(43).split("links")), links);
  EXPECT_NE(first_three(parent.split("links").split("links")), links);
  EXPECT_NE(first_three(parent.split(1)), first_three(parent.split(2)));
  EXPECT_NE(first_three(parent.split(1)), first_three(parent));
}

// Sibling streams share no pattern: the bits in which their draws differ are half of all, within
// five standard deviations (sqrt(64 n) / 2 bits).
TEST(RandomStream, SiblingsAreUncorrelated) {
  const RandomStream parent(1);
  RandomStream a = parent.split(0);
  RandomStream b = parent.split(1);
  constexpr int kDraws = 10'000;
  double different = 0;
  for (int i = 0; i < kDraws; ++i) different += __builtin_popcountll(a.next() ^ b.next());
  EXPECT_NEAR(different, 32.0 * kDraws, 5 * std::sqrt(64.0 * kDraws) / 2);
}

// The chi-squared statistic of 60,000 throws of a die has mean 5 and exceeds 25 once in 7,000
// cases; every face is seen.
TEST(RandomStream, BelowHasNoBias) {
  RandomStream stream(7);
  std::array<int, 6> faces{};
  for (int i = 0; i < 60'000; ++i) ++faces.at(stream.below(6));
  double chi_squared = 0;
  for (const int count : faces) chi_squared += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  EXPECT_LT(chi_squared, 25);
}

// A bound of 3/4 of the range: a plain remainder would give the lower third 1/2 of the draws.
TEST(RandomStream, BelowHasNoBiasForHugeBounds) {
  RandomStream stream(7);
  const std::uint64_t bound = 3ULL << 62;
  int low = 0;
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t draw = stream.below(bound);
    ASSERT_LT(draw, bound);
    low += draw < bound / 3;
  }
  EXPECT_NEAR(low, 10'000, 5 * std::sqrt(30'000 * 2.0 / 9));
}

TEST(RandomStream, BelowOneIsZero) {
  RandomStream stream(7);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(stream.below(1), 0U);
}

// Mean 1/2, standard deviation 1/sqrt(12).
TEST(RandomStream, UniformIsInItsInterval) {
  RandomStream stream(7);
  double sum = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = stream.uniform();
    ASSERT_GE(draw, 0.0);
    ASSERT_LT(draw, 1.0);
    sum += draw;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 5 / std::sqrt(12.0 * kDraws));
}

// The exponential distribution's mean and standard deviation are equal, and a fraction 1/e of the
// draws exceeds the mean.
TEST(RandomStream, ExponentialHasItsMean) {
  RandomStream stream(7);
  constexpr int kDraws = 100'000;
  double sum = 0;
  int above = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = stream.exponential(3.0);
    ASSERT_GE(draw, 0.0);
    sum += draw;
    above += draw > 3.0;
  }
  EXPECT_NEAR(sum / kDraws, 3.0, 5 * 3.0 / std::sqrt(kDraws));
  EXPECT_NEAR(above, kDraws / std::exp(1.0), 5 * std::sqrt(kDraws * 0.2326));
}

/// Distance of the results in units of the last place of the C library's.
double ulps_from_libm(double x) {
  const double expected = std::log(x);
  const double ulp = std::nextafter(std::abs(expected), INFINITY) - std::abs(expected);
  return std::abs(portable_log(x) - expected) / ulp;
}

// Within four units in the last place of the C library's logarithm, over all magnitudes and close
// to one, where the result is smallest.
TEST(PortableLog, AgreesWithTheCLibrary) {
  RandomStream stream(3);
  for (int i = 0; i < 20'000; ++i) {
    const double mantissa = 1.0 + stream.uniform();
    const int exponent = static_cast<int>(stream.below(2000)) - 1000;
    EXPECT_LE(ulps_from_libm(std::ldexp(mantissa, exponent)), 4) << mantissa << " " << exponent;
    EXPECT_LE(ulps_from_libm(1.0 - 0.25 * stream.uniform()), 4);
    EXPECT_LE(ulps_from_libm(1.0 + 1e-9 * stream.uniform()), 4);
  }
  EXPECT_EQ(portable_log(1.0), 0.0);
  EXPECT_LE(ulps_from_libm(std::numeric_limits<double>::denorm_min()), 4);
  EXPECT_LE(ulps_from_libm(std::numeric_limits<double>::max()), 4);
}

}  // namespace
}  // namespace heddle
