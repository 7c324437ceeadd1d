// What moves vectors, and what is compared of them.
#include <bit>
#include <cmath>

#include "host/rank/code/x86/numbers.hpp"

namespace heddle::host::x86 {
namespace {

using Kind = Operand::Kind;
using Prefix = Instruction::Prefix;

Vector unknown_vector() {
  Vector none;
  none.fill(Thought::unknown());
  return none;
}

/// What is not written of a vector: without a register more, what it was.
Vector first_source(Machine& m, const Instruction& code) {
  const std::uint8_t number = code.vex ? code.other : code.to.number;
  return m.operands.vector({Kind::vector, number, code.vector_size()});
}

void not_known(Machine& m, const Instruction& code) {
  m.operands.set_vector(code.to, unknown_vector());
}
/// Shifts have a register where others have memory.
void shift_vector(Machine& m, const Instruction& code) {
  const std::uint8_t number = code.vex ? code.other : code.to.number;
  if (code.to.kind != Kind::vector) return m.step.give_up();
  m.operands.set_vector({Kind::vector, number, code.vector_size()}, unknown_vector());
}
void number_not_known(Machine& m, const Instruction& code) {
  m.registers.set_number(code.field, Thought::unknown());
}

void move_vector(Machine& m, const Instruction& code) {
  m.operands.set_vector(code.to, m.operands.vector(code.from));
}

/// A single number moves alone, or the whole vector.
unsigned scalar_size(const Instruction& code) {
  return code.prefix == Prefix::rep ? 4 : code.prefix == Prefix::repne ? 8 : code.vector_size();
}

/// A single number among others that stay.
Vector with_first(Vector whole, const Thought& first, unsigned size) {
  const std::uint64_t mask = ones(8 * size);
  whole[0] = size == 8 ? first
                       : combined((whole[0].value & ~mask) | (first.value & mask), whole[0], first);
  return whole;
}

void move_scalar_or_vector(Machine& m, const Instruction& code) {
  const auto size = static_cast<std::uint8_t>(scalar_size(code));
  Operand to = code.to;
  Operand from = code.from;
  to.size = from.size = size;
  const Vector found = m.operands.vector(from);
  const bool merges = size < 16 && to.kind == from.kind;
  m.operands.set_vector(to, merges ? with_first(first_source(m, code), found[0], size) : found);
}

/// One half, from memory or to it; between registers one is exchanged for the other.
void move_half(Machine& m, const Instruction& code) {
  if (code.prefix == Prefix::rep || code.prefix == Prefix::repne) return not_known(m, code);
  const bool upper = code.opcode >= 0x16;
  const bool loads = (code.opcode & 1) == 0;
  Operand half = loads ? code.from : code.to;
  const bool in_memory = half.kind == Kind::memory;
  half.size = in_memory ? 8 : 16;
  if (!loads) {
    if (!in_memory) return m.step.give_up();
    const Vector whole = m.operands.vector(code.from);
    return m.step.store(m.operands.address(), 8, whole[upper ? 1 : 0]);
  }
  const Vector found = m.operands.vector(half);
  Vector whole = first_source(m, code);
  whole[upper ? 1 : 0] = in_memory || upper ? found[0] : found[1];
  m.operands.set_vector(code.to, whole);
}

/// From a register of numbers, or memory.
void move_number_in(Machine& m, const Instruction& code) {
  m.operands.set_vector(code.to, {m.operands.get(code.from)});
}
void move_number_out(Machine& m, const Instruction& code) {
  if (code.prefix != Prefix::rep) {
    return m.operands.set(
        code.to, m.terms.part(m.operands.vector({Kind::vector, code.field, 16})[0], code.to.size));
  }
  // The other way round, and of vectors only.
  Operand from = code.to;
  from.size = 8;
  if (from.kind == Kind::number) from.kind = Kind::vector;
  m.operands.set_vector({Kind::vector, code.field, code.vector_size()},
                        {m.operands.vector(from)[0]});
}
void move_quad_out(Machine& m, const Instruction& code) {
  Operand to = code.to;
  if (code.prefix != Prefix::operand_size) return m.step.give_up();
  to.size = 8;
  m.operands.set_vector(to, {m.operands.vector(code.from)[0]});
}

/// The lower or the upper halves of two.
void unpack_halves(Machine& m, const Instruction& code) {
  const unsigned half = code.opcode & 1;
  if (code.long_vector) return not_known(m, code);
  const Vector a = first_source(m, code);
  const Vector b = m.operands.vector(code.from);
  m.operands.set_vector(code.to, {a[half], b[half]});
}

enum class Logical : std::uint8_t { both, second_alone, either, one };

Thought logical_of(Logical kind, const Thought& a, const Thought& b) {
  switch (kind) {
    case Logical::both:
      return combined(a.value & b.value, a, b);
    case Logical::second_alone:
      return combined(~a.value & b.value, a, b);
    case Logical::either:
      return combined(a.value | b.value, a, b);
    default:
      return combined(a.value ^ b.value, a, b);
  }
}

template <Logical kind>
void vector_logical(Machine& m, const Instruction& code) {
  const std::uint8_t first = code.vex ? code.other : code.to.number;
  const bool same = code.from.kind == Kind::vector && code.from.number == first;
  // A vector with itself: what it was makes no difference.
  if (same && kind == Logical::one) return m.operands.set_vector(code.to, {});
  const Vector a = first_source(m, code);
  const Vector b = m.operands.vector(code.from);
  Vector result{};
  for (unsigned i = 0; i < code.vector_size() / 8U; ++i) result[i] = logical_of(kind, a[i], b[i]);
  m.operands.set_vector(code.to, result);
}

double decimal(const Thought& bits, unsigned size) {
  return size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits.value))
                   : std::bit_cast<double>(bits.value);
}

