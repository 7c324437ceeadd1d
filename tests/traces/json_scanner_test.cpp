// JSON taken apart as it is read.
#include "traces/readers/json_scanner.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"

namespace heddle::traces {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Members and values in their order, with blanks anywhere and lists in objects in lists.
TEST(JsonScanner, GoesThroughValues) {
  const std::string file = "f";
  JsonScanner in(" { \"a\" : [ 1 , -2, \"30\" ,true, null,[] ], \"b\":{\"c\" : {}} ,\"d\":1e3}  ",
                 file);
  std::vector<std::int64_t> numbers;
  std::vector<std::string> keys;
  in.object([&](std::string_view key) {
    keys.emplace_back(key);
    if (key != "a") return in.skip();
    in.list([&] {
      if (!in.scalar_follows()) return in.skip();
      numbers.push_back(in.scalar().integer());
    });
  });
  EXPECT_THAT(keys, ElementsAre("a", "b", "d"));
  EXPECT_THAT(numbers, ElementsAre(1, -2, 30, 1, 0));
  EXPECT_TRUE(in.done());
}

// What an escape stands for is part of the string, and a quote behind one does not end it.
TEST(JsonScanner, Escapes) {
  const std::string file = "f";
  const auto read = [&](std::string_view text) {
    return JsonScanner(text, file).scalar().string();
  };
  EXPECT_EQ(read("\"a\\\"b\\u0041\\\\\""), "a\"bA\\");
  EXPECT_EQ(read("\"plain\""), "plain");
  EXPECT_EQ(read("\"\\q\""), std::nullopt);
}

// A number as large as 64 bits without sign allow keeps its bits; what is no whole number is 0.
TEST(JsonScanner, Numbers) {
  const std::string file = "f";
  const auto read = [&](std::string_view text) {
    return JsonScanner(text, file).scalar().integer();
  };
  EXPECT_EQ(read("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(static_cast<std::uint64_t>(read("\"18446744073709551615\"")), UINT64_MAX);
  EXPECT_EQ(read("1.5"), 0);
  EXPECT_EQ(read("\"true\""), 0);
}

// Errors name the byte and what is expected there; nothing is deeper than 100 lists.
TEST(JsonScanner, MistakesAreNamed) {
  const std::string file = "f.json";
  const auto problem = [&](std::string_view text) {
    return error_of([&] { JsonScanner(text, file).skip(); });
  };
  EXPECT_THAT(problem("{\"a\": 1 \"b\": 2}"),
              AllOf(HasSubstr("f.json"), HasSubstr("at byte 8"), HasSubstr("} is expected")));
  EXPECT_THAT(problem("{\"a\" 1}"), AllOf(HasSubstr("at byte 5"), HasSubstr(": is expected")));
  EXPECT_THAT(problem("{\"a\": [1, 2"), AllOf(HasSubstr("at byte 11"), HasSubstr("the file ends")));
  EXPECT_THAT(problem("\"never ends"), HasSubstr("the file ends"));
  EXPECT_THAT(problem("{a: 1}"), HasSubstr("a string is expected"));
  EXPECT_THAT(problem("[tru]"), HasSubstr("a value is expected"));
  EXPECT_THAT(problem(std::string(200, '[')), HasSubstr("nothing deeper is expected"));
}

}  // namespace
}  // namespace heddle::traces
