// A node's adapter in a packet network.
#pragma once

#include <memory>

#include "network/packet/flow_host.hpp"
#include "network/packet/receiving_host.hpp"
#include "network/packet/sending_host.hpp"

namespace heddle::network {

/// Its two sides.
struct PacketHost {
  PacketHost(const PacketContext& context, EventSource own_source)
      : receiving(context, own_source), sending(context, receiving.source()) {
    if (context.plan.tracked) flows = std::make_unique<FlowHost>(context, receiving.source());
  }

  ReceivingHost receiving;
  SendingHost sending;
  /// Where packets are tracked; messages within a node are not.
  std::unique_ptr<FlowHost> flows;
};

}  // namespace heddle::network
