// Instructions of AArch64, as far as loops that wait consist of them.
#pragma once

#if defined(__aarch64__)

#include <cstdint>

#include "host/rank/code/arm_memory.hpp"
#include "host/rank/code/arm_state.hpp"
#include "host/rank/code/walk.hpp"

namespace heddle::host {

/// Carries out code in thought. Numbers in vectors are never known.
class ArmCode {
 public:
  /// From where a signal has come.
  ArmCode(Walk& walk, const void* context);
  /// Until the walk is over.
  void follow();

 private:
  using Word = std::uint32_t;

  /// False: it does something else than was looked for.
  void step(Word code);
  void immediate(Word code);
  void branch(Word code);
  void registers(Word code);
  void vectors(Word code);

  void add_immediate(Word code);
  void logical_immediate(Word code);
  void move_wide(Word code);
  void bitfield(Word code);
  void conditional_branch(Word code);
  void jump(Word code);
  void system(Word code);
  void logical(Word code);
  void add(Word code);
  void conditional(Word code);
  void select(Word code);
  void divide_or_shift(Word code);
  void one_source(Word code);
  void multiply(Word code);

  bool decide(unsigned condition);
  void go(std::int64_t offset) { next_ = place_ + static_cast<std::uint64_t>(offset); }
  void give_up() { walk_.stop(Outlook::Kind::unknown); }

  Walk& walk_;
  ArmState state_;
  ArmMemory memory_;
  std::uint64_t place_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace heddle::host

#endif
