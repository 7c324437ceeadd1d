#include "network/packet/allocations/two_stages.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {

/// McKeown 1999: pointers that move only when a match of the first round is made drift apart, so
/// that outputs grant to different inputs.
const PacketRule<Allocation>& islip() {
  static const PacketRule<Allocation> rule = {
      "islip",
      "outputs grant in turn, inputs accept in turn; turns go on behind the matches of the first "
      "round",
      nullptr, [](const RuleInputs& inputs) -> std::unique_ptr<const Allocation> {
        return std::make_unique<AllocationInTurn>(
            CrossbarSide::outputs, inputs.config.allocation_rounds, PointersMove::first_round);
      }};
  return rule;
}

}  // namespace heddle::network
