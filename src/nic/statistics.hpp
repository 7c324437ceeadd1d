// What an adapter counts.
#pragma once

#include <cstdint>

namespace heddle::nic {

/// What the adapters of a node have done so far.
struct AdapterStatistics {
  std::uint64_t commands = 0;
  std::uint64_t requests = 0;         ///< First transmissions.
  std::uint64_t retransmissions = 0;  ///< Of any kind of message.
  std::uint64_t given_up = 0;
  std::uint64_t dropped = 0;    ///< Messages lost on their way from this node.
  std::uint64_t corrupted = 0;  ///< Messages from this node that arrived damaged.

  AdapterStatistics& operator+=(const AdapterStatistics& other) {
    commands += other.commands;
    requests += other.requests;
    retransmissions += other.retransmissions;
    given_up += other.given_up;
    dropped += other.dropped;
    corrupted += other.corrupted;
    return *this;
  }
};

}  // namespace heddle::nic
