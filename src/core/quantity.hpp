// Sizes and rates. Rates are exact: the time for n bytes is rounded once per transfer, never per
// byte.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "core/time.hpp"

namespace heddle {

/// A number of bytes.
class Bytes {
 public:
  constexpr Bytes() = default;
  explicit constexpr Bytes(std::int64_t n) : n_(n) {}
  constexpr std::int64_t count() const { return n_; }
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes operator+(Bytes other) const { return Bytes(n_ + other.n_); }
  constexpr Bytes operator-(Bytes other) const { return Bytes(n_ - other.n_); }
  constexpr Bytes operator*(std::int64_t k) const { return Bytes(n_ * k); }
  constexpr Bytes& operator+=(Bytes other) { return *this = *this + other; }

 private:
  std::int64_t n_ = 0;
};

/// `numerator / denominator` rounded to the nearest integer, halves up; both operands positive or
/// zero. What does not fit is the largest number there is.
constexpr std::int64_t rounded_quotient(__int128 numerator, __int128 denominator) {
  constexpr __int128 kMax = std::numeric_limits<std::int64_t>::max();
  const __int128 quotient = (2 * numerator + denominator) / (2 * denominator);
  return static_cast<std::int64_t>(quotient < kMax ? quotient : kMax);
}

/// Bits per second, exactly. Zero means "no limit" wherever a bandwidth is optional.
class Bandwidth {
 public:
  constexpr Bandwidth() = default;
  static constexpr Bandwidth bits_per_second(std::int64_t n) { return Bandwidth(n); }
  static constexpr Bandwidth bytes_per_second(std::int64_t n) { return Bandwidth(8 * n); }
  static constexpr Bandwidth gbps(std::int64_t n) { return Bandwidth(n * 1'000'000'000); }
  static constexpr Bandwidth unlimited() { return Bandwidth(0); }

  constexpr std::int64_t bits_per_second() const { return bps_; }
  constexpr double bytes_per_ps() const { return static_cast<double>(bps_) / 8e12; }
  constexpr bool is_unlimited() const { return bps_ == 0; }
  constexpr auto operator<=>(const Bandwidth&) const = default;
  /// One of `n` equal parts, but never none.
  constexpr Bandwidth divided_by(std::int64_t n) const {
    return Bandwidth(bps_ == 0 || bps_ >= n ? bps_ / n : 1);
  }

  /// Time to pass `size` bytes, to the nearest picosecond; zero where there is no limit.
  constexpr Time time_for(Bytes size) const {
    if (bps_ == 0) return Time::zero();
    // The common case fits 64 bits: up to 1 MiB the product 8e12 * n stays below 2^63.
    if (size.count() <= (1 << 20)) {
      const auto product = static_cast<std::uint64_t>(size.count()) * 8'000'000'000'000ULL;
      const auto bps = static_cast<std::uint64_t>(bps_);
      const std::uint64_t whole = product / bps;
      return Time::ps(static_cast<std::int64_t>(whole + (2 * (product - whole * bps) >= bps)));
    }
    return Time::ps(
        rounded_quotient(static_cast<__int128>(size.count()) * 8'000'000'000'000, bps_));
  }

 private:
  explicit constexpr Bandwidth(std::int64_t n) : bps_(n) {}
  std::int64_t bps_ = 0;
};

/// The tighter of two limits, where zero is no limit.
constexpr Bandwidth tighter(Bandwidth a, Bandwidth b) {
  if (a.is_unlimited()) return b;
  if (b.is_unlimited()) return a;
  return a < b ? a : b;
}

/// A cost per byte, in attoseconds so that decimal figures such as 0.04 ns/B are exact.
class TimePerByte {
 public:
  constexpr TimePerByte() = default;
  static constexpr TimePerByte attoseconds(std::int64_t n) { return TimePerByte(n); }
  constexpr std::int64_t attoseconds() const { return as_; }
  constexpr auto operator<=>(const TimePerByte&) const = default;
  /// Cost of `size` bytes, to the nearest picosecond.
  constexpr Time time_for(Bytes size) const {
    // The common case fits 64 bits: 1 MiB at up to 2 us per byte.
    if (size.count() <= (1 << 20) && as_ <= (std::int64_t{1} << 41)) {
      return Time::ps((2 * size.count() * as_ + 1'000'000) / 2'000'000);
    }
    return Time::ps(rounded_quotient(static_cast<__int128>(size.count()) * as_, 1'000'000));
  }

 private:
  explicit constexpr TimePerByte(std::int64_t n) : as_(n) {}
  std::int64_t as_ = 0;
};

/// Floating-point operations per second of one core.
class Speed {
 public:
  constexpr Speed() = default;
  static constexpr Speed flops(std::int64_t n) { return Speed(n); }
  constexpr std::int64_t flops() const { return flops_; }
  constexpr auto operator<=>(const Speed&) const = default;

 private:
  explicit constexpr Speed(std::int64_t n) : flops_(n) {}
  std::int64_t flops_ = 0;
};

}  // namespace heddle
