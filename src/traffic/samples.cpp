#include "traffic/samples.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/quantity.hpp"

namespace heddle::traffic {

void Samples::add(std::int64_t value) {
  ++count_;
  sum_ += value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  if (classes_.empty() && samples_.size() == kExact) leave_exactness();
  if (classes_.empty()) {
    samples_.push_back(value);
  } else {
    count_in_classes(value);
  }
}

/// Numbers below 2^kClassBits have a class each; above, the leading bits name the class.
std::size_t Samples::class_of(std::int64_t sample) {
  const auto value = static_cast<std::uint64_t>(sample);
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kClassBits - 1);
  return (static_cast<std::size_t>(shift) << kClassBits) + static_cast<std::size_t>(value >> shift);
}

std::int64_t Samples::middle(std::size_t index) {
  const std::size_t block = index >> kClassBits;
  const std::size_t shift = block == 0 ? 0 : block - 1;
  const auto low = static_cast<std::int64_t>(index - (shift << kClassBits)) << shift;
  return low + (((std::int64_t{1} << shift) - 1) / 2);
}

void Samples::count_in_classes(std::int64_t value) {
  ++classes_[class_of(value)];
}

void Samples::leave_exactness() {
  classes_.resize(class_of(INT64_MAX) + 1);
  for (const std::int64_t sample : samples_) count_in_classes(sample);
  samples_ = {};
}

std::uint64_t Samples::rank(double part) const {
  const double exact = part * static_cast<double>(count_);
  const auto rank = static_cast<std::uint64_t>(std::ceil(exact));
  return std::clamp<std::uint64_t>(rank, 1, count_) - 1;
}

std::int64_t Samples::ranked_sample(std::uint64_t rank) const {
  const auto nth = samples_.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(samples_.begin(), nth, samples_.end());
  return *nth;
}

std::int64_t Samples::ranked_class(std::uint64_t rank) const {
  std::size_t index = 0;
  while (rank >= classes_[index]) rank -= classes_[index++];
  return std::clamp(middle(index), min_, max_);
}

std::int64_t Samples::percentile(double part) const {
  if (count_ == 0) return 0;
  return classes_.empty() ? ranked_sample(rank(part)) : ranked_class(rank(part));
}

std::int64_t Samples::mean() const {
  return count_ == 0 ? 0 : rounded_quotient(sum_, static_cast<__int128>(count_));
}

}  // namespace heddle::traffic
