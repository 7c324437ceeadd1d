#include "report/table.hpp"

#include <gtest/gtest.h>

#include "report/json.hpp"
#include "report/svg.hpp"

namespace heddle::report {
namespace {

// Columns are as wide as their widest cell, counted in characters; lines end without blanks.
TEST(Table, AlignsColumns) {
  Table table({{"name"}, {"time_us", Align::right}, {"note"}});
  table.add({"a", "1.5"});
  table.add({"\u00d718", "12345678", "x"});
  EXPECT_EQ(table.text(),
            "name   time_us  note\n"
            "a          1.5\n"
            "\u00d718   12345678  x\n");
}

// Commas, quotes and newlines are quoted, an empty first cell stays a cell.
// Where there is no room for the last column, its words go on below, a few to a line at least.
TEST(Table, WrapsTheLastColumn) {
  Table table({{"name"}, {"meaning"}});
  table.add({"a", "one two three four five six seven eight"});
  EXPECT_EQ(table.text(0, 30),
            "name  meaning\n"
            "a     one two three four five\n"
            "      six seven eight\n");
  EXPECT_EQ(table.text(0, 10), table.text(0, 30));
  EXPECT_EQ(table.text(), "name  meaning\na     one two three four five six seven eight\n");
}

// Of 72 characters a range of 48 and its name leave too few for the meaning: the range, too, goes
// on below, in a column of no more than 24, and each line has words of both.
TEST(Table, WrapsOthersWhereNothingIsLeft) {
  Table table({{"name"}, {"range"}, {"meaning"}});
  table.add(
      {"a", "uniform | permutation | tornado | transpose | in", "who sends to whom, as words"});
  table.add({"b", "any", "one"});
  EXPECT_EQ(table.text(0, 72),
            "name  range                     meaning\n"
            "a     uniform | permutation |   who sends to whom, as words\n"
            "      tornado | transpose | in\n"
            "b     any                       one\n");
}

TEST(Table, CsvQuotesWhatNeedsIt) {
  Table table({{"a"}, {"b"}});
  table.add({"", "x,y"});
  table.add({"say \"hi\"", "two\nlines"});
  EXPECT_EQ(table.csv(), "a,b\n,\"x,y\"\n\"say \"\"hi\"\"\",\"two\nlines\"\n");
}

// The member with the unit is exact to the last digit; the other is for people.
TEST(Json, QuantitiesAreExactAndReadable) {
  Json json = new_document("heddle.test/1");
  put(json, "latency", Time::ps(1'234'567'890'123));
  put(json, "size", Bytes(9'007'199'254'740'993));
  put(json, "bandwidth", Bandwidth::unlimited());
  EXPECT_EQ(json["schema"], "heddle.test/1");
  EXPECT_EQ(json["latency_ps"], 1'234'567'890'123);
  EXPECT_EQ(json["latency"], "1.235 s");
  // 2^53 + 1 is no double.
  EXPECT_NE(dump(json).find("9007199254740993"), std::string::npos);
  EXPECT_TRUE(json["bandwidth_bps"].is_null());
  EXPECT_EQ(json["bandwidth"], "unlimited");
}

TEST(Svg, EscapesTextAndNumbers) {
  EXPECT_EQ(xml_escaped("a<b & \"c\"\x01"), "a&lt;b &amp; &quot;c&quot;?");
  EXPECT_EQ(svg_number(1.0), "1");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(2.345678), "2.35");
}

}  // namespace
}  // namespace heddle::report
