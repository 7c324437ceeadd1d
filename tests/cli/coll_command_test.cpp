// `heddle coll list` with files, and algorithms of files in replays.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kRing = HEDDLE_TEST_DATA "/../fuzz/corpus/workload/pair.xml";

// MSCCL's file says what it is and is proved chunk by chunk; a schedule is what it is said to be,
// if its messages allow that: four ranks that disseminate for an all-reduce of 16 bytes, of which
// each sends and receives two messages of 8 bytes.
TEST(CollList, Files) {
  const TemporaryFolder folder;
  const Outcome msccl = heddle("coll list " + kRing);
  ASSERT_EQ(msccl.status, 0) << msccl.err;
  EXPECT_THAT(msccl.out,
              AllOf(HasSubstr("MSCCL"), HasSubstr("every chunk"), Not(HasSubstr("rdb"))));
  ASSERT_EQ(heddle("goal gen dissemination --set pattern.ranks=4 --set pattern.size=8B -o d.goal",
                   folder.path())
                .status,
            0);
  const Outcome flow = heddle("coll list allreduce d.goal --bytes 16B", folder.path());
  EXPECT_THAT(flow.out, AllOf(HasSubstr("rdb"), HasSubstr("flow, bytes"))) << flow.err;
  const Outcome few = heddle("coll list allreduce d.goal --bytes 17B", folder.path());
  EXPECT_EQ(few.status, 2);
  EXPECT_THAT(few.err, AllOf(HasSubstr("d.goal: this is no allreduce"),
                             HasSubstr("GPU 0 sends 16 bytes in all"), HasSubstr("at least 17")));
  EXPECT_EQ(heddle("coll list allreduce d.goal --bytes lots", folder.path()).status, 2);
  EXPECT_THAT(heddle("coll list nothing.xml").err,
              HasSubstr("no collective operation and no file"));
}

// An algorithm for other groups than there are is told, and one that is something else refused.
TEST(CollList, AlgorithmsInReplays) {
  const std::string step =
      "replay --pattern llm --set llm.gpus=8 --set llm.tp=4 --set llm.batch=2 --set llm.zero=1 "
      "--set "
      "llm.merge_layers=32 --set collective.";
  const Outcome other = heddle(step + "allreduce=" + kRing);
  EXPECT_EQ(other.status, 0);
  EXPECT_THAT(other.err, HasSubstr("allreduce of 4 GPUs is carried out as if there were no file"));
  const Outcome wrong = heddle(step + "alltoall=" + kRing);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("an alltoall is expected here"));
}

}  // namespace
}  // namespace heddle::cli
