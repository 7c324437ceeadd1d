#include "host/program/sampling/loop_costs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::host {
namespace {

/// Runs that are enough to say of a loop that it costs too little.
constexpr std::size_t kFew = 3;
/// After so many, and each time there are twice as many, costs that differ are told apart.
constexpr std::size_t kSome = 16;
constexpr std::size_t kMany = 128;
/// So much of the spread must be gone then.
constexpr double kLeft = 0.1;
/// A run costs about what was expected if it is off by no more than this part of it, or by so many
/// deviations.
constexpr double kNear = 0.1;
constexpr double kDeviations = 4;

}  // namespace

void MeanCost::add(double cost) {
  ++count_;
  const double off = cost - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (cost - mean_);
}

double MeanCost::deviation() const {
  if (count_ < 2) return 0;
  return std::sqrt(std::max(0.0, squares_) / static_cast<double>(count_ - 1));
}

double MeanCost::error() const {
  return count_ == 0 ? 0 : deviation() / std::sqrt(static_cast<double>(count_));
}

std::uint64_t LoopCosts::value(const Run& run, std::size_t by) {
  return by == kOne ? 0 : by == kRank ? run.rank : run.numbers[by];
}

std::uint64_t LoopCosts::kind(const Run& run) const {
  return value(run, by_);
}

void LoopCosts::add(const Run& run, double cost) {
  if (state_ != State::open) return;
  kinds_[kind(run)].add(cost);
  if (settled_) return;
  seen_.push_back({run, cost});
  judge();
}

void LoopCosts::judge() {
  const MeanCost& all = kinds_.begin()->second;
  if (seen_.size() >= kFew && all.mean() < limits_.least) state_ = State::too_short;
  if (seen_.size() < kSome || !std::has_single_bit(seen_.size())) return;
  const bool exact = is_exact(all);
  if (!exact) divide();
  settled_ = exact || by_ != kOne || seen_.size() >= kMany;
  if (settled_ && !exact && by_ == kOne) state_ = State::irregular;
  if (settled_) seen_.clear();
}

double LoopCosts::left_by(std::size_t by) const {
  std::map<std::uint64_t, MeanCost> kinds;
  MeanCost all;
  for (const Seen& seen : seen_) {
    kinds[value(seen.run, by)].add(seen.cost);
    all.add(seen.cost);
  }
  if (2 * kinds.size() > seen_.size()) return 1;
  double within = 0;
  for (const auto& [number, kind] : kinds) {
    within += kind.deviation() * kind.deviation() * static_cast<double>(kind.count() - 1);
  }
  const double whole = all.deviation() * all.deviation() * static_cast<double>(all.count() - 1);
  return whole > 0 ? within / whole : 1;
}

void LoopCosts::divide() {
  double least = kLeft;
  for (std::size_t by = 0; by < kOne; ++by) {
    const double left = left_by(by);
    if (left >= least) continue;
    least = left;
    by_ = by;
  }
  if (by_ == kOne) return;
  kinds_.clear();
  for (const Seen& seen : seen_) kinds_[kind(seen.run)].add(seen.cost);
}

bool LoopCosts::is_exact(const MeanCost& mean) const {
  return mean.count() >= limits_.first && mean.error() <= limits_.error * mean.mean();
}

std::optional<double> LoopCosts::known(const Run& run) const {
  const auto found = kinds_.find(kind(run));
  if (state_ != State::open || found == kinds_.end() || !is_exact(found->second)) return {};
  return found->second.mean() >= limits_.least ? std::optional(found->second.mean()) : std::nullopt;
}

double LoopCosts::error(const Run& run) const {
  const auto found = kinds_.find(kind(run));
  return found == kinds_.end() ? 0 : found->second.error();
}

bool LoopCosts::confirms(const Run& run, double cost) const {
  const auto found = kinds_.find(kind(run));
  if (found == kinds_.end()) return true;
  const MeanCost& mean = found->second;
  const double off = std::abs(cost - mean.mean());
  return off <= std::max(kNear * mean.mean(), kDeviations * mean.deviation());
}

}  // namespace heddle::host
