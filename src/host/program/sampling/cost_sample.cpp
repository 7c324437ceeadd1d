#include "host/program/sampling/cost_sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::host {

double student_95(std::uint64_t count) {
  constexpr std::array kFew = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
  const std::uint64_t freedom = std::max<std::uint64_t>(count, 2) - 1;
  if (freedom <= kFew.size()) return kFew[freedom - 1];
  return 1.96 + 2.6 / static_cast<double>(freedom);
}

void CostSample::add(double cost) {
  if (last_.size() < kLast) {
    last_.push_back(cost);
  } else {
    last_[count_ % kLast] = cost;
  }
  ++count_;
  const double off = cost - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (cost - mean_);
}

double CostSample::deviation() const {
  if (count_ < 2) return 0;
  return std::sqrt(std::max(0.0, squares_) / static_cast<double>(count_ - 1));
}

double CostSample::error() const {
  return count_ == 0 ? 0 : deviation() / std::sqrt(static_cast<double>(count_));
}

}  // namespace heddle::host
