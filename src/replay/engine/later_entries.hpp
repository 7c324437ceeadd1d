// Entries of the engine's queue beyond the window of time that is being replayed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/bucket_queue.hpp"
#include "core/large_vector.hpp"

namespace heddle::replay {

/// Time is cut into windows of one length, numbered from 0. Those entries that came since the last
/// settle() may still be changed by it, but for their times.
class LaterEntries {
 public:
  using Entry = BucketQueue::Entry;
  static constexpr std::int64_t kNoWindow = INT64_MAX;

  /// `length` of a window; at least 1.
  explicit LaterEntries(std::int64_t length) : length_(length), slots_(kSlots) {}

  /// Not before the end of the window that was opened last.
  void push(std::int64_t time, std::uint64_t sequence, std::uint64_t what) {
    // Mostly it is the next one, which needs no division.
    const std::int64_t window = time < next_end_ ? current_ + 1 : time / length_;
    if (window - current_ >= kSlots) return fresh_far_.emplace_back(time, sequence, what), void();
    Slot& slot = slots_[static_cast<std::size_t>(window % kSlots)];
    if (slot.entries.size() == slot.settled) touch(slot, window);
    slot.entries.emplace_back(time, sequence, what);
  }
  /// Calls `change` for every entry that came since the last time, in no special order.
  template <class Change>
  void settle(Change change) {
    for (const std::size_t index : touched_) {
      Slot& slot = slots_[index];
      for (std::size_t i = slot.settled; i < slot.entries.size(); ++i) change(slot.entries[i]);
      slot.settled = slot.entries.size();
    }
    touched_.clear();
    for (Entry& entry : fresh_far_) {
      change(entry);
      far_.push_back(entry);
      std::push_heap(far_.begin(), far_.end(), later);
    }
    fresh_far_.clear();
  }

  /// The first window with entries that are settled, or kNoWindow.
  std::int64_t next() const {
    std::int64_t window = far_.empty() ? kNoWindow : far_.front().time / length_;
    for (std::int64_t w = current_ + 1; w < std::min(window, current_ + kSlots); ++w) {
      if (!slots_[static_cast<std::size_t>(w % kSlots)].entries.empty()) return w;
    }
    return window;
  }
  /// Hands the entries of a window over, none of which may be left in an earlier one.
  void open(std::int64_t window, BucketQueue& queue) {
    current_ = window;
    next_end_ = end_of(window + 1);
    while (!far_.empty() && far_.front().time / length_ <= window) {
      std::pop_heap(far_.begin(), far_.end(), later);
      queue.push(far_.back());
      far_.pop_back();
    }
    Slot& slot = slots_[static_cast<std::size_t>(window % kSlots)];
    join_runs(slot.entries);
    for (const Entry& entry : slot.entries) queue.push(entry);
    slot.entries.clear();
    slot.settled = 0;
    if (slot.entries.capacity() > 0) spare_.push_back(std::move(slot.entries));
    slot.entries = {};
  }
  std::int64_t window_of(std::int64_t time) const { return time / length_; }
  std::int64_t end_of(std::int64_t window) const { return (window + 1) * length_; }

 private:
  static constexpr std::int64_t kSlots = 1024;
  struct Slot {
    LargeVector<Entry> entries;
    std::size_t settled = 0;
  };

  static bool later(const Entry& a, const Entry& b) { return b.before(a); }
  /// Entries of each source often come in order: the queue need not sort them if they are few such
  /// runs.
  static void join_runs(LargeVector<Entry>& entries) {
    constexpr std::size_t kFew = 16;
    LargeVector<Entry>::iterator ends[kFew];
    std::size_t runs = 0;
    for (auto run = entries.begin(); run != entries.end(); ++runs) {
      if (runs == kFew) return;
      run = std::is_sorted_until(run, entries.end(),
                                 [](const Entry& a, const Entry& b) { return a.before(b); });
      ends[runs] = run;
    }
    for (std::size_t r = 1; r < runs; ++r) {
      std::inplace_merge(entries.begin(), ends[r - 1], ends[r],
                         [](const Entry& a, const Entry& b) { return a.before(b); });
    }
  }
  void touch(Slot& slot, std::int64_t window) {
    touched_.push_back(static_cast<std::size_t>(window % kSlots));
    if (slot.entries.capacity() > 0 || spare_.empty()) return;
    slot.entries = std::move(spare_.back());
    spare_.pop_back();
  }

  std::int64_t length_;
  std::int64_t current_ = -1;
  std::int64_t next_end_ = 0;  ///< Of the window after the current one.
  std::vector<Slot> slots_;    ///< By window modulo their number.
  std::vector<std::size_t> touched_;
  std::vector<Entry> far_;  ///< A heap.
  std::vector<Entry> fresh_far_;
  std::vector<LargeVector<Entry>> spare_;  ///< Memory of slots that were emptied.
};

}  // namespace heddle::replay
