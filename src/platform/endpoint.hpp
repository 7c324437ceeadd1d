// Where messages come from and go to.
#pragma once

#include <compare>
#include <cstdint>

#include "core/ids.hpp"

namespace heddle::platform {

/// One end of a transfer: a node's adapter, its memory behind the PCIe bus, or its memory as an
/// adapter streams from or to it. A stream uses the bus like any other message, but the bus's
/// latency is not counted: the adapter accounts for the first packet it reads and the last one it
/// writes. Or it is the switch inside a node, which has messages with the devices of that node
/// only.
enum class Port : std::uint8_t { nic, memory, stream, inner };
struct Endpoint {
  /// Of an endpoint that leaves it to the network which adapter is used.
  static constexpr std::uint8_t kAnyAdapter = 255;

  NodeId node;
  Port port = Port::nic;
  std::uint8_t adapter = kAnyAdapter;
  auto operator<=>(const Endpoint&) const = default;
  /// The adapter's number in its node, the first one's where it is left open.
  std::uint8_t own_adapter() const { return adapter == kAnyAdapter ? 0 : adapter; }
};

}  // namespace heddle::platform
