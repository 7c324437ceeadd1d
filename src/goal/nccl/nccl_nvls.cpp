// Reduced and multicast by the switches inside nodes.
//
// Every GPU of a node has a part of the data: all send it to the switch, which adds it up for that
// GPU, takes the result back and sends it to all. Of several nodes, the GPUs of one part reduce it
// along a tree in between.
#include "goal/nccl/nccl_channel.hpp"

namespace heddle::goal {
namespace {

using Ops = NcclChannel::Ops;

/// So many loops of a channel are on their way at a time.
constexpr std::size_t kLoopsAtOnce = 2;

/// The switch, in one loop: what each part has is in `parts`.
void pass_through(NcclChannel& channel, const std::vector<std::uint64_t>& parts) {
  const std::uint32_t first = channel.node() * channel.per_node();
  for (std::uint32_t owner = 0; owner < parts.size(); ++owner) {
    Ops all;
    for (std::uint32_t gpu = 0; gpu < parts.size(); ++gpu) {
      all.push_back(channel.recv(parts[owner], first + gpu));
    }
    channel.send(parts[owner], first + owner, all);
  }
  for (std::uint32_t owner = 0; owner < parts.size(); ++owner) {
    const Ops sum = {channel.recv(parts[owner], first + owner, {}, NcclWay::down)};
    for (std::uint32_t gpu = 0; gpu < parts.size(); ++gpu) {
      channel.send(parts[owner], first + gpu, sum, NcclWay::down);
    }
  }
}

/// A GPU, in one loop that begins behind `before`; what must have ended for all data to be there.
Ops reduce_through(NcclChannel& channel, std::uint32_t me, const std::vector<std::uint64_t>& parts,
                   const Ops& before) {
  const std::uint32_t node = channel.node();
  const std::uint32_t inside = channel.switch_of(node);
  for (const std::uint64_t part : parts) channel.send(part, inside, before);
  Ops sum = {channel.recv(parts[me], inside)};
  if (channel.plan().nodes > 1) {
    const NcclBranches branches = branches_of(
        channel, node, [&](std::uint32_t other) { return other * channel.per_node() + me; });
    sum = up_and_down(channel, parts[me], branches, std::move(sum));
  }
  channel.send(parts[me], inside, sum, NcclWay::down);
  std::uint32_t last = 0;
  for (const std::uint64_t part : parts) last = channel.recv(part, inside, {}, NcclWay::down);
  return {last};
}

}  // namespace

void write_nvls(NcclChannel& channel) {
  const std::uint32_t n = channel.per_node();
  std::vector<Ops> ends;  // Of each loop.
  channel.for_loops(n, [&](std::uint64_t here) {
    std::vector<std::uint64_t> parts;
    for (std::uint32_t i = 0; i < n; ++i) parts.push_back(part_of(here, n, i));
    if (channel.is_switch()) return pass_through(channel, parts);
    const bool first = ends.size() < kLoopsAtOnce;
    const std::uint32_t me = channel.number_in_node();
    ends.push_back(
        reduce_through(channel, me, parts, first ? Ops() : ends[ends.size() - kLoopsAtOnce]));
  });
}

}  // namespace heddle::goal
