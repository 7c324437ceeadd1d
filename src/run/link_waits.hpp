// What recordings see of the packets that wait in a network.
#pragma once

#include "network/network.hpp"
#include "record/wait_samples.hpp"

namespace heddle::run {

/// The state of every link now, as long as the network lives.
inline record::WaitSamples::Look waits_of(const network::Network& network) {
  return [&network] {
    std::vector<record::WaitSamples::Row> rows;
    for (const network::LinkState& state : network.link_states()) {
      rows.push_back({state.queued, state.held_up.ps(), state.marked, state.lost, state.carried});
    }
    return rows;
  };
}

}  // namespace heddle::run
