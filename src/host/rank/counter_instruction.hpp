// Instructions that read the processor's counter, for handlers of the faults that prctl(PR_SET_TSC)
// makes of them.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "host/rank/registers.hpp"

namespace heddle::host {

/// What such an instruction is answered.
struct CounterReading {
  std::uint64_t count;
  std::uint64_t frequency;  ///< In Hz, where the processor tells it.
};

/// A counter that counts simulated nanoseconds.
inline CounterReading simulated_counter(std::int64_t nanoseconds) {
  return {static_cast<std::uint64_t>(nanoseconds), 1'000'000'000};
}

#if defined(__x86_64__)
inline constexpr std::size_t kCodeUnit = 1;  ///< Instructions begin at multiples of it.
inline constexpr std::size_t kLongestCounterInstruction = 3;

/// Bytes of the instruction, or zero if it is another.
inline std::size_t counter_instruction(const void* place) {
  const auto* bytes = static_cast<const unsigned char*>(place);
  if (bytes[0] != 0x0f) return 0;
  if (bytes[1] == 0x31) return 2;                       // rdtsc
  return bytes[1] == 0x01 && bytes[2] == 0xf9 ? 3 : 0;  // rdtscp
}

inline CounterReading real_counter() {
  return {__builtin_ia32_rdtsc(), 0};
}

inline void answer_counter_instruction(void* context, const CounterReading& reading) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RIP] += static_cast<long long>(counter_instruction(instruction(context)));
  registers[REG_RAX] = static_cast<long long>(reading.count & 0xffffffff);
  registers[REG_RDX] = static_cast<long long>(reading.count >> 32);
}
#elif defined(__aarch64__)
inline constexpr std::size_t kCodeUnit = 4;
inline constexpr std::size_t kLongestCounterInstruction = 4;

/// `mrs` of a system register into register 0.
inline constexpr std::uint32_t kReadFrequency = 0xd53be000;     // cntfrq_el0
inline constexpr std::uint32_t kReadCount = 0xd53be040;         // cntvct_el0
inline constexpr std::uint32_t kReadCountInOrder = 0xd53be0c0;  // cntvctss_el0
inline constexpr std::uint32_t kRegister = 0x1f;

inline std::uint32_t instruction_word(const void* place) {
  std::uint32_t word = 0;
  std::memcpy(&word, place, sizeof word);
  return word;
}
/// Bytes of the instruction, or zero if it is another.
inline std::size_t counter_instruction(const void* place) {
  const std::uint32_t word = instruction_word(place) & ~kRegister;
  return word == kReadCount || word == kReadCountInOrder || word == kReadFrequency ? sizeof word
                                                                                   : 0;
}

inline CounterReading real_counter() {
  CounterReading reading{};
  asm volatile("mrs %0, cntvct_el0" : "=r"(reading.count));
  asm volatile("mrs %0, cntfrq_el0" : "=r"(reading.frequency));
  return reading;
}

inline void answer_counter_instruction(void* context, const CounterReading& reading) {
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  const std::uint32_t word = instruction_word(instruction(context));
  const std::uint32_t to = word & kRegister;
  const bool frequency = (word & ~kRegister) == kReadFrequency;
  if (to < 31) machine.regs[to] = frequency ? reading.frequency : reading.count;
  machine.pc += sizeof word;
}
#endif

/// Whether a fault is that of such an instruction. The kernel sends it in its own name; then the
/// code can be read, which that after a jump to nowhere cannot.
inline bool is_counter_instruction(const siginfo_t& info, const void* context) {
  return info.si_code == SI_KERNEL && counter_instruction(instruction(context)) != 0;
}

}  // namespace heddle::host
