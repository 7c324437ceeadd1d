#include "network/packet/used_ports.hpp"

namespace heddle::network {

UsedPorts::UsedPorts(const PacketContext& context, UsedCrossbars& crossbars)
    : context_(context), crossbars_(crossbars), port_of_link_(context.plan.platform.links().ids()) {
  if (context.plan.config.buffer_sharing != BufferSharing::none) {
    pools_ = std::make_unique<BufferPools>(context);
  }
  sources_.reserve(port_of_link_.size());
  while (sources_.size() < port_of_link_.size()) {
    sources_.push_back(context.simulation.new_source());
  }
}

OutputPort& UsedPorts::make(LinkId link) {
  OutputPort& made = make_one(link);
  const platform::Duplex duplex = context_.plan.platform.links()[link].duplex;
  OutputPort::join(made, make_one(reverse(link)), duplex);
  return made;
}

OutputPort& UsedPorts::make_one(LinkId link) {
  const PortKind& kind = *kinds_.emplace(context_, link).first;
  OutputPort& made = ports_.add(kind, link, sources_[index(link)]);
  if (kind.pooled) pools_->add(made);
  if (kind.allocated) made.belong_to(crossbars_[context_.plan.platform.links().ends(link).from]);
  return *(port_of_link_[index(link)] = &made);
}

}  // namespace heddle::network
