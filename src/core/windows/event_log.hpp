// What one part of a simulation did in a window of time, for all parts to agree on its order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/time.hpp"

namespace heddle {

/// Sequences order simultaneous events: what was caused first has the lower one. Within a window of
/// time each part of a simulation gives those of its own kind, which name the event that caused
/// something by its place in the part's log; they come after all that were given before. When the
/// window is over they become the numbers that one queue would have given.
///
/// Where messages cross links, what happens there comes before what ends of messages do in the same
/// instant: their sequences are marked as those behind. Last comes what was caused in the instant
/// itself, where that is so marked.
struct Sequences {
  static constexpr std::uint64_t kProvisional = std::uint64_t{1} << 58;
  static constexpr std::uint64_t kBehind = std::uint64_t{1} << 59;
  static constexpr std::uint64_t kLast = std::uint64_t{1} << 60;
  static constexpr std::uint64_t kMarks = kBehind | kLast;
  static constexpr unsigned kOffsetBits = 28;  ///< Of what one event causes.

  static bool provisional(std::uint64_t sequence) { return sequence & kProvisional; }
  static std::uint64_t first_of(std::size_t event) {
    return kProvisional | static_cast<std::uint64_t>(event) << kOffsetBits;
  }
  /// The event that caused it.
  static std::size_t event_of(std::uint64_t sequence) {
    return static_cast<std::size_t>((sequence & ~(kProvisional | kMarks)) >> kOffsetBits);
  }
  static std::uint64_t offset_of(std::uint64_t sequence) {
    return sequence & ((std::uint64_t{1} << kOffsetBits) - 1);
  }
  /// The order of two of one instant is that of their numbers, not that of their causes.
  static bool comparable(std::uint64_t a, std::uint64_t b) {
    return !provisional(a) || !provisional(b) || ((a ^ b) & kMarks) != 0;
  }
  /// Both are of the same kind.
  static bool alike(std::uint64_t a, std::uint64_t b) {
    return ((a ^ b) & (kProvisional | kMarks)) == 0;
  }
};

/// Events of one instant that follow each other in a log, each with so much more of everything than
/// the one before. Where ranks do the same at the same time, a few runs tell of all of them.
struct EventRun {
  std::uint64_t first;  ///< The first event's place in the log.
  Time time;
  std::uint64_t sequence;       ///< Of the first event.
  std::uint64_t step;           ///< From one event's sequence to the next one's.
  std::uint64_t caused_before;  ///< By the events before the first.
  std::uint64_t caused_each;

  std::uint64_t sequence_of(std::size_t event) const { return sequence + (event - first) * step; }
  std::uint64_t caused_before_event(std::size_t event) const {
    return caused_before + (event - first) * caused_each;
  }
};

/// The run that an event belongs to.
inline const EventRun& run_with(std::span<const EventRun> runs, std::size_t event) {
  std::size_t low = 0;
  for (std::size_t high = runs.size(); high - low > 1;) {
    const std::size_t middle = (low + high) / 2;
    (runs[middle].first <= event ? low : high) = middle;
  }
  return runs[low];
}

/// The events of a part that caused others, as they happened.
class EventLog {
 public:
  void clear() {
    runs_.clear();
    run_ = {};
    events_ = 0;
    next_ = kNone;
  }
  void note(Time time, std::uint64_t sequence, std::uint64_t caused) {
    if (sequence != next_ || time != run_.time || caused != run_.caused_each) {
      return note_other(time, sequence, caused);
    }
    ++events_;
    next_ += run_.step;
  }
  /// A log ends with an event that happens never.
  void close() {
    begin_run({events_, Time::never(), UINT64_MAX, 0, run_.caused_before_event(events_), 0});
    runs_.push_back(run_);
  }

  std::uint64_t events() const { return events_; }
  /// Of a log that is closed.
  std::span<const EventRun> runs() const { return runs_; }

 private:
  static constexpr std::uint64_t kNone = UINT64_MAX;

  /// An event that is not known to belong to the last run. What comes before its cause in the same
  /// instant, on a link, happens right after it.
  void note_other(Time time, std::uint64_t sequence, std::uint64_t caused) {
    const std::uint64_t length = events_ - run_.first;
    if (length > 0 && time == run_.time) {
      const std::uint64_t last = run_.sequence_of(events_ - 1);
      if (sequence < last) sequence = last;
      if (length == 1) run_.step = sequence - last;
      if (caused == run_.caused_each && sequence - last == run_.step &&
          Sequences::alike(sequence, last)) {
        ++events_;
        next_ = sequence + run_.step;
        return;
      }
      if (length == 1) run_.step = 0;
    }
    begin_run({events_, time, sequence, 0, run_.caused_before_event(events_), caused});
    ++events_;
  }
  void begin_run(const EventRun& run) {
    if (events_ > run_.first) runs_.push_back(run_);
    run_ = run;
    next_ = kNone;
  }

  std::vector<EventRun> runs_;
  EventRun run_{};              ///< The last one.
  std::uint64_t next_ = kNone;  ///< The sequence of an event that belongs to it, if known.
  std::uint64_t events_ = 0;
};

}  // namespace heddle
