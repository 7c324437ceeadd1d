#include "network/packet/divided_packets.hpp"

namespace heddle::network {

DividedPackets::DividedPackets(const PacketPlan& plan, const PacketPlaces& places)
    : places_(places) {
  for (std::uint32_t p = 0; p < places.parts; ++p) {
    parts_.push_back(std::make_unique<Part>(plan, places, p));
  }
}

void DividedPackets::take(std::size_t part) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (p != part) network(part).take_from(network(p), part);
  }
}

}  // namespace heddle::network
