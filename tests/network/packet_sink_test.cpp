#include <gtest/gtest.h>

#include "core/quantity.hpp"
#include "network/packet/sink.hpp"

namespace heddle::network {
namespace {

/// 0.525 ns per byte: a flit of 64 B in 33.6 ns.
Sink sink(Time pause = {}, Time between = {}) {
  return Sink({TimePerByte::attoseconds(525'000'000), pause, between});
}
/// Pauses of 1.25 ns every 6.25 ns, the first at 1 ns.
Sink pausing_sink() {
  return sink(Time::ps(1250), Time::ns(5));
}
/// Four flits of a packet of 200 B (the last of 8 B), 32 ns apart.
FlitTrain four_flits(Time head) {
  return {head, Time::ns(32), 4, 64, 8, 0, nullptr};
}

// A flit is drained 33.6 ns after it came to a sink at rest: 24 B in 24 * 0.525 = 12.6 ns.
TEST(Sink, DrainsOneFlitInItsOwnTime) {
  Sink s = sink();
  s.add({Time::ns(101), Time::ns(32), 1, 64, 24, 0, nullptr});
  EXPECT_EQ(s.front_drained(), Time::ps(113'600));
}

// Further flits follow after the length of the one before: the last flit of 8 B too waits 33.6 ns,
// 101 + 4 * 33.6 = 235.4 ns.
TEST(Sink, DrainsFurtherFlitsAfterTheLengthOfTheOneBefore) {
  Sink s = sink();
  s.add(four_flits(Time::ns(101)));
  EXPECT_EQ(s.front_drained(), Time::ps(235'400));
}

// Drains of a flit that came at 107: 140.6, 174.2, then 207.8, which lies in the pause from 207.25
// to 208.5: it is lost, and the sink looks again 1 ns after the pause, 209.5; the last 33.6 later.
TEST(Sink, ADrainInAPauseIsMovedBehindIt) {
  Sink s = pausing_sink();
  s.add(four_flits(Time::ns(107)));
  EXPECT_EQ(s.front_drained(), Time::ps(243'100));
}

// A flit that comes to an empty sink just after the end of a pause (439.75) finds it looking for
// flits: it is taken 1 ns after the pause, 440.75. Then 474.35, 507.95 (lost: 509.5), 543.1.
TEST(Sink, AFlitJustAfterAPauseIsTakenEarly) {
  Sink s = pausing_sink();
  s.add(four_flits(Time::ps(440'100)));
  EXPECT_EQ(s.front_drained(), Time::ps(543'100));
}

// At 439.75, with the pause's end, it comes first and starts the sink as any other: 473.35, 506.95,
// 540.55 (all outside pauses: 1 + 6.25 j to 2.25 + 6.25 j), 574.15.
TEST(Sink, AFlitWithTheEndOfAPauseIsNotTakenEarly) {
  Sink s = pausing_sink();
  s.add(four_flits(Time::ps(439'750)));
  EXPECT_EQ(s.front_drained(), Time::ps(574'150));
}

// What is asked at a time counts the drains up to then: 134.6, 168.2, 201.8, 235.4.
TEST(Sink, CountsWhatItHasDrained) {
  Sink s = sink();
  s.add(four_flits(Time::ns(101)));
  EXPECT_FALSE(s.advance(Time::ns(134)));
  EXPECT_EQ(s.drained(0), 0);
  EXPECT_FALSE(s.advance(Time::ns(170)));
  EXPECT_EQ(s.drained(0), 2);
  EXPECT_EQ(s.drained_at(0, 3), Time::ps(201'800));
  EXPECT_EQ(s.drained_at(0, 5), Time::never());
  EXPECT_TRUE(s.advance(Time::ns(236)));
  EXPECT_TRUE(s.empty());
}

// A second packet behind the first waits for it: its first drain is 33.6 ns * (8 / 64) = 4.2 ns
// after the last flit of the first, which had 8 B: 235.4 + 4.2 + 3 * 33.6 = 340.4.
TEST(Sink, PacketsQueue) {
  Sink s = sink();
  s.add(four_flits(Time::ns(101)));
  s.add(four_flits(Time::ns(230)));
  EXPECT_TRUE(s.advance(Time::ns(236)));
  EXPECT_EQ(s.front_drained(), Time::ps(340'400));
}

}  // namespace
}  // namespace heddle::network
