#include "host/rank/code/x86/state.hpp"

namespace heddle::host::x86 {

Flags flags_of(std::uint64_t bits) {
  Flags flags;
  flags.by.earlier = flags.carry_by.earlier = true;
  flags.carry = (bits & kCarry) != 0;
  flags.parity = (bits & kParity) != 0;
  flags.zero = (bits & kZero) != 0;
  flags.sign = (bits & kSign) != 0;
  flags.overflow = (bits & kOverflow) != 0;
  return flags;
}

std::uint64_t bits_of(const Flags& flags) {
  return (flags.carry ? kCarry : 0) | (flags.parity ? kParity : 0) | (flags.zero ? kZero : 0) |
         (flags.sign ? kSign : 0) | (flags.overflow ? kOverflow : 0);
}

Words words_of(const State& state) {
  Words words{};
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    words[i] = state.numbers[i].value;
    words[State::kFirstVector + 2 * i] = state.vectors[i][0].value;
    words[State::kFirstVector + 2 * i + 1] = state.vectors[i][1].value;
  }
  words[State::kFlagsWord] = bits_of(state.flags);
  words[State::kThreadPointer] = state.thread_pointer;
  return words;
}

void give_terms(State& state, ProofWriter& proof) {
  for (unsigned i = 0; i < State::kNumbers; ++i) {
    if (i != kStackPointer) state.numbers[i].term = proof.word(i, true);
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned word = State::kFirstVector + 2 * i + half;
      state.vectors[i][half].term = proof.word(word, false);
    }
  }
}

}  // namespace heddle::host::x86
