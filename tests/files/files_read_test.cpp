// What was read is known by whatever name it is called.
#include "files/files_read.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "files/input_stream.hpp"
#include "files/temporary_folder.hpp"

namespace heddle::files {
namespace {

TEST(FilesRead, AreKnownByAnyName) {
  const ScratchFolder folder;
  for (const char* name : {"a", "b"}) std::ofstream(folder.file(name)) << name;
  InputStream in(folder.file("a"));
  ASSERT_TRUE(in.is_open());
  std::filesystem::create_symlink(folder.file("a"), folder.file("symbolic"));
  std::filesystem::create_hard_link(folder.file("a"), folder.file("hard"));
  for (const char* name : {"a", "symbolic", "hard", "../"}) {
    EXPECT_EQ(was_read(folder.file(name)), std::string(name) != "../") << name;
  }
  EXPECT_TRUE(was_read(folder.path() + "/./a"));
  EXPECT_FALSE(was_read(folder.file("b")));
  EXPECT_FALSE(was_read(folder.file("none")));
  forget_read(folder.file("hard"));
  EXPECT_FALSE(was_read(folder.file("a")));
}

TEST(FilesRead, AreNoPipesFoldersOrDevices) {
  const ScratchFolder folder;
  EXPECT_FALSE(InputStream(folder.path()).is_open());
  EXPECT_FALSE(InputStream(folder.file("none")).is_open());
  EXPECT_TRUE(InputStream("/dev/null").is_open());
  EXPECT_FALSE(was_read("/dev/null"));
}

}  // namespace
}  // namespace heddle::files
