// Going from one stack to another, without a call: what the compiler does not need afterwards is
// neither saved nor loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle {

/// Where code has stopped. It stays where it is as long as somebody may go on there.
struct StopPlace {
  void* stack = nullptr;       ///< Null: nowhere.
  const void* code = nullptr;  ///< The next instruction.
  void* frame = nullptr;
  void* base = nullptr;  ///< A register that the compiler may want for itself; not everywhere.
};

#if defined(__x86_64__)
// Registers that are lost where code stops, all but those in a StopPlace.
#define HEDDLE_LOST_REGISTERS                                                                    \
  "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",     \
      "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
      "xmm13", "xmm14", "xmm15", "cc", "memory"

/// Stops here and goes on there. Comes back when somebody goes on here.
[[gnu::always_inline]] inline void switch_stacks(StopPlace& here, StopPlace& there) {
  StopPlace* from = &here;
  StopPlace* to = &there;
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, 0(%0)\n\t"
      "movq %%rax, 8(%0)\n\t"
      "movq %%rbp, 16(%0)\n\t"
      "movq %%rbx, 24(%0)\n\t"
      "movq 0(%1), %%rsp\n\t"
      "movq 16(%1), %%rbp\n\t"
      "movq 24(%1), %%rbx\n\t"
      "jmp *8(%1)\n"
      "1:"
      : "+D"(from), "+S"(to)
      :
      : HEDDLE_LOST_REGISTERS);
}

/// Calls `body`; false if somebody broke it off, by having the code go on at `place`. What it has
/// called meanwhile should have nothing on the stack that AddressSanitizer watches.
template <class Body>
[[gnu::noinline]] bool unbroken(StopPlace& place, const Body& body) {
  asm goto(
      "leaq %l[broken](%%rip), %%rax\n\t"
      "movq %%rsp, 0(%0)\n\t"
      "movq %%rax, 8(%0)\n\t"
      "movq %%rbp, 16(%0)\n\t"
      "movq %%rbx, 24(%0)"
      :
      : "D"(&place)
      : "rsi", HEDDLE_LOST_REGISTERS
      : broken);
  body();
  return true;
broken:
  return false;
}
#elif defined(__aarch64__)
#define HEDDLE_LOST_REGISTERS                                                                      \
  "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", \
      "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30",   \
      "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",      \
      "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",   \
      "v27", "v28", "v29", "v30", "v31", "cc", "memory"

[[gnu::always_inline]] inline void switch_stacks(StopPlace& here, StopPlace& there) {
  register StopPlace* from asm("x0") = &here;
  register StopPlace* to asm("x1") = &there;
  // The instruction behind the label lets the jump land where only marked places are landed on.
  asm volatile(
      "mov x9, sp\n\t"
      "adr x10, 1f\n\t"
      "stp x9, x10, [%0]\n\t"
      "str x29, [%0, 16]\n\t"
      "ldp x9, x16, [%1]\n\t"
      "ldr x29, [%1, 16]\n\t"
      "mov sp, x9\n\t"
      "br x16\n"
      "1:\n\t"
      "hint 38"
      : "+r"(from), "+r"(to)
      :
      : HEDDLE_LOST_REGISTERS);
}

template <class Body>
[[gnu::noinline]] bool unbroken(StopPlace& place, const Body& body) {
  register StopPlace* here asm("x0") = &place;
  asm goto(
      "mov x9, sp\n\t"
      "adr x10, %l[broken]\n\t"
      "stp x9, x10, [%0]\n\t"
      "str x29, [%0, 16]"
      :
      : "r"(here)
      : "x1", HEDDLE_LOST_REGISTERS
      : broken);
  body();
  return true;
broken:
  return false;
}
#else
#error "say how code goes from one stack to another on this kind of machine"
#endif

/// What a new stack begins with: gets where the one who came from stopped, and its own place. Never
/// returns.
using StackBeginning = void (*)(StopPlace& from, StopPlace& here);

/// Where `beginning` has not begun yet on this stack.
inline StopPlace beginning_of(std::span<std::byte> stack, StackBeginning beginning) {
  constexpr std::uintptr_t kAlignment = 16;
  auto top =
      reinterpret_cast<std::uintptr_t>(stack.data() + stack.size()) / kAlignment * kAlignment;
#if defined(__x86_64__)
  // As a call would leave it; nobody called, so that debuggers stop there.
  top -= sizeof(void*);
  *reinterpret_cast<void**>(top) = nullptr;
#endif
  return {reinterpret_cast<void*>(top), reinterpret_cast<const void*>(beginning), nullptr, nullptr};
}

}  // namespace heddle
