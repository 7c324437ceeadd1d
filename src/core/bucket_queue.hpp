// A queue of what is to happen, served in the order (time, sequence).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/slice_ring.hpp"
#include "core/timed_entry.hpp"

namespace heddle {

/// Time is cut into slices. What falls into a coming slice is only thrown there; a slice is sorted
/// when its turn comes. What falls into the current slice, or beyond the ring of slices, is kept in
/// a heap. Cheap for millions of entries, and never much worse than a heap. The length of a slice
/// follows how dense the entries are; the order does not depend on it.
///
/// Whoever serves time in windows may give sequences that are final only when a window is over
/// (begin_window() and settle()).
class BucketQueue {
 public:
  using Entry = TimedEntry;

  /// `slice` is the length of a slice at first, in the unit of time, `longest` what it may become;
  /// at least 1.
  explicit BucketQueue(std::int64_t slice, std::int64_t longest = kLongest);
  static constexpr std::int64_t kLongest = std::int64_t{1} << 42;

  std::size_t size() const { return size_ - head_; }

  void push(const Entry& entry) { push(entry.time, entry.sequence, entry.what); }
  /// In three words: an entry that is put together and copied at once makes the processor wait.
  void push(std::int64_t time, std::uint64_t sequence, std::uint64_t what) {
    ++size_;
    const std::int64_t slice = time >> shift_;
    if (!in_ring(slice)) return push_elsewhere(time, sequence, what);
    if (ring_.push(SliceRing::slot(slice), time, sequence, what)) return;
    push_to_chunk(slice, time, sequence, what);
  }

  /// The next entry, or nullptr when none is left; until the queue is used again.
  const Entry* first() {
    if (size_ == head_) return nullptr;
    if (near_.empty() && head_ != count_) return &sorted_[head_];
    return find_first();
  }
  /// The same, if its time is before the end of the window.
  const Entry* first_of_window() {
    while (near_.empty() && head_ == count_) {
      if (!open_next_slice(window_end_)) return nullptr;
    }
    const Entry* const next = !near_.empty() && near_is_first() ? &near_.top() : &sorted_[head_];
    return next->time < window_end_ ? next : nullptr;
  }
  /// Takes away the entry that first() named; whether those ahead() have come nearer.
  bool pop_first() {
    if (!near_.empty() && near_is_first()) {
      near_.pop();
      --size_;
      ++served_;
      return false;
    }
    ++head_;
    return true;
  }
  /// Takes the next entry; false when none is left.
  bool pop(Entry& entry) {
    if (near_.empty()) {
      if (head_ == count_ && !open_next_slice(INT64_MAX)) return false;
      entry = sorted_[head_++];
      return true;
    }
    entry = *find_first();
    pop_first();
    return true;
  }

  /// The time of the next entry, or INT64_MAX when none is left.
  std::int64_t next_time() {
    const Entry* const next = first();
    return next != nullptr ? next->time : INT64_MAX;
  }

  /// The entry that comes `n` after the one popped last, as far as is known; or nullptr.
  const Entry* ahead(std::size_t n) const {
    return head_ + n < count_ ? &sorted_[head_ + n] : nullptr;
  }

  /// From here to settle() only what is before `end` is served.
  void begin_window(std::int64_t end) { window_end_ = end; }
  /// Calls `change` for every entry left that came since begin_window(), and some others; it may
  /// give them sequences that are later than those of all entries before, and leave their order
  /// among themselves as it is.
  template <class Change>
  void settle(Change change) {
    constexpr std::size_t kAhead = 2;
    for (std::size_t c = 0; c < fresh_chunks_.size(); ++c) {
      if (c + kAhead < fresh_chunks_.size()) ring_.prefetch_chunk(fresh_chunks_[c + kAhead]);
      for (Entry& entry : ring_.close(fresh_chunks_[c])) change(entry);
    }
    fresh_chunks_.clear();
    for (std::size_t i = head_; i < count_; ++i) change(sorted_[i]);
    for (Entry& entry : near_.entries()) change(entry);
    for (Entry& entry : fresh_far_.entries()) {
      change(entry);
      far_.push(entry);
    }
    fresh_far_.clear();
  }
  /// The time of the next entry, or INT64_MAX: without a look at how those of its slice are
  /// ordered.
  std::int64_t soonest() const;

  /// Takes out all entries for which `unwanted(entry)` holds.
  template <class Predicate>
  void remove_if(Predicate unwanted) {
    take_all(scratch_);
    std::erase_if(scratch_, unwanted);
    for (const Entry& entry : scratch_) push(entry);
  }

 private:
  /// Where there is something near.
  bool near_is_first() const { return head_ == count_ || near_.top().before(sorted_[head_]); }
  const Entry* find_first();
  bool in_ring(std::int64_t slice) const {
    return static_cast<std::uint64_t>(slice - current_ - 1) < SliceRing::kSlices - 1;
  }
  void push_elsewhere(std::int64_t time, std::uint64_t sequence, std::uint64_t what);
  void push_to_chunk(std::int64_t slice, std::int64_t time, std::uint64_t sequence,
                     std::uint64_t what);
  bool open_small(std::size_t slot);
  bool open_next_slice(std::int64_t limit);
  void open_large(std::size_t slot, bool in_ring);
  std::int64_t next_occupied() const;
  void bring_near(EntryHeap& far);
  void take_all(std::vector<Entry>& out);
  void adapt();

  std::size_t size_ = 0;  ///< With those of the current slice that were served.
  unsigned shift_ = 0;    ///< A slice is 2^shift_ long.
  unsigned most_shift_ = 0;
  std::int64_t current_ = -1;
  std::vector<Entry> sorted_;  ///< The current slice, served up to head_; then what is of no use.
  std::size_t head_ = 0;
  std::size_t count_ = 0;  ///< Of those in sorted_: to ask the vector takes a multiplication.
  EntryHeap near_;         ///< Entries that came when their slice had begun.
  EntryHeap far_;          ///< Entries beyond the ring.
  EntryHeap fresh_far_;    ///< Those of them that came since settle().
  SliceRing ring_;
  std::vector<Entry> scratch_;
  std::int64_t window_end_ = INT64_MAX;
  std::vector<std::uint32_t> fresh_chunks_;  ///< For times after the window.

  // Since the length of a slice was looked at last.
  std::uint64_t opened_ = 0;
  std::uint64_t crowded_ = 0;  ///< Slices with many entries at different times.
  std::uint64_t served_ = 0;   ///< Entries, but for those of the current slice.
  std::uint64_t held_ = 0;     ///< What size_ was then.
  std::uint64_t pushed_far_ = 0;
  std::uint64_t patience_ = 64;  ///< Slices until the next look.
};

}  // namespace heddle
