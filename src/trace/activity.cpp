#include "trace/activity.hpp"

#include <algorithm>

namespace heddle::trace {

using nic::Activity;

const std::array<ActivityKind, kActivities>& activity_kinds() {
  using enum Path;
  static constexpr std::array<ActivityKind, kActivities> kKinds = {{
      {Activity::bxi_ack, "E2E_ACK", "E2E ack", between_adapters, false},
      {Activity::portals_ack, "PTL_ACK", "ack", between_adapters, false},
      {Activity::get_response, "GET_RESPONSE", "get response", between_adapters, true},
      {Activity::put, "PUT", "put", between_adapters, true},
      {Activity::get, "GET", "get", between_adapters, false},
      {Activity::atomic, "ATOMIC", "atomic", between_adapters, true},
      {Activity::fetch_atomic, "FETCH_ATOMIC", "fetch atomic", between_adapters, true},
      {Activity::fetch_atomic_response, "FETCH_ATOMIC_RESPONSE", "fetch response", between_adapters,
       true},
      {Activity::pci_pio_payload, "PCI_PIO_PAYLOAD", "PIO", process_to_adapter, true},
      {Activity::pci_dma_payload, "PCI_DMA_PAYLOAD", "DMA read", process_to_adapter, true},
      {Activity::pci_dma_request, "PCI_DMA_REQUEST", "DMA request", adapter_to_process, false},
      {Activity::pci_payload_write, "PCI_PAYLOAD_WRITE", "write", adapter_to_process, true},
      {Activity::pci_event, "PCI_EVENT", "event", adapter_to_process, false},
      {Activity::pci_command, "PCI_COMMAND", "command", process_to_adapter, false},
      {Activity::compute, "COMPUTE", "compute", within_process, false},
  }};
  return kKinds;
}

const ActivityKind& kind_of(Activity activity) {
  return activity_kinds()[static_cast<std::size_t>(activity)];
}

std::optional<Activity> activity_called(std::string_view name) {
  const auto& kinds = activity_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [name](const ActivityKind& kind) { return kind.name == name; });
  if (found == kinds.end()) return std::nullopt;
  return found->activity;
}

std::vector<std::string> activity_names() {
  std::vector<std::string> names;
  for (const ActivityKind& kind : activity_kinds()) names.emplace_back(kind.name);
  return names;
}

}  // namespace heddle::trace
