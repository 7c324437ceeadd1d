#include "core/units.hpp"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "core/text.hpp"

namespace heddle {
namespace {

/// A unit's name and how many of the type's base units it is.
struct UnitName {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array kTimeUnits = {
    UnitName{"ps", 1},
    UnitName{"ns", 1'000},
    UnitName{"us", 1'000'000},
    UnitName{"ms", 1'000'000'000},
    UnitName{"s", 1'000'000'000'000},
    UnitName{"\u00b5s", 1'000'000},  // The micro sign ...
    UnitName{"\u03bcs", 1'000'000},  // ... and the Greek letter, which looks the same.
    UnitName{"min", 60'000'000'000'000},
    UnitName{"h", 3'600'000'000'000'000},
};

constexpr std::size_t kPlainTimeUnits = 5;  ///< Those that are written.
constexpr std::size_t kShortTimeUnits = 7;  ///< Those up to the second.

constexpr std::array kByteUnits = {
    UnitName{"", 1},
    UnitName{"B", 1},
    UnitName{"kB", 1'000},
    UnitName{"KB", 1'000},
    UnitName{"MB", 1'000'000},
    UnitName{"GB", 1'000'000'000},
    UnitName{"TB", 1'000'000'000'000},
    UnitName{"KiB", 1LL << 10},
    UnitName{"MiB", 1LL << 20},
    UnitName{"GiB", 1LL << 30},
    UnitName{"TiB", 1LL << 40},
};

/// Bits per second; "X/s" is read as "Xps", and "bit" as "b".
constexpr std::array kBandwidthUnits = {
    UnitName{"bps", 1},
    UnitName{"kbps", 1'000},
    UnitName{"Mbps", 1'000'000},
    UnitName{"Gbps", 1'000'000'000},
    UnitName{"Tbps", 1'000'000'000'000},
    UnitName{"Bps", 8},
    UnitName{"kBps", 8'000},
    UnitName{"MBps", 8'000'000},
    UnitName{"GBps", 8'000'000'000},
    UnitName{"TBps", 8'000'000'000'000},
    UnitName{"Kibps", 1LL << 10},
    UnitName{"Mibps", 1LL << 20},
    UnitName{"Gibps", 1LL << 30},
    UnitName{"Tibps", 1LL << 40},
    UnitName{"KiBps", 8LL << 10},
    UnitName{"MiBps", 8LL << 20},
    UnitName{"GiBps", 8LL << 30},
    UnitName{"TiBps", 8LL << 40},
    UnitName{"Kbps", 1'000},
    UnitName{"KBps", 8'000},
};

constexpr std::array kSpeedUnits = {
    UnitName{"f", 1},
    UnitName{"kf", 1'000},
    UnitName{"Mf", 1'000'000},
    UnitName{"Gf", 1'000'000'000},
    UnitName{"Tf", 1'000'000'000'000},
    UnitName{"Pf", 1'000'000'000'000'000},
};

constexpr std::array kCountUnits = {
    UnitName{"", 1},
    UnitName{"k", 1'000},
    UnitName{"M", 1'000'000},
    UnitName{"G", 1'000'000'000},
};

/// digits * 10^exponent, and the text behind it.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
  std::string_view rest;
};

/// Appends one decimal digit; false when the number no longer fits.
bool append_digit(std::int64_t& number, char digit) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::int64_t value = digit - '0';
  if (number > (kMax - value) / 10) return false;
  number = number * 10 + value;
  return true;
}

bool is_digit(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front()));
}

/// "e-9" at the start of `text`: adds to the exponent and consumes it. An 'e' not followed by a
/// number stays.
void take_exponent(std::string_view& text, int& exponent) {
  if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return;
  std::string_view rest = text.substr(1);
  if (rest.starts_with('+') && is_digit(rest.substr(1))) rest.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || value < -100 || value > 100) return;
  exponent += value;
  text = rest.substr(static_cast<std::size_t>(end - rest.data()));
}

std::optional<Decimal> take_decimal(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  Decimal number;
  bool any = false;
  for (; is_digit(text); text.remove_prefix(1), any = true) {
    if (!append_digit(number.digits, text.front())) return std::nullopt;
  }
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    bool full = false;
    for (; is_digit(text); text.remove_prefix(1), any = true) {
      // Digits past the 18th are below any resolution we count in.
      full = full || !append_digit(number.digits, text.front());
      if (!full) --number.exponent;
    }
  }
  if (!any) return std::nullopt;
  take_exponent(text, number.exponent);
  number.rest = trimmed(text);
  return number;
}

/// number * factor to the nearest integer, or nothing if it does not fit 63 bits. What lies between
/// zero and one is nothing, too: neither of them is meant.
std::optional<std::int64_t> scaled(const Decimal& number, std::int64_t factor) {
  constexpr __int128 kMax = std::numeric_limits<std::int64_t>::max();
  __int128 value = static_cast<__int128>(number.digits) * factor;
  for (int i = 0; i < number.exponent && value != 0; ++i) {
    value *= 10;
    if (value > kMax) return std::nullopt;
  }
  if (number.exponent < -37) return value == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  __int128 divisor = 1;
  for (int i = number.exponent; i < 0; ++i) divisor *= 10;
  // Quotient and remainder apart: twice the value might not fit.
  const __int128 whole = value / divisor;
  if (whole == 0 && value != 0) return std::nullopt;
  const __int128 result =
      whole + ((value - whole * divisor) >= divisor - (value - whole * divisor));
  if (result > kMax) return std::nullopt;
  return static_cast<std::int64_t>(result);
}

/// Whether number * factor is an integer.
bool is_whole(const Decimal& number, std::int64_t factor) {
  __int128 value = static_cast<__int128>(number.digits) * factor;
  for (int i = number.exponent; i < 0 && value != 0; ++i, value /= 10) {
    if (value % 10 != 0) return false;
  }
  return true;
}

const UnitName* find_unit(std::string_view name, std::span<const UnitName> units) {
  for (const UnitName& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::optional<std::int64_t> in_units(const Decimal& number, std::string_view unit,
                                     std::span<const UnitName> units,
                                     std::int64_t extra_factor = 1) {
  const UnitName* found = find_unit(unit, units);
  if (found != nullptr) return scaled(number, found->factor * extra_factor);
  // A zero needs no unit.
  if (unit.empty() && number.digits == 0) return 0;
  return std::nullopt;
}

std::optional<std::int64_t> parse(std::string_view text, std::span<const UnitName> units) {
  const auto number = take_decimal(text);
  return number ? in_units(*number, number->rest, units) : std::nullopt;
}

/// The largest unit of which `count` is a whole multiple, as "12us"; zero in the smallest.
std::string exact(std::int64_t count, std::span<const UnitName> units) {
  const UnitName* best = &units.front();
  if (count == 0) return fmt::format("0{}", best->name);
  for (const UnitName& unit : units) {
    if (count % unit.factor == 0 && unit.factor > best->factor) best = &unit;
  }
  return fmt::format("{}{}", count / best->factor, best->name);
}

/// "Gbit/s", "Gb/s" and "Gbps" are the same.
std::string plain_bandwidth_unit(std::string_view unit) {
  if (!unit.ends_with("/s")) return std::string(unit);
  unit.remove_suffix(2);
  if (unit.ends_with("bit")) unit.remove_suffix(2);
  return std::string(unit) + "ps";
}

std::string short_number(double value, std::string_view unit) {
  return fmt::format("{:.4g} {}", value, unit);
}

}  // namespace

std::optional<Time> parse_time(std::string_view text) {
  const auto value = parse(text, kTimeUnits);
  return value ? std::optional(Time::ps(*value)) : std::nullopt;
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  const auto number = take_decimal(text);
  if (!number) return std::nullopt;
  // There is no part of a byte: who asks for 1.5 B means something else.
  const UnitName* unit = find_unit(number->rest, kByteUnits);
  if (unit != nullptr && !is_whole(*number, unit->factor)) return std::nullopt;
  const auto value = in_units(*number, number->rest, kByteUnits);
  return value ? std::optional(Bytes(*value)) : std::nullopt;
}

std::optional<Bandwidth> parse_bandwidth(std::string_view text) {
  if (trimmed(text) == "unlimited") return Bandwidth::unlimited();
  const auto number = take_decimal(text);
  if (!number) return std::nullopt;
  const auto value = in_units(*number, plain_bandwidth_unit(number->rest), kBandwidthUnits);
  // Zero would be "no limit", which nobody means by it.
  return value && *value > 0 ? std::optional(Bandwidth::bits_per_second(*value)) : std::nullopt;
}

std::optional<TimePerByte> parse_time_per_byte(std::string_view text) {
  const auto number = take_decimal(text);
  if (!number) return std::nullopt;
  std::string_view unit = number->rest;
  if (unit.ends_with("/B")) unit.remove_suffix(2);
  // Minutes per byte would overflow the factor, and nobody means them.
  const auto value =
      in_units(*number, unit, std::span(kTimeUnits).first(kShortTimeUnits), 1'000'000);
  return value ? std::optional(TimePerByte::attoseconds(*value)) : std::nullopt;
}

std::optional<Speed> parse_speed(std::string_view text) {
  const auto value = parse(text, kSpeedUnits);
  return value ? std::optional(Speed::flops(*value)) : std::nullopt;
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  const auto number = take_decimal(text);
  if (!number) return std::nullopt;
  const UnitName* unit = find_unit(number->rest, kCountUnits);
  // 2.5 is not a count, though 2.5k is.
  if (unit == nullptr || !is_whole(*number, unit->factor)) return std::nullopt;
  return scaled(*number, unit->factor);
}

std::optional<std::vector<std::int64_t>> parse_counts(std::string_view text) {
  std::vector<std::int64_t> counts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find_first_of(",x");
    const auto count = parse_count(text.substr(0, end));
    if (!count) return std::nullopt;
    counts.push_back(*count);
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return counts;
}

std::optional<double> parse_ratio(std::string_view text) {
  text = trimmed(text);
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || value < 0) return std::nullopt;
  return percent ? value / 100 : value;
}

std::optional<bool> parse_flag(std::string_view text) {
  const std::string_view word = trimmed(text);
  if (word == "yes" || word == "true" || word == "on" || word == "1") return true;
  if (word == "no" || word == "false" || word == "off" || word == "0") return false;
  return std::nullopt;
}

std::string format_time(Time t) {
  const double ps = static_cast<double>(t.ps());
  const double size = std::abs(ps);
  if (size < 1e3) return fmt::format("{} ps", t.ps());
  if (size < 1e6) return short_number(ps / 1e3, "ns");
  if (size < 1e9) return short_number(ps / 1e6, "us");
  if (size < 1e12) return short_number(ps / 1e9, "ms");
  return short_number(ps / 1e12, "s");
}

std::string format_bytes(Bytes n) {
  const double count = static_cast<double>(n.count());
  if (count < 1024) return fmt::format("{} B", n.count());
  if (count < 1024.0 * 1024) return short_number(count / 1024, "KiB");
  if (count < 1024.0 * 1024 * 1024) return short_number(count / (1024.0 * 1024), "MiB");
  return short_number(count / (1024.0 * 1024 * 1024), "GiB");
}

std::string format_bandwidth(Bandwidth b) {
  if (b.is_unlimited()) return "unlimited";
  const double bps = static_cast<double>(b.bits_per_second());
  if (bps < 1e6) return short_number(bps / 1e3, "kb/s");
  if (bps < 1e9) return short_number(bps / 1e6, "Mb/s");
  if (bps < 1e12) return short_number(bps / 1e9, "Gb/s");
  if (bps < 1e15) return short_number(bps / 1e12, "Tb/s");
  return short_number(bps / 1e15, "Pb/s");
}

std::string exact_time(Time t) {
  return exact(t.ps(), std::span(kTimeUnits).first(kPlainTimeUnits));
}

std::string exact_bytes(Bytes n) {
  return exact(n.count(), std::span(kByteUnits).subspan(1));
}

std::string exact_bandwidth(Bandwidth b) {
  if (b.is_unlimited()) return "unlimited";
  return exact(b.bits_per_second(), std::span(kBandwidthUnits).first(5));
}

std::string exact_time_per_byte(TimePerByte t) {
  // One unit, picoseconds, with as many decimals as the attoseconds need.
  std::string text =
      fmt::format("{}.{:06}", t.attoseconds() / 1'000'000, t.attoseconds() % 1'000'000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + "ps/B";
}

std::string exact_speed(Speed s) {
  return exact(s.flops(), kSpeedUnits);
}

std::string exact_counts(const std::vector<std::int64_t>& counts) {
  std::string text;
  for (const std::int64_t count : counts) {
    if (!text.empty()) text += ',';
    text += std::to_string(count);
  }
  return text;
}

std::string exact_ratio(double r) {
  return fmt::format("{}", r);
}

}  // namespace heddle
