// What nodes are like, but for their adapters.
#pragma once

#include <cstdint>

#include "core/params.hpp"
#include "core/quantity.hpp"
#include "platform/adapter_use.hpp"
#include "platform/link_params.hpp"

namespace heddle::platform {

/// What a node has besides its place in the fabric.
struct NodeParams {
  std::int64_t cores = 1;
  Speed speed;
  Bandwidth pcie_bandwidth;  ///< Between memory and adapter; unlimited with zero latency: no bus is
                             ///< modelled.
  Bandwidth pcie_flow_cap;
  Time pcie_latency;
  Duplex pcie_duplex = Duplex::full;
  Bandwidth limiter_bandwidth;   ///< Shared by both directions of the adapter; unlimited: none.
  Bandwidth loopback_bandwidth;  ///< For messages from a node to itself, together.
  Bandwidth loopback_flow_cap;   ///< For one of them.
  Time loopback_latency;
  std::int64_t adapters = 1;
  AdapterMap adapter_map = AdapterMap::planes;
  AdapterChoice adapter_choice = AdapterChoice::rank;
  Bytes stripe_from;             ///< Messages of so many bytes are divided, if that is the choice.
  Bandwidth inner_bandwidth;     ///< Between a node's device at an adapter and its internal switch.
  Time inner_latency;            ///< Of that link, each way.
  bool inner_reduction = false;  ///< That switch reduces, and sends one message to several devices.
  auto operator<=>(const NodeParams&) const = default;
};

const ParamTable<NodeParams>& node_table();

}  // namespace heddle::platform
