#include "network/packet/allocations/two_stages.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {

const PacketRule<Allocation>& separable_output_first() {
  static const PacketRule<Allocation> rule = {
      "separable-output-first",
      "outputs choose an input in turn, then inputs one of those outputs in turn", nullptr,
      [](const RuleInputs& inputs) -> std::unique_ptr<const Allocation> {
        return std::make_unique<AllocationInTurn>(
            CrossbarSide::outputs, inputs.config.allocation_rounds, PointersMove::always);
      }};
  return rule;
}

}  // namespace heddle::network
