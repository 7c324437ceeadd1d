#include "traffic/window_counts.hpp"

namespace heddle::traffic {

void WindowCounts::start(const network::Network& network, Bytes delivered) {
  carried_before_ = network.carried();
  delivered_before_ = delivered;
  packets_before_ = network.packets_arrived();
}

void WindowCounts::stop(const platform::Platform& platform, const network::Network& network,
                        Bytes delivered, Time measured, std::size_t top) {
  accepted_ = since_start(delivered);
  packets_ = network.packets_arrived();
  packets_ -= packets_before_;
  busiest_ = network::busiest_links(platform, network,
                                    {carried_before_, network.carried(), measured}, top);
}

void WindowCounts::fill(TrafficResult& result) const {
  result.accepted = accepted_;
  result.packets = packets_;
  result.busiest = busiest_;
}

}  // namespace heddle::traffic
