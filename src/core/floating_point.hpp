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
    state.seen_ = 0;
    return state;
  }
  /// How it rounds and what it traps, as one number.
  std::uint32_t mode() const { return mode_; }

  /// From here on this holds; `now` is what does so far.
  void take_over(const FloatingPoint& now) const {
    if (mode_ != now.mode_) store_mode();
    if (seen_ != now.seen_) store_seen();
  }
  /// The same but for the exceptions that were seen.
  void take_over_mode(const FloatingPoint& now) const {
    if (mode_ != now.mode_) store_mode();
  }

 private:
#if defined(__aarch64__)
  void load() {
    std::uint64_t control = 0;
    std::uint64_t status = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("mrs %0, fpsr" : "=r"(status));
    mode_ = static_cast<std::uint32_t>(control);
    seen_ = static_cast<std::uint8_t>(status);
  }
  void store_mode() const {
    asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{mode_}));
  }
  void store_seen() const {
    asm volatile("msr fpsr, %0" : : "r"(std::uint64_t{seen_}));
  }
#else
  // One register for vectors, and one for the old stack, of which only the mode is looked at.
  static constexpr std::uint32_t kSeen = 0x3f;
  static constexpr std::uint32_t kVectors = 0xffff;
  void load() {
    std::uint32_t vectors = 0;
    std::uint16_t stack = 0;
    asm volatile("stmxcsr %0" : "=m"(vectors));
    asm volatile("fnstcw %0" : "=m"(stack));
    mode_ = (vectors & kVectors & ~kSeen) | std::uint32_t{stack} << 16;
    seen_ = static_cast<std::uint8_t>(vectors & kSeen);
  }
  void store_mode() const {
    const auto stack = static_cast<std::uint16_t>(mode_ >> 16);
    asm volatile("fldcw %0" : : "m"(stack));
    store_seen();
  }
  void store_seen() const {
    const std::uint32_t vectors = (mode_ & kVectors) | seen_;
    asm volatile("ldmxcsr %0" : : "m"(vectors));
  }
#endif

  std::uint32_t mode_ = 0;
  std::uint8_t seen_ = 0;
};

}  // namespace heddle
