// Messages in a packet network that several parts of a replay work on.
#pragma once

#include <vector>

#include "core/containers/pool.hpp"
#include "replay/engine/wires/network_wire.hpp"

namespace heddle::replay {

/// Each part has a network of its own; a message that is sent in one arrives in that of its
/// receiver, and the wire there takes it in.
class PacketWire : public NetworkWire {
 public:
  explicit PacketWire(const WireBed& bed);

  void depart(MessageId number);
  Time settle(Numbers& numbers);

 private:
  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;

  SharedPackets& packets_;
  const AnyUnits shape_;
  Pool<PacketMessage> messages_;
  std::vector<PacketMessage*> fresh_;  ///< Those whose sequences may be provisional.
};

}  // namespace heddle::replay
