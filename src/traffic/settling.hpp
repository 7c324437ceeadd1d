// How long a series takes to settle.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::traffic {

/// Finds the beginning of a series that is not like the rest of it: MSER-5 (White, 1997). Of means
/// of five values each, those are left out without which the mean of the rest has the least
/// standard error.
class SettlingSeries {
 public:
  void add(double value);
  /// The part of the series that is best left out, 0 to 1. 0 of a series that is too short to say.
  double transient() const;
  /// Whether what is left is at least half of it: else its end may be of the beginning, too.
  bool settled() const { return transient() <= 0.5; }

 private:
  /// Longer series are made of longer batches.
  static constexpr std::size_t kMostBatches = 1 << 14;
  static constexpr std::size_t kLeastBatches = 20;

  void halve();

  std::vector<double> means_;
  double sum_ = 0;
  std::size_t count_ = 0;   ///< In the sum.
  std::size_t length_ = 5;  ///< Of a batch.
};

}  // namespace heddle::traffic
