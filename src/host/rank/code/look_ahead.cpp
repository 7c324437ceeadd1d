#include "host/rank/code/look_ahead.hpp"

#include <ucontext.h>

#include "core/thread_pointer.hpp"
#include "host/rank/code/arm_code.hpp"
#include "host/rank/code/walk.hpp"
#include "host/rank/code/x86/code.hpp"
#include "host/rank/registers.hpp"

namespace heddle::host {
namespace {

#if defined(__aarch64__)
constexpr std::size_t kRegisters = Walk::kRegisters;

void follow(Walk& walk, const void* context) {
  ArmCode(walk, context).follow();
}
#else
constexpr std::size_t kRegisters = x86::State::kNumbers;

x86::State state_in(const void* context) {
  constexpr int kInOrder[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                              REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                              REG_R12, REG_R13, REG_R14, REG_R15};
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  x86::State state;
  for (unsigned i = 0; i < x86::State::kNumbers; ++i) {
    state.numbers[i].value = static_cast<std::uint64_t>(machine.gregs[kInOrder[i]]);
    x86::Vector& vector = state.vectors[i];
    vector.fill(Thought::unknown());
    if (machine.fpregs == nullptr) continue;
    const auto& words = machine.fpregs->_xmm[i].element;
    vector[0] = {words[0] | std::uint64_t{words[1]} << 32};
    vector[1] = {words[2] | std::uint64_t{words[3]} << 32};
  }
  state.flags = x86::flags_of(static_cast<std::uint64_t>(machine.gregs[REG_EFL]));
  state.place = static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
  state.thread_pointer = reinterpret_cast<std::uint64_t>(thread_pointer());
  return state;
}

void follow(Walk& walk, const void* context) {
  x86::Code(walk, state_in(context)).follow();
}
#endif

}  // namespace

const Outlook& outlook(const void* context, const AddressSpace& memory, std::uint32_t most,
                       Turns::Places* turns) {
  // Large for a stack; there is one thread that asks.
  static Walk walk;
  static Turns been;
  walk.begin(memory, most, reinterpret_cast<std::uint64_t>(stack_pointer(context)), kRegisters,
             turns == nullptr ? nullptr : &been);
  follow(walk, context);
  const bool waits = walk.outlook().kind == Outlook::Kind::waits;
  if (turns != nullptr && waits) *turns = been.once_in_each(walk.rounds());
  return walk.outlook();
}

#if defined(__x86_64__)
const Outlook& outlook_at_trap(const void* context, const AddressSpace& memory, std::uint32_t most,
                               Proofs& proofs) {
  static Walk walk;
  static ProofWriter writer;
  static Outlook remembered;
  x86::State state = state_in(context);
  const std::uint64_t stack = state.numbers[x86::kStackPointer].value;
  const Words words = x86::words_of(state);
  Proofs::Entry& entry = proofs.of(state.place, stack, state.thread_pointer);
  if (entry.holds(words, memory)) {
    remembered.kind = Outlook::Kind::waits;
    remembered.looked_at = entry.proof.looked_at();
    remembered.instructions = entry.proof.instructions();
    return remembered;
  }
  ProofWriter* const proof = entry.worth_writing() ? &writer : nullptr;
  if (proof != nullptr) {
    proof->begin(words, entry.varying);
    x86::give_terms(state, *proof);
  }
  walk.begin(memory, most, stack, kRegisters, nullptr, proof);
  x86::Code(walk, state).follow();
  const Outlook& seen = walk.outlook();
  if (proof != nullptr && seen.kind == Outlook::Kind::waits) {
    proof->write(entry.proof, seen.instructions);
  }
  return seen;
}
#else
const Outlook& outlook_at_trap(const void* context, const AddressSpace& memory, std::uint32_t most,
                               Proofs&) {
  return outlook(context, memory, most);
}
#endif

}  // namespace heddle::host
