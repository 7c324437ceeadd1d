// Traces recorded by the tracing library: a stored run of tests/tracer/program.c, whole and
// damaged.
#include "traces/readers/recorded_trace.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "goal/check.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "tracer/tally.hpp"
#include "traces/convert/convert.hpp"
#include "traces/readers/recorded_reader.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using testing::HasSubstr;

const std::string kFolder = HEDDLE_TEST_DATA "/recorded";

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// What is wrong with the bytes as the trace of rank 0 of 4.
std::string problem_with(const std::string& bytes) {
  try {
    parse_recorded(bytes, "damaged.htrace", 0, 4);
  } catch (const InputError& problem) {
    return problem.what();
  }
  return "nothing";
}

class RecordedTraceTest : public testing::Test {
 protected:
  const std::string whole_ = contents(kFolder + "/rank-000000.htrace");
};

/// The program printed how many messages and bytes it sent to whom, and what it put into
/// collectives.
TEST_F(RecordedTraceTest, SaysWhatTheProgramSaid) {
  EXPECT_EQ(test::Tally(kFolder).lines(), test::told(contents(kFolder + "/output.txt")));
}

/// World, the halves {2, 0} and {3, 1}, a copy of each, one of rank 3 alone, and 4 MPI_COMM_SELF:
/// 10 communicators, none of them guessed, of which calls use 5; all messages have their
/// counterpart.
TEST_F(RecordedTraceTest, BecomesASchedule) {
  const Conversion conversion = convert(read_traces(kFolder), convert_table().defaults());
  EXPECT_EQ(conversion.report.communicators, 5U);
  for (const auto& [warning, times] : conversion.report.warnings) ADD_FAILURE() << warning << times;
  EXPECT_THAT(check(conversion.schedule), testing::IsEmpty());
  const auto result = replay::loggops_replay(
      conversion.schedule, {replay::combine({}, replay::replay_table().defaults())});
  EXPECT_THAT(result.finish, testing::SizeIs(4));
}

/// A file cut off anywhere is refused, never half read.
TEST_F(RecordedTraceTest, EveryTruncationIsRefused) {
  EXPECT_EQ(problem_with(whole_), "nothing");
  for (std::size_t size = 0; size < whole_.size(); ++size) {
    EXPECT_NE(problem_with(whole_.substr(0, size)), "nothing") << size;
  }
}

TEST_F(RecordedTraceTest, SaysWhatIsWrong) {
  EXPECT_THAT(problem_with("no trace"),
              HasSubstr("byte 0 of the header: this is not a recorded trace"));
  std::string newer = whole_;
  newer[8] = 9;
  EXPECT_THAT(problem_with(newer), HasSubstr("version 9 is not known: accepted is 1"));
  EXPECT_THAT(problem_with(whole_ + "x"), HasSubstr("in the middle of a number"));
  EXPECT_THAT(problem_with(whole_ + std::string(8, '\xff')),
              HasSubstr("a block of 4294967295 bytes"));
  EXPECT_THAT(problem_with(contents(kFolder + "/rank-000001.htrace")),
              HasSubstr("the trace of rank 1 of 4, where that of rank 0 of 4 is expected"));
}

/// A program that was killed leaves whole blocks: here none at all.
TEST_F(RecordedTraceTest, StoppedProgramIsRefused) {
  const auto header =
      static_cast<unsigned char>(whole_[12]) + 256U * static_cast<unsigned char>(whole_[13]);
  EXPECT_THAT(problem_with(whole_.substr(0, 16 + header)), HasSubstr("ends before MPI_Finalize"));
}

}  // namespace
}  // namespace heddle::traces
