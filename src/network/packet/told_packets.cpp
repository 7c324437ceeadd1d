#include "network/packet/told_packets.hpp"

#include "network/packet/output_port.hpp"

namespace heddle::network {

TrackedPacket& ToldPackets::new_packet(PacketFlow& flow, TrackedPacket::Sort sort,
                                       const platform::Endpoint& from,
                                       const platform::Endpoint& to) {
  const auto adapter = [](const platform::Endpoint& end) {
    return platform::Endpoint{end.node, platform::Port::nic, end.adapter};
  };
  TrackedPacket& packet = context_->supply.new_tracked_packet(adapter(from), adapter(to));
  packet.message = &message_;
  packet.told = true;
  packet.set_size(context_->plan.flows.ack, context_->plan.config.flit);
  packet.flow = &flow;
  packet.sort = sort;
  return packet;
}

TrackedPacket& ToldPackets::reply(PacketFlow& flow, TrackedPacket::Sort sort) {
  TrackedPacket& packet = new_packet(flow, sort, flow.destination, flow.source);
  packet.up_to = flow.receiving.up_to();
  return packet;
}

TrackedPacket& ToldPackets::wish(PacketFlow& flow) {
  TrackedPacket& packet =
      new_packet(flow, TrackedPacket::Sort::wish, flow.source, flow.destination);
  packet.bytes = flow.told = flow.sending.wanted();
  return packet;
}

void ToldPackets::tell(TrackedPacket& packet) {
  packet.next = nullptr;
  (last_ == nullptr ? first_ : last_->next) = &packet;
  last_ = &packet;
  offer_next();
}

void ToldPackets::left() {
  offered_ = false;
  offer_next();
}

void ToldPackets::offer_next() {
  if (offered_ || first_ == nullptr) return;
  Packet& packet = *first_;
  first_ = packet.next;
  if (first_ == nullptr) last_ = nullptr;
  offered_ = true;
  packet.begin(context_->simulation.now(), static_cast<std::uint8_t>(context_->plan.control_lane));
  context_->around.next_output(packet)->enter(packet);
}

}  // namespace heddle::network
