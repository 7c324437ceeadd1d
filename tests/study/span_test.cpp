#include "study/span.hpp"

#include <gmock/gmock.h>

namespace heddle::study {
namespace {

using testing::ElementsAre;

std::vector<std::string> even(const char* from, const char* to, std::size_t points, bool log) {
  return Span::between(from, to)->even(points, log);
}

// 0.1 to 0.5 in steps of 0.1: without the last bits of 3 * 0.1.
TEST(Span, GoesInSteps) {
  EXPECT_THAT(range_of("0.1:0.5:0.1").value(), ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(range_of("1:4:1").value(), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(range_of("100ns:300ns:100ns").value(), ElementsAre("100ns", "200ns", "300ns"));
  EXPECT_THAT(range_of("5:1:-2").value(), ElementsAre("5", "3", "1"));
}

// Three points from 1 to 100: in the middle is 50.5, rounded to a whole number 51 (or, on a
// logarithmic scale, 10).
TEST(Span, HasEvenPoints) {
  EXPECT_THAT(even("1", "100", 3, true), ElementsAre("1", "10", "100"));
  EXPECT_THAT(even("1.0", "100", 3, false), ElementsAre("1", "50.5", "100"));
  EXPECT_THAT(even("1", "100", 3, false), ElementsAre("1", "51", "100"));
  EXPECT_THAT(even("1KiB", "4KiB", 3, true), ElementsAre("1KiB", "2KiB", "4KiB"));
  EXPECT_THAT(even("10Gbps", "100Gbps", 2, false), ElementsAre("10Gbps", "100Gbps"));
  EXPECT_THAT(even("1", "2", 5, false), ElementsAre("1", "2"));
}

// A size and a time are not ends of anything; nor is what only looks like a range.
TEST(Span, RefusesWhatIsNotOneKind) {
  EXPECT_FALSE(Span::between("1ns", "4KiB"));
  EXPECT_FALSE(Span::between("fast", "slow"));
  EXPECT_FALSE(range_of("uniform:64B:64KiB"));
  EXPECT_FALSE(range_of("1:2:-1"));
  EXPECT_FALSE(range_of("1:2:0"));
  EXPECT_FALSE(range_of("1:1e30:1"));
}

}  // namespace
}  // namespace heddle::study
