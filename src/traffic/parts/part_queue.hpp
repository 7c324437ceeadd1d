// What is to happen in a part of traffic over links.
#pragma once

#include <cstdint>

#include "core/bucket_queue.hpp"
#include "core/time.hpp"
#include "core/windows/event_window.hpp"
#include "core/windows/numbering.hpp"

namespace heddle::traffic {

/// Entries are served as a Simulation serves the events of a network and of the senders over it:
/// those of one instant in the order in which they were caused, the network's first, and what is
/// caused in its own instant last.
class PartQueue {
 public:
  enum class Kind : std::uint8_t {
    hop,    ///< A message is at its next link, or its last byte at its end.
    send,   ///< A node sends its next message.
    heard,  ///< A node hears that a message of its has arrived in another part.
  };
  struct Entry {
    Time time;
    std::uint64_t sequence;
    Kind kind;
    std::uint32_t what;  ///< A message, or a sender.
  };

  explicit PartQueue(const EventWindow& window)
      : entries_(window.slice().ps(), window.grain().ps()) {}

  // As an EventWindow wants it.
  BucketQueue& entries() { return entries_; }
  const BucketQueue& entries() const { return entries_; }
  std::uint64_t sequence() const { return sequence_; }
  void set_sequence(std::uint64_t sequence) { sequence_ = sequence; }

  /// Of something that is caused now and happens at `when`.
  std::uint64_t next_sequence(Time now, Time when, Kind kind) {
    const std::uint64_t mark = when == now          ? Sequences::kLast
                               : kind == Kind::send ? Sequences::kBehind
                                                    : 0;
    return sequence_++ | mark;
  }
  void push(Time when, std::uint64_t sequence, Kind kind, std::uint32_t what) {
    entries_.push(when.ps(), sequence << kKindBits | static_cast<std::uint64_t>(kind), what);
  }
  static Entry unpack(const BucketQueue::Entry& entry) {
    return {Time::ps(entry.time), entry.sequence >> kKindBits,
            static_cast<Kind>(entry.sequence & kKindMask), static_cast<std::uint32_t>(entry.what)};
  }

  /// The number that a sequence stands for, with its marks.
  static std::uint64_t resolve(Numbers& numbers, std::uint64_t sequence) {
    return numbers.resolve(sequence) | (sequence & Sequences::kMarks);
  }
  /// A window is over: gives what is left its numbers. When the first of it is to happen.
  Time settle(Numbers& numbers) {
    entries_.settle([&](BucketQueue::Entry& entry) {
      const std::uint64_t sequence = entry.sequence >> kKindBits;
      if (!Sequences::provisional(sequence)) return;
      entry.sequence = resolve(numbers, sequence) << kKindBits | (entry.sequence & kKindMask);
    });
    return Time::ps(entries_.soonest());
  }

 private:
  static constexpr unsigned kKindBits = 2;
  static constexpr std::uint64_t kKindMask = (1U << kKindBits) - 1;

  BucketQueue entries_;
  std::uint64_t sequence_ = 0;
};

}  // namespace heddle::traffic
