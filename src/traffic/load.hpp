// How much traffic nodes offer: a fraction of what they could inject, or so many bytes per second.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "core/quantity.hpp"

namespace heddle::traffic {

/// What each sending node offers. Exactly one of the two is not zero.
struct Load {
  std::int64_t parts = 0;  ///< Billionths of the node's injection bandwidth.
  Bandwidth rate;          ///< Or this rate.

  static constexpr std::int64_t kWhole = 1'000'000'000;
  static Load fraction(double f) { return {std::llround(f * static_cast<double>(kWhole)), {}}; }
  /// Bytes per second of a node that can inject `injection`.
  double bytes_per_second(Bandwidth injection) const;
  /// "0.35" or "12Gbps".
  std::string text() const;
  auto operator<=>(const Load&) const = default;
};

/// The loads of a sweep, each once, rates before fractions and both ascending: "0.5",
/// "0.1,0.5,0.9", "0.1:0.9:0.1" (first, last, step), "10Gbps".
struct Loads {
  std::vector<Load> list;
  /// Nothing for text that is not a list of loads and ranges of loads.
  static std::optional<Loads> parse(std::string_view text);
  std::string text() const;
  auto operator<=>(const Loads&) const = default;
};

}  // namespace heddle::traffic

namespace heddle {
template <>
struct ParamType<traffic::Loads> {
  static constexpr std::string_view name = "loads";
  static constexpr std::string_view accepted =
      "a fraction of the injection bandwidth such as 0.5 or 50% (at most 100), a rate such as "
      "10Gbps or 1GB/s, a list such as 0.1,0.5,0.9, or a range first:last:step such as 0.1:0.9:0.1";
  static std::optional<traffic::Loads> parse(std::string_view text) {
    return traffic::Loads::parse(text);
  }
  static std::string exact(const traffic::Loads& value) { return value.text(); }
};
}  // namespace heddle
