#include "network/packet/rules.hpp"

namespace heddle::network {

std::vector<const ParamSection*> rule_sections() {
  std::vector<const ParamSection*> sections;
  const auto add = [&sections](const auto& rules) {
    for (const auto* rule : rules) {
      if (rule->section != nullptr) sections.push_back(rule->section);
    }
  };
  add(lane_rules());
  add(input_orders());
  add(allocations());
  add(lane_arbitrations());
  add(congestion_controls());
  add(path_choices());
  return sections;
}

std::string idle_reason(const PacketConfig& config, std::string_view section,
                        std::string_view name) {
  if (section == "packet" && name == "unevenness" && config.send_window == Bytes(0)) {
    return "packet.send_window is 0B";
  }
  if (section == "pfc" && config.flow_control != FlowControl::pfc) {
    return "packet.flow_control is not pfc";
  }
  if (section == "lossy" && config.flow_control != FlowControl::lossy) {
    return "packet.flow_control is not lossy";
  }
  const bool beside_grants = section == "nscc" && config.congestion == "rccc";
  for (const auto* rule : congestion_controls()) {
    const bool is_own = rule->section != nullptr && rule->section->section() == section;
    if (is_own && rule->name != config.congestion && !beside_grants) {
      return "packet.congestion is not " + std::string(rule->name);
    }
  }
  return "";
}

}  // namespace heddle::network
