#include "traces/convert/pinned_memory.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::traces {

std::uint64_t PinnedMemory::add(std::uint64_t begin, std::uint64_t size) {
  if (size == 0) return 0;
  const std::uint64_t last = begin > UINT64_MAX - size ? UINT64_MAX : begin + size;
  std::uint64_t end = last;
  std::uint64_t fresh = last - begin;
  auto it = ends_.upper_bound(begin);
  if (it != ends_.begin() && std::prev(it)->second >= begin) --it;
  std::uint64_t from = begin;
  while (it != ends_.end() && it->first <= end) {
    // What lies in both was there before.
    const std::uint64_t low = std::max(it->first, begin);
    const std::uint64_t high = std::min(it->second, last);
    if (high > low) fresh -= high - low;
    from = std::min(from, it->first);
    end = std::max(end, it->second);
    it = ends_.erase(it);
  }
  ends_.emplace(from, end);
  return fresh;
}

}  // namespace heddle::traces
