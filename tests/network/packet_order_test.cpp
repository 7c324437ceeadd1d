// Packets that overtake each other are counted.
#include <gtest/gtest.h>

#include "network/packet/packet_network.hpp"
#include "network/support.hpp"
#include "platform/topology/fat_tree.hpp"

namespace heddle::network {
namespace {

/// Two leaves with two nodes each, and two spines; the cables of the second spine are `slow`.
std::unique_ptr<platform::Platform> two_spines(const std::string& routing_name,
                                               const std::string& by, Time slow) {
  auto topology = std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(2, 2));
  Settings settings(platform::routing_sections());
  if (!by.empty()) settings.assign("spray.by=" + by, {});
  auto routing = platform::make_routing(routing_name, *topology, {}, settings);
  MachineParams params;
  const VertexId second{topology->vertices() - 1};
  std::vector<std::uint32_t> cables;
  for (std::uint32_t cable = 0; cable < topology->cables(); ++cable) {
    const platform::LinkEnds ends = topology->ends(LinkId{2 * cable});
    if (ends.from == second || ends.to == second) cables.push_back(cable);
  }
  auto platform = std::make_unique<platform::Platform>(
      "tree", std::move(topology), std::move(routing), params.link, params.switches, params.node,
      platform::NicParams{});
  params.link.latency = slow;
  for (const std::uint32_t cable : cables) platform->set_cable(cable, params.link);
  return platform;
}

PacketCounts sent_over(const std::unique_ptr<platform::Platform>& platform, int packets) {
  Bed bed("packet", *platform);
  bed.send(0, 0, 3, packets * 2'156);
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.count(), 1U);
  return bed.network->packets_arrived();
}

// Of eight packets in turn over two spines, those of the slow one come after all others: numbers 0,
// 2, 4, 6, then 1, 3, 5, 7. Behind number 6 the next three were sent before it; number 7 was not.
TEST(PacketOrder, PacketsBehindLaterOnesAreOutOfOrder) {
  const PacketCounts counts = sent_over(two_spines("spray", "round-robin", Time::us(50)), 8);
  EXPECT_EQ(counts.arrived, 8U);
  EXPECT_EQ(counts.out_of_order, 3U);
}

// Spines of equal latency, and routes that stay the same, keep the order.
TEST(PacketOrder, EqualWaysAndOneWayKeepTheOrder) {
  EXPECT_EQ(sent_over(two_spines("spray", "round-robin", Time::ns(100)), 8).out_of_order, 0U);
  for (const char* routing : {"minimal", "ecmp", "up-down"}) {
    const PacketCounts counts = sent_over(two_spines(routing, "", Time::us(50)), 8);
    EXPECT_EQ(counts.arrived, 8U) << routing;
    EXPECT_EQ(counts.out_of_order, 0U) << routing;
  }
}

}  // namespace
}  // namespace heddle::network
