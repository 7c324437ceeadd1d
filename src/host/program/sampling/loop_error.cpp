#include "host/program/sampling/loop_error.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::host {

double LoopError::probability() const {
  constexpr double kUsual = 1.0 / 64;
  constexpr double kMany = 512;  ///< That are carried out until there are very many.
  const auto due = static_cast<double>(due_);
  return std::max(1 / (2 + due / 4), std::min(kUsual, kMany / std::max(1.0, due)));
}

void LoopError::left_out(double cost, const CostSample& kind) {
  ++due_;
  charged_ += cost;
  means_ += kind.mean();
  deviations_ += kind.deviation();
  widths_ += kind.half_width();
}

void LoopError::checked(double probability, double expected, double cost) {
  ++due_;
  ++checks_;
  expected_ += expected;
  measured_ += cost;
  const double more = cost - expected;
  // It stands for itself and for others that were left out.
  const double others = 1 / probability - 1;
  missing_ += others * more;
  variance_ += others / probability * more * more;
}

double LoopError::half_width() const {
  if (charged_ <= 0) return 0;
  const double width = std::max(widths_, student_95(checks_) * std::sqrt(variance_));
  return width + std::abs(means_ + missing_ - charged_) + deviations_;
}

}  // namespace heddle::host
