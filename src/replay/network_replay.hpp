// The replay of a schedule over a network with links.
//
// As over LogGOPS (loggops_replay.hpp), but a message enters the network o after its send began and
// is at the receiver when its last byte is; L plays no part. G is what the ends are charged per
// byte besides the network's own time, and 0 unless it is given.
#pragma once

#include <vector>

#include "replay/carrier.hpp"
#include "replay/options.hpp"

namespace heddle::replay {

/// Of ranks on these nodes, bound to the adapters of their nodes in the order of their numbers;
/// empty where each node has one.
std::vector<platform::Endpoint> bind_ranks(const platform::Platform& platform,
                                           const std::vector<NodeId>& nodes);

/// The node of every rank; throws InputError where `ranks_per_node` needs more nodes.
std::vector<NodeId> place_ranks(std::uint32_t ranks, std::uint32_t nodes,
                                const ReplayConfig& config);

/// How many times longer calcs take on those nodes than where they were measured; empty if that
/// does not count.
std::vector<double> slowdown_of(const platform::Platform& platform,
                                const std::vector<NodeId>& nodes, const ReplayConfig& config);

/// The costs of the ends where a network carries the messages: L and G are 0 unless G is given.
LogGopsParameters combine_for_network(const network::LogGopsConfig& loggops,
                                      const ReplayConfig& replay);

/// Replays the schedule; the simulation must not have begun. Over the queue model several threads
/// may do it, which leave the simulation with its clock alone. Throws StallError if operations are
/// left that can never happen.
ReplayResult network_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                            Carrier& carrier);

}  // namespace heddle::replay
