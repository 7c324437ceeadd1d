#include "core/end_by_force.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace heddle {
namespace {

/// A process that does not listen: the signal has a handler that does nothing, or is blocked.
[[noreturn]] void stay(bool blocked) {
  signal(SIGTERM, [](int) {});
  if (blocked) {
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGALRM);
    sigprocmask(SIG_BLOCK, &all, nullptr);
  }
  prepare_end_by_force();
  end_by_force(SIGTERM, Time::ms(20));
  for (;;) pause();
}

// It ends by the signal that it was asked with.
TEST(EndByForce, EndsWhatDoesNotListen) {
  EXPECT_EXIT(stay(false), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(stay(true), testing::KilledBySignal(SIGTERM), "");
}

TEST(EndByForce, CanBeForgone) {
  const auto go_on = [] {
    prepare_end_by_force();
    end_by_force(SIGTERM, Time::ms(20));
    forgo_end_by_force();
    usleep(60'000);
    _exit(3);
  };
  EXPECT_EXIT(go_on(), testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace heddle
