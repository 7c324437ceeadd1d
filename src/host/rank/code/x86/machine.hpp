// What instructions of x86-64 work on, in thought.
#pragma once

#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/walk.hpp"
#include "host/rank/code/x86/conditions.hpp"
#include "host/rank/code/x86/instruction.hpp"
#include "host/rank/code/x86/operands.hpp"
#include "host/rank/code/x86/registers.hpp"
#include "host/rank/code/x86/stack.hpp"
#include "host/rank/code/x86/state.hpp"
#include "host/rank/code/x86/step.hpp"
#include "host/rank/code/x86/terms.hpp"

namespace heddle::host::x86 {

/// Registers, flags and memory, one instruction after the other: who carries one out takes the
/// parts that it needs. Some know others, so it stays where it is.
struct Machine {
  Machine(Walk& walk, const State& state);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void begin(const Instruction& code) {
    step.begin(code.length);
    operands.begin(code);
  }
  State state() const;
  /// Whether all is as it was when the code began that it has used of that, numbers and memory
  /// apart.
  bool has_rest_of(const State& first) const;
  /// All that it has used of what was there when it began, memory apart. If all is as it was after
  /// one round, that must not depend on what varies.
  void note_used(ProofWriter& proof, bool one_round) const;

  Terms terms;
  Step step;
  Registers registers;
  Conditions conditions;
  Operands operands;
  Stack stack;
};

}  // namespace heddle::host::x86
