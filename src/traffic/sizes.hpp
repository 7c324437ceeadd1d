// How large messages are: always the same, or drawn from a distribution.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "core/quantity.hpp"
#include "core/random.hpp"

namespace heddle::traffic {

/// A distribution of message sizes, in whole bytes, at least 1.
///
/// Written as text: "4KiB", "uniform:64B:64KiB", "log-uniform:64B:1MiB", "exponential:4KiB" (the
/// mean), "mix:90%:64B,10%:1MiB" (weights in any scale), or the name of a published one.
class SizeDistribution {
 public:
  /// So many of all messages, from 0 to 1, have at most this size.
  struct Point {
    double share = 0;
    Bytes size;
    auto operator<=>(const Point&) const = default;
  };
  /// Sizes between two points are as likely as each other. Neither shares nor sizes fall from point
  /// to point; the first share is that of the first size itself, the last share is 1. `name` is its
  /// text.
  static SizeDistribution measured(std::string name, std::vector<Point> points);

  /// Always one byte.
  SizeDistribution() = default;
  /// Nothing for text that is not one of the forms above.
  static std::optional<SizeDistribution> parse(std::string_view text);
  /// Text that parses to the same distribution.
  std::string text() const;

  Bytes draw(RandomStream& random) const;
  /// The expected size in bytes.
  double mean() const;
  /// Whether it was measured somewhere, point by point.
  bool is_measured() const { return kind_ == Kind::measured; }

  auto operator<=>(const SizeDistribution&) const = default;

 private:
  enum class Kind { fixed, uniform, log_uniform, exponential, mix, measured };
  struct Part {
    double weight = 0;
    Bytes size;
    auto operator<=>(const Part&) const = default;
  };
  static std::optional<SizeDistribution> parse_mix(std::string_view parts);
  SizeDistribution(Kind kind, Bytes low, Bytes high) : kind_(kind), low_(low), high_(high) {}
  Bytes draw_from_mix(RandomStream& random) const;
  Bytes draw_measured(double share) const;
  double total_weight() const;
  double measured_mean() const;
  double log_span() const;
  double exponential_scale() const;

  Kind kind_ = Kind::fixed;
  Bytes low_{1};   ///< The size, the least size, or the mean.
  Bytes high_{1};  ///< The largest size.
  std::vector<Part> mix_;
  std::vector<Point> points_;  ///< Of a measured one.
  std::string name_;           ///< Of a measured one.
};

/// A distribution of sizes that somebody has published.
struct PublishedSizes {
  std::string_view name;
  std::string_view about;  ///< Of what, and where it stands.
  std::vector<SizeDistribution::Point> points;
};
const std::vector<PublishedSizes>& published_sizes();

}  // namespace heddle::traffic

namespace heddle {
template <>
struct ParamType<traffic::SizeDistribution> {
  static constexpr std::string_view name = "sizes";
  static constexpr std::string_view accepted =
      "a size of at least 1B such as 4kB (4000 bytes) or 4KiB (4096), uniform:64B:64KiB, "
      "log-uniform:64B:1MiB, exponential:4KiB (the mean), mix:90%:64B,10%:1MiB (weight:size,...; "
      "percentages make 100 in all), or one of web-search, data-mining, hadoop, cache, storage, "
      "rpc";
  static std::optional<traffic::SizeDistribution> parse(std::string_view text) {
    return traffic::SizeDistribution::parse(text);
  }
  static std::string exact(const traffic::SizeDistribution& value) { return value.text(); }
};
}  // namespace heddle
