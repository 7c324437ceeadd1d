// Parts of times, for whoever adds them up.
#pragma once

#include "record/critical_path.hpp"

namespace heddle::record {

/// The place of a resource among shares.
constexpr std::size_t slot(Resource resource) {
  return static_cast<std::size_t>(resource);
}

/// Whether two links are directions of one cable.
constexpr bool same_cable(std::uint32_t a, std::uint32_t b) {
  return (a | 1U) == (b | 1U);
}

inline Time part_of(Time whole, double share) {
  return Time::ps(static_cast<std::int64_t>(static_cast<double>(whole.ps()) * share));
}

/// A part of a whole; 0 where there is none.
inline double ratio(Time part, Time whole) {
  return whole <= Time::zero() ? 0
                               : static_cast<double>(part.ps()) / static_cast<double>(whole.ps());
}

}  // namespace heddle::record
