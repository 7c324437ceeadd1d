// Heddle's own schedule files; their layout is described in compact.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::goal {

inline constexpr std::string_view kCompactMagic = "HEDDLEGS";
inline constexpr std::uint64_t kCompactVersion = 1;

}  // namespace heddle::goal
