// The event core: a clock, a totally ordered queue of events, and the fingerprint of what happened.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/event.hpp"
#include "core/event_lane.hpp"
#include "core/queued_events.hpp"
#include "core/random.hpp"
#include "core/time.hpp"

namespace heddle {

/// Rank among the events of one instant: lower fires first. Any layer may name a value of its own,
/// below 64.
enum class EventKind : std::uint8_t {};
inline constexpr EventKind kHardware{16};  ///< Links, switches, adapters.
inline constexpr EventKind kProgram{32};   ///< Code of a simulated program.

/// Whoever schedules events: its number orders simultaneous events of one kind, its counter those
/// of its own (modulo 2^32). Get one from Simulation::new_source.
class EventSource {
 private:
  friend class Simulation;
  explicit EventSource(std::uint32_t id) : id_(id) {}
  /// The place of its next event among those of one instant.
  std::uint64_t next_order(EventKind kind);
  std::uint32_t id_;
  std::uint32_t next_ = 0;
};

/// Owns the clock, the queue and the random streams of one simulated machine. Two of them can live
/// in one process.
///
/// Events fire in the order (time, kind, source, per-source number). An event scheduled for the
/// current instant joins a first-in-first-out lane that is served when those scheduled for this
/// instant before it began are through.
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed = 1) : random_(seed) {}

  Time now() const { return now_; }
  EventSource new_source() { return EventSource(sources_++); }

  /// Fires `event` at `when`, which must not be in the past. Throws RunError at Time::never(): the
  /// clock does not reach it.
  void schedule(Event& event, Time when, EventSource& source, EventKind kind = kHardware);
  /// Fires `event` `delay` from now.
  void schedule_in(Event& event, Time delay, EventSource& source, EventKind kind = kHardware) {
    schedule(event, now_ + delay, source, kind);
  }
  /// Takes back an event; nothing happens if it is not scheduled.
  void cancel(Event& event);

  /// Moves the clock on by `delay` if nothing else happens until then, as if an event of `source`
  /// had been scheduled and fired; false, and nothing happens, if another event comes first or in
  /// the same instant.
  bool advance(Time delay, EventSource& source, EventKind kind = kHardware);

  /// Fires the next event; false when none is left.
  bool step();
  /// Fires events until none is left.
  void run();
  /// Fires all events up to and including `end`, then sets the clock to `end`.
  void run_until(Time end);

  /// As long as it lives, the clock shows another time, and nothing may be scheduled.
  class OtherTime {
   public:
    OtherTime(Simulation& simulation, Time shown)
        : simulation_(simulation), now_(std::exchange(simulation.now_, shown)) {}
    ~OtherTime() { simulation_.now_ = now_; }
    OtherTime(const OtherTime&) = delete;
    OtherTime& operator=(const OtherTime&) = delete;

   private:
    Simulation& simulation_;
    Time now_;
  };

  /// The time of the next event, or Time::never().
  Time next_time();
  /// Whether all that is left of this instant was scheduled in it.
  bool is_late() {
    const Entry* const first = this->first();
    return first == nullptr || first->time != now_.ps();
  }
  /// How many events are scheduled; of those of this instant, perhaps some that were cancelled.
  std::size_t pending() const { return queue_.size() + (next_event_ != nullptr) + lane_.size(); }
  std::uint64_t events_fired() const { return fired_; }
  /// A hash of (time, kind, source, number) of every event fired so far, in order.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// The named stream of random numbers: the same for the same seed and name, whatever else runs.
  RandomStream random(std::string_view name) const { return random_.split(name); }

 private:
  using Entry = QueuedEvents::Entry;  ///< With an order as sequence.

  const Entry* first();
  bool fire_next();
  bool fire_from_lane();
  void fire_from_queue(const Entry& first);
  [[gnu::noinline]] void prefetch() const;
  [[gnu::noinline]] void schedule_among_others(Event& event, Time when, std::uint64_t order);
  void put_first(Event& event, Time when, std::uint64_t order);
  void fire(Event& event, std::uint64_t order);
  /// Counts an event of this instant, and makes it part of the fingerprint.
  void note(std::uint64_t order);

  Time now_;
  Entry next_;                   ///< Ahead of the queue, if there is an event ...
  Event* next_event_ = nullptr;  ///< ... which is this one.
  QueuedEvents queue_;
  EventLane lane_;
  std::uint32_t sources_ = 0;
  std::uint64_t fired_ = 0;
  std::uint64_t fingerprint_ = 0;
  RandomStream random_;
};

}  // namespace heddle
