#include "core/event_lane.hpp"

#include <algorithm>
#include <cstddef>

namespace heddle {

/// A function of its own, so that others need no stack frame.
[[gnu::noinline]] void EventLane::push_in_full(Event& event, std::uint64_t order) {
  grow();
  push(event, order);
}

void EventLane::grow() {
  std::vector<Entry> old(std::max<std::size_t>(16, 2 * ring_.size()));
  old.swap(ring_);
  const std::uint32_t begin = begin_;
  begin_ = end_ = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const Entry& entry = old[(begin + i) & (old.size() - 1)];
    if (entry.event != nullptr) push(*entry.event, entry.order);
  }
}

}  // namespace heddle
