#include "host/program/sampling/sample_stubs.hpp"

#include <array>
#include <cstdint>
#include <iterator>
#include <map>

#include "host/program/argument_registers.hpp"
#include "host/program/loading/bindings.hpp"
#include "host/program/sampling/sampled_functions.hpp"
#include "host/rank/job.hpp"

// Calls come here with the number of their function. The registers that may hold arguments are
// kept, and a call that is run returns to the second stub, which keeps those of the result.
#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
heddle_sample_common:
)" HEDDLE_KEEP_ARGUMENTS R"(
  movl %r11d, %edi
  leaq -72(%rbp), %rsi
  leaq 8(%rbp), %rdx
  call heddle_sample_begins
  movq %rax, -16(%rbp)
)" HEDDLE_GIVE_ARGUMENTS_BACK R"(
  testq %r11, %r11
  je 1f
  jmp *%r11
1:
  xorl %eax, %eax
  xorps %xmm0, %xmm0
  ret
.globl heddle_sample_return
.hidden heddle_sample_return
heddle_sample_return:
  pushq %rax
  pushq %rbp
  movq %rsp, %rbp
  pushq %rdx
  subq $40, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  andq $-16, %rsp
  call heddle_sample_ends
  movq %rax, %r11
  leaq -48(%rbp), %rsp
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  addq $40, %rsp
  popq %rdx
  popq %rbp
  popq %rax
  jmp *%r11
.globl heddle_sample_stubs
.hidden heddle_sample_stubs
.p2align 4
heddle_sample_stubs:
.set number, 0
.rept 16
  movl $number, %r11d
  jmp heddle_sample_common
  .p2align 4
  .set number, number + 1
.endr
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
heddle_sample_common:
  stp x29, x30, [sp, #-16]!
  mov x29, sp
  sub sp, sp, #208
  stp x0, x1, [sp]
  stp x2, x3, [sp, #16]
  stp x4, x5, [sp, #32]
  stp x6, x7, [sp, #48]
  str x8, [sp, #64]
  stp q0, q1, [sp, #80]
  stp q2, q3, [sp, #112]
  stp q4, q5, [sp, #144]
  stp q6, q7, [sp, #176]
  mov w0, w17
  mov x1, sp
  add x2, x29, #8
  bl heddle_sample_begins
  mov x17, x0
  ldp x0, x1, [sp]
  ldp x2, x3, [sp, #16]
  ldp x4, x5, [sp, #32]
  ldp x6, x7, [sp, #48]
  ldr x8, [sp, #64]
  ldp q0, q1, [sp, #80]
  ldp q2, q3, [sp, #112]
  ldp q4, q5, [sp, #144]
  ldp q6, q7, [sp, #176]
  mov sp, x29
  ldp x29, x30, [sp], #16
  cbz x17, 1f
  br x17
1:
  mov x0, #0
  movi v0.16b, #0
  ret
.globl heddle_sample_return
.hidden heddle_sample_return
heddle_sample_return:
  sub sp, sp, #80
  stp x0, x1, [sp]
  stp q0, q1, [sp, #16]
  stp q2, q3, [sp, #48]
  bl heddle_sample_ends
  mov x30, x0
  ldp x0, x1, [sp]
  ldp q0, q1, [sp, #16]
  ldp q2, q3, [sp, #48]
  add sp, sp, #80
  ret
.globl heddle_sample_stubs
.hidden heddle_sample_stubs
.p2align 4
heddle_sample_stubs:
.set number, 0
.rept 16
  mov w17, #number
  b heddle_sample_common
  .p2align 4
  .set number, number + 1
.endr
)");
#else
#error "write the stubs that sampled functions are called through"
#endif

namespace heddle::host {
namespace {

/// What objects call by a function's name, by where they are loaded: each copy has its own. They
/// are the process's, as the objects are, which stay in memory when their run is over: a thread of
/// a library may still come to a stub.
using Targets = std::array<std::map<std::uintptr_t, void*>, kSampleStubs>;

Targets& targets() {
  static Targets all;
  return all;
}

/// What is called from the place that the call returns to.
void* target_of(std::size_t function, const void* back) {
  const auto after = targets()[function].upper_bound(reinterpret_cast<std::uintptr_t>(back));
  return std::prev(after)->second;
}

}  // namespace
}  // namespace heddle::host

extern "C" {
extern char heddle_sample_return[];
extern char heddle_sample_stubs[];

/// Where the call goes on, or null if it is over.
[[gnu::used]] void* heddle_sample_begins(std::uint32_t function, const std::uint64_t* arguments,
                                         void** back) {
  using heddle::host::current_rank;
  void* const target = heddle::host::target_of(function, *back);
  heddle::host::Rank* const rank = current_rank();
  const bool runs = rank == nullptr || rank->job().shared().sampled() == nullptr ||
                    rank->job().shared().sampled()->begins(*rank, function, arguments, back);
  return runs ? target : nullptr;
}
[[gnu::used]] void* heddle_sample_ends() {
  heddle::host::Rank& rank = *heddle::host::current_rank();
  return rank.job().shared().sampled()->ends(rank);
}
}

namespace heddle::host {

void lead_to_sample_stub(std::size_t function, std::uintptr_t object, void** slot) {
  targets()[function][object] = *slot;
  Bindings::put(slot, sample_stub(function));
}

void* sample_stub(std::size_t function) {
  constexpr std::size_t kSize = 16;
  return heddle_sample_stubs + function * kSize;
}

void* sample_return() {
  return heddle_sample_return;
}

}  // namespace heddle::host
