#include "mpi/transport/message_pace.hpp"

#include <algorithm>

namespace heddle::mpi {
namespace {

/// The entry of a list that grows as numbers are used.
Time& entry_of(std::vector<Time>& list, std::size_t number) {
  if (number >= list.size()) list.resize(number + 1);
  return list[number];
}

bool has_gaps(const platform::Platform& platform) {
  for (std::uint32_t node = 0; node < platform.nodes(); ++node) {
    if (platform.nic(NodeId{node}).gap > Time::zero()) return true;
  }
  return false;
}

/// What is next in a line goes on when that is free, and keeps it for `gap`.
Time take_turn(Time& free, Time gap, Time now) {
  const Time turn = std::max(now, free);
  free = turn + gap;
  return turn - now;
}

}  // namespace

MessagePace::MessagePace(const platform::Platform& platform, coll::Overheads gap,
                         coll::Overheads node_gap)
    : platform_(platform),
      gap_(std::move(gap)),
      node_gap_(std::move(node_gap)),
      of_ranks_(!gap_.zero()),
      inside_(!node_gap_.zero()),
      of_nodes_(has_gaps(platform)) {}

Time MessagePace::of_rank(std::uint32_t rank, std::int64_t bytes, Time now) {
  return take_turn(entry_of(ranks_, rank), gap_.at(bytes), now);
}

Time MessagePace::of_rank_inside(std::uint32_t rank, std::int64_t bytes, Time now) {
  return take_turn(entry_of(near_, rank), node_gap_.at(bytes), now);
}

Time MessagePace::of_node(std::vector<Time>& nodes, NodeId node, Time now) {
  return take_turn(entry_of(nodes, static_cast<std::size_t>(node)), platform_.nic(node).gap, now);
}

}  // namespace heddle::mpi
