// How loaded the outputs of a packet network are, for routing.
#pragma once

#include <cstdint>
#include <memory>

#include "network/packet/used_ports.hpp"

namespace heddle::network {

/// The time that a packet would wait for the wire of a link, and what the routing has noted.
class PortLoads final : public platform::LoadView {
 public:
  /// Both must outlive them.
  PortLoads(const PacketContext& context, const UsedPorts& ports)
      : context_(context), ports_(ports), notes_(context.plan.platform.routing().new_notes()) {}

  std::int64_t load(LinkId link) const override;
  std::int64_t backlog(LinkId link) const override;
  Time now() const override { return context_.simulation.now(); }
  platform::RouteNotes* notes() const override { return notes_.get(); }

 private:
  const PacketContext& context_;
  const UsedPorts& ports_;
  std::unique_ptr<platform::RouteNotes> notes_;  ///< If the routing makes any.
};

}  // namespace heddle::network
