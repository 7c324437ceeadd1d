#include "core/random.hpp"

#include <bit>
#include <cmath>

namespace heddle {
namespace {

/// One step of splitmix64: spreads a seed's bits.
std::uint64_t spread(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed) : seed_(seed) {
  std::uint64_t state = seed;
  for (std::uint64_t& word : state_) word = spread(state);
}

RandomStream RandomStream::split(std::string_view name) const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return split(hash);
}

RandomStream RandomStream::split(std::uint64_t number) const {
  std::uint64_t state = seed_;
  const std::uint64_t parent = spread(state);
  std::uint64_t child = parent ^ number;
  return RandomStream(spread(child));
}

std::uint64_t RandomStream::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  // The high half of a 128-bit product; draws whose low half falls in the uneven rest are repeated.
  const std::uint64_t uneven = -bound % bound;
  for (;;) {
    const unsigned __int128 product = static_cast<unsigned __int128>(next()) * bound;
    if (static_cast<std::uint64_t>(product) >= uneven) {
      return static_cast<std::uint64_t>(product >> 64);
    }
  }
}

double RandomStream::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double RandomStream::exponential(double mean) {
  return -mean * portable_log(1.0 - uniform());
}

double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // exact
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  // ln m = 2 atanh(z), z = (m-1)/(m+1); |z| < 0.172, so 12 terms reach the last bit.
  const double z = (m - 1) / (m + 1);
  const double z2 = z * z;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
  return exponent * 0.69314718055994530942 + 2 * z * sum;
}

double portable_exp(double x) {
  // x = k ln 2 + r with |r| <= 0.347, so 14 terms of the series reach the last bit. ln 2 in two
  // parts: the first times k is exact.
  const double k = std::floor(x * 1.44269504088896340736 + 0.5);
  const double r = (x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
  double sum = 1;
  for (int n = 14; n >= 1; --n) sum = 1 + sum * r / n;
  return std::ldexp(sum, static_cast<int>(k));
}

}  // namespace heddle
