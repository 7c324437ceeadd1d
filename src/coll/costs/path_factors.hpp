// Factors by size of a message, applied to what a network charges for its way.
#pragma once

#include <cstdint>
#include <vector>

#include "coll/costs/piecewise.hpp"
#include "core/ids.hpp"
#include "platform/platform.hpp"

namespace heddle::coll {

/// Throws InputError for factors of latencies below 1: a message is never faster than the network.
void require_no_shortening(const Factors& latency, const char* parameter);

/// What a message that is to take longer than the network says waits for before it enters it, and
/// how long it must be in there: so a network model needs to know nothing of factors.
class PathFactors {
 public:
  /// The platform must outlive this.
  PathFactors(const platform::Platform& platform, Factors latency, Factors bandwidth);

  /// What the latency of the route is multiplied with, less the network's own part of it.
  Time extra_latency(NodeId from, NodeId to, std::int64_t size) {
    return latency_counts_ ? find_extra(from, to, size) : Time::zero();
  }
  /// Of a message whose bandwidth is multiplied.
  std::int64_t size_in_network(std::int64_t size) const;

 private:
  Time find_extra(NodeId from, NodeId to, std::int64_t size);
  Time route_latency(NodeId from, NodeId to);
  Time find_latency(platform::Endpoint from, platform::Endpoint to);

  /// What is known of a pair of nodes.
  struct RouteEntry {
    std::uint64_t pair = UINT64_MAX;
    Time latency;
  };
  static constexpr std::size_t kRoutes = 1 << 14;

  const platform::Platform& platform_;
  Factors latency_;
  Factors bandwidth_;
  bool latency_counts_;                     ///< Some factor is not 1.
  bool bandwidth_counts_;                   ///< The same.
  std::vector<RouteEntry> routes_;          ///< By a hash of the pair: the one asked for last.
  std::vector<platform::RouteStep> steps_;  ///< Room for a fixed route ...
  platform::LinkSet fabric_;                ///< ... and for its part in the fabric.
};

}  // namespace heddle::coll
