#include "platform/simgrid/divisor.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace heddle::platform::simgrid {
namespace {

// Quotient and rest are those of the processor's division for 1, primes, powers of two and numbers
// near the ends of 32 and 64 bits, and numbers just below, at and above multiples of them.
TEST(Divisor, DividesAsTheProcessorDoes) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t divisors[] = {1,     2,       3,           7,       32,          641,
                                    65536, 6700417, kMost32 - 1, kMost32, kMost32 + 1, kMost};
  for (const std::uint64_t by : divisors) {
    const Divisor divisor(by);
    for (const std::uint64_t near : {std::uint64_t{0}, by, 5 * by, kMost32 / by * by, kMost32}) {
      for (const std::uint64_t number : {near - 1, near, near + 1}) {
        EXPECT_EQ(divisor.quotient(number), number / by) << number << " by " << by;
        EXPECT_EQ(divisor.rest(number), number % by) << number << " by " << by;
      }
    }
  }
}

}  // namespace
}  // namespace heddle::platform::simgrid
