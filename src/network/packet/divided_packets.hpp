// A packet network whose ports and hosts several threads work on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/packet/packet_network.hpp"
#include "network/packet/packet_part.hpp"

namespace heddle::network {

/// Each part has a clock of its own, and ports and hosts that no other has. What it does reaches a
/// port of another part after the latency of the cable between them, packets forward and credits
/// back; so all parts can go through a window of time of the least such latency on their own. Then
/// each of them calls settle(), and when all have done that, take().
class DividedPackets {
 public:
  /// The plan is that of the whole.
  DividedPackets(const PacketPlan& plan, const PacketPlaces& places);

  Simulation& simulation(std::size_t part) const { return parts_[part]->simulation; }
  PacketPart& network(std::size_t part) const { return parts_[part]->network; }
  const PacketPlaces& places() const { return places_; }
  /// The part's window is over. The first thing that it is going to do, or has caused elsewhere;
  /// Time::never() if there is none.
  Time settle(std::size_t part) { return network(part).settle(); }
  /// What the others have sent to the part in the window before.
  void take(std::size_t part);

 private:
  struct Part {
    Part(const PacketPlan& plan, const PacketPlaces& places, std::uint32_t me)
        : network(simulation, plan, places, me) {}
    Simulation simulation;
    PacketPart network;
  };
  const std::vector<std::uint16_t> of_link_;
  const std::vector<std::uint16_t> of_vertex_;
  const PacketPlaces places_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace heddle::network
