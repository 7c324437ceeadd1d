#include <algorithm>

#include "network/models.hpp"
#include "network/packet/packet_network.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

std::unique_ptr<Network> make_packet_network(Simulation& simulation,
                                             const platform::Platform& platform,
                                             const Settings& settings) {
  return std::make_unique<PacketNetwork>(simulation, platform, settings.get(packet_table()),
                                         settings);
}

std::string own_part_of_packets(const platform::Platform& platform) {
  const bool fixed = platform.routing().choice() == platform::RouteChoice::fixed;
  return fixed ? "headers, crossbar and sink"
               : "headers, crossbar and sink; each packet has a route of its own";
}

/// Packets are simulated one by one: a message of too many would take hours.
SizeLimit limit_of_packets(const Settings& settings) {
  constexpr std::int64_t kMost = 1 << 22;
  const PacketConfig config = settings.get(packet_table());
  const std::int64_t payload =
      std::max<std::int64_t>(1, config.max_packet.count() - config.header.count());
  return {Bytes(kMost * payload), std::to_string(kMost) + " packets"};
}

}  // namespace

const ModelDescription& packet_model() {
  static const ModelDescription model = [] {
    std::vector<const ParamSection*> sections = {&packet_table(), &pfc_table(), &lossy_table(),
                                                 &repair_table()};
    for (const ParamSection* section : rule_sections()) sections.push_back(section);
    return ModelDescription{
        {"packet", "packets of flits through buffers with credits and virtual lanes",
         make_packet_network},
        4,
        sections,
        own_part_of_packets,
        limit_of_packets};
  }();
  return model;
}

}  // namespace heddle::network
