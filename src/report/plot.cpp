#include "report/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/svg.hpp"

namespace heddle::report {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 480;
constexpr double kLeft = 80;
constexpr double kRight = 30;
constexpr double kTop = 64;
constexpr double kBottom = 64;
constexpr double kLegendRow = 18;
const std::string kInk = "#222222";
const std::string kGrid = "#dddddd";

double power_of_ten(int exponent) {
  // Exact up to 10^22, unlike a product of tenths for the negative ones.
  double power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  return exponent < 0 ? 1 / power : power;
}

/// The least of 1, 2, 5, 10 times a power of ten that is not below `least`.
double nice_step(double least) {
  const double decade = power_of_ten(static_cast<int>(std::floor(std::log10(least))));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
  }
  return 10 * decade;
}

std::vector<double> linear_ticks(double low, double high, int wanted) {
  const double step = nice_step((high - low) / wanted);
  std::vector<double> ticks;
  const auto first = static_cast<long long>(std::floor(low / step + 1e-9));
  const auto last = static_cast<long long>(std::ceil(high / step - 1e-9));
  for (long long i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
  return ticks;
}

/// The digits before the power of ten, so that about `wanted` ticks cover so many decades.
std::vector<double> log_digits(double decades, int wanted) {
  if (3 * decades <= wanted) return {1, 2, 5};
  return {1};
}

/// Keeps the ticks from the last at or below `low` to the first at or above `high`.
std::vector<double> trimmed(const std::vector<double>& ticks, double low, double high) {
  auto first = std::upper_bound(ticks.begin(), ticks.end(), low * (1 + 1e-9));
  auto last = std::lower_bound(ticks.begin(), ticks.end(), high * (1 - 1e-9));
  if (first != ticks.begin()) --first;
  if (last != ticks.end()) ++last;
  return {first, last};
}

std::vector<double> log_ticks(double low, double high, int wanted) {
  const double decades = std::log10(high / low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / wanted)));
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high))) + stride;
  std::vector<double> ticks;
  for (int exponent = first; exponent <= last; exponent += stride) {
    for (const double digit : log_digits(decades, wanted)) {
      ticks.push_back(digit * power_of_ten(exponent));
    }
  }
  return trimmed(ticks, low, high);
}

/// Every second, fourth, ... power of two if there are too many.
std::vector<double> log2_ticks(double low, double high, int wanted) {
  int stride = 1;
  while (std::log2(high / low) / stride > wanted + 1) stride *= 2;
  int exponent = static_cast<int>(std::floor(std::log2(low) + 1e-9));
  std::vector<double> ticks;
  do {
    ticks.push_back(std::ldexp(1.0, exponent));
    exponent += stride;
  } while (ticks.back() < high * (1 - 1e-9));
  return ticks;
}

/// "64", "4Ki", "1Mi".
std::string binary_label(double value) {
  constexpr std::string_view kPrefixes = "KMGTPE";
  std::size_t prefixes = 0;
  for (; value >= 1024 && prefixes < kPrefixes.size(); ++prefixes) value /= 1024;
  return fmt::format("{:.6g}{}", value,
                     prefixes == 0 ? "" : fmt::format("{}i", kPrefixes[prefixes - 1]));
}

/// An axis with its ticks and its place on the page.
class PlacedAxis {
 public:
  PlacedAxis(const Axis& axis, double low, double high, double from, double to)
      : log_(axis.scale != Scale::linear), from_(from), to_(to) {
    ticks = nice_ticks(low, high, axis.scale);
    low_ = axis.min.value_or(ticks.front());
    high_ = axis.max.value_or(ticks.back());
    std::erase_if(ticks, [this](double tick) { return !inside(tick); });
  }

  double place(double value) const {
    const double part = log_ ? std::log10(value / low_) / std::log10(high_ / low_)
                             : (value - low_) / (high_ - low_);
    return from_ + part * (to_ - from_);
  }
  bool inside(double value) const {
    const double slack = 1e-9 * std::max(std::abs(low_), std::abs(high_));
    return std::isfinite(value) && value >= low_ - slack && value <= high_ + slack;
  }

  std::vector<double> ticks;

 private:
  bool log_;
  double low_ = 0;
  double high_ = 1;
  double from_;
  double to_;
};

struct Range {
  double low;
  double high;
};

