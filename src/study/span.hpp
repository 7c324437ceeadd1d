// Values between two ends that have units: "0.1", "500ns", "4KiB", "10Gbps".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::study {

/// All values from one end to the other. What is between two whole numbers is whole, and every
/// value is written with the digits that it needs.
class Span {
 public:
  /// Nothing if the two are not quantities of one kind.
  static std::optional<Span> between(std::string_view from, std::string_view to);

  double from() const { return from_; }
  double to() const { return to_; }
  /// Whether they can stand on a logarithmic scale.
  bool positive() const { return from_ > 0 && to_ > 0; }
  /// A quantity of the same kind as a number, or nothing.
  std::optional<double> number(std::string_view text) const;

  /// The value that is `part` of 0 to 1 of the way, to four digits.
  std::string at(double part, bool logarithmic) const;
  /// From end to end in `points` equal steps or factors; at least 1.
  std::vector<std::string> even(std::size_t points, bool logarithmic) const;
  /// From the first end on, `step` apart, up to the other one. `step` leads there and is not 0, and
  /// there are no more than a million.
  std::vector<std::string> stepped(double step) const;

 private:
  enum class Kind { number, time, bytes, bandwidth, time_per_byte };
  static std::optional<double> parse(Kind kind, std::string_view text);
  double value_at(double part, bool logarithmic) const;
  std::string text(double value) const;

  Kind kind_ = Kind::number;
  bool whole_ = false;
  double from_ = 0;
  double to_ = 0;
};

/// The values of "first:last:step", or nothing if that is not what `text` is.
std::optional<std::vector<std::string>> range_of(std::string_view text);

}  // namespace heddle::study
