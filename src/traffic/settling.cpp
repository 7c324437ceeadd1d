#include "traffic/settling.hpp"

#include <limits>

namespace heddle::traffic {

void SettlingSeries::add(double value) {
  sum_ += value;
  if (++count_ < length_) return;
  means_.push_back(sum_ / static_cast<double>(length_));
  sum_ = 0;
  count_ = 0;
  if (means_.size() == kMostBatches) halve();
}

void SettlingSeries::halve() {
  for (std::size_t i = 0; i < kMostBatches / 2; ++i) {
    means_[i] = (means_[2 * i] + means_[2 * i + 1]) / 2;
  }
  means_.resize(kMostBatches / 2);
  length_ *= 2;
}

/// Goes from the end to the beginning, with the sums of what is not left out. Few batches may be
/// alike by chance: a tenth of them stays, and to leave out more than half has to halve the error.
double SettlingSeries::transient() const {
  if (means_.size() < kLeastBatches) return 0;
  struct Cut {
    double error = std::numeric_limits<double>::max();
    std::size_t at = 0;
  };
  Cut early;
  Cut late;
  double mean = 0;
  double squares = 0;  // Of distances from the mean.
  for (std::size_t at = means_.size(); at-- > 0;) {
    const auto count = static_cast<double>(means_.size() - at);
    const double distance = means_[at] - mean;
    mean += distance / count;
    squares += distance * (means_[at] - mean);
    if (10 * (means_.size() - at) < means_.size()) continue;
    Cut& cut = 2 * at > means_.size() ? late : early;
    const double error = squares / (count * count);
    if (error <= cut.error) cut = {error, at};
  }
  const Cut& best = 2 * late.error < early.error ? late : early;
  return static_cast<double>(best.at) / static_cast<double>(means_.size());
}

}  // namespace heddle::traffic