bool usable(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

/// Widens a range with nothing in it, so that every axis has a length.
Range widened(double low, double high, Scale scale) {
  if (low > high) return {1, 10};
  if (scale == Scale::linear && low > 0) low = 0;
  if (low < high) return {low, high};
  if (scale != Scale::linear) return {low / 2, high * 2};
  return {low - 1, high + 1};
}

Range range_of(const Plot& plot, const Axis& axis, std::vector<double> Series::*values) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Series& series : plot.series) {
    for (const double value : series.*values) {
      if (!usable(value, axis.scale)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const Range range = widened(low, high, axis.scale);
  low = axis.min.value_or(range.low);
  high = std::max(axis.max.value_or(range.high), low);
  if (low < high) return {low, high};
  return {low, axis.scale == Scale::linear ? low + 1 : 2 * low};
}

/// Draws one plot.
class Plotter {
 public:
  explicit Plotter(const Plot& plot)
      : plot_(plot),
        bottom_(kHeight - kBottom),
        x_(axis(plot.x, &Series::x, kLeft, kWidth - kRight)),
        y_(axis(plot.y, &Series::y, bottom_, kTop)),
        legend_rows_(plot.series.size() > 1 ? static_cast<double>(plot.series.size()) : 0),
        svg_(kWidth, kHeight + legend_rows_ * kLegendRow, plot.title) {}

  Svg draw() {
    draw_titles();
    if (plot_.shade && x_.inside(plot_.shade->from)) draw_shade(*plot_.shade);
    draw_x_axis();
    draw_y_axis();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) draw_series(i);
    if (legend_rows_ > 0) draw_legend();
    return std::move(svg_);
  }

 private:
  PlacedAxis axis(const Axis& axis, std::vector<double> Series::*values, double from, double to) {
    const auto [low, high] = range_of(plot_, axis, values);
    return {axis, low, high, from, to};
  }

  void draw_titles() {
    svg_.text({kWidth / 2, 26}, plot_.title, {.size = 17, .anchor = Anchor::middle, .bold = true});
    svg_.text({kWidth / 2, 46}, plot_.subtitle,
              {.size = 12, .anchor = Anchor::middle, .fill = "#555555"});
  }

  /// The label stands upright beside the edge.
  void draw_shade(const Shade& shade) {
    const double left = x_.place(shade.from);
    svg_.open_group("shade");
    svg_.rect({left, kTop}, kWidth - kRight - left, bottom_ - kTop, 0, {.fill = "#f3ede4"});
    svg_.line({left, kTop}, {left, bottom_}, {.stroke = "#a08050", .width = 1.5, .dash = "3 3"});
    svg_.close_group();
    svg_.text({left + 15, kTop + 8}, shade.label,
              {.anchor = Anchor::end, .fill = "#806030", .rotate = -90});
  }

  void draw_x_axis() {
    svg_.open_group("x-axis", {.stroke = kGrid, .width = 1});
    for (const double tick : x_.ticks) {
      svg_.line({x_.place(tick), kTop}, {x_.place(tick), bottom_});
    }
    svg_.line({kLeft, bottom_}, {kWidth - kRight, bottom_}, {.stroke = kInk});
    svg_.close_group();
    for (const double tick : x_.ticks) {
      svg_.text({x_.place(tick), bottom_ + 18}, tick_label(tick, plot_.x.scale),
                {.anchor = Anchor::middle});
    }
    svg_.text({(kLeft + kWidth - kRight) / 2, bottom_ + 44}, plot_.x.label,
              {.size = 14, .anchor = Anchor::middle});
  }

  void draw_y_axis() {
    svg_.open_group("y-axis", {.stroke = kGrid, .width = 1});
    for (const double tick : y_.ticks) {
      svg_.line({kLeft, y_.place(tick)}, {kWidth - kRight, y_.place(tick)});
    }
    svg_.line({kLeft, kTop}, {kLeft, bottom_}, {.stroke = kInk});
    svg_.close_group();
    for (const double tick : y_.ticks) {
      svg_.text({kLeft - 8, y_.place(tick) + 4}, tick_label(tick, plot_.y.scale),
                {.anchor = Anchor::end});
    }
    svg_.text({20, (kTop + bottom_) / 2}, plot_.y.label,
              {.size = 14, .anchor = Anchor::middle, .rotate = -90});
  }

  bool drawable(const Series& series, std::size_t i) const {
    return usable(series.x[i], plot_.x.scale) && usable(series.y[i], plot_.y.scale) &&
           x_.inside(series.x[i]) && y_.inside(series.y[i]);
  }

  void draw_series(std::size_t index) {
    const Series& series = plot_.series[index];
    svg_.open_group("series", {.fill = palette(index), .stroke = palette(index), .width = 2});
    std::vector<Point> stretch;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!drawable(series, i)) {
        draw_stretch(index, stretch);
        continue;
      }
      stretch.push_back({x_.place(series.x[i]), y_.place(series.y[i])});
      if (i < series.error.size() && series.error[i] > 0) draw_error(series, i);
      if (series.marks) draw_mark(index, stretch.back(), mark_paint(series, i));
    }
    draw_stretch(index, stretch);
    svg_.close_group();
  }

  /// From error below to error above a point, as far as that is on the page.
  void draw_error(const Series& series, std::size_t i) {
    constexpr double kHalfCap = 4;
    const double x = x_.place(series.x[i]);
    const auto on_page = [&](double value) {
      if (!usable(value, plot_.y.scale) || y_.place(value) > bottom_) return bottom_;
      return std::max(y_.place(value), kTop);
    };
    const double low = on_page(series.y[i] - series.error[i]);
    const double high = on_page(series.y[i] + series.error[i]);
    svg_.line({x, low}, {x, high}, {.width = 1.2});
    svg_.line({x - kHalfCap, low}, {x + kHalfCap, low}, {.width = 1.2});
    svg_.line({x - kHalfCap, high}, {x + kHalfCap, high}, {.width = 1.2});
  }

  Paint mark_paint(const Series& series, std::size_t i) const {
    return {.stroke = "white",
            .width = 1,
            .tooltip = fmt::format("{}{}{}: {:.6g}, {}: {:.6g}", series.name,
                                   series.name.empty() ? "" : "\n", plot_.x.label, series.x[i],
                                   plot_.y.label, series.y[i])};
  }

  /// Curves are told apart by their marks, too: not everybody sees or prints colours.
  void draw_mark(std::size_t index, Point at, const Paint& paint) {
    const auto shape = [&](std::vector<Point> corners) {
      for (Point& corner : corners) corner = {at.x + corner.x, at.y + corner.y};
      corners.push_back(corners.front());
      svg_.polyline(corners, paint);
    };
    switch (index % 5) {
      case 0:
        return svg_.circle(at, 3.5, paint);
      case 1:
        return svg_.rect({at.x - 3.5, at.y - 3.5}, 7, 7, 0, paint);
      case 2:
        return shape({{0, -4.5}, {4.5, 3.5}, {-4.5, 3.5}});
      case 3:
        return shape({{0, -5}, {5, 0}, {0, 5}, {-5, 0}});
      default:
        return shape({{0, 4.5}, {4.5, -3.5}, {-4.5, -3.5}});
    }
  }

  /// And by their dashes; a reference has those of its own.
  std::string dash(std::size_t index) const {
    static constexpr const char* kDashes[] = {"",         "10 3", "3 3",
                                              "10 3 3 3", "16 4", "16 3 3 3 3 3"};
    return plot_.series[index].dashed ? "6 4" : kDashes[index % std::size(kDashes)];
  }

  void draw_stretch(std::size_t index, std::vector<Point>& stretch) {
    if (plot_.series[index].line && stretch.size() > 1) {
      svg_.polyline(stretch, {.fill = "none", .dash = dash(index)});
    }
    stretch.clear();
  }

  void draw_legend() {
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const Series& series = plot_.series[i];
      const double y = kHeight + static_cast<double>(i) * kLegendRow;
      svg_.open_group("legend", {.fill = palette(i), .stroke = palette(i), .width = 2});
      if (series.line) svg_.line({kLeft, y - 4}, {kLeft + 36, y - 4}, {.dash = dash(i)});
      if (series.marks) draw_mark(i, {kLeft + 18, y - 4}, {});
      svg_.close_group();
      svg_.text({kLeft + 44, y}, series.name);
    }
  }

  const Plot& plot_;
  double bottom_;
  PlacedAxis x_;
  PlacedAxis y_;
  double legend_rows_;
  Svg svg_;
};

}  // namespace

std::vector<double> nice_ticks(double low, double high, Scale scale, int wanted) {
  switch (scale) {
    case Scale::linear:
      return linear_ticks(low, high, wanted);
    case Scale::log:
      return log_ticks(low, high, wanted);
    case Scale::log2:
      break;
  }
  return log2_ticks(low, high, wanted);
}

std::string tick_label(double value, Scale scale) {
  if (scale == Scale::log2) return binary_label(value);
  // Six digits hide the last bits of 3 * 0.1.
  return std::abs(value) < 1e-12 ? "0" : fmt::format("{:.6g}", value);
}

std::string plot_svg(const Plot& plot) {
  return Plotter(plot).draw().str();
}

std::string plots_svg(const std::vector<Plot>& plots) {
  std::vector<Svg> drawings;
  double height = 0;
  for (const Plot& plot : plots) {
    drawings.push_back(Plotter(plot).draw());
    height += drawings.back().height();
  }
  Svg page(kWidth, height, plots.empty() ? "" : plots.front().title);
  double y = 0;
  for (const Svg& drawing : drawings) {
    page.nest({0, y}, drawing);
    y += drawing.height();
  }
  return page.str();
}

}  // namespace heddle::report
