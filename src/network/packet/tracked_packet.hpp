// Packets whose sources hear what has become of them, and what these hear.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "network/packet/congestion_control.hpp"
#include "network/packet/packet.hpp"

namespace heddle::network {

class PacketFlow;

/// What the outputs on a packet's way were like.
struct PathNews {
  static constexpr std::uint32_t kMost = 16;
  std::array<HopNews, kMost> hops;
  std::uint32_t count = 0;

  void add(const HopNews& hop) {
    if (count < kMost) hops[count++] = hop;
  }
  std::span<const HopNews> all() const { return {hops.data(), count}; }
};

/// A packet of a flow's data, or the header that is left of it, or what the flow's destination and
/// its source tell each other.
struct TrackedPacket : Packet {
  enum class Sort : std::uint8_t {
    data,
    header,        ///< Of data that was cut.
    ack,           ///< `number` has arrived, and all below `up_to`.
    nack,          ///< The same of those below `up_to`; `number` is to be sent again.
    notification,  ///< A marked packet has arrived.
    wish,          ///< The source has had `bytes` to send, since the beginning.
    grant,         ///< It may send `bytes`.
  };

  explicit TrackedPacket(PacketPart* where) : Packet(where) { tracked = true; }
  /// As one that nothing has happened to.
  void reset() {
    sort = Sort::data;
    told = again = marked_data = trimmed = at_last_hop = false;
    number = up_to = 0;
    bytes = Bytes(0);
    sent = Time::zero();
    hops = 0;
  }
  bool is_data() const { return sort == Sort::data || sort == Sort::header; }

  // In one more line of the cache.
  PacketFlow* flow = nullptr;
  std::int64_t number = 0;  ///< In its flow.
  std::int64_t up_to = 0;
  Bytes bytes;
  Time sent;  ///< When the data began to leave.
  PathNews* path = nullptr;
  std::uint32_t order = 0;  ///< Among all that its source has sent; goes round.
  std::uint32_t payload = 0;
  std::uint16_t hops = 0;  ///< Links that the data has crossed, or the most that can be said.
  Sort sort = Sort::data;
  bool again : 1 = false;        ///< Data that has been sent before.
  bool marked_data : 1 = false;  ///< It acknowledges data that was marked.
  bool trimmed : 1 = false;      ///< That of which it tells; a header says it by its sort.
  bool at_last_hop : 1 = false;  ///< Cut there, or that of which it tells.
};
static_assert(sizeof(TrackedPacket) == 3 * kCacheLine);

}  // namespace heddle::network
