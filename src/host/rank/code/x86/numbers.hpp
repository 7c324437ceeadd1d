// What the instructions that compute with numbers have in common.
#pragma once

#include <bit>

#include "host/rank/code/x86/code.hpp"

namespace heddle::host::x86 {

constexpr Operand accumulator(unsigned size) {
  return {Operand::Kind::number, kAccumulator, static_cast<std::uint8_t>(size)};
}
/// Where the upper half of a product goes.
constexpr Operand upper_half(unsigned size) {
  if (size == 1) return {Operand::Kind::high_byte, kAccumulator, 1};
  return {Operand::Kind::number, 2, static_cast<std::uint8_t>(size)};
}
/// The register that only some forms of instructions have.
constexpr Operand third(const Instruction& code) {
  return {Operand::Kind::number, code.other, code.to.size};
}
constexpr std::uint64_t lowest(std::uint64_t value, unsigned size) {
  return value & ones(8 * size);
}
constexpr bool top_bit(std::uint64_t value, unsigned size) {
  return (value >> (8 * size - 1) & 1) != 0;
}
constexpr std::int64_t with_sign(const Thought& what, unsigned size) {
  return signed_bits(what.value, 8 * size);
}
constexpr Comparison with_zero(const Thought& what) {
  return {what, {}};
}

/// What a result says of itself.
inline void note_result(Flags& flags, std::uint64_t value, unsigned size, const Comparison& by) {
  flags.zero = lowest(value, size) == 0;
  flags.sign = top_bit(value, size);
  flags.parity = std::popcount(value & 0xff) % 2 == 0;
  flags.by = by;
  flags.carry_apart = true;
  flags.set = true;
  flags.compared = 0;
}
inline void note_carry(Flags& flags, bool carry, const Comparison& by) {
  flags.carry = carry;
  flags.carry_by = by;
  flags.carry_apart = true;
  flags.carry_of_bit = false;
  flags.carry_set = true;
}
inline void note_all(Flags& flags, std::uint64_t result, unsigned size, bool carry, bool overflow,
                     const Comparison& by) {
  note_result(flags, result, size, by);
  note_carry(flags, carry, by);
  flags.overflow = overflow;
  flags.carry_apart = false;
}

}  // namespace heddle::host::x86
