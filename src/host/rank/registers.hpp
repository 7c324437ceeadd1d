// What a signal's handler is told of the code that it interrupts, and may change of it.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/stack_switch.hpp"

namespace heddle::host {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  return (hash ^ word) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
}

#if defined(__x86_64__)
/// Has the code go on elsewhere when the handler is through.
inline void go_on_at(const StopPlace& place, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RSP] = reinterpret_cast<greg_t>(place.stack);
  registers[REG_RIP] = reinterpret_cast<greg_t>(place.code);
  registers[REG_RBP] = reinterpret_cast<greg_t>(place.frame);
  registers[REG_RBX] = reinterpret_cast<greg_t>(place.base);
}
inline void* instruction(const void* context) {
  return reinterpret_cast<void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}
inline void go_on_at(void* code, void* context) {
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(code);
}
inline void* stack_pointer(const void* context) {
  return reinterpret_cast<void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
}
/// Of all that the code computes with: numbers, addresses and floating point.
inline std::uint64_t hash_of_registers(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  std::uint64_t hash = 0;
  for (int i = REG_R8; i <= REG_RSP; ++i) {
    hash = mixed(hash, static_cast<std::uint64_t>(machine.gregs[i]));
  }
  for (const auto& wide : machine.fpregs->_xmm) {
    std::uint64_t halves[2];
    std::memcpy(halves, &wide, sizeof halves);
    hash = mixed(mixed(hash, halves[0]), halves[1]);
  }
  return hash;
}
#elif defined(__aarch64__)
inline void go_on_at(const StopPlace& place, void* context) {
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  machine.sp = reinterpret_cast<std::uint64_t>(place.stack);
  machine.pc = reinterpret_cast<std::uint64_t>(place.code);
  machine.regs[29] = reinterpret_cast<std::uint64_t>(place.frame);
}
inline void* instruction(const void* context) {
  return reinterpret_cast<void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
}
inline void go_on_at(void* code, void* context) {
  static_cast<ucontext_t*>(context)->uc_mcontext.pc = reinterpret_cast<std::uint64_t>(code);
}
inline void* stack_pointer(const void* context) {
  return reinterpret_cast<void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.sp);
}
/// Of all that the code computes with: numbers, addresses, and records of the kernel's with the
/// vectors.
inline std::uint64_t hash_of_registers(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  std::uint64_t hash = machine.sp;
  for (const auto value : machine.regs) hash = mixed(hash, value);
  const unsigned char* record = machine.__reserved;
  for (_aarch64_ctx head{};; record += head.size) {
    std::memcpy(&head, record, sizeof head);
    if (head.magic == 0) return hash;
    for (std::size_t i = sizeof head; i + sizeof(std::uint64_t) <= head.size; i += sizeof hash) {
      std::uint64_t word = 0;
      std::memcpy(&word, record + i, sizeof word);
      hash = mixed(hash, word);
    }
  }
}
#else
#error "say where this kind of machine keeps its registers"
#endif

}  // namespace heddle::host
