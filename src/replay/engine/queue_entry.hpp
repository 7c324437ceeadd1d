// What an entry of the engine's queue stands for, and how it is packed.
#pragma once

#include <cstdint>

#include "core/bucket_queue.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

enum class EntryKind : std::uint8_t {
  message,   ///< A message is at its receiver, or enters its network. Detail: its number.
  receive,   ///< A receive starts. Detail: the operation.
  send,      ///< A send, first in its line, may start. Detail: the operation.
  calc,      ///< The same of a calc.
  delayed,   ///< An operation whose predecessors end only now. Detail: the operation.
  messages,  ///< The first of a line of messages may be handled. Detail: the pair of units.
  hop,  ///< A message is at its next link, or its last byte at its end. Detail: its LinkMessage.
};

/// Whether its detail is an operation that may start.
constexpr bool names_op(EntryKind kind) {
  return kind == EntryKind::receive || kind == EntryKind::send || kind == EntryKind::calc;
}

/// An entry taken apart. Entries are served in the order (time, sequence).
struct QueueEntry {
  Time time;
  std::uint64_t sequence;
  EntryKind kind;
  RankId rank;
  std::uint32_t detail;  ///< Of the type that its kind says.

  OpId op() const { return OpId{detail}; }
  MessageId message() const { return MessageId{detail}; }
  PairId pair() const { return PairId{detail}; }
  LinkMessageId link_message() const { return LinkMessageId{detail}; }

  /// Sequences are below 2^61.
  template <class Queue>
  void push_to(Queue& queue) const {
    queue.push(time.ps(), sequence << kKindBits | static_cast<std::uint64_t>(kind),
               std::uint64_t{raw(rank)} << 32 | detail);
  }
  /// The same entry with another sequence.
  static void resequence(BucketQueue::Entry& entry, std::uint64_t sequence) {
    entry.sequence = sequence << kKindBits | (entry.sequence & ((1U << kKindBits) - 1));
  }
  static QueueEntry unpack(const BucketQueue::Entry& entry) {
    return {Time::ps(entry.time), entry.sequence >> kKindBits,
            static_cast<EntryKind>(entry.sequence & ((1U << kKindBits) - 1)),
            RankId{static_cast<std::uint32_t>(entry.what >> 32)},
            static_cast<std::uint32_t>(entry.what)};
  }

 private:
  static constexpr unsigned kKindBits = 3;
};

}  // namespace heddle::replay
