// A flow: what one source sends to one destination in one class, as both ends know it.
#pragma once

#include <memory>
#include <utility>

#include "core/simulation.hpp"
#include "network/packet/receiving_flow.hpp"
#include "network/packet/sending_flow.hpp"
#include "network/packet/tracked_packet.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::network {

class FlowHost;

/// As an event, its source has waited for news for long. What the source needs is in four lines of
/// the cache, what the destination needs in the first and the last.
class alignas(64) PacketFlow final : public Event {
 public:
  PacketFlow(FlowHost& own_host, const Transfer& first, std::uint32_t own_number,
             std::uint8_t own_lane, std::uint64_t own_seed, SendingFlow own_sending)
      : host(own_host),
        source(first.source),
        destination(first.destination),
        number(own_number),
        lane(own_lane),
        sending(std::move(own_sending)),
        seed(own_seed) {}
  void fire() override;
  /// What a routing draws the way of this number by.
  std::uint32_t way(std::uint32_t path) const {
    return static_cast<std::uint32_t>(platform::scrambled(seed, path));
  }

  FlowHost& host;  ///< Of its source.
  const platform::Endpoint source;
  const platform::Endpoint destination;
  const std::uint32_t number;  ///< Of its source's.
  const std::uint8_t lane;
  bool in_line = false;        ///< Waits for its turn or its time at the source.
  PacketFlow* next = nullptr;  ///< In line.
  Bytes told;                  ///< Of what is wanted, the destination.
  SendingFlow sending;
  const std::uint64_t seed;  ///< Of the ways that it chooses.
  alignas(64) ReceivingFlow receiving;

  // What comes soon asks for the memory that it needs: at the source, then besides; at the
  // destination.
  void foresee_news() const { prefetch_lines(this, 4); }
  void foresee_data() const {
    prefetch(this);
    prefetch_whole(receiving);
  }
};

/// Whether what the packet's head brings has not been there before, and is taken.
inline bool is_taken(const TrackedPacket& packet, Repair repair) {
  if (packet.sort != TrackedPacket::Sort::data) return false;
  const ReceivingFlow::Arrival arrival = packet.flow->receiving.arrival(packet.number);
  return arrival == ReceivingFlow::Arrival::expected ||
         (arrival == ReceivingFlow::Arrival::early && repair != Repair::go_back_n);
}

}  // namespace heddle::network
