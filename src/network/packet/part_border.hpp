// Where a part of a divided packet network meets the others: what crosses a cable between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/packet/packet.hpp"

namespace heddle::network {

/// Which part has a link's sending side, and which a node or switch.
struct PacketPlaces {
  std::span<const std::uint16_t> of_link;
  std::span<const std::uint16_t> of_vertex;
  std::size_t parts = 1;
};

/// What a part has sent to another.
struct PartMail {
  /// A packet on a cable: its head will be at the other end.
  struct Arrival {
    Time when;
    Packet* packet;
  };
  /// Room in the buffer at the end of a link.
  struct Freed {
    Time when;
    Time heard;  ///< When its sender knows.
    LinkId link;
    std::uint32_t flits;
    std::uint8_t lane;
  };
  std::vector<Arrival> packets;
  std::vector<Freed> credits;
};

/// Mail is written in one window of time and read by the others in the next.
class PartBorder {
 public:
  /// Of the part `me`; the places are read while packets are under way.
  PartBorder(const PacketPlaces& places, std::uint32_t me);

  /// Sends a packet whose head will be at the end of its link at `there` to the part that has what
  /// comes behind that; false, and nothing is sent, if it is this one.
  bool takes(Packet& packet, Time there);
  /// The same of the room that a packet leaves at `when`, for the part that has the port before it.
  bool takes_room(const Packet& packet, Time when);

  /// A window is over: what was read is forgotten, what was written can be read. The first instant
  /// at which any of that has an effect; Time::never() if there is none.
  Time turn_over();
  const PartMail& sent_to(std::size_t part) const { return mail_[readable_][part]; }

 private:
  PartMail& mail_to(std::uint32_t part) { return mail_[readable_ ^ 1][part]; }

  PacketPlaces places_;
  std::uint32_t me_;
  std::vector<PartMail> mail_[2];  ///< By part; others read the ones while new ones are written.
  unsigned readable_ = 0;
};

}  // namespace heddle::network
