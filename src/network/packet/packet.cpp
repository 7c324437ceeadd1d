#include "network/packet/packet.hpp"

#include "network/packet/packet_part.hpp"

namespace heddle::network {

void Packet::fire() {
  part->arrived(*this);
}

void Packet::glimpse() const {
  part->glimpse(*this);
}

void Packet::foresee() const {
  part->foresee(*this);
}

}  // namespace heddle::network
