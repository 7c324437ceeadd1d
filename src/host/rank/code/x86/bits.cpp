// Shifts and single bits.
#include "host/rank/code/x86/numbers.hpp"

namespace heddle::host::x86 {
namespace {

using Kind = Operand::Kind;
using Prefix = Instruction::Prefix;
using Wide = unsigned __int128;

// Shifts.

struct Shifted {
  std::uint64_t value;
  bool carry;
};
/// By less than the width of the number, or by more if that is narrow.
Shifted shifted_left(std::uint64_t value, unsigned by, unsigned width) {
  const Wide whole = Wide{value} << by;
  return {static_cast<std::uint64_t>(whole) & ones(width), (whole >> width & 1) != 0};
}
Shifted shifted_right(std::uint64_t value, unsigned by, unsigned width, bool with_sign) {
  const std::int64_t number =
      with_sign ? signed_bits(value, width) : static_cast<std::int64_t>(value);
  const __int128 whole = with_sign ? __int128{number} : static_cast<__int128>(value);
  return {static_cast<std::uint64_t>(whole >> by) & ones(width), (whole >> (by - 1) & 1) != 0};
}

unsigned shift_count(const Thought& by, unsigned size) {
  return static_cast<unsigned>(by.value & (size == 8 ? 63 : 31));
}

/// They leave all flags but two as they are.
void rotate(Machine& m, const Instruction& code, const Thought& a, const Thought& by, bool right) {
  const unsigned width = 8U * code.to.size;
  const unsigned count = shift_count(by, code.to.size);
  const std::uint64_t value = rotated(a.value, right ? count : width - count % width, width);
  const Thought result =
      m.terms.said_by(Term::Kind::turned, code.to.size, combined(value, a, by), a,
                      right ? count % width : (width - count % width) % width);
  const bool top = top_bit(value, code.to.size);
  const bool carry = right ? top : (value & 1) != 0;
  const bool other = right ? (value >> (width - 2) & 1) != 0 : top;
  note_carry(m.conditions.flags(), carry, with_zero(result));
  m.conditions.flags().overflow = carry != other;
  m.conditions.forget(result);
  m.operands.set(code.to, result);
}

enum Shift : unsigned { kRotateLeft, kRotateRight, kLeft = 4, kRight, kLeftToo, kRightWithSign };

void shift_by(Machine& m, const Instruction& code, unsigned kind, const Thought& a,
              const Thought& by) {
  const unsigned size = code.to.size;
  const unsigned count = shift_count(by, size);
  const bool left = kind == kLeft || kind == kLeftToo;
  const Shifted result = left ? shifted_left(a.value, count, 8 * size)
                              : shifted_right(a.value, count, 8 * size, kind == kRightWithSign);
  const bool top = top_bit(result.value, size);
  const bool overflow = left             ? top != result.carry
                        : kind == kRight ? top_bit(a.value, size)
                                         : false;
  const Term::Kind shifts = left             ? Term::Kind::left
                            : kind == kRight ? Term::Kind::right
                                             : Term::Kind::right_with_sign;
  const Thought value = m.terms.said_by(shifts, size, combined(result.value, a, by), a, count);
  note_all(m.conditions.flags(), value.value, size, result.carry, overflow, with_zero(value));
  m.conditions.say(value, {}, size, false);
  m.operands.set(code.to, value);
}

/// By nothing: flags stay, but that they do was decided by the count.
void shift_by_nothing(Machine& m, const Instruction& code, const Thought& a, const Thought& by) {
  Flags& flags = m.conditions.flags();
  flags.by.a = combined(flags.by.a.value, flags.by.a, by);
  flags.carry_by.a = combined(flags.carry_by.a.value, flags.carry_by.a, by);
  m.operands.set(code.to, a);
}

void shift(Machine& m, const Instruction& code) {
  const unsigned kind = code.field & 7;
  const Thought a = m.operands.get(code.to);
  Thought by = m.operands.get(code.from);
  if (kind == 2 || kind == 3 || !by.known) return m.step.give_up();
  m.terms.pin(by);
  if (shift_count(by, code.to.size) == 0) return shift_by_nothing(m, code, a, by);
  if (kind < 2) return rotate(m, code, a, by, kind == kRotateRight);
  shift_by(m, code, kind, a, by);
}

/// One number with bits of another behind it.
void shift_double(Machine& m, const Instruction& code) {
  const unsigned size = code.to.size;
  const bool left = code.opcode < 0xa8;
  const bool by_register = (code.opcode & 1) != 0;
  const Thought a = m.operands.get(code.to);
  const Thought b = m.operands.get(code.from);
  Thought by = by_register ? m.operands.get({Kind::number, 1, 1})
                           : Thought{static_cast<std::uint64_t>(code.constant)};
  m.terms.pin(by);
  const unsigned count = shift_count(by, size);
  if (size == 2 || !by.known) return m.step.give_up();
  if (count == 0) return shift_by_nothing(m, code, a, by);
  const unsigned width = 8 * size;
  const std::uint64_t more = left ? b.value >> (width - count) : b.value << (width - count);
  const Shifted part =
      left ? shifted_left(a.value, count, width) : shifted_right(a.value, count, width, false);
  const Term::Kind shifts = left ? Term::Kind::left : Term::Kind::right;
  const Term::Kind fills = left ? Term::Kind::right : Term::Kind::left;
  const Thought value = m.terms.said(
      Term::Kind::either, size, combined(lowest(part.value | more, size), combined(0, a, b), by),
      m.terms.said_by(shifts, size, {part.value}, a, count),
      m.terms.said_by(fills, size, {lowest(more, size)}, b, width - count));
  const bool overflow = top_bit(a.value ^ value.value, size);
  note_all(m.conditions.flags(), value.value, size, part.carry, overflow, with_zero(value));
  m.operands.set(code.to, value);
}

// Bits.

/// Of memory, any bit from there on.
Thought bit_address(Machine& m, const Instruction& code, const Thought& index) {
  Thought address = m.operands.address();
  if (code.from.kind == Kind::constant) return address;
  const unsigned size = code.to.size;
  const std::int64_t numbers = signed_bits(index.value, 8 * size) >> (size == 8   ? 6
                                                                      : size == 4 ? 5
                                                                                  : 4);

  address = m.terms.moved(address, static_cast<std::uint64_t>(numbers) * size);
  address.known = address.known && index.known;
  return address;
}

void bit_test(Machine& m, const Instruction& code) {
  const unsigned size = code.to.size;
  const unsigned kind = code.opcode == 0xba ? code.field & 3U : code.opcode >> 3 & 3U;
  if (code.opcode == 0xba && (code.field & 4) == 0) return m.step.give_up();
  const bool in_memory = code.to.kind == Kind::memory;
  Thought index = m.operands.get(code.from);
  m.terms.pin(index);
  const Thought address = in_memory ? bit_address(m, code, index) : Thought{};
  const Thought a = in_memory ? m.step.load(address, size) : m.operands.get(code.to);
  const std::uint64_t mask = std::uint64_t{1} << (index.value % (8 * size));
  const Thought bit =
      m.terms.said(Term::Kind::both, size, combined(a.value & mask, a, index), a, {mask});
  note_carry(m.conditions.flags(), bit.value != 0, with_zero(bit));
  m.conditions.flags().carry_of_bit = true;
  if (kind == 0) return;
  const std::uint64_t value = kind == 1   ? a.value | mask
                              : kind == 2 ? a.value & ~mask
                                          : a.value ^ mask;
  const Thought with{kind == 2 ? lowest(~mask, size) : mask};
  const Term::Kind changes = kind == 1   ? Term::Kind::either
                             : kind == 2 ? Term::Kind::both
                                         : Term::Kind::one;
  const Thought result = m.terms.said(changes, size, combined(value, a, index), a, with);
  if (in_memory) {
    m.step.store(address, size, result);
  } else {
    m.operands.set(code.to, result);
  }
}

/// Counts zeros on one side. Without the prefix of their successors they give the place of the
/// first one, and nothing for zero.
void scan_bits(Machine& m, const Instruction& code) {
  const unsigned size = code.to.size;
  const Thought a = m.operands.get(code.from);
  const bool from_above = (code.opcode & 1) != 0;
  const bool counts = code.prefix == Prefix::rep;
  const int above = std::countl_zero(a.value) - static_cast<int>(64 - 8 * size);
  const int below = a.value == 0 ? static_cast<int>(8 * size) : std::countr_zero(a.value);
  const int found = !from_above ? below : counts ? above : static_cast<int>(8 * size) - 1 - above;
  const auto value = static_cast<std::uint64_t>(found);
  Flags& flags = m.conditions.flags();
  note_all(flags, value, size, a.value == 0, false, with_zero(a));
  if (!counts) flags.zero = a.value == 0;
  if (!counts) m.terms.claim(Relation::equal, a.value == 0, size, a, {});
  if (!counts && a.value == 0) return m.operands.set(code.to, Thought::unknown());
  const Term::Kind zeros = from_above ? Term::Kind::zeros_above : Term::Kind::zeros_below;
  const auto all = static_cast<std::uint64_t>(from_above ? above : below);
  Thought result = m.terms.said_by(zeros, size, combined(all, a, {}), a, 0);
  if (from_above && !counts) {
    result =
        m.terms.said(Term::Kind::difference, size, changed(value, result), {8 * size - 1}, result);
  }
  m.operands.set(code.to, result);
}

void count_bits(Machine& m, const Instruction& code) {
  if (code.prefix != Prefix::rep) return m.step.give_up();
  const Thought a = m.operands.get(code.from);
  const auto count = static_cast<std::uint64_t>(std::popcount(a.value));
  const Thought result =
      m.terms.said_by(Term::Kind::bits_set, code.to.size, combined(count, a, {}), a, 0);
  note_all(m.conditions.flags(), a.value != 0 ? 1 : 0, code.to.size, false, false, with_zero(a));
  m.conditions.flags().parity = false;
  m.operands.set(code.to, result);
}

// With a register more.

void and_not(Machine& m, const Instruction& code) {
  const unsigned size = code.to.size;
  const Thought a = m.operands.get(third(code));
  const Thought b = m.operands.get(code.from);
  const Thought others{lowest(~a.value, size)};
  const Thought result =
      m.terms.said(Term::Kind::both, size, combined(others.value & b.value, a, b),
                   m.terms.said(Term::Kind::one, size, others, a, {ones(8 * size)}), b);
  note_all(m.conditions.flags(), result.value, size, false, false, with_zero(result));
  m.conditions.say(result, {}, size, true);
  m.operands.set(code.to, result);
}

/// Around the lowest bit that is set.
void lowest_bit(Machine& m, const Instruction& code) {
  const unsigned size = code.to.size;
  const unsigned kind = code.field & 7;
  const Thought a = m.operands.get(code.to);
  if (kind < 1 || kind > 3) return m.step.give_up();
  const bool negates = kind == 3;
  const Thought other{lowest(negates ? 0 - a.value : a.value - 1, size)};
  const Thought with = negates ? m.terms.said(Term::Kind::difference, size, other, {}, a)
                               : m.terms.said(Term::Kind::difference, size, other, a, {1});
  const std::uint64_t value = kind == 2 ? a.value ^ with.value : a.value & with.value;
  const Term::Kind makes = kind == 2 ? Term::Kind::one : Term::Kind::both;
  const Thought result = m.terms.said(makes, size, combined(value, a, {}), a, with);
  const bool carry = (a.value == 0) != (kind == 3);
  note_all(m.conditions.flags(), result.value, size, carry, false, with_zero(a));
  m.operands.set(third(code), result);
}

void shift_without_flags(Machine& m, const Instruction& code) {
  const unsigned size = code.to.size;
  const Thought a = m.operands.get(code.from);
  Thought by = m.operands.get(third(code));
  m.terms.pin(by);
  const unsigned count = shift_count(by, size);
  std::uint64_t value = a.value << count;
  Term::Kind shifts = Term::Kind::left;
  if (code.prefix == Prefix::none) return m.step.give_up();
  if (code.prefix == Prefix::repne) {
    value = a.value >> count;
    shifts = Term::Kind::right;
  }
  if (code.prefix == Prefix::rep) {
    value = static_cast<std::uint64_t>(with_sign(a, size) >> count);
    shifts = Term::Kind::right_with_sign;
  }
  m.operands.set(code.to,
                 m.terms.said_by(shifts, size, combined(lowest(value, size), a, by), a, count));
}

void rotate_without_flags(Machine& m, const Instruction& code) {
  if (code.prefix != Prefix::repne) return m.step.give_up();
  const Thought a = m.operands.get(code.from);
  const unsigned width = 8U * code.to.size;
  const unsigned by = (static_cast<unsigned>(code.constant) & 63) % width;
  m.operands.set(code.to, m.terms.said_by(Term::Kind::turned, code.to.size,
                                          combined(rotated(a.value, by, width), a, {}), a, by));
}

}  // namespace

Rows bit_rows() {
  static constexpr Row kRows[] = {
      {Instruction::one_byte, 0xc0, 0xc0, "EbIb", shift},
      {Instruction::one_byte, 0xc1, 0xc1, "EvIb", shift},
      {Instruction::one_byte, 0xd0, 0xd0, "Eb1b", shift},
      {Instruction::one_byte, 0xd1, 0xd1, "Ev1b", shift},
      {Instruction::one_byte, 0xd2, 0xd2, "EbCb", shift},
      {Instruction::one_byte, 0xd3, 0xd3, "EvCb", shift},
      {Instruction::two_bytes, 0xa3, 0xa3, "EvGv", bit_test},
      {Instruction::two_bytes, 0xab, 0xab, "EvGv", bit_test},
      {Instruction::two_bytes, 0xb3, 0xb3, "EvGv", bit_test},
      {Instruction::two_bytes, 0xbb, 0xbb, "EvGv", bit_test},
      {Instruction::two_bytes, 0xba, 0xba, "EvIb", bit_test},
      {Instruction::two_bytes, 0xa4, 0xa4, "EvGvIb", shift_double},
      {Instruction::two_bytes, 0xa5, 0xa5, "EvGv", shift_double},
      {Instruction::two_bytes, 0xac, 0xac, "EvGvIb", shift_double},
      {Instruction::two_bytes, 0xad, 0xad, "EvGv", shift_double},
      {Instruction::two_bytes, 0xb8, 0xb8, "GvEv", count_bits},
      {Instruction::two_bytes, 0xbc, 0xbd, "GvEv", scan_bits},
      {Instruction::three_bytes_38, 0xf2, 0xf2, "GyEy", and_not},
      {Instruction::three_bytes_38, 0xf3, 0xf3, "Ey", lowest_bit},
      {Instruction::three_bytes_38, 0xf7, 0xf7, "GyEy", shift_without_flags},
      {Instruction::three_bytes_3a, 0xf0, 0xf0, "GyEyIb", rotate_without_flags},
  };
  return {std::begin(kRows), std::end(kRows)};
}

}  // namespace heddle::host::x86
