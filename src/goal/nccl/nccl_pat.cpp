// Parallel aggregated trees.
#include <algorithm>

#include "goal/nccl/nccl_channel.hpp"

namespace heddle::goal {

/// To gather, everybody sends what it has to the one so far away, from the largest distance on; to
/// scatter, the same backwards.
void write_pat(NcclChannel& channel) {
  const std::uint32_t n = channel.plan().ranks;
  const bool gathers = channel.plan().operation == coll::nccl::Operation::allgather;
  const std::uint32_t place = channel.place();
  std::vector<std::uint32_t> distances;
  for (std::uint32_t d = 1; d < n; d *= 2) distances.push_back(d);
  if (gathers) std::reverse(distances.begin(), distances.end());
  NcclChannel::Ops there;
  channel.for_loops(n, [&](std::uint64_t here) {
    const std::uint64_t chunk = (here + n - 1) / n;
    for (const std::uint32_t d : distances) {
      const std::uint64_t chunks = (n - d + 2 * d - 1) / (2 * d);
      const std::uint32_t ahead = channel.rank_at((place + d) % n);
      const std::uint32_t behind = channel.rank_at((place + n - d) % n);
      channel.send(chunks * chunk, gathers ? ahead : behind, there);
      there = {channel.recv(chunks * chunk, gathers ? behind : ahead, there)};
    }
  });
}

}  // namespace heddle::goal
