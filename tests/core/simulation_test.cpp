#include "core/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <array>
#include <string>

#include <deque>
#include <functional>
#include <set>
#include <tuple>

#include "core/error.hpp"

namespace heddle {
namespace {

using testing::ElementsAre;

/// An event that notes its number and does what it is told.
struct Note final : Event {
  Note(std::vector<int>& log, int number, std::function<void()> action = {})
      : log(log), number(number), action(std::move(action)) {}
  void fire() override {
    log.push_back(number);
    if (action) action();
  }
  std::vector<int>& log;
  int number;
  std::function<void()> action;
};

class SimulationTest : public testing::Test {
 protected:
  Note& note(int number, std::function<void()> action = {}) {
    return notes.emplace_back(log, number, std::move(action));
  }

  Simulation simulation;
  EventSource a = simulation.new_source();
  EventSource b = simulation.new_source();
  std::vector<int> log;
  std::deque<Note> notes;
};

// At one instant, kind comes first, then the source's number, then the order within the source.
TEST_F(SimulationTest, SimultaneousEventsFireByKindSourceAndNumber) {
  simulation.schedule(note(4), Time::ns(5), a, kProgram);
  simulation.schedule(note(3), Time::ns(5), b);
  simulation.schedule(note(1), Time::ns(5), a);
  simulation.schedule(note(2), Time::ns(5), a);
  simulation.schedule(note(0), Time::ns(4), b, kProgram);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(simulation.now(), Time::ns(5));
  EXPECT_EQ(simulation.events_fired(), 5U);
}

// What an event schedules for its own instant comes after all that was due then, in the order of
// scheduling, whatever its kind and source.
TEST_F(SimulationTest, TheCurrentInstantIsServedFirstInFirstOut) {
  Note& third = note(3);
  Note& fourth = note(4);
  simulation.schedule(note(1,
                           [&] {
                             simulation.schedule(third, simulation.now(), b, kProgram);
                             simulation.schedule_in(fourth, Time::zero(), a);
                           }),
                      Time::ns(5), a);
  simulation.schedule(note(2), Time::ns(5), b, kProgram);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(simulation.now(), Time::ns(5));
}

// Before the first event the current instant is zero.
TEST_F(SimulationTest, EventsAtTimeZeroFireInOrderOfScheduling) {
  simulation.schedule(note(1), Time::zero(), b, kProgram);
  simulation.schedule(note(2), Time::zero(), a);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(1, 2));
}

// An event may schedule itself again as it fires: three times, every 2 ns.
TEST_F(SimulationTest, AnEventCanScheduleItself) {
  Note& tick = note(1);
  tick.action = [&] {
    if (log.size() < 3) simulation.schedule_in(tick, Time::ns(2), a);
  };
  simulation.schedule(tick, Time::ns(2), a);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(1, 1, 1));
  EXPECT_EQ(simulation.now(), Time::ns(6));
  EXPECT_FALSE(tick.scheduled());
}

TEST_F(SimulationTest, CancelledEventsDoNotFire) {
  Note& later = note(2);
  Note& in_lane = note(3);
  Note& idle = note(4);
  simulation.schedule(later, Time::ns(7), a);
  simulation.schedule(note(1,
                           [&] {
                             simulation.schedule(in_lane, simulation.now(), a);
                             simulation.cancel(in_lane);
                             simulation.cancel(later);
                             simulation.cancel(idle);
                           }),
                      Time::ns(5), a);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(1));
  EXPECT_FALSE(later.scheduled());
  EXPECT_FALSE(in_lane.scheduled());
  EXPECT_EQ(simulation.now(), Time::ns(5));
}

// A cancelled event can be scheduled again, also in the same instant; it then comes last.
TEST_F(SimulationTest, ACancelledEventCanBeScheduledAgain) {
  Note& first = note(1);
  simulation.schedule(first, Time::zero(), a);
  simulation.schedule(note(2), Time::zero(), a);
  simulation.cancel(first);
  simulation.schedule(first, Time::zero(), a);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(2, 1));
}

