// A mean, and how far from it the true one may be.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/time.hpp"

namespace heddle::traffic {

/// The mean of samples taken to be independent, and the half width of the interval around it that
/// has the true mean in it 95 times out of 100 (Student's t).
struct Estimate {
  double mean = 0;
  double half_width = 0;
  std::size_t samples = 0;
  /// One sample says nothing of its error.
  bool known() const { return samples > 1; }
};

Estimate estimate(std::span<const double> samples);

/// Cuts a stretch of time into batches and averages what is measured in each: means of long batches
/// are nearly independent though their members are not.
class BatchMeans {
 public:
  static constexpr std::size_t kBatches = 20;

  /// From `begin` to `end`, which is later.
  BatchMeans(Time begin, Time end) : begin_(begin), length_((end - begin).seconds()) {}

  /// `at` lies between begin and end.
  void add(Time at, double value);
  /// Over the batches that have anything in them.
  Estimate estimate() const;

 private:
  struct Batch {
    double sum = 0;
    double count = 0;
  };
  Time begin_;
  double length_;
  std::vector<Batch> batches_ = std::vector<Batch>(kBatches);
};

}  // namespace heddle::traffic
