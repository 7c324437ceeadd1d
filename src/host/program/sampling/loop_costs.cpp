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
constexpr std::size_t kMany = 4096;
/// So much of the variance may be left then. Registers are many, of which one may fit by chance.
constexpr double kLeftByRank = 0.5;
constexpr double kLeftByRegister = 0.1;
/// A run costs about what was expected if it is off by no more than this part of it, or by so many
/// deviations.
constexpr double kNear = 0.1;
constexpr double kDeviations = 4;

}  // namespace

std::uint64_t LoopCosts::value(const Run& run, std::size_t by) {
  if (by == kOne) return 0;
  return by == kRank ? run.rank : run.numbers[by - 1];
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
  const CostSample& all = kinds_.begin()->second;
  if (seen_.size() >= kFew && all.mean() < limits_.least) state_ = State::too_short;
  if (seen_.size() < kSome || !std::has_single_bit(seen_.size())) return;
  const bool exact = is_exact(all) && all.deviation() <= limits_.error * all.mean();
  if (!exact) divide();
  settled_ = exact || by_ != kOne || seen_.size() >= kMany;
  if (settled_ && by_ == kOne && !is_exact(all)) state_ = State::irregular;
  if (settled_) seen_.clear();
}

double LoopCosts::left_by(std::size_t by) const {
  std::map<std::uint64_t, CostSample> kinds;
  CostSample all;
  for (const Seen& seen : seen_) {
    kinds[value(seen.run, by)].add(seen.cost);
    all.add(seen.cost);
  }
  if (2 * kinds.size() > seen_.size()) return 1;
  double within = 0;
  for (const auto& [number, kind] : kinds) {
    within += kind.deviation() * kind.deviation() * static_cast<double>(kind.count() - 1);
  }
  within /= static_cast<double>(seen_.size() - kinds.size());
  const double whole = all.deviation() * all.deviation();
  return whole > 0 ? within / whole : 1;
}

void LoopCosts::divide() {
  double least = kLeftByRank;
  for (std::size_t by = kRank; by < kOne; ++by) {
    const double left = left_by(by);
    if (left >= (by == kRank ? least : std::min(least, kLeftByRegister))) continue;
    least = left;
    by_ = by;
  }
  if (by_ == kOne) return;
  kinds_.clear();
  for (const Seen& seen : seen_) kinds_[kind(seen.run)].add(seen.cost);
}

bool LoopCosts::is_exact(const CostSample& kind) const {
  return kind.count() >= limits_.first && kind.error() <= limits_.error * kind.mean();
}

const CostSample* LoopCosts::known(const Run& run) const {
  const auto found = kinds_.find(kind(run));
  if (state_ != State::open || found == kinds_.end() || !is_exact(found->second)) return nullptr;
  return found->second.mean() >= limits_.least ? &found->second : nullptr;
}

bool LoopCosts::confirms(const Run& run, double cost) const {
  const auto found = kinds_.find(kind(run));
  if (found == kinds_.end()) return true;
  const CostSample& kind = found->second;
  const double off = std::abs(cost - kind.mean());
  return off <= std::max(kNear * kind.mean(), kDeviations * kind.deviation());
}

}  // namespace heddle::host
