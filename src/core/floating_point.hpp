// How the processor computes with floating-point numbers.
#pragma once

#include <cstdint>

namespace heddle {

/// How it rounds and what it traps, and which exceptions it has seen. To write that is slow, so it
/// is written only where it changes.
class FloatingPoint {
 public:
  /// What holds now.
  static FloatingPoint now() {
    FloatingPoint state;
    state.load();
    return state;
  }
  /// The same without an exception seen.
  static FloatingPoint unused() {
    FloatingPoint state = now();
    state.forget_seen();
    return state;
  }

#if defined(__aarch64__)
  /// How it rounds and what it traps, as one number.
  std::uint32_t mode() const {
    return mode_;
  }

  /// From here on this holds; `now` is what does so far.
  void take_over(const FloatingPoint& now) const {
    take_over_mode(now);
    if (seen_ != now.seen_) asm volatile("msr fpsr, %0" : : "r"(std::uint64_t{seen_}));
  }
  /// The same but for the exceptions that were seen.
  void take_over_mode(const FloatingPoint& now) const {
    if (mode_ != now.mode_) asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{mode_}));
  }

 private:
  void load() {
    std::uint64_t control = 0;
    std::uint64_t status = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("mrs %0, fpsr" : "=r"(status));
    mode_ = static_cast<std::uint32_t>(control);
    seen_ = static_cast<std::uint8_t>(status);
  }
  void forget_seen() {
    seen_ = 0;
  }

  std::uint32_t mode_ = 0;
  std::uint8_t seen_ = 0;
#else
  std::uint32_t mode() const {
    return (vectors_ & ~kSeen) | std::uint32_t{stack_} << 16;
  }

  void take_over(const FloatingPoint& now) const {
    if (stack_ != now.stack_) store_stack();
    if (vectors_ != now.vectors_) store_vectors();
  }
  /// Those go with what vectors do, where that changes.
  void take_over_mode(const FloatingPoint& now) const {
    if (stack_ != now.stack_) store_stack();
    if (((vectors_ ^ now.vectors_) & ~kSeen) != 0) store_vectors();
  }

 private:
  static constexpr std::uint32_t kSeen = 0x3f;
  void load() {
    asm volatile("stmxcsr %0" : "=m"(vectors_));
    asm volatile("fnstcw %0" : "=m"(stack_));
  }
  void forget_seen() {
    vectors_ &= ~kSeen;
  }
  void store_stack() const {
    asm volatile("fldcw %0" : : "m"(stack_));
  }
  void store_vectors() const {
    asm volatile("ldmxcsr %0" : : "m"(vectors_));
  }

  // One register for vectors, and one for the old stack, of which only the mode is looked at.
  std::uint32_t vectors_ = 0;
  std::uint16_t stack_ = 0;
#endif
};

}  // namespace heddle
