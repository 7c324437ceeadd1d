// OTF2 archives of replays and runs, written and read again.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;

constexpr const char* kReplay =
    "replay --pattern linear-alltoall --set pattern.ranks=4 -p fat-tree-64 --otf2 ";

#ifdef HEDDLE_OTF2

// Four ranks send three messages each; read again they are twelve, none without its receive.
TEST(Otf2Export, IsReadAgain) {
  const TemporaryFolder folder;
  const Outcome written = heddle(kReplay + (folder / "archive"));
  ASSERT_EQ(written.status, 0) << written.err;
  const Outcome read = heddle("convert " + (folder / "archive") + " -o " + (folder / "app.goal"));
  EXPECT_EQ(read.status, 0) << read.err;
  EXPECT_THAT(read.out, HasSubstr("4 ranks"));
  EXPECT_THAT(read.out, HasSubstr("12 messages"));
  EXPECT_THAT(read.err, ::testing::Not(HasSubstr("counterpart")));
  EXPECT_EQ(heddle("replay " + (folder / "archive/traces.otf2") + " -p fat-tree-64").status, 0);
}

// 64 ranks send 4032 messages: all are there unless a size is asked for that has no room for them,
// and then what is missing is told.
TEST(Otf2Export, LeavesNothingOutInSilence) {
  const TemporaryFolder folder;
  const std::string many =
      "replay --pattern linear-alltoall --set pattern.ranks=64 -p fat-tree-64 --otf2 ";
  const Outcome all = heddle(many + (folder / "all"));
  ASSERT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.err, ::testing::Not(HasSubstr("messages is shown")));
  const Outcome few = heddle(many + (folder / "few") + " --trace-limit 64KiB");
  ASSERT_EQ(few.status, 0) << few.err;
  EXPECT_THAT(few.err, HasSubstr("messages is shown, as --trace-limit says"));
  EXPECT_THAT(heddle("convert " + (folder / "all") + " -o " + (folder / "app.goal")).out,
              HasSubstr("4032 messages"));
}

// What is there is not replaced, and that is said before the work.
TEST(Otf2Export, ReplacesNothing) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "mine";
  for (const std::string& there : {folder.path(), folder / "file"}) {
    const Outcome refused = heddle(kReplay + there);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("accepted is the name of a new folder"));
  }
  EXPECT_THAT(heddle(kReplay + (folder / "nowhere/archive")).err, HasSubstr("does not exist"));
  EXPECT_EQ(file_text(folder / "file"), "mine");
  EXPECT_EQ(folder.entries(), 1U);
}

#else

TEST(Otf2Export, NeedsTheLibrary) {
  const TemporaryFolder folder;
  const Outcome refused = heddle(kReplay + (folder / "archive"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("libotf2-trace-dev"));
}

#endif

}  // namespace
}  // namespace heddle::cli
