// Many numbers in few characters, for pages that carry them as text.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::report {

/// Numbers of seven bits per byte, the lowest first, as base64. The page reads them back.
class PackedNumbers {
 public:
  void put(std::uint64_t value);
  /// Small ones of either sign are short.
  void put_signed(std::int64_t value);
  void put_byte(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  std::string base64() const;

 private:
  std::string bytes_;
};

}  // namespace heddle::report
