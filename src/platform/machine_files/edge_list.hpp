// Any graph as a text of edges.
//
//     # everything behind a # is a comment
//     node n0 n1                 # optional: these are nodes ...
//     switch core                # ... and these are switches
//     n0 core                    # a cable with the machine's link parameters
//     n1 core 10Gbps 5us half    # bandwidth, latency, duplex (half or full), in any order
//     core edge flow_cap=1Gbps   # what a single message gets at most
//     route n0 n1 : core edge    # the vertices between n0 and n1, one way only
//     group level 1              # the cables below belong to this group
//     set switch.latency=50ns    # a parameter of link, switch, node or nic, topology.routing, or
//                                # graph.equal_paths
//     nodes n0-n7 cores=4        # parameters of some nodes, as an override has them
//
// A vertex that is not declared is a node if it has one cable and a switch if it has more. Nodes
// are numbered in the order in which they are first named, and so are switches. Between two
// vertices there may be several cables. Messages without a route of their own take a shortest path,
// always the same: fewest cables, then (unless those are spread) least latency. Cables above the
// first group are "access" (at a node) or "trunk". The words node, switch, route, group, set and
// nodes cannot be names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "platform/machine.hpp"
#include "platform/platform.hpp"
#include "platform/topology/graph.hpp"

namespace heddle::platform {

/// What a line of the list says of its cable; the rest is as the machine's links are.
struct CableValues {
  std::optional<Bandwidth> bandwidth;
  std::optional<Bandwidth> flow_cap;
  std::optional<Time> latency;
  std::optional<Duplex> duplex;

  /// `params` with these values in them.
  LinkParams on(LinkParams params) const;
};

/// A connected graph and what is special about its cables.
struct EdgeList {
  GraphPlan plan;                   ///< Latencies are left for graph_of() to fill in.
  std::vector<CableValues> values;  ///< By cable.
};

/// Whether it means something at the beginning of a line, so that no vertex is called so.
bool is_edge_list_word(std::string_view text);
/// Whether `text` begins as an edge list does and no YAML mapping can: with two words or more and
/// no colon, or with a route.
bool looks_like_edge_list(std::string_view text);
/// Reads an edge list whose first character is at `start`. Throws InputError for a line that is not
/// understood, a graph without nodes or in several pieces, a route along cables that are not there.
EdgeList read_edge_list(std::string_view text, const SourceLocation& start);

/// What a list says besides its graph.
struct EdgeListNotes {
  std::vector<Assignment> settings;  ///< With full names, "switch.latency".
  std::vector<Override> overrides;   ///< Of nodes.
};
/// Reads only that. Throws InputError for a line that is not understood.
EdgeListNotes read_edge_list_notes(std::string_view text, const SourceLocation& start);

/// The graph of `list` where `link` holds for what its cables do not say.
std::unique_ptr<Graph> graph_of(EdgeList list, const LinkParams& link);

}  // namespace heddle::platform
