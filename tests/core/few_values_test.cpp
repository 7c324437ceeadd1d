#include "core/containers/few_values.hpp"

#include <gtest/gtest.h>

#include <string>

namespace heddle {
namespace {

// Values are numbered in the order in which they come, and one that comes again has its number.
TEST(DistinctValues, GivesEachValueOneNumber) {
  DistinctValues<std::string> values;
  EXPECT_EQ(values.number_of("b"), 0U);
  EXPECT_EQ(values.number_of("a"), 1U);
  EXPECT_EQ(values.number_of("b"), 0U);
  EXPECT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0], "b");
  EXPECT_EQ(values[1], "a");
}

// Of five places the third gets another value: the others keep theirs. When it gets the old one
// again, its number is the old one, too.
TEST(FewValues, ChangesOnePlaceAndNoOther) {
  FewValues<int> values(5, 7);
  values.set(2, 9);
  for (const std::size_t place : {0U, 1U, 3U, 4U}) {
    EXPECT_EQ(values[place], 7);
    EXPECT_EQ(values.number(place), 0U);
  }
  EXPECT_EQ(values[2], 9);
  EXPECT_EQ(values.number(2), 1U);
  values.set(2, 7);
  EXPECT_EQ(values[2], 7);
  EXPECT_EQ(values.number(2), 0U);
  EXPECT_EQ(values.size(), 5U);
}

}  // namespace
}  // namespace heddle
