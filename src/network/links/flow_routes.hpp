// The links that many flows cross.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::network {

/// A message known beforehand.
struct Flow {
  platform::Endpoint source;
  platform::Endpoint destination;
  Bytes size;
  Time start;  ///< When the network gets it.
  Bandwidth rate_cap = Bandwidth::unlimited();
};

/// Routes of flows through an idle network, and the flows of each link.
class FlowRoutes {
 public:
  /// By `threads` threads where the topology lets several ask at a time. Message number *n* has the
  /// salt `first_salt` + n.
  FlowRoutes(const platform::Platform& platform, std::span<const Flow> flows,
             std::uint32_t first_salt, std::size_t threads);

  std::span<const std::uint32_t> of(std::uint32_t flow) const {
    return {steps_.data() + begins_[flow], steps_.data() + begins_[flow + 1]};
  }
  std::size_t steps() const { return steps_.size(); }
  /// Those that cross the link, in the order of their numbers.
  std::span<const std::uint32_t> flows_of(std::uint32_t link) const {
    return {flows_.data() + link_begins_[link], flows_.data() + link_begins_[link + 1]};
  }
  std::uint32_t links() const { return static_cast<std::uint32_t>(latencies_.size()); }
  /// Of a link as routes cross it.
  Time latency(std::uint32_t link) const { return latencies_[link]; }

 private:
  void find(const platform::Platform& platform, std::span<const Flow> flows,
            std::uint32_t first_salt, std::size_t threads);
  void sort_by_link();

  std::vector<std::uint32_t> steps_;  ///< Links, flow by flow.
  std::vector<std::size_t> begins_;   ///< By flow, and one more.
  std::vector<std::uint32_t> flows_;  ///< Link by link.
  std::vector<std::size_t> link_begins_;
  std::vector<Time> latencies_;  ///< By link.
};

}  // namespace heddle::network
