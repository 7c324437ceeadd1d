// What moves numbers about.
#include "host/rank/code/x86/numbers.hpp"

namespace heddle::host::x86 {
namespace {

using Kind = Operand::Kind;
using Prefix = Instruction::Prefix;
using Wide = unsigned __int128;

void move(Machine& m, const Instruction& code) {
  m.operands.set(code.to, m.operands.get(code.from));
}
void move_constant(Machine& m, const Instruction& code) {
  m.operands.set(code.to, {static_cast<std::uint64_t>(code.constant)});
}
Thought extended(Machine& m, const Thought& from, unsigned from_size, unsigned size) {
  Thought found = from;
  found.value = lowest(static_cast<std::uint64_t>(with_sign(from, from_size)), size);
  return m.terms.said_by(Term::Kind::extended, size, found, from, from_size);
}
void move_with_sign(Machine& m, const Instruction& code) {
  m.operands.set(code.to, extended(m, m.operands.get(code.from), code.from.size, code.to.size));
}
void load_address(Machine& m, const Instruction& code) {
  if (code.from.kind != Kind::memory) return m.step.give_up();
  m.operands.set(code.to, m.operands.address());
}
void exchange(Machine& m, const Instruction& code) {
  const Thought a = m.operands.get(code.to);
  const Thought b = m.operands.get(code.from);
  m.operands.set(code.to, b);
  m.operands.set(code.from, a);
}
/// The accumulator with itself is nothing, and may be a pause.
void exchange_or_nothing(Machine& m, const Instruction& code) {
  if (code.to.number != kAccumulator) exchange(m, code);
}
void move_if(Machine& m, const Instruction& code) {
  const Thought loaded = m.operands.get(code.from);
  const Thought chosen = m.conditions.holds(code.opcode & 15) ? loaded : m.operands.get(code.to);
  const Comparison by = m.conditions.made_of(code.opcode & 15);
  Thought made = combined(chosen.value, chosen, combined(0, by.a, by.b));
  // Which one is chosen is claimed.
  made.term = chosen.term;
  m.operands.set(code.to, made);
}
void set_if(Machine& m, const Instruction& code) {
  const Comparison by = m.conditions.made_of(code.opcode & 15);
  Thought made = combined(m.conditions.holds(code.opcode & 15) ? 1 : 0, by.a, by.b);
  made.term = 0;
  m.operands.set(code.to, made);
}
void lengthen_accumulator(Machine& m, const Instruction& code) {
  const unsigned size = code.number_size();
  m.operands.set(accumulator(size),
                 extended(m, m.operands.get(accumulator(size / 2)), size / 2, size));
}
void sign_of_accumulator(Machine& m, const Instruction& code) {
  const unsigned size = code.number_size();
  const Thought found = m.operands.get(accumulator(size));
  const std::uint64_t value = top_bit(found.value, size) ? ones(8 * size) : 0;
  m.operands.set(upper_half(size),
                 m.terms.said_by(Term::Kind::right_with_sign, size, combined(value, found, {}),
                                 found, 8 * size - 1));
}
void swap_bytes(Machine& m, const Instruction& code) {
  const Thought a = m.operands.get(code.to);
  if (code.to.size == 2) return m.step.give_up();
  const std::uint64_t value = __builtin_bswap64(a.value) >> (64 - 8 * code.to.size);
  m.operands.set(code.to,
                 m.terms.said_by(Term::Kind::swapped, code.to.size, changed(value, a), a, 0));
}

// Many at once.

/// Fills memory or copies it, a number at a time or as often as it is told.
void repeat(Machine& m, const Instruction& code) {
  constexpr std::uint64_t kMost = 64;
  const bool copies = code.opcode < 0xa8;
  const unsigned size = (code.opcode & 1) != 0 ? code.number_size() : 1;
  const bool often = code.prefix == Prefix::rep;
  Thought count = often ? m.registers.number(1) : Thought{1};
  m.terms.pin(count);
  if (!count.known || count.value > kMost || code.address.short_address) return m.step.give_up();
  Thought to = m.registers.number(7);
  Thought from = m.registers.number(6);
  for (std::uint64_t i = 0; i < count.value; ++i) {
    m.step.store(to, size, copies ? m.step.load(from, size) : m.operands.get(accumulator(size)));
    to = m.terms.moved(to, size);
    from = m.terms.moved(from, size);
  }
  m.registers.set_number(7, to);
  if (copies) m.registers.set_number(6, from);
  if (often) m.registers.set_number(1, changed(0, count));
}

}  // namespace

Rows move_rows() {
  static constexpr Row kRows[] = {
      {Instruction::one_byte, 0x63, 0x63, "GvEd", move_with_sign},
      {Instruction::one_byte, 0x86, 0x86, "EbGb", exchange},
      {Instruction::one_byte, 0x87, 0x87, "EvGv", exchange},
      {Instruction::one_byte, 0x88, 0x88, "EbGb", move},
      {Instruction::one_byte, 0x89, 0x89, "EvGv", move},
      {Instruction::one_byte, 0x8a, 0x8a, "GbEb", move},
      {Instruction::one_byte, 0x8b, 0x8b, "GvEv", move},
      {Instruction::one_byte, 0x8d, 0x8d, "GvMv", load_address},
      {Instruction::one_byte, 0x90, 0x97, "ZvAv", exchange_or_nothing},
      {Instruction::one_byte, 0x98, 0x98, "", lengthen_accumulator},
      {Instruction::one_byte, 0x99, 0x99, "", sign_of_accumulator},
      {Instruction::one_byte, 0xa4, 0xa5, "", repeat},
      {Instruction::one_byte, 0xaa, 0xab, "", repeat},
      {Instruction::one_byte, 0xb0, 0xb7, "ZbIb", move_constant},
      {Instruction::one_byte, 0xb8, 0xbf, "ZvIv", move_constant},
      {Instruction::one_byte, 0xc6, 0xc6, "EbIb", move_constant},
      {Instruction::one_byte, 0xc7, 0xc7, "EvIz", move_constant},
      {Instruction::two_bytes, 0x40, 0x4f, "GvEv", move_if},
      {Instruction::two_bytes, 0x90, 0x9f, "Eb", set_if},
      {Instruction::two_bytes, 0xb6, 0xb6, "GvEb", move},
      {Instruction::two_bytes, 0xb7, 0xb7, "GvEw", move},
      {Instruction::two_bytes, 0xbe, 0xbe, "GvEb", move_with_sign},
      {Instruction::two_bytes, 0xbf, 0xbf, "GvEw", move_with_sign},
      {Instruction::two_bytes, 0xc3, 0xc3, "EyGy", move},
      {Instruction::two_bytes, 0xc8, 0xcf, "Zv", swap_bytes},
  };
  return {std::begin(kRows), std::end(kRows)};
}

}  // namespace heddle::host::x86
