// Assembler of stubs between a call and its function: what keeps the registers that may hold
// arguments, and what gives them back.
#pragma once

#if defined(__x86_64__)
/// Behind it a function may be called. %rdi, %rsi, %rdx, %rcx, %r8 and %r9 are at -72(%rbp) and on,
/// %r11, which holds no argument, at -16(%rbp), the return address of the call at 8(%rbp).
#define HEDDLE_KEEP_ARGUMENTS   \
  "  pushq %rbp\n"              \
  "  movq %rsp, %rbp\n"         \
  "  pushq %rax\n"              \
  "  pushq %r11\n"              \
  "  pushq %r10\n"              \
  "  pushq %r9\n"               \
  "  pushq %r8\n"               \
  "  pushq %rcx\n"              \
  "  pushq %rdx\n"              \
  "  pushq %rsi\n"              \
  "  pushq %rdi\n"              \
  "  subq $136, %rsp\n"         \
  "  movups %xmm0, (%rsp)\n"    \
  "  movups %xmm1, 16(%rsp)\n"  \
  "  movups %xmm2, 32(%rsp)\n"  \
  "  movups %xmm3, 48(%rsp)\n"  \
  "  movups %xmm4, 64(%rsp)\n"  \
  "  movups %xmm5, 80(%rsp)\n"  \
  "  movups %xmm6, 96(%rsp)\n"  \
  "  movups %xmm7, 112(%rsp)\n" \
  "  andq $-16, %rsp\n"
/// As if nothing had been called.
#define HEDDLE_GIVE_ARGUMENTS_BACK \
  "  leaq -208(%rbp), %rsp\n"      \
  "  movups (%rsp), %xmm0\n"       \
  "  movups 16(%rsp), %xmm1\n"     \
  "  movups 32(%rsp), %xmm2\n"     \
  "  movups 48(%rsp), %xmm3\n"     \
  "  movups 64(%rsp), %xmm4\n"     \
  "  movups 80(%rsp), %xmm5\n"     \
  "  movups 96(%rsp), %xmm6\n"     \
  "  movups 112(%rsp), %xmm7\n"    \
  "  addq $136, %rsp\n"            \
  "  popq %rdi\n"                  \
  "  popq %rsi\n"                  \
  "  popq %rdx\n"                  \
  "  popq %rcx\n"                  \
  "  popq %r8\n"                   \
  "  popq %r9\n"                   \
  "  popq %r10\n"                  \
  "  popq %r11\n"                  \
  "  popq %rax\n"                  \
  "  popq %rbp\n"
#endif
