#include "network/packet/used_hosts.hpp"

namespace heddle::network {

UsedHosts::UsedHosts(const PacketContext& context)
    : context_(context),
      host_of_adapter_(std::size_t{context.plan.platform.nodes()} *
                       context.plan.platform.adapters()) {
  sources_.reserve(host_of_adapter_.size());
  while (sources_.size() < host_of_adapter_.size()) {
    sources_.push_back(context.simulation.new_source());
  }
}

PacketHost& UsedHosts::make(std::size_t place) {
  return *(host_of_adapter_[place] = &hosts_.add(context_, sources_[place]));
}

}  // namespace heddle::network
