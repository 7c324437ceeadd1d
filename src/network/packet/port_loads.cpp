#include "network/packet/port_loads.hpp"

#include <algorithm>

namespace heddle::network {

std::int64_t PortLoads::load(LinkId link) const {
  const OutputPort* const port = ports_.find(link);
  if (port == nullptr) return 0;
  std::int64_t waiting = port->lanes().flits_waiting();
  if (port->kind().half_duplex) waiting += ports_.find(reverse(link))->lanes().flits_waiting();
  const Time backlog = std::max(Time::zero(), port->stage().wire_free() - now());
  return (backlog + port->kind().flit_time * waiting).ps();
}

std::int64_t PortLoads::backlog(LinkId link) const {
  const OutputPort* const port = ports_.find(link);
  if (port == nullptr) return 0;
  const std::int64_t beyond = port->news().flits_beyond(port->lanes());
  return load(link) + (port->kind().flit_time * beyond).ps();
}

}  // namespace heddle::network
