// One part of a replay that is shared, window by window of time.
#pragma once

#include <cstdint>

#include "replay/engine/event_log.hpp"
#include "replay/engine/event_queue.hpp"
#include "replay/engine/message.hpp"
#include "replay/engine/numbering.hpp"
#include "replay/engine/outbox.hpp"
#include "replay/engine/parts.hpp"

namespace heddle::replay {

/// Where a window ends, what happened in it, and what it has for other parts. Sequences given in a
/// window are provisional: they name their causes by their places in the log. An engine that has
/// all ranks is a part whose only window never ends.
class WindowedPart {
 public:
  /// All ranks; `window` as below.
  WindowedPart(std::uint32_t ranks, Time window);
  /// Part `me`. No window is longer than `window`. `mark` is that of its ranks' sequences: 0 or
  /// Sequences::kBehind.
  WindowedPart(const Parts& parts, std::size_t me, Time window, std::uint64_t mark);

  /// Whether there are others.
  bool shared() const { return shared_; }
  std::size_t me() const { return me_; }
  RankId first() const { return parts_.begin(me_); }
  RankId last() const { return parts_.end(me_); }
  std::uint32_t ranks() const { return raw(last()) - raw(first()); }
  std::size_t part_of(RankId rank) const { return parts_.part_of(rank); }

  /// The queue's for this part: slices end where windows do.
  EventQueue make_queue() const;

  // A window: open(), note() of each event that happened, close(), settle().
  /// The first has what happens before time begins.
  void open_first(EventQueue& events);
  /// From `start` on.
  void open(Time start, EventQueue& events);
  Time end() const { return end_; }
  /// An event that has caused something is remembered.
  void note(Time time, std::uint64_t sequence, EventQueue& events) {
    const std::uint64_t caused = events.sequence() - next_cause_;
    if (caused == 0) return;
    if (caused >> Sequences::kOffsetBits != 0) throw_too_many(caused);
    log_.note(time, sequence, caused);
    next_cause_ += Sequences::first_of(1) - Sequences::first_of(0);
    events.set_sequence(next_cause_);
  }
  void close() { log_.close(); }
  /// What happened in the last window and caused something; closed.
  const EventLog& log() const { return log_; }
  /// Gives what it has for others its numbers; when the first of that is to happen, or
  /// Time::never().
  Time settle(Numbers& numbers);

  Outbox<RemoteMessage>& messages() { return messages_; }
  const Outbox<RemoteMessage>& messages() const { return messages_; }
  Outbox<RemoteLinkMessage>& link_messages() { return link_messages_; }
  const Outbox<RemoteLinkMessage>& link_messages() const { return link_messages_; }

 private:
  void restart(EventQueue& events);
  [[noreturn]] static void throw_too_many(std::uint64_t caused);

  const Parts parts_;
  const std::size_t me_;
  const bool shared_;
  const Time window_;  ///< Its length at most.
  const Time grain_;   ///< Windows end at multiples of it.
  const std::uint64_t mark_;
  Time end_;
  EventLog log_;
  std::uint64_t next_cause_ = 0;  ///< The sequence of the first thing that the next event causes.
  Outbox<RemoteMessage> messages_;
  Outbox<RemoteLinkMessage> link_messages_;
};

}  // namespace heddle::replay
