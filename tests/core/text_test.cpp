#include "core/text.hpp"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;

std::vector<std::pair<std::string_view, std::uint32_t>> pairs(const std::vector<Field>& fields) {
  std::vector<std::pair<std::string_view, std::uint32_t>> result;
  for (const Field& field : fields) result.emplace_back(field.text, field.column);
  return result;
}

// Words begin at columns 2 and 7 of " put  8 \r"; a blank line has none.
TEST(Text, WordsStandApartByBlanks) {
  std::vector<Field> fields;
  split_by_blanks(" put  8 \r", fields);
  EXPECT_THAT(pairs(fields), ElementsAre(std::pair("put", 2U), std::pair("8", 7U)));
  split_by_blanks(" \t", fields);
  EXPECT_TRUE(fields.empty());
}

// Between commas there may be blanks, or nothing: an empty field stands where its text would begin.
TEST(Text, FieldsStandApartByCommas) {
  std::vector<Field> fields;
  split_by_commas("no limit, 1e3,", fields);
  EXPECT_THAT(pairs(fields),
              ElementsAre(std::pair("no limit", 1U), std::pair("1e3", 11U), std::pair("", 15U)));
  split_by_commas("  ", fields);
  EXPECT_TRUE(fields.empty());
}

TEST(Text, TheLastLineMayLackItsEnd) {
  for (const char* text : {"a\n\nb", "a\n\nb\n"}) {
    std::vector<std::string_view> lines;
    for_each_line(text, [&](std::string_view line) { lines.push_back(line); });
    EXPECT_THAT(lines, ElementsAre("a", "", "b"));
  }
}

// Text is UTF-8 in its shortest form; of control characters only blanks. The place is that of the
// first byte of what is none.
TEST(Text, IsUtf8WithoutControlCharacters) {
  const std::size_t none = std::string_view::npos;
  for (const char* text : {"", "n\tame\r\n", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(first_not_text(text), none) << text;
  }
  for (const char* text : {"ab\x1b", "ab\x7f", "ab\xe9", "ab\xc0\xaf", "ab\xe2\x82",
                           "ab\xed\xa0\x80", "ab\xf4\x90\x80\x80", "ab\xc2\x9b", "ab\x80"}) {
    EXPECT_EQ(first_not_text(text), 2U) << text;
  }
}

TEST(Text, EmptyTextHasOnePart) {
  EXPECT_THAT(split("", ','), ElementsAre(""));
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_EQ(trimmed(" \ta b\r"), "a b");
}

}  // namespace
}  // namespace heddle
