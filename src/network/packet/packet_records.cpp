#include "network/packet/packet_records.hpp"

namespace heddle::network {

Message& PacketRecords::new_message(const Transfer& transfer, Time now) {
  Message& message = messages_.take();
  message.transfer = transfer;
  message.unsent = transfer.size.count();
  // Of an empty message, one.
  message.packets_left = (message.unsent - 1) / plan_.max_payload() + 1;
  message.ready = message.due = now + message.own_pace(plan_.max_payload());
  message.head_reported = false;
  message.lost_on = kNoLink;
  message.notification = false;
  message.unacknowledged = 0;
  return message;
}

Message& PacketRecords::new_notification(const Packet& packet) {
  Message& message = messages_.take();
  message.transfer = {};
  message.transfer.source = {packet.walk.destination.node, platform::Port::nic,
                             packet.walk.destination.adapter};
  message.transfer.destination = {packet.walk.source.node, platform::Port::nic,
                                  packet.walk.source.adapter};
  message.transfer.wants = 0;
  message.unsent = 0;
  message.packets_left = 1;
  message.ready = Time::zero();
  message.head_reported = true;
  message.lost_on = kNoLink;
  message.notification = true;
  return message;
}

Packet& PacketRecords::new_packet(const Message& message) {
  Packet& packet = packets_.take(part_);
  packet.lost = false;
  packet.told = message.notification;
  const Transfer& transfer = message.transfer;
  packet.walk = platform::Routes::walk(transfer.source, transfer.destination, next_salt_++);
  return packet;
}

TrackedPacket& PacketRecords::new_tracked_packet(const platform::Endpoint& from,
                                                 const platform::Endpoint& to) {
  TrackedPacket& packet = tracked_.take(part_);
  packet.reset();
  packet.order = next_salt_++;
  packet.walk = platform::Routes::walk(from, to, packet.order);
  if (plan_.congestion != nullptr && plan_.congestion->measures_paths()) {
    packet.path = &paths_.take();
    packet.path->count = 0;
  }
  return packet;
}

void PacketRecords::give_back(Packet& packet) {
  if (!packet.tracked) return packets_.give_back(packet);
  auto& tracked = static_cast<TrackedPacket&>(packet);
  if (tracked.path != nullptr) paths_.give_back(*tracked.path);
  tracked.path = nullptr;
  tracked_.give_back(tracked);
}

}  // namespace heddle::network
