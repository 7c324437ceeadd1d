// Packets by which the two ends of flows tell each other what has become of their data.
#pragma once

#include "network/packet/flow.hpp"
#include "network/packet/message.hpp"
#include "network/packet/surroundings.hpp"
#include "network/packet/tracked_packet.hpp"

namespace heddle::network {

/// What one adapter tells: ahead of its data, in a lane of its own, one packet after another.
class ToldPackets {
 public:
  explicit ToldPackets(const PacketContext& context) : context_(&context) {
    message_.notification = true;
  }

  /// From the flow's destination to its source; says what has arrived.
  TrackedPacket& reply(PacketFlow& flow, TrackedPacket::Sort sort);
  /// From the flow's source to its destination: how many bytes it wants to send.
  TrackedPacket& wish(PacketFlow& flow);
  /// Behind those that were told before.
  void tell(TrackedPacket& packet);
  /// The one that stood before the arbiter leaves.
  void left();

 private:
  TrackedPacket& new_packet(PacketFlow& flow, TrackedPacket::Sort sort,
                            const platform::Endpoint& from, const platform::Endpoint& to);
  void offer_next();

  const PacketContext* context_;
  Message message_;          ///< Of no client.
  Packet* first_ = nullptr;  ///< In a row.
  Packet* last_ = nullptr;
  bool offered_ = false;  ///< One stands before the arbiter.
};

}  // namespace heddle::network
