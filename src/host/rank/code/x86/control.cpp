// What decides where code goes on, and what only seems to do something.
#include "host/rank/code/x86/code.hpp"

namespace heddle::host::x86 {
namespace {

constexpr std::uint8_t kPushes = 6;

void jump(Machine& m, const Instruction& code) {
  m.step.go_on_at(m.step.next() + static_cast<std::uint64_t>(code.constant));
}
void jump_if(Machine& m, const Instruction& code) {
  if (m.conditions.decide(code.opcode & 15)) jump(m, code);
}
void jump_if_no_count(Machine& m, const Instruction& code) {
  Thought count = m.registers.number(1);
  if (code.address.short_address) count = m.terms.part(count, 4);
  if (m.conditions.decide_equal(count, {})) jump(m, code);
}
void call(Machine& m, const Instruction& code) {
  m.stack.push_return();
  jump(m, code);
}
void call_at(Machine& m, const Thought& place) {
  m.stack.push_return();
  m.step.go_on_at(place);
}
void return_from_call(Machine& m, const Instruction& code) {
  m.stack.return_from_call();
  const auto by = static_cast<std::uint64_t>(code.constant & 0xffff);
  m.registers.set_number(kStackPointer, m.terms.moved(m.registers.number(kStackPointer), by));
}
void push(Machine& m, const Instruction& code) {
  if (code.short_operand) {
    m.step.give_up();
  } else {
    m.stack.push(m.operands.get(code.to));
  }
}
void push_constant(Machine& m, const Instruction& code) {
  if (code.short_operand) {
    m.step.give_up();
  } else {
    m.stack.push({static_cast<std::uint64_t>(code.constant)});
  }
}
/// Where to may be said from the stack pointer, as it is afterwards.
void pop(Machine& m, const Instruction& code) {
  if (code.short_operand) return m.step.give_up();
  const Thought found = m.stack.pop();
  m.operands.set(code.to, found);
}
void leave(Machine& m, const Instruction& code) {
  if (code.short_operand) return m.step.give_up();
  m.registers.set_number(kStackPointer, m.registers.number(kFramePointer));
  m.registers.set_number(kFramePointer, m.stack.pop());
}

/// What is pushed and where to jump has eight bytes, whatever the prefixes say.
void group_of_calls(Machine& m, const Instruction& code) {
  const unsigned kind = code.field & 7;
  Operand whole = code.to;
  whole.size = 8;
  if (kind == 2) return call_at(m, m.operands.get(whole));
  if (kind == 4) return m.step.go_on_at(m.operands.get(whole));
  if (kind == kPushes && !code.short_operand) return m.stack.push(m.operands.get(whole));
  if (kind > 1) {
    m.step.give_up();
  } else {
    increment(m, code);
  }
}

void nothing(Machine&, const Instruction&) {}
/// Barriers, and what empties caches; not what saves registers.
void fence(Machine& m, const Instruction& code) {
  const bool barrier = code.to.kind != Operand::Kind::memory && (code.field & 7) >= 5;
  const bool flushes = code.to.kind == Operand::Kind::memory && (code.field & 7) == 7;
  if ((!barrier && !flushes) || code.prefix == Instruction::Prefix::rep) m.step.give_up();
}
void system_call(Machine& m, const Instruction&) {
  m.step.make_call();
}

}  // namespace

Rows control_rows() {
  static constexpr Row kRows[] = {
      {Instruction::one_byte, 0x50, 0x57, "Zq", push},
      {Instruction::one_byte, 0x58, 0x5f, "Zq", pop},
      {Instruction::one_byte, 0x68, 0x68, "Iz", push_constant},
      {Instruction::one_byte, 0x6a, 0x6a, "Ib", push_constant},
      {Instruction::one_byte, 0x70, 0x7f, "Jb", jump_if},
      {Instruction::one_byte, 0x8f, 0x8f, "Eq", pop},
      {Instruction::one_byte, 0xc2, 0xc2, "Iw", return_from_call},
      {Instruction::one_byte, 0xc3, 0xc3, "", return_from_call},
      {Instruction::one_byte, 0xc9, 0xc9, "", leave},
      {Instruction::one_byte, 0xe3, 0xe3, "Jb", jump_if_no_count},
      {Instruction::one_byte, 0xe8, 0xe8, "Jz", call},
      {Instruction::one_byte, 0xe9, 0xe9, "Jz", jump},
      {Instruction::one_byte, 0xeb, 0xeb, "Jb", jump},
      {Instruction::one_byte, 0xff, 0xff, "Ev", group_of_calls},
      {Instruction::two_bytes, 0x05, 0x05, "", system_call},
      {Instruction::two_bytes, 0x0d, 0x0d, "Ev", nothing},  // To fetch something ahead.
      {Instruction::two_bytes, 0x18, 0x1f, "Ev", nothing},  // That, too, and where calls arrive.
      {Instruction::two_bytes, 0x80, 0x8f, "Jz", jump_if},
      {Instruction::two_bytes, 0xae, 0xae, "Ev", fence},
  };
  return {std::begin(kRows), std::end(kRows)};
}

}  // namespace heddle::host::x86
