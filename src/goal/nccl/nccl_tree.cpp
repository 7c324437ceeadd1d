// Up and down trees over nodes.
#include "goal/nccl/nccl_channel.hpp"

namespace heddle::goal {

NcclChannel::Ops up_and_down(NcclChannel& channel, std::uint64_t chunk,
                             const NcclBranches& branches, NcclChannel::Ops own) {
  NcclChannel::Ops there = std::move(own);
  for (const std::uint32_t child : branches.children) there.push_back(channel.recv(chunk, child));
  if (branches.parent) {
    channel.send(chunk, *branches.parent, there);
    there = {channel.recv(chunk, *branches.parent, {}, NcclWay::down)};
  }
  for (const std::uint32_t child : branches.children) {
    channel.send(chunk, child, there, NcclWay::down);
  }
  return there;
}

/// Inside a node GPUs are a chain, whose first is the node's place in the tree.
void write_tree(NcclChannel& channel) {
  const std::uint32_t place = channel.place();
  const std::uint32_t per_node = channel.per_node();
  NcclBranches branches;
  if (place % per_node > 0) {
    branches.parent = channel.rank_at(place - 1);
  } else {
    branches = branches_of(channel, channel.node(),
                           [&](std::uint32_t node) { return channel.rank_at(node * per_node); });
  }
  if (place % per_node + 1 < per_node) branches.children.push_back(channel.rank_at(place + 1));
  channel.for_chunks([&](std::uint64_t chunk) { up_and_down(channel, chunk, branches); });
}

}  // namespace heddle::goal
