#include "traffic/latencies.hpp"

namespace heddle::traffic {

LatencySummary Latencies::summary() const {
  return {Time::ps(samples_.mean()), Time::ps(samples_.min()), Time::ps(samples_.max()),
          percentile(0.50),          percentile(0.95),         percentile(0.99)};
}

}  // namespace heddle::traffic
