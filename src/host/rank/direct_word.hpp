// Up to eight bytes of a rank's memory, without the care that takes longer than to read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/address_space.hpp"

namespace heddle::host {

/// As a number. Of a size that is known when this is compiled, mostly: that is an instruction then.
inline std::uint64_t word_at(const std::byte* place, std::size_t size) {
  const auto of = [&](auto word) {
    std::memcpy(&word, place, sizeof word);
    return std::uint64_t{word};
  };
  switch (size) {
    case 8:
      return of(std::uint64_t{});
    case 4:
      return of(std::uint32_t{});
    case 2:
      return of(std::uint16_t{});
    case 1:
      return of(std::uint8_t{});
    default:
      std::uint64_t value = 0;
      std::memcpy(&value, place, size);
      return value;
  }
}

/// False: it cannot be reached directly. For functions that guarded_call() calls, as it may not be
/// there.
inline bool read_directly(const AddressSpace& memory, std::uint64_t address, std::size_t size,
                          std::uint64_t& value) {
  const std::byte* const direct = memory.direct(reinterpret_cast<const void*>(address), size);
  if (direct == nullptr) return false;
  value = word_at(direct, size);
  return true;
}

}  // namespace heddle::host
