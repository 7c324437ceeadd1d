#include "host/rank/samples.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::host {

void Sample::add(Time cost) {
  const double seconds = cost.seconds();
  ++count_;
  sum_ += seconds;
  squares_ += seconds * seconds;
}

Time Sample::mean() const {
  if (count_ == 0) return Time::zero();
  return Time::ps(std::llround(sum_ / static_cast<double>(count_) * 1e12));
}

double Sample::error() const {
  if (count_ == 0 || sum_ == 0) return 0;
  const auto n = static_cast<double>(count_);
  const double mean = sum_ / n;
  return std::sqrt(std::max(0.0, squares_ / n - mean * mean) / n) / mean;
}

bool Sample::wants_more(std::int64_t most, double threshold) const {
  constexpr std::int64_t kFewest = 2;
  return count_ < most && (threshold < 0 || count_ < kFewest || error() >= threshold);
}

}  // namespace heddle::host
