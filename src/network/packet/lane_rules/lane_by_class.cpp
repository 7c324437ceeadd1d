#include <algorithm>

#include "network/network.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

class LaneByClass final : public LaneRule {
 public:
  LaneByClass(const PacketConfig& config, std::size_t lanes)
      : lanes_(lanes), of_class_(config.class_lanes) {}

  std::size_t first(const Transfer& transfer) const override {
    if (!of_class_) return transfer.traffic_class % lanes_;
    if (transfer.traffic_class >= of_class_->size()) {
      throw ParamError({"packet.class_lanes"}, "class " + std::to_string(transfer.traffic_class) +
                                                   " has no lane: accepted is a list with one for "
                                                   "every class in use");
    }
    return static_cast<std::size_t>((*of_class_)[transfer.traffic_class]);
  }

 private:
  std::size_t lanes_;
  std::optional<std::vector<std::int64_t>> of_class_;
};

/// As many lanes as the classes are given, or the most there are.
std::int64_t lanes_of_classes(const PacketConfig& config, const platform::Platform&) {
  if (!config.class_lanes) return 1;
  const std::int64_t last =
      *std::max_element(config.class_lanes->begin(), config.class_lanes->end());
  return 1 + std::min(last, kMostLanes - 1);
}

}  // namespace

const PacketLaneRule& lane_by_class() {
  static const PacketLaneRule rule = {
      {"class", "by its message's class (service level)", nullptr,
       [](const RuleInputs& inputs) -> std::unique_ptr<const LaneRule> {
         return std::make_unique<LaneByClass>(inputs.config, inputs.lanes);
       }},
      lanes_of_classes};
  return rule;
}

}  // namespace heddle::network
