#include "report/data_table.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "error_of.hpp"

namespace heddle::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two rows of three columns; comments and blank lines do not count, but the lines are numbered as
// they stand in the file.
TEST(DataTable, ReadsColumnsApartByBlanks) {
  const DataTable table = read_table_text(
      "# a comment\n\n style  size_B latency_us # units\nput 8 2.77\n\nget   8  3.43\n", "t.txt");
  EXPECT_THAT(table.columns, ElementsAre("style", "size_B", "latency_us"));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.rows[1].fields, ElementsAre("get", "8", "3.43"));
  EXPECT_EQ(table.rows[1].where.str(), "t.txt:6");
  EXPECT_EQ(table.number(table.rows[1], table.column("latency_us")), 3.43);
}

// With a comma in the line of names, fields end at commas and may hold blanks or nothing.
TEST(DataTable, ReadsColumnsApartByCommas) {
  const DataTable table = read_table_text("name, value\nno limit, 1e3\n,2\n", "t.csv");
  EXPECT_THAT(table.columns, ElementsAre("name", "value"));
  EXPECT_THAT(table.rows[0].fields, ElementsAre("no limit", "1e3"));
  EXPECT_THAT(table.rows[1].fields, ElementsAre("", "2"));
  EXPECT_EQ(table.number(table.rows[0], 1), 1000);
}

// As RFC 4180 has it: a field in quotes may hold commas, and quotes written twice. An empty field
// is no number, and no mistake.
TEST(DataTable, ReadsQuotedAndEmptyFields) {
  const DataTable table = read_table_text("name,value\n\"a,b\",1\n\"c\"\"d\",\n", "t.csv");
  EXPECT_THAT(table.rows[0].fields, ElementsAre("a,b", "1"));
  EXPECT_THAT(table.rows[1].fields, ElementsAre("c\"d", ""));
  EXPECT_TRUE(std::isnan(table.number(table.rows[1], 1)));
  EXPECT_EQ(error_of([] { read_table_text("a,b\n\"1,2\n", "t.csv"); }),
            "t.csv:2:1: the quotes do not end: accepted is a second \" in the line");
  EXPECT_EQ(error_of([] { read_table_text("a,b,a\n1,2,3\n", "t.csv"); }),
            "t.csv:1:5: a second column 'a': accepted is one of each name");
}

TEST(DataTable, SaysWhatIsWrong) {
  EXPECT_EQ(error_of([] { read_table_text("a b\n1\n", "t.txt"); }),
            "t.txt:2:1: the line ends after '1': accepted are 2 fields, a, b");
  EXPECT_EQ(error_of([] { read_table_text("a b\n1 2 3\n", "t.txt"); }),
            "t.txt:2:5: '3' is one field too many: accepted are 2 fields, a, b");
  EXPECT_EQ(error_of([] { read_table_text("# nothing\n", "t.txt"); }),
            "t.txt: no rows: accepted is a table under a line of column names");
  const DataTable table = read_table_text("size latency\n8 x\n", "t.txt");
  EXPECT_EQ(error_of([&] { table.column("latencies"); }),
            "t.txt: no column 'latencies' (did you mean 'latency'?): there are size, latency");
  EXPECT_THAT(error_of([&] { table.number(table.rows[0], 1); }),
              HasSubstr("t.txt:2:3: 'x' in column 'latency' is not a number"));
  EXPECT_THAT(error_of([] { read_table_file("/nonexistent"); }), HasSubstr("/nonexistent"));
}

}  // namespace
}  // namespace heddle::report
