#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/error.hpp"
#include "report/svg.hpp"
#include "study/charts.hpp"

namespace heddle::study {
namespace {

using report::Anchor;
using report::Svg;

constexpr double kCellHeight = 34;
constexpr double kHeatTop = 70;
constexpr double kHeatBottom = 70;
constexpr double kLegendWidth = 120;

struct Colour {
  double red, green, blue;
};

/// From dark to light, in equal steps of lightness: told apart in grey, too.
constexpr std::array<Colour, 6> kScale = {
    {{38, 24, 74}, {62, 74, 137}, {38, 130, 142}, {53, 183, 121}, {173, 220, 80}, {253, 231, 130}}};

std::string colour_at(double part) {
  const double place = std::clamp(part, 0.0, 1.0) * (kScale.size() - 1);
  const auto index = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
  const double rest = place - static_cast<double>(index);
  const auto mixed = [&](double Colour::*channel) {
    return static_cast<int>(
        std::lround(kScale[index].*channel * (1 - rest) + kScale[index + 1].*channel * rest));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(&Colour::red), mixed(&Colour::green),
                     mixed(&Colour::blue));
}

/// The values of a parameter on an axis: by size if they are quantities, else as they come.
std::vector<std::string> axis_values(const std::vector<ResultGroup>& groups, std::size_t column) {
  std::vector<std::string> values;
  bool numbers = true;
  for (const ResultGroup& group : groups) {
    const std::string& value = group.key[column];
    numbers = numbers && plain_quantity(value).has_value();
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  if (numbers) {
    std::stable_sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
      return plain_quantity(a)->value < plain_quantity(b)->value;
    });
  }
  return values;
}

class HeatMap {
 public:
  HeatMap(const std::vector<ResultGroup>& groups, const std::string& title)
      : xs_(axis_values(groups, 0)), ys_(axis_values(groups, 1)) {
    for (const ResultGroup& group : groups) {
      const double value = group.estimate().mean;
      values_[{group.key[0], group.key[1]}] = value;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    }
    for (const std::string& y : ys_) {
      left_ = std::max(left_, report::drawn_width(shown_value(y), 12) + 60);
    }
    double widest = 56;
    for (const std::string& x : xs_) {
      widest = std::max(widest, report::drawn_width(shown_value(x), 12) + 12);
    }
    cell_ = widest;
    width_ = left_ + cell_ * static_cast<double>(xs_.size()) + kLegendWidth;
    width_ = std::max(width_, report::drawn_width(title, 17) + 40);
    height_ = kHeatTop + kCellHeight * static_cast<double>(ys_.size()) + kHeatBottom;
  }

  std::string draw(const std::string& title, const std::string& x_label,
                   const std::string& y_label) const {
    Svg svg(width_, height_, title);
    svg.text({width_ / 2, 28}, title, {.size = 17, .anchor = Anchor::middle, .bold = true});
    svg.open_group("cells");
    for (std::size_t j = 0; j < ys_.size(); ++j) {
      for (std::size_t i = 0; i < xs_.size(); ++i) draw_cell(svg, i, j);
    }
    svg.close_group();
    draw_axes(svg, x_label, y_label);
    draw_legend(svg);
    return svg.str();
  }

 private:
  double bottom() const { return kHeatTop + kCellHeight * static_cast<double>(ys_.size()); }
  double part(double value) const { return high_ > low_ ? (value - low_) / (high_ - low_) : 0.5; }

  void draw_cell(Svg& svg, std::size_t i, std::size_t j) const {
    const auto found = values_.find({xs_[i], ys_[j]});
    const double x = left_ + cell_ * static_cast<double>(i);
    const double y = bottom() - kCellHeight * static_cast<double>(j + 1);
    if (found == values_.end()) {
      svg.rect({x, y}, cell_, kCellHeight, 0, {.fill = "#eeeeee", .stroke = "white", .width = 1});
      return;
    }
    const double at = part(found->second);
    svg.rect({x, y}, cell_, kCellHeight, 0,
             {.fill = colour_at(at),
              .stroke = "white",
              .width = 1,
              .tooltip = fmt::format("{}, {}: {:.6g}", xs_[i], ys_[j], found->second)});
    svg.text({x + cell_ / 2, y + kCellHeight / 2 + 4}, fmt::format("{:.3g}", found->second),
             {.size = 11, .anchor = Anchor::middle, .fill = at < 0.55 ? "#ffffff" : "#222222"});
  }

  void draw_axes(Svg& svg, const std::string& x_label, const std::string& y_label) const {
    for (std::size_t i = 0; i < xs_.size(); ++i) {
      svg.text({left_ + cell_ * (static_cast<double>(i) + 0.5), bottom() + 18}, shown_value(xs_[i]),
               {.anchor = Anchor::middle});
    }
    for (std::size_t j = 0; j < ys_.size(); ++j) {
      svg.text({left_ - 8, bottom() - kCellHeight * (static_cast<double>(j) + 0.5) + 4},
               shown_value(ys_[j]), {.anchor = Anchor::end});
    }
    svg.text({left_ + cell_ * static_cast<double>(xs_.size()) / 2, bottom() + 44}, x_label,
             {.size = 14, .anchor = Anchor::middle});
    svg.text({20, (kHeatTop + bottom()) / 2}, y_label,
             {.size = 14, .anchor = Anchor::middle, .rotate = -90});
  }

  void draw_legend(Svg& svg) const {
    constexpr int kSteps = 40;
    const double x = left_ + cell_ * static_cast<double>(xs_.size()) + 24;
    const double step = (bottom() - kHeatTop) / kSteps;
    svg.open_group("legend");
    for (int i = 0; i < kSteps; ++i) {
      svg.rect({x, bottom() - step * (i + 1)}, 16, step + 0.5, 0,
               {.fill = colour_at((i + 0.5) / kSteps)});
    }
    svg.close_group();
    svg.text({x + 22, kHeatTop + 8}, fmt::format("{:.3g}", high_));
    svg.text({x + 22, bottom()}, fmt::format("{:.3g}", low_));
  }

  std::vector<std::string> xs_;
  std::vector<std::string> ys_;
  std::map<std::pair<std::string, std::string>, double> values_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  double left_ = 80;
  double cell_ = 56;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string heat_map(const ResultView& view, const ChartRequest& request) {
  const ResultName x = view.find(request.x, request.option);
  const ResultName y = view.find(request.y, request.option);
  const ResultName z = view.find(request.z, request.option);
  const std::string title = view.label(z);
  return HeatMap(view.groups({x, y}, z, request.option), title).draw(title, x.name, y.name);
}

}  // namespace heddle::study
