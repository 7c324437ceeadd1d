#include "traces/scale/law.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace heddle::traces {
namespace {

/// From plain to strange.
std::vector<std::array<double, RankGrid::kMost>> shapes(std::size_t dimensions) {
  std::vector<std::array<double, RankGrid::kMost>> list = {{0, 0, 0}};
  constexpr double kPowers[] = {0, -1, 1};
  for (const double a : kPowers) {
    for (const double b : kPowers) {
      for (const double c : kPowers) {
        if (dimensions < 2 && b != 0) continue;
        if (dimensions < 3 && c != 0) continue;
        list.push_back({a, b, c});
      }
    }
  }
  for (const double p : {-0.5, 0.5, -2.0, 2.0, -1.0 / 3, 1.0 / 3, -2.0 / 3, 2.0 / 3}) {
    list.push_back({p, p, p});
  }
  return list;
}

}  // namespace

double Law::shape(const RankGrid& grid) const {
  double product = 1;
  for (std::size_t d = 0; d < RankGrid::kMost; ++d) {
    if (powers_[d] != 0) product *= std::pow(static_cast<double>(grid.side(d)), powers_[d]);
  }
  return product;
}

double Law::miss(const std::vector<SeenValue>& seen) const {
  double worst = 0;
  for (const SeenValue& one : seen) {
    // Blocks are cut at whole elements.
    const double whole = std::max(1.0, std::abs(one.value));
    worst = std::max(worst, std::abs(value(*one.grid) - one.value) / whole);
  }
  return worst;
}

/// The constant that fits best, and how well.
void Law::adapt(const std::vector<SeenValue>& seen) {
  double logs = 0;
  std::size_t count = 0;
  for (const SeenValue& one : seen) {
    if (one.value <= 0) continue;
    logs += std::log(one.value / shape(*one.grid));
    ++count;
  }
  constant_ = count == seen.size() ? std::exp(logs / static_cast<double>(count)) : 0;
  error_ = miss(seen);
}

Law Law::fit(const std::vector<SeenValue>& seen, const std::vector<SeenValue>& others) {
  constexpr double kAsGood = 1e-3;
  std::vector<Law> laws;
  double least = INFINITY;
  for (const auto& powers : shapes(seen.front().grid->dimensions())) {
    Law& law = laws.emplace_back();
    law.powers_ = powers;
    law.adapt(seen);
    least = std::min(least, law.error_);
  }
  const Law* best = nullptr;
  double best_elsewhere = INFINITY;
  for (const Law& law : laws) {
    if (law.error_ > least + kAsGood) continue;
    Law elsewhere = law;
    elsewhere.adapt(others);
    if (best != nullptr && elsewhere.error_ >= best_elsewhere - kAsGood) continue;
    best = &law;
    best_elsewhere = elsewhere.error_;
  }
  return *best;
}

std::string Law::text() const {
  return fmt::format("{:.4g} x sides^({:.2g}, {:.2g}, {:.2g})", constant_, powers_[0], powers_[1],
                     powers_[2]);
}

double CountLaw::of(const RankGrid& grid) const {
  const double number = dimension_ == RankGrid::kMost ? grid.ranks() : grid.side(dimension_);
  return logarithm_ ? std::log2(number) : number;
}

std::optional<CountLaw> CountLaw::fit(const std::vector<SeenValue>& seen, bool doubles) {
  constexpr double kExact = 1e-6;
  CountLaw law;
  law.fixed_ = seen.front().value;
  const auto fits = [&] {
    return std::ranges::all_of(seen, [&](const SeenValue& one) {
      return std::abs(law.value(*one.grid) - one.value) < kExact;
    });
  };
  if (fits()) return law;
  constexpr std::size_t kFewest = 3;
  if (seen.size() < kFewest) return std::nullopt;
  for (const bool logarithm : {doubles, !doubles}) {
    for (std::size_t d = RankGrid::kMost + 1; d-- > 0;) {
      law.dimension_ = d;
      law.logarithm_ = logarithm;
      const double from = law.of(*seen.front().grid);
      const double to = law.of(*seen.back().grid);
      if (from == to) continue;
      law.factor_ = (seen.back().value - seen.front().value) / (to - from);
      law.fixed_ = seen.front().value - law.factor_ * from;
      if (fits()) return law;
    }
  }
  return std::nullopt;
}

}  // namespace heddle::traces
