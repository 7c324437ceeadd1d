// Division by a number that stays.
#pragma once

#include <cstdint>

namespace heddle::platform::simgrid {

/// What by a number is divided again and again. Of numbers of 32 bits, which nearly all are here,
/// the quotient is a product with the inverse, in fixed point with 64 bits: that is exact, and
/// takes a fraction of the time of a division.
class Divisor {
 public:
  struct Division {
    std::uint64_t quotient;
    std::uint64_t rest;
  };

  /// Not by 0.
  explicit Divisor(std::uint64_t by)
      : by_(by), inverse_(by >> 32 == 0 ? ~std::uint64_t{0} / by + 1 : 0) {}

  Division divide(std::uint64_t number) const {
    if (by_ == 1) return {number, 0};
    const std::uint64_t quotient =
        number >> 32 == 0 && inverse_ != 0 ? product(number) : number / by_;
    return {quotient, number - quotient * by_};
  }
  std::uint64_t quotient(std::uint64_t number) const { return divide(number).quotient; }
  std::uint64_t rest(std::uint64_t number) const { return divide(number).rest; }

 private:
  std::uint64_t product(std::uint64_t number) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(inverse_) * number >> 64);
  }

  std::uint64_t by_;
  std::uint64_t inverse_;  ///< 2^64 divided by it, rounded up; 0: it is none, or not known.
};

}  // namespace heddle::platform::simgrid
