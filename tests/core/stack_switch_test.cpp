#include "core/stack_switch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace heddle {
namespace {

/// Code on a stack of its own that uses many registers each time it is gone to.
struct Other {
  StopPlace here;
  StopPlace there;
  int turns = 0;
  std::vector<std::byte> stack = std::vector<std::byte>(64 * 1024);

  static void run(StopPlace& from, StopPlace& here) {
    // The two places are the members of one object.
    EXPECT_EQ(reinterpret_cast<char*>(&from) - reinterpret_cast<char*>(&here),
              static_cast<std::ptrdiff_t>(sizeof(StopPlace)));
    auto& self = reinterpret_cast<Other&>(here);
    for (;;) {
      ++self.turns;
      std::array<double, 64> values{};
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::sin(static_cast<double>(i) + self.turns);
      }
      volatile double sum = std::accumulate(values.begin(), values.end(), 0.0);
      static_cast<void>(sum);
      switch_stacks(self.here, self.there);
    }
  }
};

// Thirty numbers of each kind are more than the processor has registers for: all are what they
// were, three times.
TEST(StackSwitch, KeepsWhatTheCodeComputesWith) {
  Other other;
  other.here = beginning_of(other.stack, &Other::run);
  std::array<long, 30> whole{};
  std::array<double, 30> real{};
  volatile long seed = 7;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    whole[i] = seed * static_cast<long>(i + 1);
    real[i] = static_cast<double>(seed) / static_cast<double>(i + 1);
  }
  for (int turn = 1; turn <= 3; ++turn) {
    long before = 0;
    double before_real = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      before += whole[i] * turn;
      before_real += real[i] / turn;
    }
    switch_stacks(other.there, other.here);
    EXPECT_EQ(other.turns, turn);
    long after = 0;
    double after_real = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      after += whole[i] * turn;
      after_real += real[i] / turn;
    }
    EXPECT_EQ(after, before);
    EXPECT_EQ(after_real, before_real);
  }
}

TEST(StackSwitch, BodyThatEndsIsUnbroken) {
  StopPlace place;
  int done = 0;
  EXPECT_TRUE(unbroken(place, [&] { ++done; }));
  EXPECT_EQ(done, 1);
}

/// From some calls deep, none of which AddressSanitizer waits to see return.
[[gnu::noinline, gnu::no_sanitize_address]] void go_to(StopPlace& place, int depth) {
  StopPlace nobody_returns_to;
  if (depth == 0) return switch_stacks(nobody_returns_to, place);
  go_to(place, depth - 1);
  ADD_FAILURE() << "has gone on at " << depth;
}

// Whoever goes to the place ends the body there, in the middle of what it has called.
TEST(StackSwitch, BodyIsBrokenOffFromWithin) {
  volatile int before = 5;
  for (const int depth : {0, 3}) {
    StopPlace place;
    bool went_on = false;
    EXPECT_FALSE(unbroken(place, [&] {
      go_to(place, depth);
      went_on = true;
    }));
    EXPECT_FALSE(went_on);
    EXPECT_EQ(before, 5);
  }
}

}  // namespace
}  // namespace heddle
