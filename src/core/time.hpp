// Simulated time: a signed integer number of picoseconds in a type of its own.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace heddle {

/// An instant or a duration. 2^63 ps is 106 days; a sum or product that goes beyond is
/// never().
class Time {
 public:
  constexpr Time() = default;

  static constexpr Time ps(std::int64_t n) { return Time(n); }
  static constexpr Time ns(std::int64_t n) { return Time(n * 1'000); }
  static constexpr Time us(std::int64_t n) { return Time(n * 1'000'000); }
  static constexpr Time ms(std::int64_t n) { return Time(n * 1'000'000'000); }
  static constexpr Time s(std::int64_t n) { return Time(n * 1'000'000'000'000); }
  /// A number of picoseconds, cut to a whole one; never() if it is not below 2^63.
  static constexpr Time whole_ps(double n) {
    return n < 0x1p63 ? Time(static_cast<std::int64_t>(n)) : never();
  }
  static constexpr Time zero() { return Time(0); }
  /// Later than every instant a simulation reaches.
  static constexpr Time never() { return Time(std::numeric_limits<std::int64_t>::max()); }

  constexpr std::int64_t ps() const { return ps_; }
  constexpr double seconds() const { return static_cast<double>(ps_) * 1e-12; }

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time operator+(Time other) const {
    std::int64_t sum = 0;
    return __builtin_add_overflow(ps_, other.ps_, &sum) ? never() : Time(sum);
  }
  constexpr Time operator-(Time other) const { return Time(ps_ - other.ps_); }
  /// Neither of the two is negative, or the product fits.
  constexpr Time operator*(std::int64_t n) const {
    std::int64_t product = 0;
    return __builtin_mul_overflow(ps_, n, &product) ? never() : Time(product);
  }
  constexpr Time operator/(std::int64_t n) const { return Time(ps_ / n); }
  constexpr Time& operator+=(Time other) { return *this = *this + other; }
  constexpr Time& operator-=(Time other) { return *this = *this - other; }

 private:
  explicit constexpr Time(std::int64_t n) : ps_(n) {}
  std::int64_t ps_ = 0;
};

}  // namespace heddle
