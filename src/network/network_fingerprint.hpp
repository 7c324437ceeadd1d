// A number that stands for all that happened in a network.
#pragma once

#include <cstdint>

#include "network/network.hpp"

namespace heddle::network {

/// Of models whose links several threads can share, a sum over all that crossed a link, whatever
/// the order in which different links were served; of others, that of all events of the simulation.
std::uint64_t fingerprint_of(Network& network, const Simulation& simulation);

}  // namespace heddle::network
