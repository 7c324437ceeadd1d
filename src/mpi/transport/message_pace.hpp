// Least times between messages: of a rank, and of a node in each direction.
#pragma once

#include <cstdint>
#include <vector>

#include "coll/costs/piecewise.hpp"
#include "core/ids.hpp"
#include "platform/platform.hpp"

namespace heddle::mpi {

/// A message leaves when the one before it of the same rank has been gone for `mpi.gap`, by the
/// bytes of that one, and the one before it of the same node for `nic.gap`; nodes take them with
/// the latter between them. Those that stay on their node follow each other by `mpi.node_gap`. What
/// waits occupies neither processor nor wire.
class MessagePace {
 public:
  /// The platform must outlive this.
  MessagePace(const platform::Platform& platform, coll::Overheads gap, coll::Overheads node_gap);

  /// Whether messages ever wait for those of their rank, or of a node.
  bool of_ranks() const { return of_ranks_; }
  bool of_nodes() const { return of_nodes_; }
  bool inside() const { return inside_; }
  /// How long a message that its rank has ready now waits for those before it; it goes on then.
  Time of_rank(std::uint32_t rank, std::int64_t bytes, Time now);
  Time of_rank_inside(std::uint32_t rank, std::int64_t bytes, Time now);
  /// The same of one that is to leave its node now, and of one that has reached the other.
  Time of_sender(NodeId node, Time now) { return of_node(out_, node, now); }
  Time of_receiver(NodeId node, Time now) { return of_node(in_, node, now); }

 private:
  Time of_node(std::vector<Time>& nodes, NodeId node, Time now);

  const platform::Platform& platform_;
  coll::Overheads gap_;
  coll::Overheads node_gap_;
  bool of_ranks_;
  bool inside_;
  bool of_nodes_;
  std::vector<Time> ranks_;  ///< By rank: when it may send again,
  std::vector<Time> near_;   ///< and when to one of its node.
  std::vector<Time> out_;    ///< By node: when it may send again,
  std::vector<Time> in_;     ///< and when it may take another.
};

}  // namespace heddle::mpi
