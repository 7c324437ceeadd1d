#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/charts.hpp"

namespace heddle::study {
namespace {

/// The member of the request that a key stands for, or null.
std::string* part_of(ChartRequest& request, std::string_view key) {
  if (key == "x") return &request.x;
  if (key == "y") return &request.y;
  return key == "z" ? &request.z : nullptr;
}

[[noreturn]] void refuse_chart(const ChartRequest& request, const std::string& text,
                               const std::vector<std::string>& keys) {
  std::vector<std::string> accepted;
  for (const std::string& key : keys) accepted.push_back(key.substr(0, key.find('?')) + "=COLUMN");
  throw InputError({request.option}, in_quotes(text) + " does not say what to draw: accepted is " +
                                         joined(accepted, ","));
}

/// A point of a curve.
struct CurvePoint {
  double x;
  traffic::Estimate y;
};

report::Series series_of(const std::string& name, std::vector<CurvePoint> points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
  report::Series series{name, {}, {}};
  for (const CurvePoint& point : points) {
    series.x.push_back(point.x);
    series.y.push_back(point.y.mean);
    series.error.push_back(point.y.known() ? point.y.half_width : 0);
  }
  return series;
}

}  // namespace

std::string shown_value(const std::string& value) {
  constexpr std::string_view kEnding = ".yaml";
  if (!value.ends_with(kEnding)) return value;
  return std::filesystem::path(value).stem().string();
}

ChartRequest parse_chart(const std::string& text, const std::string& option,
                         const std::vector<std::string>& keys) {
  ChartRequest request{option, {}, {}, {}, {}};
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equal = part.find('=');
    const std::string key(part.substr(0, equal));
    const bool known = std::any_of(keys.begin(), keys.end(), [&](const std::string& one) {
      return one.substr(0, one.find('?')) == key;
    });
    if (!known || equal == part.npos) refuse_chart(request, text, keys);
    const std::string value(part.substr(equal + 1));
    if (std::string* member = part_of(request, key)) {
      *member = value;
    } else {
      request.by.push_back(value);
    }
  }
  for (const std::string& key : keys) {
    const std::string* member = part_of(request, key);
    if (member != nullptr && member->empty()) refuse_chart(request, text, keys);
  }
  return request;
}

report::Plot curves(const ResultView& view, const ChartRequest& request) {
  const ResultName x = view.find(request.x, request.option);
  const ResultName y = view.find(request.y, request.option);
  std::vector<ResultName> names = {x};
  for (const std::string& by : request.by) names.push_back(view.find(by, request.option));
  std::vector<std::string> order;
  std::map<std::string, std::vector<CurvePoint>> points;
  std::size_t seeds = 1;
  for (const ResultGroup& group : view.groups(names, y, request.option)) {
    const auto place = view.number(*group.first, x);
    if (!place) {
      throw InputError({request.option}, fmt::format("'{}' is not a number at every point, such as "
                                                     "{}: accepted is by={}",
                                                     x.name, in_quotes(group.key[0]), x.name));
    }
    std::vector<std::string> values(group.key.begin() + 1, group.key.end());
    std::transform(values.begin(), values.end(), values.begin(), shown_value);
    const std::string name = joined(values, ", ");
    if (!points.contains(name)) order.push_back(name);
    points[name].push_back({*place, group.estimate()});
    seeds = std::max(seeds, group.samples.size());
  }
  report::Plot plot{
      view.label(y) + " over " + view.label(x),
      seeds > 1 ? fmt::format("means over {} seeds; bars: 95 % intervals", seeds) : "",
      {view.label(x)},
      {view.label(y)},
      {}};
  for (const std::string& name : order) plot.series.push_back(series_of(name, points[name]));
  return plot;
}

}  // namespace heddle::study
