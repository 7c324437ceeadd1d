// What queues of the simulation hold, and a heap of it.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

/// Something that is to happen at a time; of what happens at the same one, the least sequence comes
/// first.
struct TimedEntry {
  TimedEntry() = default;
  TimedEntry(std::int64_t t, std::uint64_t s, std::uint64_t w) : time(t), sequence(s), what(w) {}
  std::int64_t time = 0;
  std::uint64_t sequence = 0;
  std::uint64_t what = 0;  ///< The caller's.
  bool before(const TimedEntry& other) const {
    return time != other.time ? time < other.time : sequence < other.sequence;
  }
};

/// A heap with the first entry on top. Its nodes have four children each: it is half as deep as
/// with two, and those of one node lie in two lines of the cache.
class EntryHeap {
 public:
  void reserve(std::size_t size) { entries_.reserve(size); }
  bool empty() const { return entries_.empty(); }
  const TimedEntry& top() const { return entries_.front(); }
  void push(const TimedEntry& entry);
  TimedEntry pop();
  void clear() { entries_.clear(); }
  /// All entries, in no order. Whoever changes them leaves their order as it is.
  std::vector<TimedEntry>& entries() { return entries_; }

 private:
  std::vector<TimedEntry> entries_;
};

}  // namespace heddle
