// Round a ring of GPUs, or along it.
#include <algorithm>

#include "goal/nccl/nccl_channel.hpp"

namespace heddle::goal {
namespace {

using Ops = NcclChannel::Ops;

std::vector<std::uint64_t> slices_of(std::uint64_t chunk, std::uint64_t slice) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t at = 0; at < chunk; at += slice) all.push_back(std::min(slice, chunk - at));
  return all;
}

/// The first slices of a loop follow the last ones of the loop before.
Ops begin_of_loop(const Ops& last, std::size_t slice) {
  if (last.empty()) return {};
  return {last[std::min(slice, last.size() - 1)]};
}

}  // namespace

/// Chunks of all GPUs go round together, until all data have. A slice is sent on when it is there.
void write_ring(NcclChannel& channel) {
  const std::uint64_t n = channel.plan().ranks;
  const std::uint64_t slice = channel.plan().division.slice;
  const bool twice = channel.plan().operation == coll::nccl::Operation::allreduce;
  const std::uint64_t steps = (twice ? 2 : 1) * (n - 1);
  const std::uint32_t place = channel.place();
  const std::uint32_t right = channel.rank_at(static_cast<std::uint32_t>((place + 1) % n));
  const std::uint32_t left = channel.rank_at(static_cast<std::uint32_t>((place + n - 1) % n));
  Ops last;  // Slices that came last in the loop before.
  channel.for_loops(n, [&](std::uint64_t here) {
    Ops there;  // Slices that came in the step before.
    for (std::uint64_t step = 0; step < steps; ++step) {
      const std::uint64_t sent = (place + 2 * n - step) % n;
      const std::vector<std::uint64_t> out = slices_of(part_of(here, n, sent), slice);
      for (std::size_t i = 0; i < out.size(); ++i) {
        channel.send(out[i], right, i < there.size() ? Ops{there[i]} : begin_of_loop(last, i));
      }
      there.clear();
      for (const std::uint64_t in : slices_of(part_of(here, n, (sent + n - 1) % n), slice)) {
        there.push_back(channel.recv(in, left));
      }
    }
    last = there;
  });
}

/// From the first to the last, or back.
void write_chain(NcclChannel& channel) {
  const bool away = channel.plan().operation == coll::nccl::Operation::broadcast;
  const std::uint32_t place = channel.place();
  const bool first = place == 0;
  const bool last = place + 1 == channel.plan().ranks;
  channel.for_chunks([&](std::uint64_t chunk) {
    Ops there;
    if (!(away ? first : last)) {
      there = {channel.recv(chunk, channel.rank_at(away ? place - 1 : place + 1))};
    }
    if (!(away ? last : first)) {
      channel.send(chunk, channel.rank_at(away ? place + 1 : place - 1), there);
    }
  });
}

}  // namespace heddle::goal
