#include "platform/route_memory.hpp"

#include <gtest/gtest.h>

#include "machine_support.hpp"

namespace heddle::platform {
namespace {

using Steps = std::vector<std::pair<LinkId, Time>>;

/// As the platform leads a message, hop by hop.
Steps walked(const Platform& platform, Endpoint source, Endpoint destination) {
  Steps steps;
  Walk walk = platform.routes().walk(source, destination, 0);
  for (LinkId link; (link = platform.routes().next(walk, NoLoads{})) != kNoLink;) {
    steps.emplace_back(link, platform.routes().latency(walk, link));
  }
  return steps;
}

Steps remembered(RouteMemory& memory, Endpoint source, Endpoint destination) {
  Steps steps;
  for (const RouteMemory::Step* step = memory.find(source, destination); step->link != kNoLink;
       ++step) {
    steps.emplace_back(step->link, step->latency);
  }
  return steps;
}

// 27 nodes with a bus each and three kinds of endpoints: all 81 * 81 pairs have the routes that
// walks have, those of a node to itself included, when they are first asked for and again.
TEST(RouteMemory, KnowsWhatAWalkFindsForEveryPairOfEndpoints) {
  const auto platform = platform_of(
      "topology: {kind: torus, dims: [3, 3, 3]}\n"
      "node: {pcie_bandwidth: 100Gbps, pcie_latency: 200ns, pcie_duplex: half, "
      "loopback_latency: 50ns}\n");
  RouteMemory memory(*platform);
  for (int turn = 0; turn < 2; ++turn) {
    for (std::uint32_t i = 0; i < 81; ++i) {
      for (std::uint32_t j = 0; j < 81; ++j) {
        const Endpoint source{NodeId{i / 3}, Port{static_cast<std::uint8_t>(i % 3)}};
        const Endpoint destination{NodeId{j / 3}, Port{static_cast<std::uint8_t>(j % 3)}};
        EXPECT_EQ(remembered(memory, source, destination), walked(*platform, source, destination));
      }
    }
  }
}

// 300 nodes have 90,000 pairs, of which the first 65,536 are remembered: from then on the memory
// knows those, at the addresses that it gave first, and answers null for others.
TEST(RouteMemory, IsFullAtSomeTimeAndForgetsNothing) {
  const auto platform = platform_of("topology: {kind: single-switch, nodes: 300}\n");
  RouteMemory memory(*platform);
  const auto route = [&](std::uint32_t pair) {
    return memory.find({NodeId{pair / 300}}, {NodeId{pair % 300}});
  };
  std::vector<const RouteMemory::Step*> first;
  for (std::uint32_t pair = 0; pair < 65'536; ++pair) first.push_back(route(pair));
  EXPECT_EQ(route(65'536), nullptr);
  EXPECT_EQ(route(89'999), nullptr);
  for (std::uint32_t pair = 0; pair < 65'536; ++pair) {
    ASSERT_NE(first[pair], nullptr);
    ASSERT_EQ(route(pair), first[pair]);
  }
}

// After thousands of looks for pairs that it does not know, those that it knows are found again
// before 16 more have passed, and from then on each.
TEST(RouteMemory, FindsWhatItKnowsAfterManyLooksInVain) {
  const auto platform = platform_of("topology: {kind: single-switch, nodes: 300}\n");
  RouteMemory memory(*platform);
  const auto route = [&](std::uint32_t pair) {
    return memory.find({NodeId{pair / 300}}, {NodeId{pair % 300}});
  };
  for (std::uint32_t pair = 0; pair < 80'000; ++pair) route(pair);
  int looks = 0;
  while (route(0) == nullptr && looks < 16) ++looks;
  EXPECT_LT(looks, 16);
  for (std::uint32_t pair = 0; pair < 65'536; ++pair) ASSERT_NE(route(pair), nullptr);
}

}  // namespace
}  // namespace heddle::platform
