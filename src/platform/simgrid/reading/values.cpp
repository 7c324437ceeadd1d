#include "platform/simgrid/reading/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/units.hpp"

namespace heddle::platform::simgrid {
namespace {

/// A unit as SimGrid writes it and as our own readers know it.
struct UnitName {
  std::string_view simgrid;
  std::string_view ours;
};

const std::vector<UnitName>& bandwidth_units() {
  static const std::vector<UnitName> units = [] {
    std::vector<UnitName> list;
    for (const std::string_view name :
         {"Bps", "kBps", "MBps", "GBps", "TBps", "KiBps", "MiBps", "GiBps", "TiBps", "bps", "kbps",
          "Mbps", "Gbps", "Tbps", "Kibps", "Mibps", "Gibps", "Tibps"}) {
      list.push_back({name, name});
    }
    return list;
  }();
  return units;
}

const std::vector<UnitName>& time_units() {
  static const std::vector<UnitName> units = {
      {"s", "s"}, {"ms", "ms"}, {"us", "us"}, {"ns", "ns"}, {"ps", "ps"}, {"m", "min"}, {"h", "h"}};
  return units;
}

const std::vector<UnitName>& speed_units() {
  static const std::vector<UnitName> units = {
      {"f", "f"},          {"kf", "kf"},        {"Mf", "Mf"},        {"Gf", "Gf"},
      {"Tf", "Tf"},        {"Pf", "Pf"},        {"flops", "f"},      {"kiloflops", "kf"},
      {"megaflops", "Mf"}, {"gigaflops", "Gf"}, {"teraflops", "Tf"}, {"petaflops", "Pf"}};
  return units;
}

/// Where the unit begins: behind digits, a point and an exponent.
std::size_t unit_start(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789.+"), text.size());
  if (digits == text.size() || (text[digits] != 'e' && text[digits] != 'E')) return digits;
  const std::size_t behind = text.find_first_not_of("0123456789+-", digits + 1);
  return behind == digits + 1 ? digits : std::min(behind, text.size());
}

std::string accepted_units(const std::vector<UnitName>& units) {
  std::vector<std::string> names;
  for (const UnitName& unit : units) names.emplace_back(unit.simgrid);
  return joined(names, " ");
}

/// The value's text in our own units; nothing if SimGrid knows no such unit.
std::optional<std::string> translated(const Element& element, std::string_view attribute,
                                      std::string_view text, const std::vector<UnitName>& units,
                                      Warnings& warnings) {
  const std::string number(text.substr(0, unit_start(text)));
  const std::string_view unit = text.substr(number.size());
  if (unit.empty() && !number.empty()) {
    if (number.find_first_not_of("0.+") != std::string::npos) {
      warnings.push_back(element.where(attribute).str() + ": '" + number +
                         "' has no unit: read as " + std::string(units.front().simgrid));
    }
    return number + std::string(units.front().ours);
  }
  for (const UnitName& candidate : units) {
    if (candidate.simgrid == unit) return number + std::string(candidate.ours);
  }
  return std::nullopt;
}

/// Reads `text` of an attribute with `parse`, a reader of core/units.
template <class Parse>
auto quantity_of(const Element& element, std::string_view attribute, std::string_view text,
                 const std::vector<UnitName>& units, Warnings& warnings, Parse parse) {
  const auto ours = translated(element, attribute, text, units, warnings);
  const auto value = ours ? parse(*ours) : std::nullopt;
  if (!value) {
    element.fail_at(attribute, "out of range, or not a number with a unit: accepted are " +
                                   accepted_units(units));
  }
  return *value;
}

}  // namespace

Bandwidth bandwidth_of(const Element& element, std::string_view attribute, Warnings& warnings) {
  return quantity_of(element, attribute, element.text(attribute), bandwidth_units(), warnings,
                     parse_bandwidth);
}

Time latency_of(const Element& element, std::string_view attribute, Warnings& warnings, Time most) {
  const Time value =
      quantity_of(element, attribute, element.text(attribute), time_units(), warnings, parse_time);
  if (value > most) element.fail_at(attribute, "a latency is at most " + format_time(most));
  return value;
}

std::vector<Speed> speeds_of(const Element& element, std::string_view attribute,
                             Warnings& warnings) {
  std::vector<Speed> speeds;
  for (std::string_view text : split(element.text(attribute), ',')) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    speeds.push_back(quantity_of(element, attribute, text, speed_units(), warnings, parse_speed));
  }
  return speeds;
}

Speed speed_of(const Element& element, Warnings& warnings) {
  const Speed speed = speeds_of(element, "speed", warnings).front();
  if (speed.flops() == 0) element.fail_at("speed", "a speed must be more than zero");
  return speed;
}

std::uint32_t count_of(const Element& element, std::string_view attribute, std::string_view text,
                       std::uint32_t least) {
  constexpr std::uint32_t kMost = 2'000'000'000;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > kMost) {
    element.fail_at(attribute, "'" + std::string(text) + "' is not a whole number from " +
                                   std::to_string(least) + " to " + std::to_string(kMost));
  }
  return value;
}

std::vector<std::uint32_t> counts_of(const Element& element, std::string_view attribute,
                                     std::string_view text) {
  std::vector<std::uint32_t> counts;
  for (const std::string_view part : split(text, ',')) {
    counts.push_back(count_of(element, attribute, part, 1));
  }
  return counts;
}

std::vector<double> numbers_of(const Element& element, std::string_view attribute,
                               std::size_t count) {
  constexpr double kMost = 1e6;
  std::vector<double> numbers;
  for (const std::string_view part : split(element.text(attribute), ' ')) {
    if (part.empty()) continue;
    double value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || !(std::abs(value) <= kMost)) {
      element.fail_at(attribute,
                      "'" + std::string(part) + "' is not a number from -1000000 to 1000000");
    }
    numbers.push_back(value);
  }
  if (numbers.size() != count) {
    element.fail_at(attribute, "accepted are " + std::to_string(count) + " numbers with spaces");
  }
  return numbers;
}

std::string choice_of(const Element& element, std::string_view attribute,
                      const std::vector<std::string>& accepted) {
  std::string value(element.text_or(attribute, accepted.front()));
  if (std::find(accepted.begin(), accepted.end(), value) == accepted.end()) {
    element.fail_at(attribute, "not supported" + did_you_mean(value, accepted) + ": accepted are " +
                                   joined(accepted));
  }
  return value;
}

std::vector<std::uint32_t> radicals_of(const Element& element, std::uint64_t limit) {
  constexpr std::string_view kName = "radical";
  std::vector<std::uint32_t> radicals;
  for (const std::string_view group : split(element.text(kName), ',')) {
    const auto ends = split(group, '-');
    if (ends.size() > 2) {
      element.fail_at(kName, "'" + std::string(group) + "' is not a number or a range like 0-3");
    }
    const std::uint32_t first = count_of(element, kName, ends.front(), 0);
    const std::uint32_t last = count_of(element, kName, ends.back(), 0);
    if (last < first) {
      element.fail_at(kName, "the range '" + std::string(group) + "' ends before it begins");
    }
    if (radicals.size() + last - first >= limit) {
      element.fail_at(kName, "more than " + std::to_string(limit) + " hosts");
    }
    for (std::uint32_t i = first; i <= last; ++i) radicals.push_back(i);
  }
  return radicals;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace heddle::platform::simgrid
