// Processes that are started: how they end, and what they are found to do.
#include "processes/child.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "error_of.hpp"
#include "processes/process_program.hpp"

namespace heddle::processes {
namespace {

/// A shell that runs a command.
class ShellChild {
 public:
  explicit ShellChild(const std::string& command) {
    ChildConfig config;
    config.program = "/bin/sh";
    config.arguments = {"sh", "-c", command};
    config.process = &channels_[0].process;
    child_ = std::make_unique<Child>(config);
  }
  Child& child() { return *child_; }
  Channel& channel() { return channels_[0]; }
  void forget() { child_.reset(); }
  Ending ending() {
    for (;;) {
      if (const auto ending = child_->ending()) return *ending;
      usleep(1000);
    }
  }
  /// Whether it is once found so.
  bool becomes(Activity activity) {
    for (int i = 0; i < 5000; ++i) {
      if (activity_of(static_cast<std::uint32_t>(child_->id())) == activity) return true;
      usleep(1000);
    }
    return false;
  }

 private:
  SharedMemory<Channel> channels_{1};
  std::unique_ptr<Child> child_;
};

TEST(ChildTest, SaysHowAProcessHasEnded) {
  const Ending usual = ShellChild("exit 3").ending();
  EXPECT_EQ(usual.status, 3);
  EXPECT_EQ(usual.signal, 0);
  const Ending killed = ShellChild("kill -SEGV $$").ending();
  EXPECT_EQ(killed.signal, SIGSEGV);
}

// The process itself says its number, and is the head of a group, in which all end together.
TEST(ChildTest, KillsItsWholeGroupWithItself) {
  ShellChild shell("sleep 1000 & sleep 1000");
  ASSERT_TRUE(shell.becomes(Activity::asleep));
  const pid_t id = shell.child().id();
  EXPECT_EQ(shell.channel().process, static_cast<std::uint32_t>(id));
  EXPECT_EQ(shell.child().group(), id);
  EXPECT_FALSE(shell.child().ending());
  shell.forget();
  for (int i = 0; i < 5000 && kill(-id, 0) == 0; ++i) usleep(1000);
  EXPECT_NE(kill(-id, 0), 0);
}

TEST(ChildTest, AProcessIsFoundRunningAsleepHeldOrGone) {
  EXPECT_TRUE(ShellChild("while :; do :; done").becomes(Activity::running));
  EXPECT_TRUE(ShellChild("exec sleep 1000").becomes(Activity::asleep));
  EXPECT_TRUE(ShellChild("kill -STOP $$").becomes(Activity::held));
  EXPECT_TRUE(ShellChild(":").becomes(Activity::gone));
  EXPECT_EQ(activity_of(0), Activity::running);
}

TEST(ChildTest, ProgramsAreFoundAsAShellFindsThem) {
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_NE(find_program("sh"), "");
  EXPECT_EQ(find_program("./no-such-program"), "");
  EXPECT_EQ(find_program("no-such-program-anywhere"), "");
}

// The program of these tests has no library for processes beside it: it says where one was looked
// for, and how to get it.
TEST(PreloadedLibrary, SaysHowToBuildItWhereItIsNot) {
  const std::string error = error_of<RunError>([] { preloaded_library(); });
  EXPECT_THAT(error,
              testing::HasSubstr(
                  "the library for ranks that are processes is not where it should be, in '"));
  EXPECT_THAT(error, testing::HasSubstr("/processes' or in '"));
  EXPECT_THAT(error, testing::EndsWith("`make build` builds it"));
}

}  // namespace
}  // namespace heddle::processes
