// Times as tables have them.
#pragma once

#include <fmt/core.h>

#include <string>

#include "core/time.hpp"

namespace heddle::report {

inline double microseconds(Time t) {
  return static_cast<double>(t.ps()) / 1e6;
}

/// In four digits, or all that stand before the point.
inline std::string short_us(Time t) {
  const double us = microseconds(t);
  return us < 1e4 ? fmt::format("{:.4g}", us) : fmt::format("{:.0f}", us);
}

}  // namespace heddle::report
