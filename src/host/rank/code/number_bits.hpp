// Parts of numbers, as processors compute with them.
#pragma once

#include <cstdint>

namespace heddle::host {

/// A number whose lowest `width` bits are set.
constexpr std::uint64_t ones(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
/// The lowest `width` bits as a number with a sign.
constexpr std::int64_t signed_bits(std::uint64_t value, unsigned width) {
  return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}
/// The lowest `width` bits, rotated to the right.
constexpr std::uint64_t rotated(std::uint64_t value, unsigned by, unsigned width) {
  by %= width;
  value &= ones(width);
  if (by == 0) return value;
  return (value >> by | value << (width - by)) & ones(width);
}

}  // namespace heddle::host
