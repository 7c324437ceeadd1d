#include "trace/reader.hpp"

#include <gmock/gmock.h>

#include <sstream>
#include <vector>

#include "core/error.hpp"
#include "error_of.hpp"
#include "trace/activity.hpp"
#include "trace/recorder.hpp"

namespace heddle::trace {
namespace {

using nic::Activity;
using testing::HasSubstr;

std::vector<Row> read(const std::string& text) {
  std::istringstream input(text);
  std::vector<Row> rows;
  read_rows(input, "ops.csv", [&rows](const Row& row) { rows.push_back(row); });
  return rows;
}

std::string complaint(const std::string& text) {
  return error_of([&] { read(text); });
}

std::string complaint_about_row(const std::string& row) {
  return complaint(header_line() + "1,PUT,0,0,1,1,8,1,0,5,0\n" + row + "\n");
}

nic::ActivityRecord record(Activity activity) {
  return {activity,    7, {NodeId{3}, 100},    {NodeId{4}, 200},
          Bytes(4096), 1, Time::ps(1'234'567), Time::ps(9'876'543'210),
          true};
}

/// Process 100 is rank 30; no other process has a rank.
std::optional<std::uint32_t> rank_of(nic::ProcessId process) {
  if (process.pid == 100) return 30;
  return std::nullopt;
}

// Rank 30 of node 3 and a process of node 4 that is no rank: the row has every field, the unknown
// rank empty, and times to the picosecond.
TEST(Recorder, WritesOneRowPerActivity) {
  std::string text;
  Recorder recorder([&text](std::string_view piece) { text += piece; }, rank_of);
  recorder.ended(record(Activity::put));
  EXPECT_EQ(text, "") << "a row alone is not worth a write";
  recorder.finish();
  EXPECT_EQ(text,
            "operation,activity,initiator_rank,initiator_nid,target_rank,target_nid,size_bytes,vn,"
            "start_ps,end_ps,failed\n"
            "7,PUT,30,3,,4,4096,1,1234567,9876543210,1\n");
}

// A row of about 45 characters and pieces of 64 KiB: 10,000 rows are 6 full pieces and a last one.
TEST(Recorder, HandsOverPieces) {
  std::string text;
  int pieces = 0;
  Recorder recorder(
      [&](std::string_view piece) {
        text += piece;
        ++pieces;
      },
      rank_of);
  for (int i = 0; i < 10'000; ++i) recorder.ended(record(Activity::get));
  recorder.finish();
  EXPECT_EQ(read(text).size(), 10'000U);
  EXPECT_EQ(pieces, 7);
}

// Whatever was recorded reads back to the same, for every kind of activity; only messages have a
// virtual network.
TEST(Reader, ReadsWhatTheRecorderWrote) {
  std::string text;
  Recorder recorder([&text](std::string_view piece) { text += piece; }, rank_of);
  for (const ActivityKind& kind : activity_kinds()) recorder.ended(record(kind.activity));
  recorder.finish();
  const auto rows = read(text);
  ASSERT_EQ(rows.size(), kActivities);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool message = activity_kinds()[i].path == Path::between_adapters;
    const Row expected{7,
                       static_cast<Activity>(i),
                       {30, 3},
                       {std::nullopt, 4},
                       Bytes(4096),
                       message ? std::optional<std::uint8_t>(1) : std::nullopt,
                       Time::ps(1'234'567),
                       Time::ps(9'876'543'210),
                       true};
    EXPECT_EQ(rows[i], expected) << activity_kinds()[i].name;
  }
}

TEST(Reader, SkipsBlankLinesAndTakesCarriageReturns) {
  std::string header = header_line();
  header.insert(header.size() - 1, "\r");
  EXPECT_EQ(read("\n" + header + "\r\n1,PUT,0,0,1,1,8,1,0,5,0\r\n\n").size(), 1U);
  EXPECT_EQ(read(header_line()).size(), 0U);
}

// Line 3 holds the mistake; the column is where the wrong field begins.
TEST(Reader, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(complaint_about_row("1,PUTT,0,0,1,1,8,1,0,5,0").substr(0, 56),
            "ops.csv:3:3: unknown activity 'PUTT' (did you mean 'PUT'");
  EXPECT_THAT(
      complaint_about_row("1,PUT,x,0,1,1,8,1,0,5,0"),
      HasSubstr("ops.csv:3:7: 'x' is not a valid initiator_rank: accepted is a whole number "
                "from 0 to 4294967295"));
  EXPECT_THAT(
      complaint_about_row("1,PUT,0,0,1,1,8,4,0,5,0"),
      HasSubstr("ops.csv:3:17: '4' is not a valid vn: accepted is a whole number from 0 to 3"));
  EXPECT_THAT(complaint_about_row("1,PUT,0,0,1,1,-8,1,0,5,0"),
              HasSubstr("ops.csv:3:15: '-8' is not a valid size_bytes"));
  EXPECT_THAT(complaint_about_row("1,PUT,0,0,1,1,8,1,9,5,0"),
              HasSubstr("ops.csv:3:21: '5' is not a valid end_ps: accepted is a time not before"));
  EXPECT_THAT(
      complaint_about_row("1,PUT,0,0,1,1,8,1,0,5"),
      HasSubstr("ops.csv:3:22: the row ends before its field 'failed': expected are operation"));
  EXPECT_THAT(complaint_about_row("1,PUT,0,0,1,1,8,1,0,5,0,9"),
              HasSubstr("ops.csv:3:25: '9' is too much: a row has 11 fields"));
  EXPECT_THAT(complaint_about_row("1,PUT,0,0,1,1,8,1,0,99999999999999999999,0"),
              HasSubstr("ops.csv:3:21: '99999999999999999999' is not a valid end_ps"));
}

TEST(Reader, WantsTheHeader) {
  EXPECT_THAT(complaint("1,PUT,0,0,1,1,8,1,0,5,0\n"),
              HasSubstr("ops.csv:1:1: '1,PUT,0,0,1,1,8,1,0,5,0' is not the header"));
  EXPECT_THAT(complaint(""), HasSubstr("ops.csv:1:1: '' is not the header"));
}

TEST(Reader, NeedsAFileThatCanBeRead) {
  EXPECT_THROW(read_file("/nonexistent/ops.csv", [](const Row&) {}), InputError);
  EXPECT_THROW(read_file("/", [](const Row&) {}), InputError);
}

}  // namespace
}  // namespace heddle::trace
