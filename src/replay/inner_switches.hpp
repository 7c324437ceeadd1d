// Ranks that are no processes: the switches inside nodes, where those reduce and multicast.
//
// They are the last ranks of a schedule, that of the first node first. What a switch adds up for
// others it receives, what it sends to several it sends to each: on cables of their own, as its
// devices have, so nothing is counted twice.
#pragma once

#include <cstdint>
#include <vector>

#include "goal/schedule.hpp"
#include "platform/platform.hpp"
#include "replay/loggops/parameters.hpp"

namespace heddle::replay {

/// The nodes of all ranks, of which the last `switches` are switches; the others fill one node
/// after another. Throws ParamError where they cannot.
std::vector<NodeId> place_with_switches(std::uint32_t ranks, std::uint32_t switches,
                                        std::uint32_t nodes, const ReplayConfig& config);

/// Throws InputError where a switch has a message with another node, or ParamError if the switches
/// inside nodes do not reduce.
void check_switches(const goal::Schedule& schedule, std::uint32_t switches,
                    const platform::Platform& platform, const std::vector<NodeId>& nodes);

/// Binds the switches where the others are bound already.
void bind_switches(std::uint32_t switches, const std::vector<NodeId>& nodes,
                   std::vector<platform::Endpoint>& memory);

}  // namespace heddle::replay
