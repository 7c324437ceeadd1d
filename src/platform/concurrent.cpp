#include "platform/concurrent.hpp"

#include "platform/simgrid/topology.hpp"
#include "platform/topology/graph.hpp"

namespace heddle::platform {

bool concurrent(const Topology& topology) {
  return dynamic_cast<const Graph*>(&topology) == nullptr &&
         dynamic_cast<const simgrid::SimgridTopology*>(&topology) == nullptr;
}

}  // namespace heddle::platform
