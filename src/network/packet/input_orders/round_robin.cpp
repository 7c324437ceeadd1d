#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

/// In turn, from behind the input that had the last turn.
class RoundRobin final : public InputOrder {
 public:
  std::size_t first(const InputQueues& queues) const override {
    if (queues.last_turn() == kNoLink) return 0;
    std::size_t at = 0;
    while (at < queues.size() && queues[at].input <= queues.last_turn()) ++at;
    return at < queues.size() ? at : 0;
  }
  std::size_t after(const InputQueues& queues, std::size_t asked) const override {
    return asked + 1 < queues.size() ? asked + 1 : 0;
  }
};

}  // namespace

const PacketRule<InputOrder>& round_robin() {
  static const PacketRule<InputOrder> rule = {
      "round-robin", "the input behind the one that had the last turn", nullptr,
      [](const RuleInputs&) -> std::unique_ptr<const InputOrder> {
        return std::make_unique<RoundRobin>();
      }};
  return rule;
}

}  // namespace heddle::network
