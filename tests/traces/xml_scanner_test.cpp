// XML taken apart as it is read.
#include "traces/readers/xml_scanner.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"

namespace heddle::traces {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Elements come in their order with their attributes, in either kind of quotes; comments, texts and
// declarations are left out, and what is within an element can be.
TEST(XmlScanner, GoesThroughElements) {
  const std::string file = "a.xml";
  XmlScanner in(
      "<?xml version=\"1.0\"?><!DOCTYPE a>\n<!-- <no> --><a x = '1' y=\"2 > 1\">text<b/>"
      "<c><d z=\"3\"/><![CDATA[<e>]]></c ><f g=\"&lt;&amp;\"></f></a>\n",
      file);
  ASSERT_TRUE(in.next());
  EXPECT_EQ(in.tag().name, "a");
  EXPECT_EQ(in.tag().attribute("x"), "1");
  EXPECT_EQ(in.tag().attribute("y"), "2 > 1");
  EXPECT_EQ(in.tag().attribute("z").data(), nullptr);
  std::vector<std::string> within;
  while (in.next()) {
    within.emplace_back(in.tag().name);
    if (in.tag().name == "f") {
      EXPECT_EQ(xml_text(in.tag().attribute("g")), "<&");
    }
    in.skip();
  }
  EXPECT_THAT(within, ElementsAre("b", "c", "f"));
  EXPECT_FALSE(in.next());
}

// Errors name line and byte and what is expected.
TEST(XmlScanner, MistakesAreNamed) {
  const std::string file = "a.xml";
  const auto problem = [&](std::string_view text) {
    return error_of([&] {
      XmlScanner in(text, file);
      in.next();
      in.skip();
    });
  };
  EXPECT_EQ(problem("<a><b/></a>"), "no error");
  EXPECT_THAT(problem("<a>\n<b></a>"),
              AllOf(HasSubstr("a.xml:2"), HasSubstr("at byte 7"), HasSubstr("</b> is expected")));
  EXPECT_THAT(problem("<a>\n\n<b/>"),
              AllOf(HasSubstr("a.xml:3"), HasSubstr("the file ends before </a>")));
  EXPECT_THAT(problem("<a x=1/>"), HasSubstr("a value in quotes is expected behind 'x='"));
  EXPECT_THAT(problem("<a x/>"), HasSubstr("'=' is expected behind 'x'"));
  EXPECT_THAT(problem("<a x=\"1/>"), HasSubstr("the value of 'x' does not end"));
  EXPECT_THAT(problem("<a><!-- </a>"), HasSubstr("'-->' is expected"));
  EXPECT_THAT(problem("<a><></a>"), HasSubstr("is no name"));
}

}  // namespace
}  // namespace heddle::traces
