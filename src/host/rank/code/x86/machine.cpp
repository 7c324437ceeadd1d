#include "host/rank/code/x86/machine.hpp"

namespace heddle::host::x86 {

Machine::Machine(Walk& walk, const State& state)
    : terms(walk.proof()),
      step(walk, state.place),
      registers(state, terms),
      conditions(state.flags, step, walk.proof()),
      operands(step, registers, terms),
      stack(walk, step, registers, terms) {}

State Machine::state() const {
  State state;
  registers.copy_to(state);
  state.flags = conditions.flags();
  state.place = step.next();
  return state;
}

bool Machine::has_rest_of(const State& first) const {
  return conditions.has_flags_of(first.flags) && registers.has_vectors_of(first);
}

void Machine::note_used(ProofWriter& proof, bool one_round) const {
  conditions.note_used(proof, one_round);
  registers.note_used(proof, one_round);
}

}  // namespace heddle::host::x86
