#include "traffic/traffic_file.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "core/error.hpp"
#include "error_of.hpp"
#include "platform/topology/single_switch.hpp"

namespace heddle::traffic {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<FileMessage> read(std::string_view text) {
  return read_traffic_text(text, "t.txt", platform::SingleSwitch(8));
}

std::string error_of(std::string_view text) {
  return heddle::error_of([&] { read(text); });
}

// Blanks or commas, numbers or names, a comment, an empty line, carriage returns, a rate.
TEST(TrafficFile, ReadsMessages) {
  const auto messages = read(
      "# two messages\n"
      "\n"
      "0us 0 5 64KiB  # the first\r\n"
      "1.5us, n3, n7, 1 MiB, 10GB/s");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].start, Time::zero());
  EXPECT_EQ(messages[0].source, NodeId{0});
  EXPECT_EQ(messages[0].destination, NodeId{5});
  EXPECT_EQ(messages[0].size, Bytes(65536));
  EXPECT_TRUE(messages[0].rate_cap.is_unlimited());
  EXPECT_EQ(messages[1].start, Time::ns(1500));
  EXPECT_EQ(messages[1].source, NodeId{3});
  EXPECT_EQ(messages[1].size, Bytes(1 << 20));
  EXPECT_EQ(messages[1].rate_cap, Bandwidth::gbps(80));
}

// A class is the sixth field, or the column of that name; without, it is 0.
TEST(TrafficFile, ReadsClasses) {
  const auto plain = read("0us 0 5 64 10Gbps 3\n0us,0,5,64,,2\n0us 0 5 64\n");
  ASSERT_EQ(plain.size(), 3U);
  EXPECT_EQ(plain[0].traffic_class, 3);
  EXPECT_EQ(plain[1].traffic_class, 2);
  EXPECT_TRUE(plain[1].rate_cap.is_unlimited());
  EXPECT_EQ(plain[2].traffic_class, 0);
  const auto named = read("start source destination bytes class\n0us 0 5 64 1\n0us 0 5 64\n");
  EXPECT_EQ(named.at(0).traffic_class, 1);
  EXPECT_EQ(named.at(1).traffic_class, 0);
  EXPECT_THAT(error_of("0us 0 5 64 10Gbps 16"), HasSubstr("'16' is not a class: accepted is"));
}

// A header orders the columns and gives the start its unit; what a run writes can be read.
TEST(TrafficFile, HeaderNamesColumns) {
  const auto messages = read(
      "id,source,destination,bytes,start_ps,finish_ps,latency_us\n"
      "7,1,2,100,2500,99,0.1\n");
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].start, Time::ps(2500));
  EXPECT_EQ(messages[0].source, NodeId{1});
  EXPECT_EQ(messages[0].destination, NodeId{2});
  EXPECT_EQ(messages[0].size, Bytes(100));
}

TEST(TrafficFile, NothingIsNoMessage) {
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read("\n# nothing\n").empty());
  EXPECT_TRUE(read("start source destination bytes\n").empty());
}

std::string file_error(const std::string& path) {
  return heddle::error_of([&] { read_traffic_file(path, platform::SingleSwitch(8)); });
}

// A file must be there, be a file, and have messages.
TEST(TrafficFile, FilesWithoutMessagesAreErrors) {
  const std::string path = testing::TempDir() + "no_messages.txt";
  EXPECT_EQ(file_error(testing::TempDir() + "not/there.txt"),
            testing::TempDir() +
                "not/there.txt: cannot be opened: accepted is the path of a readable file");
  EXPECT_THAT(file_error(testing::TempDir()), HasSubstr("is a directory: accepted is a file"));
  for (const char* text : {"", "\n", "# nothing\n", "start source destination bytes\n"}) {
    std::ofstream(path) << text;
    EXPECT_THAT(file_error(path),
                StartsWith(path + ": has no messages: accepted is a line for each"))
        << text;
  }
}

TEST(TrafficFile, ErrorsSayWhereAndWhat) {
  EXPECT_THAT(error_of("0us 0 8 64"), StartsWith("t.txt:1:7: '8' is not a node"));
  EXPECT_THAT(error_of("0us 0 8 64"), HasSubstr("0 to 7 or a name such as n0"));
  EXPECT_THAT(error_of("0us 0 s0 64"), StartsWith("t.txt:1:7: 's0' is not a node"));
  EXPECT_THAT(error_of("\n5 0 1 64"), StartsWith("t.txt:2:1: '5' is not a start"));
  EXPECT_THAT(error_of("0us, 0,  1, many"), StartsWith("t.txt:1:13: 'many' is not a size"));
  EXPECT_THAT(error_of("0us 0 1 0"), HasSubstr("at least 1B"));
  EXPECT_THAT(error_of("0us 0 1 4k"), HasSubstr("4kB (4000 bytes), 4KiB (4096)"));
  EXPECT_THAT(error_of("-1us 0 1 4"), StartsWith("t.txt:1:1: '-1us' is not a start"));
  EXPECT_THAT(error_of("0us 0 -1 4"), StartsWith("t.txt:1:7: '-1' is not a node"));
  EXPECT_THAT(error_of("0us 0 1 64 fast"), StartsWith("t.txt:1:12: 'fast' is not a rate"));
  EXPECT_THAT(error_of("0us 0 1 64 1Gbps 1 x"),
              StartsWith("t.txt:1:20: 'x' is one field too many"));
  EXPECT_THAT(error_of("0us 0 1"), StartsWith("t.txt:1:8: the line ends after '1'"));
  EXPECT_THAT(error_of("0us 0 1"), HasSubstr("start, source, destination, bytes, [rate]"));
  EXPECT_THAT(error_of("start source destinaton bytes"), HasSubstr("did you mean 'destination'?"));
  EXPECT_THAT(error_of("start source bytes"), HasSubstr("lacks the column 'destination'"));
  EXPECT_THAT(error_of("start start source"), StartsWith("t.txt:1:7: the column 'start' comes"));
}

TEST(TrafficFile, MissingFileIsAnInputError) {
  EXPECT_THROW(read_traffic_file("/nowhere/t.txt", platform::SingleSwitch(2)), InputError);
}

}  // namespace
}  // namespace heddle::traffic
