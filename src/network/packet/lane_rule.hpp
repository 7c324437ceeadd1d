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
  /// If they do, the lane on the link that the packet takes next, which its walk has come to.
  virtual std::size_t next(const Packet& packet) const { return packet.lane; }
};

}  // namespace heddle::network
