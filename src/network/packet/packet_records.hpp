// The messages and packets of a packet network, or of one part of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/containers/pool.hpp"
#include "network/packet/message.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/packet_plan.hpp"
#include "network/packet/surroundings.hpp"
#include "network/packet/tracked_packet.hpp"

namespace heddle::network {

/// Takes records for them, as they are at their beginnings, and takes them back. Packets are
/// numbered as they are made, for the choices of their routes.
class PacketRecords final : public PacketSupply {
 public:
  /// Packets arrive in `part`; their numbers begin with `first_salt`. The plan must outlive them.
  PacketRecords(PacketPart* part, const PacketPlan& plan, std::uint32_t first_salt)
      : part_(part), plan_(plan), next_salt_(first_salt) {}

  Message& new_message(const Transfer& transfer, Time now);
  /// Tells the source of the packet, which has been marked, of congestion.
  Message& new_notification(const Packet& packet);
  Packet& new_packet(const Message& message) override;
  TrackedPacket& new_tracked_packet(const platform::Endpoint& from,
                                    const platform::Endpoint& to) override;
  void acknowledged(Message& message) override { give_back(message); }

  void give_back(Message& message) { messages_.give_back(message); }
  /// A packet of either kind.
  void give_back(Packet& packet);

  // In use: taken here, less those given back here, which of one part alone may be less than none.
  std::size_t messages() const { return messages_.in_use(); }
  std::size_t packets() const { return packets_.in_use() + tracked_.in_use(); }

 private:
  PacketPart* part_;
  const PacketPlan& plan_;
  std::uint32_t next_salt_;
  Pool<Message> messages_;
  Pool<Packet> packets_;
  Pool<TrackedPacket> tracked_;
  Pool<PathNews> paths_;
};

}  // namespace heddle::network
