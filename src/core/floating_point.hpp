// How the processor computes with floating-point numbers.
#pragma once

#include <cstdint>

namespace heddle {

/// How it rounds and what it traps, as one number; not which exceptions it has seen.
inline std::uint32_t floating_point_mode() {
#if defined(__aarch64__)
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return static_cast<std::uint32_t>(control);
#else
  constexpr std::uint32_t kSeen = 0x3f;
  std::uint32_t vectors = 0;
  std::uint16_t stack = 0;
  asm volatile("stmxcsr %0" : "=m"(vectors));
  asm volatile("fnstcw %0" : "=m"(stack));
  return (vectors & ~kSeen) ^ std::uint32_t{stack} << 16;
#endif
}

}  // namespace heddle
