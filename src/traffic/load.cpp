#include "traffic/load.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "core/units.hpp"

namespace heddle::traffic {
namespace {

constexpr std::size_t kMostLoads = 10'000;
constexpr double kLargestFraction = 100;

std::optional<Load> parse_load(std::string_view text) {
  if (const auto fraction = parse_ratio(text)) {
    if (*fraction > kLargestFraction) return std::nullopt;
    const Load load = Load::fraction(*fraction);
    return load.parts > 0 ? std::optional(load) : std::nullopt;
  }
  const auto rate = parse_bandwidth(text);
  if (!rate || rate->is_unlimited()) return std::nullopt;
  return Load{0, *rate};
}

/// The load as a number in its own scale, and back.
std::int64_t value(const Load& load) {
  return load.parts != 0 ? load.parts : load.rate.bits_per_second();
}
Load with_value(bool is_rate, std::int64_t value) {
  return is_rate ? Load{0, Bandwidth::bits_per_second(value)} : Load{value, {}};
}

/// Appends first, first + step, ... up to last; false if the three do not make a range.
bool append_range(const Load& first, const Load& last, const Load& step, std::vector<Load>& out) {
  const bool is_rate = first.parts == 0;
  if (is_rate != (last.parts == 0) || is_rate != (step.parts == 0) || last < first) return false;
  const std::int64_t count = (value(last) - value(first)) / value(step) + 1;
  if (count > static_cast<std::int64_t>(kMostLoads - out.size())) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    out.push_back(with_value(is_rate, value(first) + i * value(step)));
  }
  return true;
}

bool append_item(std::string_view item, std::vector<Load>& out) {
  const std::vector<std::string_view> ends = split(item, ':');
  const auto first = parse_load(ends[0]);
  if (!first) return false;
  if (ends.size() == 1) return append_range(*first, *first, *first, out);
  if (ends.size() != 3) return false;
  const auto last = parse_load(ends[1]);
  const auto step = parse_load(ends[2]);
  return last && step && append_range(*first, *last, *step, out);
}

}  // namespace

double Load::bytes_per_second(Bandwidth injection) const {
  if (parts == 0) return static_cast<double>(rate.bits_per_second()) / 8;
  return static_cast<double>(injection.bits_per_second()) / 8 *
         (static_cast<double>(parts) / static_cast<double>(kWhole));
}

std::string Load::text() const {
  return parts == 0 ? exact_bandwidth(rate)
                    : exact_ratio(static_cast<double>(parts) / static_cast<double>(kWhole));
}

std::optional<Loads> Loads::parse(std::string_view text) {
  Loads loads;
  for (const std::string_view item : split(text, ',')) {
    if (!append_item(item, loads.list)) return std::nullopt;
  }
  std::sort(loads.list.begin(), loads.list.end());
  loads.list.erase(std::unique(loads.list.begin(), loads.list.end()), loads.list.end());
  return loads;
}

std::string Loads::text() const {
  std::vector<std::string> items;
  for (const Load& load : list) items.push_back(load.text());
  return joined(items, ",");
}

}  // namespace heddle::traffic
