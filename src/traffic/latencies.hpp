// What became of the latencies of many messages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/time.hpp"
#include "traffic/samples.hpp"

namespace heddle::traffic {

struct LatencySummary {
  Time mean;
  Time min;
  Time max;
  Time p50;
  Time p95;
  Time p99;
};

/// Collects latencies as Samples does its numbers.
class Latencies {
 public:
  static constexpr std::size_t kExact = Samples::kExact;

  void add(Time latency) { samples_.add(latency.ps()); }
  std::uint64_t count() const { return samples_.count(); }
  /// Everything is zero if there was none.
  LatencySummary summary() const;
  /// The smallest latency that at least `part` (0 to 1) of all do not exceed; zero if there is
  /// none.
  Time percentile(double part) const { return Time::ps(samples_.percentile(part)); }

 private:
  Samples samples_;
};

}  // namespace heddle::traffic
