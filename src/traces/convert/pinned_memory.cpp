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

PinnedBuffers pinned_by(const RankTrace& trace, const Call& call) {
  const CommName& comm = trace.comms[call.comm];
  const auto size = static_cast<std::uint64_t>(comm.size);
  const bool all = call.kind == CallKind::allgather || call.kind == CallKind::alltoall;
  const bool root = call.peer == comm.rank;
  std::uint64_t sent = call.bytes;
  if (call.list != kNoList) {
    sent = 0;
    for (const std::uint64_t bytes : trace.lists[call.list]) sent += bytes;
  } else if (call.kind == CallKind::alltoall || (call.kind == CallKind::scatter && root)) {
    sent *= size;
  }
  PinnedBuffers pinned;
  if (call.kind != CallKind::scatter || root) pinned.sent = sent;
  const bool many = (all || (call.kind == CallKind::gather && root)) && call.list == kNoList;
  if ((call.kind != CallKind::gather && call.kind != CallKind::reduce) || root) {
    pinned.received = many ? call.bytes * size : call.bytes;
  }
  return pinned;
}

}  // namespace heddle::traces
