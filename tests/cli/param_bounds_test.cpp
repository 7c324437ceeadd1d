// Every parameter that counts something has a largest value.
#include <gtest/gtest.h>

#include "cli/common.hpp"

namespace heddle::cli {
namespace {

// Without one, sums and products of a number that a user may write could be more than an integer
// holds. Words, flags, lists and distributions have no range, and any number is a seed.
TEST(ParamBounds, EveryNumberHasAMaximum) {
  const std::vector<std::string> numbers = {"time",  "size",  "bandwidth", "time/byte",
                                            "speed", "count", "ratio"};
  int checked = 0;
  for (const ParamSection* section : all_sections()) {
    for (const ParamInfo& param : section->params()) {
      if (param.name == "seed") continue;
      if (std::find(numbers.begin(), numbers.end(), param.type) == numbers.end()) continue;
      EXPECT_NE(param.max_text, "") << section->section() << "." << param.name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace heddle::cli
