// What a network carries while a run is measured.
#pragma once

#include <cstddef>
#include <vector>

#include "network/link_use.hpp"
#include "network/network.hpp"
#include "traffic/traffic_result.hpp"

namespace heddle::traffic {

/// Bytes and packets between two instants: whoever drives the network says when they are.
class WindowCounts {
 public:
  /// What is counted begins here. `delivered` is what has arrived since the run began.
  void start(const network::Network& network, Bytes delivered);
  /// It ends here, `measured` later. What else is known of the `top` links is of this instant, too.
  void stop(const platform::Platform& platform, const network::Network& network, Bytes delivered,
            Time measured, std::size_t top);
  /// How much of what has arrived since the run began has come since the start.
  Bytes since_start(Bytes delivered) const { return delivered - delivered_before_; }

  void fill(TrafficResult& result) const;

 private:
  network::LinkBytes carried_before_;
  Bytes delivered_before_;
  network::PacketCounts packets_before_;
  std::vector<network::LinkUse> busiest_;
  Bytes accepted_;
  network::PacketCounts packets_;
};

}  // namespace heddle::traffic
