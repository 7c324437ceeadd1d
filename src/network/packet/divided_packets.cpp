#include "network/packet/divided_packets.hpp"

namespace heddle::network {

DividedPackets::DividedPackets(const PacketPlan& plan, const PacketPlaces& places)
    : of_link_(places.of_link.begin(), places.of_link.end()),
      of_vertex_(places.of_vertex.begin(), places.of_vertex.end()),
      places_{of_link_, of_vertex_, places.parts} {
  for (std::uint32_t p = 0; p < places.parts; ++p) {
    parts_.push_back(std::make_unique<Part>(plan, places_, p));
  }
}

void DividedPackets::take(std::size_t part) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (p != part) network(part).take_from(network(p), part);
  }
}

}  // namespace heddle::network
