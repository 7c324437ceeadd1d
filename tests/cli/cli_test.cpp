#include "cli/cli.hpp"

#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// No arguments are no mistake: the help says what there is.
TEST(Cli, WithoutArgumentsItHelps) {
  const Outcome outcome = heddle("");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("Examples:"));
  EXPECT_THAT(outcome.out, HasSubstr("platforms"));
}

TEST(Cli, VersionAndHelpSucceed) {
  EXPECT_THAT(heddle("--version").out, StartsWith("heddle 0."));
  EXPECT_EQ(heddle("--version").status, 0);
  EXPECT_EQ(heddle("topo --help").status, 0);
  EXPECT_THAT(heddle("topo --help").out, HasSubstr("Examples:"));
}

// A misspelt command or option is status 2, nothing on the output, and names what was meant.
TEST(Cli, MisspeltWordsNameTheNearest) {
  const Outcome command = heddle("tpo quito");
  EXPECT_EQ(command.status, 2);
  EXPECT_EQ(command.out, "");
  EXPECT_THAT(command.err, StartsWith("error: unknown command 'tpo' (did you mean 'topo'?)"));

  const Outcome option = heddle("topo quito --jsn x");
  EXPECT_EQ(option.status, 2);
  EXPECT_THAT(option.err, StartsWith("error: unknown option '--jsn' (did you mean '--json'?)"));
  EXPECT_THAT(option.err, HasSubstr("heddle topo --help"));
}

TEST(Cli, MissingValueIsAnInputError) {
  EXPECT_EQ(heddle("params --json").status, 2);
  EXPECT_EQ(heddle("topo quito --route 0").status, 2);
  EXPECT_EQ(heddle("platforms surplus").status, 2);
}

// A full disk is no mistake of the input: status 1.
TEST(Cli, OutputThatCannotBeWrittenFailsTheRun) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  EXPECT_EQ(heddle("params --json /dev/full").status, 1);
  EXPECT_THAT(heddle("params --json /dev/full").err, HasSubstr("cannot write '/dev/full'"));
}

}  // namespace
}  // namespace heddle::cli
