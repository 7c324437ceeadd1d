// The crossbars of a packet network whose outputs are allocated, or of one part of it.
#pragma once

#include <memory>
#include <vector>

#include "network/packet/crossbar.hpp"

namespace heddle::network {

/// Each is made when it is first used. Sources of events are those of the vertices, in their order;
/// there are none where outputs choose by themselves.
class UsedCrossbars {
 public:
  explicit UsedCrossbars(const PacketContext& context) : context_(context) {
    if (context.plan.allocation == nullptr) return;
    crossbars_.resize(context.plan.platform.topology().vertices());
    sources_.reserve(crossbars_.size());
    while (sources_.size() < crossbars_.size()) sources_.push_back(context.simulation.new_source());
  }

  Crossbar& operator[](VertexId of) {
    std::unique_ptr<Crossbar>& known = crossbars_[index(of)];
    if (known == nullptr) known = std::make_unique<Crossbar>(context_, of, sources_[index(of)]);
    return *known;
  }

 private:
  const PacketContext& context_;
  std::vector<EventSource> sources_;
  std::vector<std::unique_ptr<Crossbar>> crossbars_;  ///< By vertex.
};

}  // namespace heddle::network
