// Costs that were measured of runs of one kind.
#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"

namespace heddle::host {

/// Of a number of measurements: within so many standard errors the truth lies with 95 %.
double student_95(std::uint64_t count);

/// Their mean and spread, and the last of them, of which any can stand for another run.
class CostSample {
 public:
  void add(double cost);
  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Of one cost.
  double deviation() const;
  /// The standard error of the mean.
  double error() const;
  /// By so much the mean may be wrong, with 95 %.
  double half_width() const { return count_ < 2 ? mean_ : student_95(count_) * error(); }
  /// One of the last, by chance.
  double drawn(RandomStream& chance) const { return last_[chance.below(last_.size())]; }

 private:
  static constexpr std::size_t kLast = 256;

  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
  std::vector<double> last_;
};

}  // namespace heddle::host
