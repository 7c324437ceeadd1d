// What the cases over `packet` have in common: its parameters, and hops to divide a cost by.
#pragma once

#include <vector>

#include "network/packet/packet_network.hpp"
#include "platform/platform.hpp"

namespace heddle::bench {

inline network::PacketConfig packet_config(const std::vector<const char*>& assignments) {
  Settings settings({&network::packet_table()});
  for (const char* assignment : assignments) settings.assign(assignment, SourceLocation{});
  return settings.get(network::packet_table());
}

/// Packets times links that they have crossed.
inline std::int64_t packet_hops(const network::Network& network,
                                const platform::Platform& platform) {
  std::int64_t hops = 0;
  for (std::uint32_t link = 0; link < platform.links().ids(); ++link) {
    for (const network::LinkStatistic& statistic : network.link_statistics(LinkId{link})) {
      if (statistic.name == "packets") hops += statistic.value;
    }
  }
  return hops;
}

}  // namespace heddle::bench
