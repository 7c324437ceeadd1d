// A queue of what is to happen, served in the order (time, sequence).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace heddle::replay {

/// Time is cut into slices. What falls into a coming slice is only thrown there; a slice is sorted
/// when its turn comes. What falls into the current slice, or beyond the ring of slices, is kept in
/// a heap. Cheap for millions of entries, and never worse than a heap.
class BucketQueue {
 public:
  struct Entry {
    std::int64_t time;
    std::uint64_t sequence;
    std::uint64_t what;  ///< The caller's.
    bool before(const Entry& other) const {
      return time != other.time ? time < other.time : sequence < other.sequence;
    }
  };

  /// `slice` is the length of a slice, in the unit of time; at least 1.
  explicit BucketQueue(std::int64_t slice);

  void push(const Entry& entry) {
    const std::int64_t slice = entry.time >> shift_;
    if (slice > current_ && slice < current_ + kSlices) {
      push_ahead(slice, entry);
    } else {
      push_heap(slice <= current_ ? near_ : far_, entry);
    }
  }

  /// Takes the next entry; false when none is left.
  bool pop(Entry& entry) {
    for (;;) {
      const bool sorted = head_ < sorted_.size();
      if (!near_.empty() && (!sorted || near_.front().before(sorted_[head_]))) {
        entry = pop_heap(near_);
        return true;
      }
      if (sorted) {
        entry = sorted_[head_++];
        return true;
      }
      if (!open_next_slice()) return false;
    }
  }

  /// The time of the next entry, or INT64_MAX when none is left.
  std::int64_t next_time() {
    while (near_.empty() && head_ >= sorted_.size()) {
      if (!open_next_slice()) return INT64_MAX;
    }
    const std::int64_t sorted = head_ < sorted_.size() ? sorted_[head_].time : INT64_MAX;
    return near_.empty() ? sorted : std::min(sorted, near_.front().time);
  }

  /// The entry that comes `n` after the one popped last, as far as is known; or nullptr.
  const Entry* ahead(std::size_t n) const {
    return head_ + n < sorted_.size() ? &sorted_[head_ + n] : nullptr;
  }

 private:
  static constexpr std::int64_t kSlices = 1024;
  static constexpr std::size_t kWords = kSlices / 64;

  void push_ahead(std::int64_t slice, const Entry& entry) {
    const auto slot = static_cast<std::size_t>(slice % kSlices);
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    if (!(occupied_[slot / 64] & bit)) begin_slot(slot);
    occupied_[slot / 64] |= bit;
    ring_[slot].push_back(entry);
  }
  void begin_slot(std::size_t slot);
  static void push_heap(std::vector<Entry>& heap, const Entry& entry);
  static Entry pop_heap(std::vector<Entry>& heap);
  bool open_next_slice();
  std::int64_t next_occupied() const;
  void bring_near();

  unsigned shift_ = 0;  ///< A slice is 2^shift_ long.
  std::int64_t current_ = -1;
  std::vector<Entry> sorted_;  ///< The current slice, served up to head_.
  std::size_t head_ = 0;
  std::vector<Entry> near_;  ///< A heap: entries that came when their slice had begun.
  std::vector<Entry> far_;   ///< A heap: entries beyond the ring.
  std::array<std::vector<Entry>, kSlices> ring_;
  std::array<std::uint64_t, kWords> occupied_{};
  std::vector<std::vector<Entry>> spare_;  ///< Empty, with room: what slices leave behind.
};

}  // namespace heddle::replay
