#include "network/packet/switch_ports.hpp"

namespace heddle::network {

SwitchPorts::SwitchPorts(const platform::Topology& topology)
    : input_(topology.links()),
      output_(topology.links()),
      inputs_(topology.vertices()),
      outputs_(topology.vertices()) {
  for (std::uint32_t link = 0; link < topology.links(); ++link) {
    const platform::LinkEnds ends = topology.ends(LinkId{link});
    input_[link] = inputs_[index(ends.to)]++;
    output_[link] = outputs_[index(ends.from)]++;
  }
}

}  // namespace heddle::network
