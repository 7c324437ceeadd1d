// Named, splittable streams of random numbers, the same bits on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

/// A stream of random numbers (xoshiro256**). Splitting gives independent streams that do not
/// depend on how many numbers were drawn from the parent, so one component's draws never shift
/// another's.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);

  RandomStream split(std::string_view name) const;
  RandomStream split(std::uint64_t number) const;

  std::uint64_t next();
  /// A whole number in [0, bound), without bias; `bound` is at least 1.
  std::uint64_t below(std::uint64_t bound);
  /// A real number in [0, 1).
  double uniform();
  /// A real number, zero or more, of exponential distribution with the given mean.
  double exponential(double mean);

 private:
  std::uint64_t seed_;
  std::uint64_t state_[4];
};

/// Natural logarithm of a positive finite number, by IEEE arithmetic only: the C library's differs
/// in the last bit between machines.
double portable_log(double x);
/// e to the power of a number between -700 and 700, in the same manner.
double portable_exp(double x);

}  // namespace heddle
