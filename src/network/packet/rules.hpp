// The rules of the packet model that parameters choose from.
//
// Each rule is one file, in the folder of its kind: allocations, input_orders, lane_arbitrations,
// lane_rules, congestion_controls or path_choices. The file NAME.cpp defines a function NAME() that
// returns the rule's description; the build lists the files of a folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "network/packet/allocation.hpp"
#include "network/packet/config.hpp"
#include "network/packet/congestion_control.hpp"
#include "network/packet/input_order.hpp"
#include "network/packet/lane_arbitration.hpp"
#include "network/packet/lane_rule.hpp"
#include "network/packet/path_choice.hpp"

namespace heddle::network {

/// What rules are made from.
struct RuleInputs {
  const PacketConfig& config;
  const Settings& settings;  ///< For parameters of the rule's own.
  std::size_t lanes;         ///< Of every link.
  const platform::Platform& platform;
};

template <class Made>
struct PacketRule {
  std::string_view name;        ///< As the parameter has it.
  std::string_view about;       ///< A few words.
  const ParamSection* section;  ///< Parameters of its own, in a section of their own; or null.
  std::unique_ptr<const Made> (*make)(const RuleInputs& inputs);
};
struct PacketLaneRule : PacketRule<LaneRule> {
  /// How many lanes it wants where none are set.
  std::int64_t (*usual_lanes)(const PacketConfig& config, const platform::Platform& platform);
};

// All there are.
const std::vector<const PacketRule<InputOrder>*>& input_orders();
const std::vector<const PacketRule<Allocation>*>& allocations();
const std::vector<const PacketRule<LaneArbitration>*>& lane_arbitrations();
const std::vector<const PacketLaneRule*>& lane_rules();
const std::vector<const PacketRule<CongestionControl>*>& congestion_controls();
const std::vector<const PacketRule<PathChoice>*>& path_choices();
/// The sections of their parameters.
std::vector<const ParamSection*> rule_sections();
/// Why a parameter of this model, of that section, has no effect; "" if it may have one.
std::string idle_reason(const PacketConfig& config, std::string_view section,
                        std::string_view name);

/// The choice of paths whose flows have a Chooser each, made from the number of paths and a seed.
template <class Chooser>
std::unique_ptr<const PathChoice> make_paths(const RuleInputs& inputs) {
  class Choice final : public PathChoice {
   public:
    explicit Choice(std::uint32_t paths) : paths_(paths) {}
    std::unique_ptr<PathChooser> new_flow(std::uint64_t seed) const override {
      return std::make_unique<Chooser>(paths_, seed);
    }

   private:
    std::uint32_t paths_;
  };
  return std::make_unique<Choice>(static_cast<std::uint32_t>(inputs.config.paths));
}

/// The rule of a name that the parameter has accepted.
template <class Rule>
const Rule& find_rule(const std::vector<const Rule*>& rules, std::string_view name) {
  std::size_t at = 0;
  while (rules[at]->name != name) ++at;
  return *rules[at];
}
/// What a parameter that chooses among them accepts.
template <class Rule>
std::vector<std::pair<std::string, std::string>> names_of(const std::vector<const Rule*>& rules) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const Rule* rule : rules) names.emplace_back(rule->name, rule->name);
  return names;
}
/// "name: about; name: about".
template <class Rule>
std::string meanings_of(const std::vector<const Rule*>& rules) {
  std::string meanings;
  for (const Rule* rule : rules) {
    if (!meanings.empty()) meanings += "; ";
    meanings += std::string(rule->name) + ": " + std::string(rule->about);
  }
  return meanings;
}

}  // namespace heddle::network
