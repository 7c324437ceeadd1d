// What is to happen, the simulated time, and the order of what is simultaneous.
#pragma once

#include <cstdint>

#include "core/bucket_queue.hpp"
#include "core/windows/numbering.hpp"
#include "replay/engine/queue_entry.hpp"

namespace heddle::replay {

/// The engine's own queue, not a Simulation: its entries need no object to be scheduled, and slices
/// of time serve them at about half the price of a heap.
class EventQueue {
 public:
  /// `slice` and `longest` as of a BucketQueue.
  EventQueue(Time slice, Time longest) : entries_(slice.ps(), longest.ps()) {}

  /// The time of the event that happens.
  Time now() const { return now_; }
  void set_now(Time now) { now_ = now; }

  /// What is caused gets the next sequence.
  std::uint64_t next_sequence() { return sequence_++; }
  std::uint64_t sequence() const { return sequence_; }
  void set_sequence(std::uint64_t sequence) { sequence_ = sequence; }

  /// Operations and messages, as users count events.
  std::uint64_t counted() const { return counted_; }
  void count(std::uint64_t more = 1) { counted_ += more; }

  /// `detail`: of the type that entries of that kind have.
  template <class Detail>
  [[gnu::always_inline]] void push(Time time, std::uint64_t sequence, EntryKind kind, RankId rank,
                                   Detail detail) {
    push_entry(time, sequence, kind, rank, raw(detail));
  }
  BucketQueue& entries() { return entries_; }
  const BucketQueue& entries() const { return entries_; }

  /// A window is over: gives what is left its numbers.
  void settle(Numbers& numbers) {
    entries_.settle([&](BucketQueue::Entry& packed) {
      const QueueEntry entry = QueueEntry::unpack(packed);
      if (!Sequences::provisional(entry.sequence)) return;
      std::uint64_t number = numbers.resolve(entry.sequence);
      if (entry.kind == EntryKind::hop) number &= ~Sequences::kBehind;
      QueueEntry::resequence(packed, number);
    });
  }

 private:
  [[gnu::noinline]] void push_entry(Time time, std::uint64_t sequence, EntryKind kind, RankId rank,
                                    std::uint32_t detail) {
    QueueEntry{time, sequence, kind, rank, detail}.push_to(entries_);
  }

  Time now_;
  std::uint64_t sequence_ = 0;
  std::uint64_t counted_ = 0;
  BucketQueue entries_;
};

}  // namespace heddle::replay
