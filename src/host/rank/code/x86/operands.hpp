// What instructions of x86-64 compute with, wherever it is.
#pragma once

#include "host/rank/code/thought.hpp"
#include "host/rank/code/x86/instruction.hpp"
#include "host/rank/code/x86/registers.hpp"
#include "host/rank/code/x86/state.hpp"
#include "host/rank/code/x86/step.hpp"
#include "host/rank/code/x86/terms.hpp"

namespace heddle::host::x86 {

/// The operands of an instruction: parts of registers, constants, and what is at its address. What
/// is none of these ends the walk.
class Operands {
 public:
  Operands(Step& step, Registers& registers, Terms terms)
      : step_(step), registers_(registers), terms_(terms) {}
  /// From now on they are those of `code`, which has to outlast its step.
  void begin(const Instruction& code) { code_ = &code; }

  Thought address();
  Thought get(const Operand& from);
  void set(const Operand& to, const Thought& what);
  Vector vector(const Operand& from);
  /// Without a register more, the half of the longest ones that is not written stays.
  void set_vector(const Operand& to, const Vector& what);

 private:
  Step& step_;
  Registers& registers_;
  Terms terms_;
  const Instruction* code_ = nullptr;
};

}  // namespace heddle::host::x86
