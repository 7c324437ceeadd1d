#include "replay/scale/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::replay {
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
  for (const double p : {-0.5, 0.5, -1.0 / 3, 1.0 / 3, -2.0 / 3, 2.0 / 3})
    list.push_back({p, p, p});
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

}  // namespace heddle::replay
