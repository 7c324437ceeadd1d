// The windows of time that a part of a simulation is served in.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/time.hpp"
#include "core/windows/event_log.hpp"

namespace heddle {

/// Where a window ends, and what happened in it. Sequences given in a window are provisional: they
/// name their causes by their places in the log.
///
/// `Queue` has what is to happen: entries(), a BucketQueue; sequence() and set_sequence(), the next
/// sequence that it gives.
class EventWindow {
 public:
  /// None is longer than `length`. `mark` is that of the sequences that the queue gives: 0 or
  /// Sequences::kBehind.
  EventWindow(Time length, std::uint64_t mark);

  /// Of a queue whose slices end where windows do: their length at first, and at most.
  Time slice() const;
  Time grain() const { return grain_; }

  // A window: open(), note() of each event that happened, close().
  /// The first has what happens before time begins.
  template <class Queue>
  void open_first(Queue& queue) {
    restart(queue);
  }
  /// From `start` on, and no further than to `limit`.
  template <class Queue>
  void open(Time start, Queue& queue, Time limit = Time::never()) {
    end_ = std::min(end_from(start), limit);
    restart(queue);
  }
  Time end() const { return end_; }
  /// An event that has caused something is remembered.
  template <class Queue>
  void note(Time time, std::uint64_t sequence, Queue& queue) {
    const std::uint64_t caused = queue.sequence() - next_cause_;
    if (caused == 0) return;
    if (caused >> Sequences::kOffsetBits != 0) throw_too_many(caused);
    log_.note(time, sequence, caused);
    next_cause_ += Sequences::first_of(1) - Sequences::first_of(0);
    queue.set_sequence(next_cause_);
  }
  void close() { log_.close(); }
  /// What happened in the last window and caused something; closed.
  const EventLog& log() const { return log_; }

 protected:
  /// The window never ends.
  void stay_open() { end_ = Time::never(); }

 private:
  template <class Queue>
  void restart(Queue& queue) {
    queue.entries().begin_window(end_.ps());
    log_.clear();
    next_cause_ = Sequences::first_of(0) | mark_;
    queue.set_sequence(next_cause_);
  }
  Time end_from(Time start) const;
  [[noreturn]] static void throw_too_many(std::uint64_t caused);

  Time length_;
  Time grain_;  ///< Windows end at multiples of it, but for a limit.
  std::uint64_t mark_;
  Time end_;
  EventLog log_;
  std::uint64_t next_cause_ = 0;  ///< The sequence of the first thing that the next event causes.
};

}  // namespace heddle
