// How users call nodes and cables: nodes by name, or by number where no vertex has that name;
// cables by the name of either direction.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// The node called `text`; if no vertex is, the node of that number.
std::optional<NodeId> find_node(const Topology& topology, std::string_view text);

/// What find_node() finds `node` by, whatever the other names are.
std::string node_name(const Topology& topology, NodeId node);

/// What programs are told that their node is called. Numbers that the machine gave to its nodes
/// have as many digits as the largest, "n0001", so that no name begins with another; names of a
/// user's own are as they are. Whatever takes names of nodes understands both.
std::string host_name(const Topology& topology, NodeId node);

/// The nodes that a list such as "0-3,n7,login*" stands for, in its order: names, numbers, ranges
/// of such names or numbers, and globs on names. Throws InputError at `where` for a part that
/// stands for none.
std::vector<NodeId> select_nodes(const Topology& topology, std::string_view list,
                                 const SourceLocation& where);

/// Whether a glob such as "n0->s*" matches the name of either direction of the cable; "n0<->s0", as
/// half-duplex cables are called, is another way to write "n0->s0".
bool names_cable(const FabricGraph& fabric, std::uint32_t cable, const std::string& pattern);

/// Whether `text` matches `pattern`, in which `*` stands for any characters and `?` for one.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace heddle::platform
