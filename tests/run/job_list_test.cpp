#include "run/jobs/job_list.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"

namespace heddle::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string complaint(const std::string& text) {
  return error_of([&] { read_job_list_text(text, "l.jobs"); });
}

TEST(JobLists, AreReadLineByLine) {
  const auto jobs = read_job_list_text(
      "# two jobs\n"
      "\n"
      "arrival=1.5us ranks=8 pattern=linear-alltoall pattern.size=4KiB placement=random\n"
      "name=b schedule=b.goal ranks_per_node=2  # as it is\n",
      "l.jobs");
  ASSERT_THAT(jobs, SizeIs(2));
  EXPECT_EQ(jobs[0].name, "job 3");
  EXPECT_EQ(jobs[0].arrival, Time::ns(1500));
  EXPECT_EQ(jobs[0].ranks, 8U);
  EXPECT_EQ(jobs[0].pattern, "linear-alltoall");
  EXPECT_EQ(jobs[0].placement, JobPlacement::random);
  ASSERT_THAT(jobs[0].settings, SizeIs(1));
  EXPECT_EQ(jobs[0].settings[0].first, "pattern.size=4KiB");
  EXPECT_EQ(jobs[1].name, "b");
  EXPECT_EQ(jobs[1].schedule, "b.goal");
  EXPECT_EQ(jobs[1].ranks_per_node, 2U);
}

// Every mistake has its line and column.
TEST(JobLists, SayWhereAMistakeIs) {
  EXPECT_THAT(complaint("\nranks=8 pattern=x arrival=soon\n"),
              HasSubstr("l.jobs:2:27: 'soon' is no time"));
  EXPECT_THAT(complaint("ranks=0 pattern=x\n"), HasSubstr("l.jobs:1:7: '0' is no number of ranks"));
  EXPECT_THAT(
      complaint("ranks=8 patern=x\n"),
      HasSubstr("l.jobs:1:9: unknown 'patern' (did you mean 'pattern'?): accepted are name"));
  EXPECT_THAT(complaint("ranks=8 pattern=x placement=by-rack\n"),
              HasSubstr("accepted are contiguous, random, by-switch, by-group"));
  EXPECT_THAT(complaint("ranks=8 ranks=9 pattern=x\n"), HasSubstr("'ranks' stands there twice"));
  EXPECT_THAT(complaint("ranks 8\n"), HasSubstr("'ranks' is no NAME=VALUE"));
}

TEST(JobLists, AJobDoesOneThing) {
  EXPECT_THAT(complaint("ranks=8\n"), HasSubstr("either pattern=NAME or schedule=FILE"));
  EXPECT_THAT(complaint("ranks=8 pattern=x schedule=y\n"), HasSubstr("either pattern=NAME or"));
  EXPECT_THAT(complaint("pattern=x\n"), HasSubstr("accepted is ranks=N beside it"));
  EXPECT_THAT(complaint("schedule=x ranks=4\n"),
              HasSubstr("accepted is ranks beside pattern only"));
}

}  // namespace
}  // namespace heddle::run
