// Which virtual lane a packet takes.
#pragma once

#include <cstddef>

#include "network/packet/packet.hpp"

namespace heddle::network {

struct Transfer;

/// One for all packets. Lanes are below the number that it was made with.
class LaneRule {
 public:
  virtual ~LaneRule() = default;
  /// The lane in which a message leaves its source. Throws InputError if its class has none.
  virtual std::size_t first(const Transfer& transfer) const = 0;
  /// Whether lanes change on the way; then a packet may take any of them.
  virtual bool changes() const { return false; }
  /// If they do, the lane on `link`, which the packet takes next and its walk has come to; the
  /// packet is in the buffer of the lane `in_lane` behind the link `in`.
  virtual std::size_t next(const Packet& packet, LinkId) const { return packet.lane; }

  /// Whether a packet that finds no credits in the lane that next() has given it goes by the
  /// deterministic route of the topology instead, in a lane of that,
  virtual bool escapes() const { return false; }
  /// and if so, in which: `link` is the first of that route.
  virtual std::size_t escape(const Packet& packet, LinkId) const { return packet.lane; }
  /// Whether a lane is for that.
  virtual bool is_escape(std::size_t) const { return false; }
};

}  // namespace heddle::network
