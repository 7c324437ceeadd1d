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
  add(lane_arbitrations());
  add(congestion_controls());
  return sections;
}

}  // namespace heddle::network
