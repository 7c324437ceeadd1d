#include "portals/interface.hpp"

#include "portals/process.hpp"

namespace heddle::portals {

std::uint32_t slot_of(unsigned int options) {
  const unsigned int matching = options & (PTL_NI_MATCHING | PTL_NI_NO_MATCHING);
  const unsigned int addressing = options & (PTL_NI_LOGICAL | PTL_NI_PHYSICAL);
  if (options != (matching | addressing)) return kNone;
  if (matching != PTL_NI_MATCHING && matching != PTL_NI_NO_MATCHING) return kNone;
  if (addressing != PTL_NI_LOGICAL && addressing != PTL_NI_PHYSICAL) return kNone;
  return (matching == PTL_NI_MATCHING ? 1U : 0U) | (addressing == PTL_NI_LOGICAL ? 2U : 0U);
}

Interface::Interface(Process& process, std::uint8_t slot, std::uint32_t generation,
                     const ptl_ni_limits_t& wanted)
    : process_(process),
      memory_(process.memory()),
      slot_(slot),
      generation_(generation),
      limits(wanted) {}

ptl_handle_ni_t Interface::handle() const {
  return encode({ObjectKind::interface, slot_, 0, generation_});
}

ptl_handle_any_t Interface::handle(ObjectKind kind, std::uint32_t index) const {
  Handle parts{kind, slot_, index, 0};
  switch (kind) {
    case ObjectKind::interface:
      return handle();
    case ObjectKind::descriptor:
      parts.generation = descriptors.generation(index);
      break;
    case ObjectKind::entry:
      parts.generation = entries.generation(index);
      break;
    case ObjectKind::event_queue:
      parts.generation = queues.generation(index);
      break;
    case ObjectKind::counter:
      parts.generation = counters.generation(index);
      break;
  }
  return encode(parts);
}

}  // namespace heddle::portals
