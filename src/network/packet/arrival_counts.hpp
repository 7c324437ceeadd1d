// Packets that have arrived.
#pragma once

#include <cstdint>

#include "network/network.hpp"
#include "network/packet/receiving_host.hpp"
#include "network/packet/tracked_packet.hpp"

namespace heddle::network {

/// Counts them, and those that others of their flow have overtaken.
class ArrivalCounts {
 public:
  void add() { ++counts_.arrived; }
  /// The packet has come to `host`, its destination. Where routes are fixed, none need be noted.
  void note_order(const Packet& packet, ReceivingHost& host) {
    const std::uint32_t number =
        packet.tracked ? static_cast<const TrackedPacket&>(packet).order : packet.walk.hop.salt;
    if (host.is_overtaken(packet, number)) ++counts_.out_of_order;
  }
  const PacketCounts& counts() const { return counts_; }

 private:
  PacketCounts counts_;
};

}  // namespace heddle::network
