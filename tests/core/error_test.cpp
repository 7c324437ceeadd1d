#include "core/error.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(SourceLocation, LeavesOutWhatIsUnknown) {
  EXPECT_EQ((SourceLocation{"a.yaml", 3, 7}.str()), "a.yaml:3:7");
  EXPECT_EQ((SourceLocation{"a.yaml", 3}.str()), "a.yaml:3");
  EXPECT_EQ((SourceLocation{"--set"}.str()), "--set");
  EXPECT_EQ(SourceLocation{}.str(), "");
}

TEST(InputError, BeginsWithThePlace) {
  EXPECT_STREQ(InputError({"a.yaml", 3, 7}, "bad 'x'").what(), "a.yaml:3:7: bad 'x'");
  EXPECT_STREQ(InputError({}, "bad 'x'").what(), "bad 'x'");
}

// A word of three million characters is shown by its beginning, and the sentence goes on behind it;
// what would move a terminal's cursor or end a text is shown as its number.
TEST(InputError, CanBeReadWhateverItQuotes) {
  const std::string what =
      InputError({"a.txt", 1}, "'" + std::string(3'000'000, 'x') + "' is no node").what();
  EXPECT_LT(what.size(), 5000U);
  EXPECT_TRUE(what.starts_with("a.txt:1: 'xxx"));
  EXPECT_TRUE(what.ends_with("xxx' is no node"));
  EXPECT_STREQ(
      InputError({}, std::string_view("'\x1b[2J\0\xff\n\tgr\xc3\xbc\xc3\x9f' is bad", 23)).what(),
      "'\\x1b[2J\\x00\\xff\n\tgr\xc3\xbc\xc3\x9f' is bad");
}

const std::vector<std::string> kNames = {"bandwidth", "latency", "flow_cap", "L", "o"};

// A letter missing, wrong, too many, two swapped, or the wrong case.
TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_name("bandwith", kNames), "bandwidth");
  EXPECT_EQ(nearest_name("latancy", kNames), "latency");
  EXPECT_EQ(nearest_name("flow_capp", kNames), "flow_cap");
  EXPECT_EQ(nearest_name("badnwidth", kNames), "bandwidth");
  EXPECT_EQ(nearest_name("LATENCY", kNames), "latency");
  EXPECT_EQ(nearest_name("l", kNames), "L");
}

// Nothing is suggested that shares next to nothing with the word.
TEST(NearestName, SuggestsNothingFarFetched) {
  EXPECT_EQ(nearest_name("colour", kNames), "");
  EXPECT_EQ(nearest_name("nope", {"topo", "tune", "help"}), "");
  EXPECT_EQ(nearest_name("q", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name("latency", {}), "");
}

// Of two equally near, the first of the list.
TEST(NearestName, IsTheFirstOfEquals) {
  EXPECT_EQ(nearest_name("rate", {"gate", "late"}), "gate");
}

TEST(DidYouMean, IsEmptyOrASuggestion) {
  EXPECT_EQ(did_you_mean("latancy", kNames), " (did you mean 'latency'?)");
  EXPECT_EQ(did_you_mean("colour", kNames), "");
}

TEST(Joined, SeparatesWords) {
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(joined({"a", "b"}, " or "), "a or b");
  EXPECT_EQ(joined({}), "");
}

}  // namespace
}  // namespace heddle
