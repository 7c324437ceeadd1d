// Registers and flags of AArch64, in thought.
#pragma once

#if defined(__aarch64__)

#include <cstdint>

#include "host/rank/code/arm_bits.hpp"
#include "host/rank/code/walk.hpp"

namespace heddle::host {

/// What code computes with. Numbers in vectors are never known.
class ArmState {
 public:
  static constexpr unsigned kStackPointer = 31;
  struct Flags {
    bool n = false, z = false, c = false, v = false;
    Comparison by;
  };

  /// Where a signal has come.
  explicit ArmState(const void* context);

  /// Number 31 is zero, ...
  Thought get(unsigned number) const { return number == kStackPointer ? Thought{} : x_[number]; }
  void set(unsigned number, const Thought& what, bool wide) {
    if (number != kStackPointer) set_or_sp(number, what, wide);
  }
  /// ... or the stack pointer.
  Thought get_or_sp(unsigned number) const { return x_[number]; }
  void set_or_sp(unsigned number, const Thought& what, bool wide) {
    x_[number] = what;
    x_[number].value = arm::cut(what.value, wide);
  }

  void sum(const Thought& a, const Thought& b, bool subtract, bool wide, Thought& result,
           bool sets_flags, bool with_constant);
  void set_flags_of(const Thought& result, bool wide, const Comparison& by);
  bool holds(unsigned condition) const;
  Thought flags_thought() const;

  const Walk::Registers& registers() const { return x_; }
  std::uint64_t number_of_flags() const;

  Flags flags;

 private:
  Walk::Registers x_{};  ///< The last is the stack pointer.
};

}  // namespace heddle::host

#endif
