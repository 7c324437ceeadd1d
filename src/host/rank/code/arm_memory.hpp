// Instructions of AArch64 that read and write memory.
#pragma once

#if defined(__aarch64__)

#include <cstdint>

#include "host/rank/code/arm_state.hpp"
#include "host/rank/code/walk.hpp"

namespace heddle::host {

/// Carries them out in thought.
class ArmMemory {
 public:
  using Word = std::uint32_t;

  ArmMemory(Walk& walk, ArmState& state) : walk_(walk), state_(state) {}
  /// One instruction, which is at `place`.
  void access(Word code, std::uint64_t place);

 private:
  void exclusive(Word code);
  void pair(Word code);
  void literal(Word code);
  void single(Word code);
  void atomic(Word code);
  void transfer(Word code, const Thought& address, unsigned bytes, unsigned to, bool loads,
                bool sign, bool sign_to_wide);
  void give_up() { walk_.stop(Outlook::Kind::unknown); }

  Walk& walk_;
  ArmState& state_;
  std::uint64_t place_ = 0;
};

}  // namespace heddle::host

#endif