// The next event is the first that was not cancelled.
TEST_F(SimulationTest, NextTimeLooksPastCancelledEvents) {
  EXPECT_EQ(simulation.next_time(), Time::never());
  Note& now = note(1);
  Note& later = note(2);
  simulation.schedule(now, Time::zero(), a);
  simulation.schedule(later, Time::ns(3), a);
  EXPECT_EQ(simulation.next_time(), Time::zero());
  simulation.cancel(now);
  EXPECT_EQ(simulation.next_time(), Time::ns(3));
  simulation.cancel(later);
  EXPECT_EQ(simulation.next_time(), Time::never());
  EXPECT_FALSE(simulation.step());
}

// Up to and including the end; the clock then stands there, and what is scheduled for that instant
// comes next.
TEST_F(SimulationTest, RunUntilIncludesTheEnd) {
  simulation.schedule(note(1), Time::ns(4), a);
  simulation.schedule(note(2), Time::ns(5), a);
  simulation.schedule(note(3), Time::ns(6), a);
  simulation.run_until(Time::ns(5));
  EXPECT_THAT(log, ElementsAre(1, 2));
  EXPECT_EQ(simulation.now(), Time::ns(5));
  simulation.run_until(Time::ps(5'500));
  EXPECT_EQ(simulation.now(), Time::ps(5'500));
  simulation.schedule(note(4), simulation.now(), a);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(1, 2, 4, 3));
}

// An instant may be long: each of 1,000 events of the current instant is followed by another, ten
// times over, without an end of the lane in between.
TEST_F(SimulationTest, LongInstantsKeepTheirOrder) {
  std::vector<int> expected;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 1'000; ++i) expected.push_back(i);
  }
  for (int i = 0; i < 1'000; ++i) {
    Note& event = note(i);
    event.action = [this, &event] {
      if (log.size() <= 9'000) simulation.schedule(event, simulation.now(), a);
    };
    simulation.schedule(event, Time::zero(), a);
  }
  simulation.run();
  EXPECT_EQ(log, expected);
}

// A timer that is always set anew, as that of an answer which always comes in time: of 100,000 that
// were taken back none is left, and the one that was not fires.
TEST_F(SimulationTest, TimersTakenBackLeaveNothing) {
  for (int i = 0; i < 100; ++i) note(i);
  for (int round = 0; round < 1'000; ++round) {
    for (Note& timer : notes) {
      simulation.cancel(timer);
      simulation.schedule_in(timer, Time::ms(1), a);
    }
    simulation.run_until(simulation.now() + Time::ns(10));
  }
  EXPECT_EQ(simulation.pending(), 100U);
  for (std::size_t i = 1; i < notes.size(); ++i) simulation.cancel(notes[i]);
  EXPECT_EQ(simulation.pending(), 1U);
  simulation.run();
  EXPECT_THAT(log, ElementsAre(0));
}

// 2^63 ps are 106 days; an event beyond is an error and not an event in the past.
TEST_F(SimulationTest, TheClockHasAnEnd) {
  simulation.run_until(Time::s(9'000'000));
  EXPECT_THROW(simulation.schedule_in(note(1), Time::s(9'000'000), a), RunError);
}

/// The fingerprint of two events.
std::uint64_t fingerprint_of(Time first, Time second, EventKind kind, bool other_source) {
  Simulation simulation;
  EventSource a = simulation.new_source();
  EventSource b = simulation.new_source();
  std::vector<int> log;
  Note one(log, 1), two(log, 2);
  simulation.schedule(one, first, a, kind);
  simulation.schedule(two, second, other_source ? b : a, kind);
  simulation.run();
  return simulation.fingerprint();
}

// Equal streams of events have equal fingerprints; a change of a time by one picosecond, of a kind
// or of a source shows, and so does an exchange of the two events.
TEST(Fingerprint, TellsStreamsOfEventsApart) {
  const std::uint64_t base = fingerprint_of(Time::ns(1), Time::ns(2), kHardware, false);
  EXPECT_EQ(fingerprint_of(Time::ns(1), Time::ns(2), kHardware, false), base);
  EXPECT_NE(fingerprint_of(Time::ps(1'001), Time::ns(2), kHardware, false), base);
  EXPECT_NE(fingerprint_of(Time::ns(1), Time::ps(2'001), kHardware, false), base);
  EXPECT_NE(fingerprint_of(Time::ns(1), Time::ns(2), kProgram, false), base);
  EXPECT_NE(fingerprint_of(Time::ns(1), Time::ns(2), kHardware, true), base);
  EXPECT_NE(fingerprint_of(Time::ns(2), Time::ns(1), kHardware, false), base);
}

// Two hardware events of the first source, at 1 ns and 2 ns, computed independently: fingerprints
// may be kept and compared with those of later versions.
TEST(Fingerprint, IsPinned) {
  EXPECT_EQ(fingerprint_of(Time::ns(1), Time::ns(2), kHardware, false), 0xe5f4360d17633097U);
}

TEST(Simulation, RandomStreamsDependOnSeedAndName) {
  const Simulation one(1), same(1), two(2);
  EXPECT_EQ(one.random("x").next(), same.random("x").next());
  EXPECT_NE(one.random("x").next(), one.random("y").next());
  EXPECT_NE(one.random("x").next(), two.random("x").next());
}

/// The order of events by its definition: a sorted set for those to come, a list for the instant.
class ReferenceQueue {
 public:
  void schedule(int id, std::int64_t time, int kind, int source, std::uint32_t number) {
    if (time == now) {
      lane.push_back(id);
    } else {
      pending.insert({time, kind, source, number, id});
    }
  }
  void cancel(int id) {
    std::erase(lane, id);
    std::erase_if(pending, [&](const Key& key) { return std::get<4>(key) == id; });
  }
  /// The next event, or -1.
  int pop() {
    const bool due = !pending.empty() && std::get<0>(*pending.begin()) == now;
    if (!due && !lane.empty()) {
      const int id = lane.front();
      lane.pop_front();
      return id;
    }
    if (pending.empty()) return -1;
    const Key key = *pending.begin();
    pending.erase(pending.begin());
    now = std::get<0>(key);
    return std::get<4>(key);
  }

  std::int64_t next_time() const {
    if (!lane.empty()) return now;
    return pending.empty() ? Time::never().ps() : std::get<0>(*pending.begin());
  }

  std::int64_t now = 0;

 private:
  using Key = std::tuple<std::int64_t, int, int, std::uint32_t, int>;
  std::set<Key> pending;
  std::deque<int> lane;
};

/// Schedules and cancels the same random events in a simulation and in the reference.
class Twin {
 public:
  explicit Twin(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < kSources; ++i) sources_.push_back(simulation_.new_source());
    for (int i = 0; i < kEvents; ++i) events_.emplace_back(log_, i, [this] { change_some(2); });
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      change_some(4);
      ASSERT_EQ(simulation_.next_time(), Time::ps(reference_.next_time()));
      const int expected = reference_.pop();
      log_.clear();
      ASSERT_EQ(simulation_.step(), expected >= 0);
      if (expected < 0) continue;
      ASSERT_THAT(log_, ElementsAre(expected));
      ASSERT_EQ(simulation_.now().ps(), reference_.now);
    }
  }

 private:
  static constexpr int kEvents = 200;
  static constexpr int kSources = 3;

  /// Fewer than `limit` changes, from outside or from an event that fires.
  void change_some(std::uint64_t limit) {
    const auto changes = random_.below(limit);
    for (std::uint64_t k = 0; k < changes; ++k) change();
  }
  /// Schedules a random event if it is idle, else cancels it now and then.
  void change() {
    const int id = static_cast<int>(random_.below(kEvents));
    Note& event = events_[static_cast<std::size_t>(id)];
    if (!event.scheduled()) return schedule(id, event);
    if (random_.below(3) != 0) return;
    simulation_.cancel(event);
    reference_.cancel(id);
  }
  void schedule(int id, Note& event) {
    // Few distinct times, so that many events coincide.
    const auto time = reference_.now + static_cast<std::int64_t>(random_.below(5));
    const auto kind = static_cast<std::uint8_t>(random_.below(2));
    const auto source = random_.below(kSources);
    simulation_.schedule(event, Time::ps(time), sources_[source], EventKind{kind});
    reference_.schedule(id, time, kind, static_cast<int>(source), numbers_[source]++);
  }

  RandomStream random_;
  Simulation simulation_;
  ReferenceQueue reference_;
  std::vector<EventSource> sources_;
  std::uint32_t numbers_[kSources] = {};
  std::vector<int> log_;
  std::deque<Note> events_;
};

// The heap and the lane together fire what a sorted set and a list fire, in the same order, under
// random scheduling and cancelling.
TEST(Simulation, AgreesWithASimpleReference) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) Twin(seed).run(2'000);
}

// Time that passes without an event leaves the same fingerprint as an event that does nothing; it
// does not pass when an event comes first, in the same instant, or is due now.
TEST(Simulation, AdvancesWhereNothingHappens) {
  struct Nothing final : Event {
    void fire() override {}
  };
  Simulation by_event;
  EventSource source = by_event.new_source();
  Nothing event;
  by_event.schedule_in(event, Time::ns(5), source, kProgram);
  by_event.run();
  Simulation by_clock;
  EventSource same = by_clock.new_source();
  EXPECT_TRUE(by_clock.advance(Time::ns(5), same, kProgram));
  EXPECT_EQ(by_clock.now(), Time::ns(5));
  EXPECT_EQ(by_clock.fingerprint(), by_event.fingerprint());
  by_clock.schedule_in(event, Time::ns(3), same, kProgram);
  EXPECT_FALSE(by_clock.advance(Time::ns(4), same));
  EXPECT_FALSE(by_clock.advance(Time::ns(3), same));
  EXPECT_TRUE(by_clock.advance(Time::ns(2), same));
  by_clock.cancel(event);
  by_clock.schedule_in(event, Time::zero(), same);
  EXPECT_FALSE(by_clock.advance(Time::zero(), same));
  by_clock.cancel(event);
}

// Of 20 events in a row the one in the middle is asked three times before it fires what it is going
// to need: first with a glimpse, then with foresight, then in expectation.
TEST(Simulation, AsksAnEventThreeTimesBeforeItsTurn) {
  struct Asked final : Event {
    void fire() override { calls += 'f'; }
    void foresee() const override { calls += 'n'; }
    void glimpse() const override { calls += 'g'; }
    void expect() const override { calls += 'e'; }
    mutable std::string calls;
  };
  Simulation simulation;
  EventSource source = simulation.new_source();
  std::array<Asked, 20> events;
  Time when;
  for (Asked& event : events) simulation.schedule(event, when += Time::ps(1), source);
  simulation.run();
  EXPECT_EQ(events[10].calls, "gnef");
}

// Twenty events a minute away wait in the slice that is open, while another comes again and again
// in between: those that have not come nearer are not asked again.
TEST(Simulation, AsksNobodyAgainForEventsInBetween) {
  struct Asked final : Event {
    void fire() override {}
    void foresee() const override { ++asked; }
    mutable int asked = 0;
  };
  Simulation simulation;
  EventSource source = simulation.new_source();
  std::array<Asked, 20> waiting;
  for (Asked& event : waiting) simulation.schedule(event, Time::s(60), source);
  Asked between;
  Asked other;
  for (int i = 1; i <= 100; ++i) {
    simulation.schedule(between, Time::us(2 * i), source);
    simulation.schedule(other, Time::us(2 * i + 1), source);
    simulation.run_until(Time::us(2 * i + 1));
  }
  int asked = 0;
  for (const Asked& event : waiting) asked += event.asked;
  EXPECT_LE(asked, 20);
}

}  // namespace
}  // namespace heddle
