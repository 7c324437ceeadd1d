// `heddle convert`, run as a user runs it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kTraces = HEDDLE_TEST_DATA "/traces/";

// The ping-pong: 2 ranks, 20 messages of 400000 bytes are 7.629 MiB.
TEST(ConvertCommand, WritesAScheduleAndSaysWhatItHolds) {
  const TemporaryFolder folder;
  const Outcome run = heddle("convert " + kTraces + "ltest-0.txt -o " + (folder / "app.goal"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("2 ranks"), HasSubstr("20 messages, 7.629 MiB")));
  EXPECT_THAT(file_text(folder / "app.goal"),
              AllOf(StartsWith("num_ranks 2"), HasSubstr("send 400000b to 1")));
}

// On the standard output there is the schedule only; --json tells the rest.
TEST(ConvertCommand, FormatsAndJson) {
  const TemporaryFolder folder;
  const std::string input = "convert " + kTraces + "ltest-0.txt ";
  const Outcome text = heddle(input + "-o - --json " + (folder / "s.json"));
  EXPECT_THAT(text.out, StartsWith("num_ranks 2"));
  const auto summary = nlohmann::json::parse(file_text(folder / "s.json"));
  EXPECT_EQ(summary["schema"], "heddle.convert/1");
  EXPECT_EQ(summary["messages"], 20);
  EXPECT_EQ(summary["sent_bytes"], 8'000'000);
  EXPECT_THAT(summary["warnings"], IsEmpty());
  EXPECT_EQ(heddle(input + "--binary -o " + (folder / "a.bin")).status, 0);
  // LogGOPSim's binary format begins with 4223.
  EXPECT_THAT(file_text(folder / "a.bin"), StartsWith("\x7f\x10"));
  EXPECT_EQ(heddle(input + "--compact -o " + (folder / "a.compact")).status, 0);
  EXPECT_LT(file_text(folder / "a.compact").size(), file_text(folder / "a.bin").size());
}

// Two ranks send each other 400 bytes and reduce 80: an exchange of 80 bytes each. What they write
// to a file is counted.
TEST(ConvertCommand, ReadsDumpi) {
  const Outcome run = heddle("convert " + kTraces + "dumpi -o -");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("send 400b to 1"), HasSubstr("send 80b to 1")));
  EXPECT_THAT(run.err, HasSubstr("calls of MPI_File_write"));
}

// With pinning each rank has one more calc of 165.894 us + 400000 x 3.01695 ns = 1372674 ns.
TEST(ConvertCommand, ParametersAreSet) {
  const Outcome run = heddle("convert " + kTraces + "ltest-0.txt -o - --set convert.pinning=yes");
  EXPECT_THAT(run.out, HasSubstr("calc 1372674\n"));
}

TEST(ConvertCommand, WrongInputIsStatus2AndLeavesNoFile) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& arguments) {
    const Outcome run = heddle("convert " + arguments + " -o " + (folder / "x.goal"));
    EXPECT_EQ(run.status, 2) << arguments;
    return run.err;
  };
  EXPECT_THAT(error(kTraces + "collectives-0.txt"), HasSubstr("collectives-0.txt:9: '4' ranks"));
  EXPECT_THAT(error(folder / "nowhere"), HasSubstr("no such file or folder"));
  EXPECT_THAT(error(kTraces + "ltest-0.txt --set convert.bcast=binomal"),
              HasSubstr("one of binomial, binary, linear"));
  EXPECT_THAT(error(kTraces + "ltest-0.txt --set convert.pining=yes"),
              HasSubstr("convert.pinning"));
  EXPECT_THAT(error(kTraces + "ltest-0.txt --binary --compact"), HasSubstr("--binary"));
  EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace
}  // namespace heddle::cli
