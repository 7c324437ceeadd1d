// What became of the latencies of many messages.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time.hpp"

namespace heddle::traffic {

struct LatencySummary {
  Time mean;
  Time min;
  Time max;
  Time p50;
  Time p95;
  Time p99;
};

/// Collects latencies in bounded memory. Up to kExact of them are kept as they are, so that
/// percentiles are exact; from then on they are counted in classes, and percentiles are within
/// 1/1024 of the true value. Count, mean, least and largest are always exact.
class Latencies {
 public:
  static constexpr std::size_t kExact = std::size_t{1} << 20;

  void add(Time latency);
  std::uint64_t count() const { return count_; }
  /// Everything is zero if there was none.
  LatencySummary summary() const;
  /// The smallest latency that at least `part` (0 to 1) of all do not exceed; zero if there is
  /// none.
  Time percentile(double part) const;

 private:
  static constexpr int kClassBits = 9;  ///< Classes per power of two: 2^9, read at their middle.
  static std::size_t class_of(Time latency);
  static Time middle(std::size_t index);
  void count_in_classes(Time latency);
  void leave_exactness();
  std::uint64_t rank(double part) const;
  Time ranked_sample(std::uint64_t rank) const;
  Time ranked_class(std::uint64_t rank) const;

  std::uint64_t count_ = 0;
  __int128 sum_ = 0;
  Time min_ = Time::never();
  Time max_;
  mutable std::vector<Time> samples_;  ///< Reordered by percentile().
  std::vector<std::uint64_t> classes_;
};

}  // namespace heddle::traffic
