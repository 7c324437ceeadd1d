#include <gtest/gtest.h>

#include <algorithm>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "network/packet/sink.hpp"
#include "network/slow_sink.hpp"

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

// Pauses of 3 ns every 10 ns, the first from 1 ns on. Of flits that take 5 ns and are there from 1
// ns on, one is drained 5 ns after it came, at 6, and one at the end of the period, 11, which is no
// part of the pause after it. The third drain, at 16, comes after the pause that ends at 14.
TEST(Sink, ADrainAtTheBeginningOfAPauseIsNotInIt) {
  Sink s({TimePerByte::attoseconds(5'000'000'000), Time::ns(3), Time::ns(7)});
  s.add({Time::ns(1), Time::zero(), 3, 1, 1, 0, nullptr});
  EXPECT_FALSE(s.advance(Time::ns(11)));
  EXPECT_EQ(s.drained(0), 2);
  EXPECT_EQ(s.front_drained(), Time::ns(16));
}

// Before the first pause, which begins at 1 ns, nothing is lost: four flits of 0.25 ns, there from
// the beginning, are drained at 0.25, 0.5, 0.75 and 1 ns.
TEST(Sink, DrainsBeforeTheFirstPause) {
  Sink s({TimePerByte::attoseconds(250'000'000), Time::ns(3), Time::ns(7)});
  s.add({Time::zero(), Time::zero(), 4, 1, 1, 0, nullptr});
  EXPECT_EQ(s.front_drained(), Time::ns(1));
}

/// Sinks with and without pauses, faster and slower than flits come.
SinkConfig random_sink(RandomStream& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random.below(n)); };
  SinkConfig config;
  config.time_per_byte = TimePerByte::attoseconds((1 + below(40)) * 5'000'000);
  if (random.below(3) == 0) return config;
  config.pause = Time::ps(1 + below(3'000));
  config.between = Time::ps(1'001 + below(random.below(2) == 0 ? 5'000 : 100'000));
  return config;
}

FlitTrain random_train(RandomStream& random, Time head) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  return {head, Time::ps(below(9'000)), 1 + below(20), 64, 1 + below(64), below(2), nullptr};
}

/// What both say of themselves.
void expect_equal(const Sink& sink, const SlowSink& slow, std::int64_t flits) {
  for (const std::size_t account : {0, 1}) {
    EXPECT_EQ(sink.drained(account), slow.drained(account));
    for (std::int64_t more = 0; more <= flits; ++more) {
      const std::int64_t count = slow.drained(account) + more;
      EXPECT_EQ(sink.drained_at(account, count), slow.drained_at(account, count));
    }
  }
  if (slow.empty()) return;
  EXPECT_EQ(sink.front_drained(), slow.front_drained());
}

// Flits that are drained one behind another are taken together. Whatever comes, and whenever it is
// asked: the same as if they were taken one by one.
TEST(Sink, TakesAsManyTogetherAsOneByOne) {
  RandomStream random(7);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const SinkConfig config = random_sink(random);
    Sink sink(config);
    SlowSink slow(config);
    sink.count_accounts(2);
    Time now;
    Time arrived;
    for (int step = 0; step < 40 && !HasFailure(); ++step) {
      if (step > 0) now += Time::ps(static_cast<std::int64_t>(random.below(60'000)));
      if (step == 0 || random.below(3) == 0) {
        const FlitTrain train = random_train(random, std::max(now, arrived));
        arrived = train.arrival(train.flits - 1);
        sink.add(train);
        slow.add(train);
      }
      while (sink.advance(now)) EXPECT_TRUE(slow.advance(now));
      EXPECT_FALSE(slow.advance(now));
      ASSERT_EQ(sink.empty(), slow.empty());
      expect_equal(sink, slow, 5);
    }
  }
}

}  // namespace
}  // namespace heddle::network
