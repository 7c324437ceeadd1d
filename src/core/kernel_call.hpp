// System calls past the C library, whose functions may have been taken over by simulated programs.
#pragma once

namespace heddle {

/// Answers what the kernel does: a negative error number if the call fails.
inline long kernel_call(long number, long first = 0, long second = 0, long third = 0,
                        long fourth = 0) {
#if defined(__x86_64__)
  register long r10 asm("r10") = fourth;
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(first), "S"(second), "d"(third), "r"(r10)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = first;
  register long x1 asm("x1") = second;
  register long x2 asm("x2") = third;
  register long x3 asm("x3") = fourth;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
#else
#error "say how this kind of machine calls its kernel"
#endif
}

}  // namespace heddle