/// That they are to each other as they are; flags are known by that.
void claim_order(Machine& m, const Thought& a, const Thought& b, unsigned size) {
  Flags& flags = m.conditions.flags();
  if ((a.term | b.term) == 0) return;
  m.terms.decide(m.step.place(), a, b);
  m.terms.claim(Relation::decimal_neither, flags.parity, size, a, b);
  if (!flags.parity) {
    m.terms.claim(Relation::decimal_below, flags.carry, size, a, b);
    m.terms.claim(Relation::decimal_equal, flags.zero, size, a, b);
  }
  for (Comparison* const by : {&flags.by, &flags.carry_by}) by->a.term = by->b.term = 0;
}

/// Single numbers, by flags: not a number is neither more nor less than another.
void compare_scalars(Machine& m, const Instruction& code) {
  const unsigned size = code.prefix == Prefix::operand_size ? 8 : 4;
  Operand from = code.from;
  from.size = static_cast<std::uint8_t>(size);
  const Thought a = m.operands.vector({Kind::vector, code.to.number, from.size})[0];
  const Thought b = m.operands.vector(from)[0];
  const double x = decimal(a, size);
  const double y = decimal(b, size);
  const bool neither = std::isnan(x) || std::isnan(y);
  Flags& flags = m.conditions.flags();
  note_all(flags, 1, size, neither || x < y, false, {a, b});
  flags.zero = neither || x == y;
  flags.parity = neither;
  claim_order(m, a, b, size);
}

void flags_not_known(Machine& m, const Instruction&) {
  const Thought none = Thought::unknown();
  note_all(m.conditions.flags(), 1, 8, false, false, {none, none});
}

/// The upper halves of all of the longest vectors become zero, or all.
void clear_vectors(Machine& m, const Instruction& code) {
  if (!code.vex) return m.step.give_up();
  for (std::uint8_t i = 0; i < State::kNumbers; ++i) {
    const Operand each{Kind::vector, i, 16};
    m.operands.set_vector(each, code.long_vector ? Vector{} : m.operands.vector(each));
  }
}

}  // namespace

