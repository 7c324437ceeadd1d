#include "network/packet/packet_foresight.hpp"

#include "network/packet/flow.hpp"
#include "network/packet/message.hpp"
#include "network/packet/tracked_packet.hpp"

namespace heddle::network {

/// The credits that the packet gives back, and where it goes: as far as it is at hand.
void PacketForesight::glimpse(const Packet& packet) const {
  if (packet.before != nullptr) {
    if (packet.in_lane == 0) {
      packet.before->lanes()[0].credits.foresee_news();
    } else {
      packet.before->lanes().foresee_further();
    }
  }
  if (packet.goes_on()) return ports_.foresee(packet.coming);
  if (packet.tracked) {
    const PacketFlow& flow = *static_cast<const TrackedPacket&>(packet).flow;
    if (packet.told) {
      flow.foresee_news();
    } else {
      flow.foresee_data();
    }
  }
  if (!packet.told) prefetch_whole(*packet.message);
  if (packet.before != nullptr) packet.before->lanes()[0].queues.foresee_turn();
}

void PacketForesight::foresee(const Packet& packet) const {
  if (packet.before != nullptr && packet.in_lane > 0) {
    packet.before->lanes()[packet.in_lane].credits.foresee_news();
  }
  if (packet.goes_on()) {
    const OutputPort* const port = ports_.find(packet.coming);
    return port == nullptr ? void() : prefetch_lines(port, OutputPort::kPassing);
  }
  if (packet.before == nullptr) return;
  if (const DrainingEnd* const end = packet.before->lanes()[0].credits.end_host()) {
    return end->foresee_sink();
  }
  const PacketHost* const host = hosts_.find(packet.walk.destination);
  prefetch(host);
  if (packet.at_end && !plan_.fixed_routes && host != nullptr) host->receiving.foresee_flows();
}

/// The lane that it takes next, unless that is the first, and what is told of a flow.
void PacketForesight::expect(const Packet& packet) const {
  if (packet.lane > 0 && packet.goes_on()) {
    const OutputPort* const port = ports_.find(packet.coming);
    return port == nullptr ? void()
                           : prefetch_lines(&port->lanes()[packet.lane], PortLane::kPassing);
  }
  if (!packet.at_end) return;
  if (packet.told && packet.tracked) {
    static_cast<const TrackedPacket&>(packet).flow->sending.foresee_news();
  } else if (!plan_.fixed_routes && packet.before != nullptr) {
    if (const PacketHost* const host = hosts_.find(packet.walk.destination)) {
      host->receiving.foresee_flow(packet);
    }
  }
}

}  // namespace heddle::network
