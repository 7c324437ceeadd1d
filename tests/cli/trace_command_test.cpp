#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A put of rank 0 to rank 1, lost once, and then a get the other way.
constexpr const char* kTrace =
    "operation,activity,initiator_rank,initiator_nid,target_rank,target_nid,size_bytes,vn,start_ps,"
    "end_ps,failed\n"
    "1,PCI_COMMAND,0,0,0,0,64,1,0,256000,0\n"
    "1,PUT,0,0,1,1,4096,1,258000,1658000,1\n"
    "1,PUT,0,0,1,1,4096,1,5258000,6658000,0\n"
    "2,PCI_COMMAND,1,1,1,1,64,1,7000000,7256000,0\n"
    "2,GET,1,1,0,0,64,1,7258000,8264000,0\n";

class TraceCommandTest : public testing::Test {
 protected:
  TraceCommandTest() { std::ofstream(folder_ / "ops.csv") << kTrace; }
  Outcome trace(const std::string& arguments) const {
    return heddle("trace " + arguments, folder_.path());
  }
  TemporaryFolder folder_;
};

TEST_F(TraceCommandTest, ShowDrawsTheSequence) {
  const Outcome outcome = trace("show ops.csv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(
      outcome.out,
      R"(    start_us       end_us     op  rank 0         nic 0                nic 1        rank 1
       0.000        0.256      1     ├── command ─►│                    │             │
       0.258        1.658      1     │             ├── put 4 KiB lost ─x│             │
       5.258        6.658      1     │             ├──── put 4 KiB ────►│             │
       7.000        7.256      2     │             │                    │◄─ command ──┤
       7.258        8.264      2     │             │◄────── get ────────┤             │
)");
}

// Each filter leaves the rows that it names: of operation 2 there are two, rank 1 commands once and
// takes part in three messages, two rows begin before 1 us, and none ends at 20 us or later.
TEST_F(TraceCommandTest, ShowChoosesRows) {
  EXPECT_THAT(trace("show ops.csv --operation 2").out,
              AllOf(HasSubstr("get"), Not(HasSubstr("put"))));
  const std::string ranks = trace("show ops.csv --ranks 1").out;
  EXPECT_EQ(std::count(ranks.begin(), ranks.end(), '\n'), 5);
  const std::string early = trace("show ops.csv --to 1us").out;
  EXPECT_EQ(std::count(early.begin(), early.end(), '\n'), 3);
  EXPECT_EQ(trace("show ops.csv --from 20us").out,
            "no rows: the trace has operations up to 2, ranks below 2, and times from 0 ps to "
            "8.264 us\n");
  EXPECT_THAT(trace("show ops.csv --max-rows 2").out, HasSubstr("\n3 more rows: --max-rows"));
}

// Two puts of 1400 ns each, one of them lost.
TEST_F(TraceCommandTest, SummaryAddsUp) {
  const Outcome outcome = trace("summary ops.csv");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "5 activities from 0.000 us to 8.264 us\n\n"
            "activity     count  failed  bytes  total_us  mean_us  longest_us\n"
            "PUT              2       1   8192     2.800    1.400       1.400\n"
            "GET              1       0     64     1.006    1.006       1.006\n"
            "PCI_COMMAND      2       0    128     0.512    0.256       0.256\n");
  EXPECT_THAT(trace("summary ops.csv --operation 2 --json -").out,
              AllOf(HasSubstr("\"heddle.trace-summary/1\""),
                    HasSubstr("\"first_start_ps\": 7000000"), HasSubstr("\"activity\": \"GET\"")));
}

// Three puts of 2^62 bytes are more than can be counted.
TEST_F(TraceCommandTest, SummarySaysWhatItCannotCount) {
  std::string rows = file_text(folder_ / "ops.csv");
  rows = rows.substr(0, rows.find('\n') + 1);
  for (const char* number : {"1", "2", "3"}) {
    rows += std::string(number) + ",PUT,0,0,1,1,4611686018427387904,0,0,1000,0\n";
  }
  std::ofstream(folder_ / "large.csv") << rows;
  const Outcome outcome = trace("summary large.csv");
  EXPECT_THAT(outcome.out, HasSubstr("at least 9223372036854775807")) << outcome.err;
  EXPECT_THAT(trace("summary large.csv --json -").out, HasSubstr("\"bytes_at_least\": true"));
}

// A program is no trace: what stands there is shown, and what is accepted.
TEST_F(TraceCommandTest, ProgramsAreNoTraces) {
  const Outcome outcome = trace("summary " + std::string(HEDDLE_PROGRAM));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("\\x7fELF"), HasSubstr("accepted is operation,")));
}

TEST_F(TraceCommandTest, MistakesAreNamed) {
  std::ofstream(folder_ / "bad.csv") << kTrace << "3,PUT,0\n";
  const Outcome bad = trace("show bad.csv");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.csv:7:8: the row ends before its field 'initiator_nid'"));
  EXPECT_THAT(trace("show ops.csv --from soon").err, HasSubstr("--from: 'soon' is not a time"));
  EXPECT_EQ(trace("summary none.csv").status, 2);
}

}  // namespace
}  // namespace heddle::cli
