// Which node each rank of a job runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "platform/platform.hpp"

namespace heddle::platform {

/// What a user says about it.
struct PlacementRequest {
  std::uint32_t ranks = 1;
  /// Most ranks of a node. Unless said: one, but for "by-core" the node's cores, and for the round
  /// robins as many as it takes.
  std::optional<std::uint32_t> per_node = {};
  /// "by-core" fills one node after the other, "by-node" deals ranks out node by node, "by-switch"
  /// does so that neighbours are on different switches, "random" or "random:SEED" shuffles,
  /// "file:PATH" or a path with a '/' or '.' in it reads a list; empty is one rank to a node in
  /// order.
  std::string map = {};
  std::string nodes = {};  ///< Those that may be used, as select_nodes() reads them; empty: all.
};

/// The node of every rank, by rank. Throws ParamError about "map", "nodes" or "ranks-per-node",
/// also where the ranks do not fit, or InputError at the place in the file.
///
/// A file has a node on each line, in the order of ranks, by name or number, and after a colon how
/// many ranks follow each other there ("n3:4"); lines that are blank or begin with # do not count.
/// Ranks beyond the list begin again at its top.
std::vector<NodeId> place_ranks(const Platform& platform, const PlacementRequest& request);

/// The first switch on a node's way out, or the node itself where nodes are joined directly.
VertexId first_switch(const Topology& topology, NodeId node);

}  // namespace heddle::platform
