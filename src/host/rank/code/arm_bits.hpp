// Parts of instructions of AArch64, and numbers as these take them.
#pragma once

#include <cstdint>

#include "host/rank/code/number_bits.hpp"

namespace heddle::host::arm {

/// Bits `low` to `high` of an instruction.
constexpr std::uint32_t bits(std::uint32_t code, unsigned high, unsigned low) {
  return code >> low & ((1U << (high - low + 1)) - 1);
}
constexpr bool bit(std::uint32_t code, unsigned number) {
  return (code >> number & 1) != 0;
}
inline std::uint64_t cut(std::uint64_t value, bool wide) {
  return wide ? value : value & ones(32);
}
inline std::uint64_t shifted(std::uint64_t value, unsigned kind, unsigned by, bool wide) {
  const unsigned width = wide ? 64 : 32;
  value = cut(value, wide);
  switch (kind) {
    case 0:
      return cut(value << by, wide);
    case 1:
      return value >> by;
    case 2:
      return cut(static_cast<std::uint64_t>(signed_bits(value, width) >> by), wide);
    default:
      return rotated(value, by, width);
  }
}
/// The last three bits say what part of a register, and the first whether it has a sign.
inline std::uint64_t extended(std::uint64_t value, unsigned kind) {
  const unsigned width = 8U << (kind & 3);
  if (width == 64) return value;
  return kind >= 4 ? static_cast<std::uint64_t>(signed_bits(value & ones(width), width))
                   : value & ones(width);
}

}  // namespace heddle::host::arm
