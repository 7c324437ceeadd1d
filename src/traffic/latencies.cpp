#include "traffic/latencies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/quantity.hpp"

namespace heddle::traffic {

void Latencies::add(Time latency) {
  ++count_;
  sum_ += latency.ps();
  min_ = std::min(min_, latency);
  max_ = std::max(max_, latency);
  if (classes_.empty() && samples_.size() == kExact) leave_exactness();
  if (classes_.empty()) {
    samples_.push_back(latency);
  } else {
    count_in_classes(latency);
  }
}

/// Numbers below 2^kClassBits have a class each; above, the leading bits name the class.
std::size_t Latencies::class_of(Time latency) {
  const auto value = static_cast<std::uint64_t>(latency.ps());
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kClassBits - 1);
  return (static_cast<std::size_t>(shift) << kClassBits) + static_cast<std::size_t>(value >> shift);
}

Time Latencies::middle(std::size_t index) {
  const std::size_t block = index >> kClassBits;
  const std::size_t shift = block == 0 ? 0 : block - 1;
  const auto low = static_cast<std::int64_t>(index - (shift << kClassBits)) << shift;
  return Time::ps(low + (((std::int64_t{1} << shift) - 1) / 2));
}

void Latencies::count_in_classes(Time latency) {
  ++classes_[class_of(latency)];
}

void Latencies::leave_exactness() {
  classes_.resize(class_of(Time::never()) + 1);
  for (const Time sample : samples_) count_in_classes(sample);
  samples_ = {};
}

std::uint64_t Latencies::rank(double part) const {
  const double exact = part * static_cast<double>(count_);
  const auto rank = static_cast<std::uint64_t>(std::ceil(exact));
  return std::clamp<std::uint64_t>(rank, 1, count_) - 1;
}

Time Latencies::ranked_sample(std::uint64_t rank) const {
  const auto nth = samples_.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(samples_.begin(), nth, samples_.end());
  return *nth;
}

Time Latencies::ranked_class(std::uint64_t rank) const {
  std::size_t index = 0;
  while (rank >= classes_[index]) rank -= classes_[index++];
  return std::clamp(middle(index), min_, max_);
}

Time Latencies::percentile(double part) const {
  if (count_ == 0) return Time::zero();
  return classes_.empty() ? ranked_sample(rank(part)) : ranked_class(rank(part));
}

LatencySummary Latencies::summary() const {
  if (count_ == 0) return {};
  return {Time::ps(rounded_quotient(sum_, static_cast<__int128>(count_))),
          min_,
          max_,
          percentile(0.50),
          percentile(0.95),
          percentile(0.99)};
}

}  // namespace heddle::traffic
