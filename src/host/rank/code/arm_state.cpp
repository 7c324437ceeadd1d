#include "host/rank/code/arm_state.hpp"

#if defined(__aarch64__)

#include <ucontext.h>

namespace heddle::host {

using arm::cut;

ArmState::ArmState(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  for (unsigned i = 0; i < kStackPointer; ++i) x_[i].value = machine.regs[i];
  x_[kStackPointer].value = machine.sp;
  flags.by.earlier = true;
  flags.n = (machine.pstate >> 31 & 1) != 0;
  flags.z = (machine.pstate >> 30 & 1) != 0;
  flags.c = (machine.pstate >> 29 & 1) != 0;
  flags.v = (machine.pstate >> 28 & 1) != 0;
}

std::uint64_t ArmState::number_of_flags() const {
  if (!flags.by.a.known || !flags.by.b.known) return 16;
  return (flags.n ? 8U : 0U) | (flags.z ? 4U : 0U) | (flags.c ? 2U : 0U) | (flags.v ? 1U : 0U);
}

void ArmState::sum(const Thought& a, const Thought& b, bool subtract, bool wide, Thought& result,
                   bool sets_flags, bool with_constant) {
  const std::uint64_t first = cut(a.value, wide);
  const std::uint64_t second = cut(subtract ? ~b.value : b.value, wide);
  const unsigned top = wide ? 63 : 31;
  const auto whole = static_cast<unsigned __int128>(first) + second + (subtract ? 1 : 0);
  const std::uint64_t value = cut(static_cast<std::uint64_t>(whole), wide);
  result = with_constant ? changed(value, a) : summed(value, a, b);
  if (!sets_flags) return;
  flags.n = (value >> top & 1) != 0;
  flags.z = value == 0;
  flags.c = (static_cast<std::uint64_t>(whole >> (top + 1)) & 1) != 0;
  flags.v = ((~(first ^ second) & (first ^ value)) >> top & 1) != 0;
  flags.by = {{first, a.origin, a.known}, {cut(b.value, wide), b.origin, b.known}};
  if (!subtract) flags.by.b.value = cut(0 - b.value, wide);
}

void ArmState::set_flags_of(const Thought& result, bool wide, const Comparison& by) {
  flags.n = (result.value >> (wide ? 63 : 31) & 1) != 0;
  flags.z = cut(result.value, wide) == 0;
  flags.c = flags.v = false;
  flags.by = by;
}

bool ArmState::holds(unsigned condition) const {
  bool answer = true;
  switch (condition >> 1) {
    case 0:
      answer = flags.z;
      break;
    case 1:
      answer = flags.c;
      break;
    case 2:
      answer = flags.n;
      break;
    case 3:
      answer = flags.v;
      break;
    case 4:
      answer = flags.c && !flags.z;
      break;
    case 5:
      answer = flags.n == flags.v;
      break;
    case 6:
      answer = flags.n == flags.v && !flags.z;
      break;
    default:
      return true;
  }
  return (condition & 1) != 0 ? !answer : answer;
}

/// What the flags were made of.
Thought ArmState::flags_thought() const {
  return combined(0, flags.by.a, flags.by.b);
}

}  // namespace heddle::host

#endif
