#include "network/packet/part_border.hpp"

#include <algorithm>

#include "network/packet/output_port.hpp"

namespace heddle::network {

PartBorder::PartBorder(const PacketPlaces& places, std::uint32_t me) : places_(places), me_(me) {
  for (auto& mail : mail_) mail.resize(places.parts);
}

bool PartBorder::takes(Packet& packet, Time there) {
  const std::uint32_t part = packet.coming == kNoLink
                                 ? places_.of_vertex[index(packet.walk.destination.node)]
                                 : places_.of_link[index(packet.coming)];
  if (part == me_) return false;
  mail_to(part).packets.push_back({there, &packet});
  return true;
}

bool PartBorder::takes_room(const Packet& packet, Time when) {
  const std::uint32_t part = places_.of_link[index(packet.in)];
  if (part == me_) return false;
  const Time heard = when + packet.before->kind().wire;
  mail_to(part).credits.push_back({when, heard, packet.in, packet.flits, packet.in_lane});
  return true;
}

Time PartBorder::turn_over() {
  readable_ ^= 1;
  Time first = Time::never();
  for (const PartMail& mail : mail_[readable_]) {
    for (const PartMail::Arrival& arrival : mail.packets) first = std::min(first, arrival.when);
    for (const PartMail::Freed& freed : mail.credits) first = std::min(first, freed.heard);
  }
  for (PartMail& taken : mail_[readable_ ^ 1]) {
    taken.packets.clear();
    taken.credits.clear();
  }
  return first;
}

}  // namespace heddle::network
