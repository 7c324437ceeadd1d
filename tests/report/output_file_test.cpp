#include "report/output_file.hpp"

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "core/error.hpp"

namespace heddle::report {
namespace {

using cli::file_text;

TEST(OutputFile, ReplacesTheFileAndLeavesNothingElse) {
  const TemporaryFolder folder;
  OutputFile("--json", folder / "a").write("first");
  OutputFile("--json", folder / "a").write("second");
  EXPECT_EQ(file_text(folder / "a"), "second");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, FollowsSymbolicLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder / "a", folder / "link");
  OutputFile("--json", folder / "link").write("text");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(file_text(folder / "a"), "text");
}

TEST(OutputFile, DevicesAreWrittenNotReplaced) {
  OutputFile("--json", "/dev/null").write("text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, PlacesThatCannotBeWrittenAreRefusedAtOnce) {
  const TemporaryFolder folder;
  EXPECT_THROW(OutputFile("--json", folder / "missing/a"), InputError);
  EXPECT_THROW(OutputFile("--json", folder / ""), InputError);
  EXPECT_THROW(OutputFile("--json", ""), InputError);
}

}  // namespace
}  // namespace heddle::report
