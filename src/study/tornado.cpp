#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "report/svg.hpp"
#include "study/charts.hpp"

namespace heddle::study {
namespace {

using report::Anchor;
using report::Svg;

/// Values that are more than this are taken by thirds.
constexpr std::size_t kMostLevels = 8;
constexpr double kBarHeight = 26;
constexpr double kBarRow = 46;
constexpr double kTornadoTop = 84;
constexpr double kTornadoWidth = 760;
constexpr double kTornadoRight = 40;

/// A mean in the making.
struct Mean {
  double sum = 0;
  double count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return sum / count; }
};

/// What is measured at a point, and where it lies on a parameter.
struct Sample {
  std::string level;
  double place;
  double value;
};

Influence of_levels(const std::string& parameter, const std::vector<Sample>& samples) {
  std::vector<std::string> order;
  std::map<std::string, Mean> means;
  for (const Sample& sample : samples) {
    if (!means.contains(sample.level)) order.push_back(sample.level);
    means[sample.level].add(sample.value);
  }
  Influence influence{parameter, order.front(), order.front(), means[order.front()].value(),
                      means[order.front()].value()};
  for (const std::string& level : order) {
    const double mean = means[level].value();
    if (mean < influence.low) {
      influence.low = mean;
      influence.low_value = level;
    }
    if (mean > influence.high) {
      influence.high = mean;
      influence.high_value = level;
    }
  }
  return influence;
}

/// The least and the greatest third of the values stand for levels.
Influence of_thirds(const std::string& parameter, std::vector<Sample> samples) {
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample& a, const Sample& b) { return a.place < b.place; });
  const std::size_t third = std::max<std::size_t>(samples.size() / 3, 1);
  std::vector<Sample> ends(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(third));
  for (Sample& sample : ends) {
    sample.level = samples.front().level + " to " + samples[third - 1].level;
  }
  for (std::size_t i = samples.size() - third; i < samples.size(); ++i) {
    Sample sample = samples[i];
    sample.level = samples[samples.size() - third].level + " to " + samples.back().level;
    ends.push_back(std::move(sample));
  }
  return of_levels(parameter, ends);
}

Influence influence_of(const ResultView& view, const ResultName& parameter,
                       const ResultName& measure) {
  std::vector<Sample> samples;
  std::set<std::string> levels;
  bool numbers = true;
  for (const StoredPoint& point : view.points()) {
    const auto value = view.number(point, measure);
    if (!value) continue;
    const auto place = view.number(point, parameter);
    numbers = numbers && place.has_value();
    samples.push_back({view.text(point, parameter), place.value_or(0), *value});
    levels.insert(samples.back().level);
  }
  return numbers && levels.size() > kMostLevels ? of_thirds(parameter.name, std::move(samples))
                                                : of_levels(parameter.name, samples);
}

class Tornado {
 public:
  Tornado(const std::vector<Influence>& influences, double mean)
      : influences_(influences), mean_(mean), low_(mean), high_(mean) {
    for (const Influence& influence : influences) {
      low_ = std::min(low_, influence.low);
      high_ = std::max(high_, influence.high);
      left_ = std::max(left_, report::drawn_width(influence.parameter, 13) + 30);
    }
    // Room for the values at the ends of the bars.
    const double room = std::max(0.25 * (high_ - low_), 1e-12 * std::abs(mean_));
    low_ -= room;
    high_ += room;
  }

  std::string draw(const std::string& title, const std::string& label) const {
    const double bottom = kTornadoTop + kBarRow * static_cast<double>(influences_.size());
    Svg svg(kTornadoWidth, bottom + 60, title);
    svg.text({kTornadoWidth / 2, 28}, title, {.size = 17, .anchor = Anchor::middle, .bold = true});
    svg.text({kTornadoWidth / 2, 48}, fmt::format("means; the line is that of all: {:.4g}", mean_),
             {.anchor = Anchor::middle, .fill = "#555555"});
    draw_axis(svg, bottom, label);
    for (std::size_t i = 0; i < influences_.size(); ++i) {
      draw_bar(svg, influences_[i], kTornadoTop + kBarRow * static_cast<double>(i));
    }
    svg.line({place(mean_), kTornadoTop - 10}, {place(mean_), bottom},
             {.stroke = "#222222", .width = 1.5});
    return svg.str();
  }

 private:
  double place(double value) const {
    const double part = high_ > low_ ? (value - low_) / (high_ - low_) : 0.5;
    return left_ + part * (kTornadoWidth - kTornadoRight - left_);
  }

  void draw_axis(Svg& svg, double bottom, const std::string& label) const {
    svg.open_group("x-axis", {.stroke = "#dddddd", .width = 1});
    std::vector<double> ticks = report::nice_ticks(low_, high_, report::Scale::linear);
    std::erase_if(ticks, [this](double tick) { return tick < low_ || tick > high_; });
    for (const double tick : ticks) {
      svg.line({place(tick), kTornadoTop - 10}, {place(tick), bottom});
    }
    svg.close_group();
    for (const double tick : ticks) {
      svg.text({place(tick), bottom + 18}, report::tick_label(tick), {.anchor = Anchor::middle});
    }
    svg.text({(left_ + kTornadoWidth - kTornadoRight) / 2, bottom + 44}, label,
             {.size = 14, .anchor = Anchor::middle});
  }

  void draw_bar(Svg& svg, const Influence& influence, double top) const {
    const double begin = place(influence.low);
    const double end = place(influence.high);
    const double middle = std::clamp(place(mean_), begin, end);
    svg.open_group("bar");
    svg.rect({begin, top}, middle - begin, kBarHeight, 0, {.fill = report::palette(0)});
    svg.rect({middle, top}, end - middle, kBarHeight, 0, {.fill = report::palette(1)});
    svg.close_group();
    const double baseline = top + kBarHeight / 2 + 4;
    svg.text({left_ - 10, baseline}, influence.parameter, {.size = 13, .anchor = Anchor::end});
    svg.text({begin - 5, baseline}, influence.low_value,
             {.size = 11, .anchor = Anchor::end, .halo = true});
    svg.text({end + 5, baseline}, influence.high_value, {.size = 11, .halo = true});
  }

  const std::vector<Influence>& influences_;
  double mean_;
  double low_;
  double high_;
  double left_ = 100;
};

}  // namespace

std::vector<Influence> influences(const ResultView& view, const ResultName& measure,
                                  const std::string& option) {
  std::vector<Influence> list;
  for (const std::string& name : view.varying()) {
    list.push_back(influence_of(view, view.find(name, option), measure));
  }
  if (list.empty()) throw InputError({option}, "no parameter differs between the points");
  std::stable_sort(list.begin(), list.end(),
                   [](const Influence& a, const Influence& b) { return a.reach() > b.reach(); });
  return list;
}

std::string tornado(const ResultView& view, const ChartRequest& request) {
  const ResultName measure = view.find(request.y, request.option);
  Mean mean;
  for (const StoredPoint& point : view.points()) {
    if (const auto value = view.number(point, measure)) mean.add(*value);
  }
  if (mean.count == 0) {
    throw InputError({request.option}, "'" + measure.name + "' is a number at no point");
  }
  const std::string label = view.label(measure);
  return Tornado(influences(view, measure, request.option), mean.value())
      .draw("What matters for " + label, label);
}

}  // namespace heddle::study
