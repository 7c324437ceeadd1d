#include "core/timed_entry.hpp"

#include <algorithm>

namespace heddle {
namespace {

constexpr std::size_t kChildren = 4;  ///< Of a node of a heap.

}  // namespace

void EntryHeap::push(const TimedEntry& entry) {
  std::size_t place = entries_.size();
  entries_.push_back(entry);
  while (place > 0) {
    const std::size_t parent = (place - 1) / kChildren;
    if (!entry.before(entries_[parent])) break;
    entries_[place] = entries_[parent];
    place = parent;
  }
  entries_[place] = entry;
}

TimedEntry EntryHeap::pop() {
  const TimedEntry popped = entries_.front();
  const TimedEntry last = entries_.back();
  entries_.pop_back();
  const std::size_t size = entries_.size();
  if (size == 0) return popped;
  std::size_t place = 0;
  while (true) {
    const std::size_t child = place * kChildren + 1;
    if (child >= size) break;
    std::size_t first = child;
    const std::size_t end = std::min(child + kChildren, size);
    for (std::size_t i = child + 1; i < end; ++i) {
      first = entries_[i].before(entries_[first]) ? i : first;
    }
    if (!entries_[first].before(last)) break;
    entries_[place] = entries_[first];
    place = first;
  }
  entries_[place] = last;
  return popped;
}

}  // namespace heddle
