#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

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

/// A parameter with the samples of all points.
struct Factor {
  std::string name;
  std::vector<Sample> samples;
  bool continuous = false;  ///< Its values are quantities, and many.
};

Factor factor_of(const ResultView& view, const ResultName& parameter, const ResultName& measure) {
  Factor factor{parameter.name, {}};
  std::set<std::string> levels;
  bool numbers = true;
  for (const StoredPoint& point : view.points()) {
    const auto value = view.number(point, measure);
    if (!value) continue;
    const auto place = view.number(point, parameter);
    numbers = numbers && place.has_value();
    factor.samples.push_back({view.text(point, parameter), place.value_or(0), *value});
    levels.insert(factor.samples.back().level);
  }
  factor.continuous = numbers && levels.size() > kMostLevels;
  return factor;
}

/// Where each sample stands among the others, from -1/2 to 1/2.
std::vector<double> ranks_of(const std::vector<Sample>& samples) {
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return samples[a].place < samples[b].place;
  });
  std::vector<double> ranks(samples.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ranks[order[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(order.size()) - 0.5;
  }
  return ranks;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The slopes that fit `values` best as a sum over `columns`, all about zero: least squares, so
/// that what one column explains is not credited to another that happens to resemble it.
std::vector<double> slopes(const std::vector<std::vector<double>>& columns,
                           const std::vector<double>& values) {
  const std::size_t n = columns.size();
  std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) rows[i][j] = dot(columns[i], columns[j]);
    rows[i][i] *= 1 + 1e-9;  // Columns that are the same share what they explain.
    rows[i][n] = dot(columns[i], values);
  }
  // The matrix is positive definite, so that no pivot is zero.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double part = rows[k][i] / rows[i][i];
      for (std::size_t j = i; j <= n; ++j) rows[k][j] -= part * rows[i][j];
    }
  }
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = rows[i][n] / rows[i][i];
  return result;
}

/// The values themselves, about zero and of length one.
std::vector<double> values_of(const std::vector<Sample>& samples) {
  Mean mean;
  for (const Sample& sample : samples) mean.add(sample.place);
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.place - mean.value());
  const double length = std::sqrt(dot(values, values));
  for (double& value : values) value /= length;
  return values;
}

/// A sum over the columns that stands for what was measured.
struct Fit {
  std::vector<std::vector<double>> columns;
  std::vector<double> slopes;
  double error = 0;  ///< The sum of the squares of what is left.
};

Fit fitted(std::vector<std::vector<double>> columns, std::vector<double> rest) {
  Fit fit{std::move(columns), {}};
  fit.slopes = slopes(fit.columns, rest);
  for (std::size_t c = 0; c < fit.columns.size(); ++c) {
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= fit.slopes[c] * fit.columns[c][i];
  }
  fit.error = dot(rest, rest);
  return fit;
}

/// The least and the greatest third of a factor's values stand for levels.
Influence of_thirds(const Factor& factor, double mean, const std::vector<double>& column,
                    double slope) {
  const std::vector<Sample>& samples = factor.samples;
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return samples[a].place < samples[b].place;
  });
  const std::size_t third = std::max<std::size_t>(samples.size() / 3, 1);
  const std::size_t upper = samples.size() - third;
  Mean low;
  Mean high;
  for (std::size_t i = 0; i < third; ++i) {
    low.add(column[order[i]]);
    high.add(column[order[upper + i]]);
  }
  const auto level = [&](std::size_t place) { return samples[order[place]].level; };
  const std::string least = level(0) + " to " + level(third - 1);
  const std::string most = level(upper) + " to " + level(samples.size() - 1);
  const double at_least = mean + slope * low.value();
  const double at_most = mean + slope * high.value();
  if (at_most < at_least) return {factor.name, most, least, at_most, at_least};
  return {factor.name, least, most, at_least, at_most};
}

/// By the values or by their ranks, whichever explains more.
std::vector<Influence> of_continuous(const std::vector<Factor>& factors) {
  Mean mean;
  for (const Sample& sample : factors.front().samples) mean.add(sample.value);
  std::vector<double> measured;
  std::vector<std::vector<double>> values;
  std::vector<std::vector<double>> ranks;
  for (const Sample& sample : factors.front().samples) {
    measured.push_back(sample.value - mean.value());
  }
  for (const Factor& factor : factors) {
    values.push_back(values_of(factor.samples));
    ranks.push_back(ranks_of(factor.samples));
  }
  const Fit by_values = fitted(std::move(values), measured);
  const Fit by_ranks = fitted(std::move(ranks), measured);
  const Fit& fit = by_values.error <= by_ranks.error ? by_values : by_ranks;
  std::vector<Influence> list;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    list.push_back(of_thirds(factors[i], mean.value(), fit.columns[i], fit.slopes[i]));
  }
  return list;
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
    double low_text = 0;
    double high_text = 0;
    for (const Influence& influence : influences) {
      low_text = std::max(low_text, report::drawn_width(influence.low_value, 11));
      high_text = std::max(high_text, report::drawn_width(influence.high_value, 11));
    }
    left_ += low_text + 10;
    right_ = kTornadoWidth - high_text - 20;
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
    return left_ + part * (right_ - left_);
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
    svg.text({(left_ + right_) / 2, bottom + 44}, label, {.size = 14, .anchor = Anchor::middle});
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
    svg.text({16, baseline}, influence.parameter, {.size = 13});
    svg.text({begin - 5, baseline}, influence.low_value,
             {.size = 11, .anchor = Anchor::end, .halo = true});
    svg.text({end + 5, baseline}, influence.high_value, {.size = 11, .halo = true});
  }

  const std::vector<Influence>& influences_;
  double mean_;
  double low_;
  double high_;
  double left_ = 100;  ///< Of the bars.
  double right_ = kTornadoWidth;
};

}  // namespace

std::vector<Influence> influences(const ResultView& view, const ResultName& measure,
                                  const std::string& option) {
  std::vector<Influence> list;
  std::vector<Factor> continuous;
  for (const std::string& name : view.varying()) {
    Factor factor = factor_of(view, view.find(name, option), measure);
    if (factor.samples.empty()) {
      throw InputError({option}, "'" + measure.name + "' is a number at no point");
    }
    if (factor.continuous) {
      continuous.push_back(std::move(factor));
    } else {
      list.push_back(of_levels(name, factor.samples));
    }
  }
  if (!continuous.empty()) {
    const std::vector<Influence> more = of_continuous(continuous);
    list.insert(list.end(), more.begin(), more.end());
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
