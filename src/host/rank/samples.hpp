// Code that is carried out a few times to learn what it costs, and charged without running then.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/time.hpp"

namespace heddle::host {

/// What has been measured at one place in a program.
class Sample {
 public:
  void add(Time cost);
  std::int64_t count() const { return count_; }
  Time mean() const;
  /// The standard error of the mean, relative to it; 0 while nothing is known.
  double error() const;
  /// Whether to measure again: at most `most` times and, unless `threshold` is negative, only until
  /// the relative error is below it; for which two are needed.
  bool wants_more(std::int64_t most, double threshold) const;

 private:
  std::int64_t count_ = 0;
  double sum_ = 0;  ///< Of the costs, in seconds, and of their squares.
  double squares_ = 0;
};

/// The samples of a job, by place; those of a single rank have it in their names.
class Samples {
 public:
  Sample& at(const std::string& place) { return samples_[place]; }

 private:
  std::map<std::string, Sample> samples_;
};

}  // namespace heddle::host
