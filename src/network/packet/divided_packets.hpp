// A packet network whose ports and hosts several threads work on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "network/packet/packet_network.hpp"

namespace heddle::network {

/// Which part has a link's sending side, and which a node or switch.
struct PacketPlaces {
  std::span<const std::uint16_t> of_link;
  std::span<const std::uint16_t> of_vertex;
  std::size_t parts = 1;
};

/// Each part is a network of its own, with a clock of its own, that knows its ports and hosts only.
/// What it does reaches a port of another part after the latency of the cable between them, packets
/// forward and credits back; so all parts can go through a window of time of the least such latency
/// on their own. Then each of them calls settle(), and when all have done that, take().
class DividedPackets {
 public:
  /// The whole must not have begun; the places are read until it has joined the parts again.
  DividedPackets(const PacketNetwork& whole, const PacketPlaces& places);
  ~DividedPackets();

  Simulation& simulation(std::size_t part) const;
  PacketNetwork& network(std::size_t part) const;
  const PacketPlaces& places() const { return places_; }
  /// The part's window is over. The first thing that it is going to do, or has caused elsewhere;
  /// Time::never() if there is none.
  Time settle(std::size_t part);
  /// What the others have sent to the part in the window before.
  void take(std::size_t part);

 private:
  struct Part;
  PacketPlaces places_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace heddle::network
