#include "platform/platform.hpp"

namespace heddle::platform {

Platform::Platform(std::string name, std::unique_ptr<const Topology> topology,
                   std::unique_ptr<const Routing> routing, const LinkParams& link,
                   const SwitchParams& switches, const NodeParams& node, const NicParams& nic)
    : name_(std::move(name)),
      topology_(std::move(topology)),
      routing_(std::move(routing)),
      switches_(switches),
      links_(*topology_, link, switches, node),
      routes_(*topology_, *routing_, links_),
      nics_(topology_->nodes(), nic) {}

}  // namespace heddle::platform
