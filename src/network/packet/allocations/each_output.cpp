#include "network/packet/rules.hpp"

namespace heddle::network {

/// No allocation at all: nothing keeps an input from feeding several outputs at a time.
const PacketRule<Allocation>& each_output() {
  static const PacketRule<Allocation> rule = {
      "none", "each output chooses by itself, and an input may feed any number of them at a time",
      nullptr, [](const RuleInputs&) -> std::unique_ptr<const Allocation> { return nullptr; }};
  return rule;
}

}  // namespace heddle::network
