#include "network/packet/allocations/two_stages.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {

const PacketRule<Allocation>& separable_input_first() {
  static const PacketRule<Allocation> rule = {
      "separable-input-first",
      "inputs choose an output in turn, then outputs one of those inputs in turn", nullptr,
      [](const RuleInputs& inputs) -> std::unique_ptr<const Allocation> {
        return std::make_unique<AllocationInTurn>(
            CrossbarSide::inputs, inputs.config.allocation_rounds, PointersMove::always);
      }};
  return rule;
}

}  // namespace heddle::network
