// How well the costs of loops are to be known before these are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::host {

struct LoopLimits {
  std::uint32_t first = 5;  ///< Runs that are carried out at least.
  double error = 0.03;      ///< The standard error of their mean may be such a part of it.
  double least = 0;         ///< What costs less is always carried out.
};

/// Reads "auto", "auto,first=10,error=1%"; nothing: it is something else. Throws InputError for
/// `option`, also where loops cannot be left out on this kind of processor.
std::optional<LoopLimits> parse_loop_limits(const std::string& text, const std::string& option);

}  // namespace heddle::host
