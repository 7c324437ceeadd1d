// Factors by size of a message, applied to what a network charges for its way.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
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
  /// The latency of a fixed route, from somebody who keeps routes; nothing, if he does not know it.
  using KnownLatency = std::function<std::optional<Time>(platform::Endpoint, platform::Endpoint)>;

  /// The platform must outlive this.
  PathFactors(const platform::Platform& platform, Factors latency, Factors bandwidth,
              KnownLatency known = {});

  /// Whether anything waits before it enters the network.
  bool delay() const { return latency_counts_; }
  /// What the latency of the route is multiplied with, less the network's own part of it.
  Time extra_latency(NodeId from, NodeId to, std::int64_t size) {
    return latency_counts_ ? find_extra(from, to, size) : Time::zero();
  }
  /// Of a message whose bandwidth is multiplied.
  std::int64_t size_in_network(std::int64_t size) {
    if (!bandwidth_counts_) return size;
    if (last_.size != size) renew(size);
    return last_.size_in_network;
  }

 private:
  /// What follows from the size of a message. Most are as large as the one before.
  struct OfSize {
    std::int64_t size = -1;
    std::int64_t size_in_network = 0;
    double more_latency = 0;  ///< Times the latency of the route.
    // Of routes of a latency.
    Time latency;
    Time extra;
  };
  void renew(std::int64_t size);
  Time find_extra(NodeId from, NodeId to, std::int64_t size) {
    if (last_.size != size) renew(size);
    if (last_.more_latency <= 0) return Time::zero();
    const Time latency = known_ ? known_latency(from, to) : route_latency(from, to);
    if (last_.latency != latency) times(latency);
    return last_.extra;
  }
  void times(Time latency);
  Time route_latency(NodeId from, NodeId to) {
    const std::uint64_t pair =
        (std::uint64_t{static_cast<std::uint32_t>(from)} << 32) | static_cast<std::uint32_t>(to);
    RouteEntry& entry = routes_[(pair * 0x9e3779b97f4a7c15ULL) >> 50];
    if (entry.pair != pair) {
      entry = {pair, find_latency({from, platform::Port::memory}, {to, platform::Port::memory})};
    }
    return entry.latency;
  }
  Time find_latency(platform::Endpoint from, platform::Endpoint to);
  /// The same where somebody else keeps routes: most nodes send to few others.
  Time known_latency(NodeId from, NodeId to) {
    Row& row = rows_[static_cast<std::uint32_t>(from) % kRows];
    if (row.from == from) {
      for (std::size_t i = 0; i < kTargets; ++i) {
        if (row.to[i] == to) return row.latencies[i];
      }
    }
    return renew(row, from, to);
  }

  static constexpr NodeId kNoNode{UINT32_MAX};
  static constexpr std::size_t kTargets = 4;
  static constexpr std::size_t kRows = 1 << 12;
  /// What is known of the routes from a node: those asked for last, in one line of the cache. In a
  /// table by pairs, nodes that send to others each time would find another line each time.
  struct alignas(64) Row {
    NodeId from = kNoNode;
    std::uint32_t oldest = 0;
    std::array<NodeId, kTargets> to{kNoNode, kNoNode, kNoNode, kNoNode};
    std::array<Time, kTargets> latencies;
  };
  Time renew(Row& row, NodeId from, NodeId to);

  /// What is known of a pair of nodes.
  struct RouteEntry {
    std::uint64_t pair = UINT64_MAX;
    Time latency;
  };
  static constexpr std::size_t kRoutes = 1 << 14;

  const platform::Platform& platform_;
  Factors latency_;
  Factors bandwidth_;
  KnownLatency known_;
  bool latency_counts_;    ///< Some factor is not 1.
  bool bandwidth_counts_;  ///< The same.
  OfSize last_;
  std::vector<RouteEntry> routes_;          ///< By a hash of the pair: the one asked for last.
  std::vector<Row> rows_;                   ///< By the last bits of the node.
  std::vector<platform::RouteStep> steps_;  ///< Room for a fixed route ...
  platform::LinkSet fabric_;                ///< ... and for its part in the fabric.
};

}  // namespace heddle::coll
