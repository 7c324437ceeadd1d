#include "network/packet/switch_buffers.hpp"

#include "network/packet/packet_plan.hpp"
#include "network/packet/surroundings.hpp"

namespace heddle::network {

std::unique_ptr<SwitchBuffers> new_switch_buffers(const PacketContext& context) {
  switch (context.plan.config.flow_control) {
    case FlowControl::pfc:
      return new_pfc_buffers(context);
    case FlowControl::lossy:
      return new_lossy_buffers(context);
    case FlowControl::credits:
      break;
  }
  return nullptr;
}

}  // namespace heddle::network
