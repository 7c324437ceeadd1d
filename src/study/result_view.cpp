#include "study/result_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "study/result_table.hpp"

namespace heddle::study {
namespace {

struct TimeUnit {
  const char* suffix;
  double ps;
};
constexpr std::array<TimeUnit, 4> kTimeUnits = {
    {{"_ns", 1e3}, {"_us", 1e6}, {"_ms", 1e9}, {"_s", 1e12}}};

bool is_seed(const std::string& name) {
  return name == "seed" || name.ends_with(".seed");
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Json* member(const StoredPoint& point, const ResultName& name) {
  const Json& object = name.is_parameter ? point.parameters : point.result;
  const auto found = object.find(name.stored);
  return found == object.end() ? nullptr : &*found;
}

std::string parameter_text(const StoredPoint& point, const std::string& name) {
  const auto found = point.parameters.find(name);
  return found == point.parameters.end() ? "" : text_of(*found);
}

}  // namespace

std::optional<PlainQuantity> plain_quantity(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return PlainQuantity{value};
  if (const auto time = parse_time(text)) {
    return PlainQuantity{static_cast<double>(time->ps()) / 1e6, "us"};
  }
  if (const auto size = parse_bytes(text)) {
    return PlainQuantity{static_cast<double>(size->count()), "B"};
  }
  if (const auto rate = parse_bandwidth(text); rate && !rate->is_unlimited()) {
    return PlainQuantity{static_cast<double>(rate->bits_per_second()) / 1e9, "Gb/s"};
  }
  if (const auto cost = parse_time_per_byte(text)) {
    return PlainQuantity{static_cast<double>(cost->attoseconds()) / 1e9, "ns/B"};
  }
  if (const auto ratio = parse_ratio(text)) return PlainQuantity{*ratio};
  return std::nullopt;
}

ResultView::ResultView(std::vector<StoredPoint> points) : points_(std::move(points)) {
  std::erase_if(points_, [](const StoredPoint& point) { return !point.done(); });
  parameters_ = parameters_of(points_);
  measures_ = measures_of(points_);
}

void ResultView::keep(const std::string& condition, const std::string& option) {
  const std::size_t equal = condition.find('=');
  if (equal == condition.npos) {
    throw InputError({option}, in_quotes(condition) + " is no condition: accepted is name=value");
  }
  const ResultName name = find(condition.substr(0, equal), option);
  const std::string value = condition.substr(equal + 1);
  std::set<std::string> values;
  for (const StoredPoint& point : points_) values.insert(text(point, name));
  if (!values.contains(value)) {
    throw InputError({option},
                     fmt::format("{} is nowhere {}: there are {}", name.name, in_quotes(value),
                                 joined({values.begin(), values.end()})));
  }
  std::erase_if(points_, [&](const StoredPoint& point) { return text(point, name) != value; });
}

ResultName ResultView::find(const std::string& name, const std::string& option) const {
  if (contains(parameters_, name)) return {name, name, true};
  if (contains(measures_, name)) return {name, name};
  for (const TimeUnit& unit : kTimeUnits) {
    if (!name.ends_with(unit.suffix)) continue;
    const std::string base = name.substr(0, name.size() - std::string_view(unit.suffix).size());
    if (contains(measures_, base + "_ps")) return {name, base + "_ps", false, 1 / unit.ps};
  }
  std::vector<std::string> all = parameters_;
  for (const std::string& measure : measures_) {
    all.push_back(measure.ends_with("_ps") ? measure.substr(0, measure.size() - 3) + "_us"
                                           : measure);
  }
  throw InputError({option}, "there is no column " + in_quotes(name) + did_you_mean(name, all) +
                                 ": there are " + joined(all));
}

std::string ResultView::text(const StoredPoint& point, const ResultName& name) const {
  const Json* value = member(point, name);
  if (value == nullptr) return "";
  // Nine digits are what tells points apart and people still read.
  if (value->is_number_float() || (name.scale != 1 && value->is_number())) {
    return fmt::format("{:.9g}", value->get<double>() * name.scale);
  }
  return text_of(*value);
}

std::optional<double> ResultView::number(const StoredPoint& point, const ResultName& name) const {
  const Json* value = member(point, name);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>() * name.scale;
  if (value->is_boolean()) return value->get<bool>() ? 1 : 0;
  const auto quantity = value->is_string() ? plain_quantity(value->get<std::string>())
                                           : std::optional<PlainQuantity>();
  return quantity ? std::optional(quantity->value) : std::nullopt;
}

std::string ResultView::label(const ResultName& name) const {
  if (name.is_parameter) {
    for (const StoredPoint& point : points_) {
      const auto quantity = plain_quantity(text(point, name));
      if (quantity && !quantity->unit.empty()) return name.name + " [" + quantity->unit + "]";
    }
    return name.name;
  }
  const std::size_t last = name.name.rfind('_');
  static const std::set<std::string> units = {"ps", "ns", "us", "ms", "s", "bytes", "bps"};
  if (last == name.name.npos || !units.contains(name.name.substr(last + 1))) return name.name;
  return name.name.substr(0, last) + " [" + name.name.substr(last + 1) + "]";
}

std::vector<std::string> ResultView::varying() const {
  std::vector<std::string> names;
  for (const std::string& name : parameters_) {
    const bool varies = std::any_of(points_.begin(), points_.end(), [&](const StoredPoint& point) {
      return parameter_text(point, name) != parameter_text(points_.front(), name);
    });
    if (varies && !is_seed(name)) names.push_back(name);
  }
  return names;
}

/// Points of one group differ in seeds only: means over anything else would mislead.
void ResultView::check_alike(const std::vector<const StoredPoint*>& points,
                             const std::string& option) const {
  for (const std::string& name : parameters_) {
    if (is_seed(name)) continue;
    const std::string first = parameter_text(*points.front(), name);
    for (const StoredPoint* point : points) {
      if (parameter_text(*point, name) == first) continue;
      throw InputError(
          {option}, fmt::format("'{}' differs, too: accepted is by={}, or points where {}={} alone",
                                name, name, name, first));
    }
  }
}

std::vector<ResultGroup> ResultView::groups(const std::vector<ResultName>& names,
                                            const ResultName& measure,
                                            const std::string& option) const {
  std::vector<ResultGroup> groups;
  std::vector<std::vector<const StoredPoint*>> members;
  std::map<std::vector<std::string>, std::size_t> places;
  bool numbers = false;
  for (const StoredPoint& point : points_) {
    std::vector<std::string> key;
    for (const ResultName& name : names) key.push_back(text(point, name));
    const auto [place, is_new] = places.emplace(key, groups.size());
    if (is_new) {
      groups.push_back({key, &point, {}});
      members.emplace_back();
    }
    members[place->second].push_back(&point);
    const auto value = number(point, measure);
    if (!value) continue;
    numbers = true;
    groups[place->second].samples.push_back(*value);
  }
  if (!numbers) {
    throw InputError({option}, in_quotes(measure.name) + " is a number at no point");
  }
  for (const auto& points : members) check_alike(points, option);
  std::erase_if(groups, [](const ResultGroup& group) { return group.samples.empty(); });
  return groups;
}

}  // namespace heddle::study
