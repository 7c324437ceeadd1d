#include "core/fiber_context.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cfenv>
#include <vector>

namespace heddle {
namespace {

/// Room for the frames of a sanitizer build.
constexpr FiberConfig kTwo{Bytes(256 * 1024), 2};

/// What code on a context's stack does: counts, each time that it is visited.
std::vector<int> counted;
void count(StopPlace&, StopPlace& here) {
  FiberContext& mine = FiberContext::of(here);
  mine.arrive();
  for (int i = 1; i <= 2; ++i) {
    counted.push_back(i);
    mine.leave();
  }
  mine.finish();
}

// Code goes on where it has left: two stacks in turn count 1, 1, 2, 2, each for itself.
TEST(FiberContext, GoesOnWhereItHasLeft) {
  counted.clear();
  FiberHost host(kTwo);
  FiberContext first(host, {});
  FiberContext second(host, {});
  ASSERT_TRUE(first.begin(&count));
  ASSERT_TRUE(second.begin(&count));
  for (int i = 0; i < 3; ++i) {
    first.visit();
    second.visit();
  }
  EXPECT_EQ(counted, (std::vector<int>{1, 1, 2, 2}));
}

// Of two stacks, a third user gets none before one is given back; one with a stack of its own needs
// none of them.
TEST(FiberContext, NeedsAStackOfItsHostUnlessItHasOne) {
  FiberHost host(kTwo);
  FiberContext first(host, {});
  FiberContext second(host, {});
  FiberContext third(host, {});
  EXPECT_FALSE(first.live());
  EXPECT_TRUE(first.begin(&count));
  EXPECT_TRUE(first.live());
  EXPECT_TRUE(second.begin(&count));
  EXPECT_FALSE(third.begin(&count));
  first.give_back();
  EXPECT_FALSE(first.live());
  EXPECT_TRUE(third.begin(&count));
  std::vector<std::byte> own(std::size_t{256} * 1024);
  FiberContext fourth(host, {own, nullptr});
  EXPECT_TRUE(fourth.begin(&count));
  EXPECT_EQ(fourth.stack().data(), own.data());
  EXPECT_TRUE(fourth.overflows(own.data() - 1));
  EXPECT_FALSE(fourth.overflows(own.data()));
}

// What code leaves in errno, and how it has the processor round, are its own: neither is seen
// outside of it, and it finds both again.
int found_error = 0;
int found_rounding = 0;
void round_up(StopPlace&, StopPlace& here) {
  FiberContext& mine = FiberContext::of(here);
  mine.arrive();
  errno = EDOM;
  std::fesetround(FE_UPWARD);
  mine.leave();
  found_error = errno;
  found_rounding = std::fegetround();
  mine.finish();
}
TEST(FiberContext, KeepsErrnoAndRounding) {
  FiberHost host(kTwo);
  FiberContext context(host, {});
  ASSERT_TRUE(context.begin(&round_up));
  errno = 0;
  context.visit();
  EXPECT_EQ(errno, 0);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  errno = ERANGE;
  context.visit();
  EXPECT_EQ(errno, ERANGE);
  EXPECT_EQ(found_error, EDOM);
  EXPECT_EQ(found_rounding, FE_UPWARD);
}

// The word below a stack tells of code that has run over its end.
TEST(FiberContext, NoticesWhatHasRunOverItsStack) {
  FiberHost host(kTwo);
  FiberContext context(host, {});
  ASSERT_TRUE(context.begin(&count));
  EXPECT_TRUE(context.intact());
  context.stack().data()[-1] = std::byte{1};
  EXPECT_FALSE(context.intact());
}

// Code without thread-local variables of its own has those of the event loop's thread.
TEST(FiberContext, HasTheHostsThreadLocalVariablesUnlessItHasItsOwn) {
  FiberHost host(kTwo);
  FiberContext shared(host, {});
  EXPECT_FALSE(shared.has_own_thread());
  EXPECT_EQ(shared.thread_pointer(), thread_pointer());
  int variables = 0;
  FiberContext own(host, {{}, &variables});
  EXPECT_TRUE(own.has_own_thread());
  EXPECT_EQ(own.thread_pointer(), &variables);
}

}  // namespace
}  // namespace heddle
