// What waits for a busy unit of a rank: operations in the order they came, messages in the order
// they were sent.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "goal/chunk_pool.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// An operation that waits behind others.
struct WaitingOp {
  std::uint64_t sequence;
  Time since;  ///< When it was released.
  OpId op;
  std::uint32_t next;
};

/// Operations that wait for one unit. The first of them stands in the engine's queue and takes no
/// record; those behind it do, in the order they came, which is that of their sequences.
class OpLine {
 public:
  bool empty() const { return since_ == kNobody; }
  /// When the first was released.
  Time first_since() const { return since_; }
  void set_first(Time since) { since_ = since; }

  /// The number of the record that it takes.
  std::uint32_t append(goal::ChunkPool<WaitingOp>& pool, const WaitingOp& op) {
    const std::uint32_t number = pool.take();
    pool[number] = op;
    pool[number].next = goal::kNone;
    if (head_ == goal::kNone) {
      head_ = number;
    } else {
      pool[tail_].next = number;
    }
    tail_ = number;
    return number;
  }
  /// Takes the first away. If there is one behind it, that is the first now: true, and it is
  /// copied to `next`.
  [[gnu::always_inline]] bool advance(goal::ChunkPool<WaitingOp>& pool, WaitingOp& next) {
    since_ = kNobody;
    if (head_ == goal::kNone) return false;
    const std::uint32_t number = head_;
    next = pool[number];
    head_ = next.next;
    pool.give_back(number);
    since_ = next.since;
    return true;
  }

 private:
  static constexpr Time kNobody = kBeforeAll;
  Time since_ = kNobody;
  std::uint32_t head_ = goal::kNone;
  std::uint32_t tail_ = goal::kNone;
};

/// A pairing heap of records by `sequence`, linked by their members `child` and `next`; it is named
/// by the number of its first record, or kNone. One object serves any number of heaps.
template <class Record>
class SequenceHeap {
 public:
  explicit SequenceHeap(goal::ChunkPool<Record>& records) : records_(records) {}

  /// Adds a record whose `child` and `next` are kNone.
  std::uint32_t add(std::uint32_t heap, std::uint32_t record) {
    return heap == goal::kNone ? record : meld(heap, record);
  }
  /// The heap without its first record: pairs its children, then melds the pairs from the last on.
  std::uint32_t without_first(std::uint32_t heap) {
    std::uint32_t child = records_[heap].child;
    if (child == goal::kNone) return goal::kNone;
    siblings_.clear();
    while (child != goal::kNone) {
      const std::uint32_t second = records_[child].next;
      if (second == goal::kNone) {
        siblings_.push_back(child);
        break;
      }
      const std::uint32_t rest = records_[second].next;
      siblings_.push_back(meld(child, second));
      child = rest;
    }
    std::uint32_t result = siblings_.back();
    for (std::size_t i = siblings_.size() - 1; i-- > 0;) result = meld(result, siblings_[i]);
    records_[result].next = goal::kNone;
    return result;
  }

 private:
  std::uint32_t meld(std::uint32_t a, std::uint32_t b) {
    if (records_[b].sequence < records_[a].sequence) std::swap(a, b);
    records_[b].next = records_[a].child;
    records_[a].child = b;
    return a;
  }

  goal::ChunkPool<Record>& records_;
  std::vector<std::uint32_t> siblings_;  ///< Scratch.
};

}  // namespace heddle::replay