Rows vector_rows() {
  static constexpr auto k2 = Instruction::two_bytes;
  static constexpr auto k38 = Instruction::three_bytes_38;
  static constexpr auto k3a = Instruction::three_bytes_3a;
  static constexpr Row kRows[] = {
      // First what is known of few, in which the others then stand.
      {k2, 0x14, 0x15, "VxWx", not_known},
      {k2, 0x51, 0x53, "VxWx", not_known},
      {k2, 0x58, 0x76, "VxWx", not_known},
      {k2, 0x7c, 0x7d, "VxWx", not_known},
      {k2, 0xd0, 0xfe, "VxWx", not_known},
      {k38, 0x00, 0x40, "VxWx", not_known},
      {k3a, 0x08, 0x0f, "VxWxIb", not_known},
      {k3a, 0x20, 0x20, "VxEdIb", not_known},
      {k3a, 0x21, 0x21, "VxWxIb", not_known},
      {k3a, 0x22, 0x22, "VxEyIb", not_known},
      {k2, 0x2a, 0x2a, "VxEy", not_known},
      {k2, 0x70, 0x70, "VxWxIb", not_known},
      {k2, 0x71, 0x73, "WxIb", shift_vector},
      {k2, 0xc2, 0xc2, "VxWxIb", not_known},
      {k2, 0xc4, 0xc4, "VxEdIb", not_known},
      {k2, 0xc6, 0xc6, "VxWxIb", not_known},
      {k2, 0x2c, 0x2d, "GyWx", number_not_known},
      {k2, 0x50, 0x50, "GyWx", number_not_known},
      {k2, 0xc5, 0xc5, "GyWxIb", number_not_known},
      {k2, 0xd7, 0xd7, "GyWx", number_not_known},
      {k38, 0x17, 0x17, "VxWx", flags_not_known},
      {k2, 0x10, 0x10, "VxWx", move_scalar_or_vector},
      {k2, 0x11, 0x11, "WxVx", move_scalar_or_vector},
      {k2, 0x12, 0x12, "VxWx", move_half},
      {k2, 0x13, 0x13, "WxVx", move_half},
      {k2, 0x16, 0x16, "VxWx", move_half},
      {k2, 0x17, 0x17, "WxVx", move_half},
      {k2, 0x28, 0x28, "VxWx", move_vector},
      {k2, 0x29, 0x29, "WxVx", move_vector},
      {k2, 0x2b, 0x2b, "WxVx", move_vector},
      {k2, 0x2e, 0x2f, "VxWx", compare_scalars},
      {k2, 0x54, 0x54, "VxWx", vector_logical<Logical::both>},
      {k2, 0x55, 0x55, "VxWx", vector_logical<Logical::second_alone>},
      {k2, 0x56, 0x56, "VxWx", vector_logical<Logical::either>},
      {k2, 0x57, 0x57, "VxWx", vector_logical<Logical::one>},
      {k2, 0x6c, 0x6d, "VxWx", unpack_halves},
      {k2, 0x6e, 0x6e, "VxEy", move_number_in},
      {k2, 0x6f, 0x6f, "VxWx", move_vector},
      {k2, 0x77, 0x77, "", clear_vectors},
      {k2, 0x7e, 0x7e, "EyVx", move_number_out},
      {k2, 0x7f, 0x7f, "WxVx", move_vector},
      {k2, 0xd6, 0xd6, "WxVx", move_quad_out},
      {k2, 0xdb, 0xdb, "VxWx", vector_logical<Logical::both>},
      {k2, 0xdf, 0xdf, "VxWx", vector_logical<Logical::second_alone>},
      {k2, 0xe7, 0xe7, "WxVx", move_vector},
      {k2, 0xeb, 0xeb, "VxWx", vector_logical<Logical::either>},
      {k2, 0xef, 0xef, "VxWx", vector_logical<Logical::one>},
  };
  return {std::begin(kRows), std::end(kRows)};
}

}  // namespace heddle::host::x86
