// Flows are found by their keys, however many there are.
#include "network/packet/flow_index.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::network {

class PacketFlow;

namespace {

/// Flows that are only told apart.
PacketFlow* flow(std::vector<std::uint64_t>& places, std::uint64_t i) {
  return reinterpret_cast<PacketFlow*>(&places[i]);
}

// 10,000 keys that differ in high bits only, as those of flows to different nodes do, each given a
// flow as it is first asked for. Asked again in another order, each has the flow it was given, and
// a key that nobody gave one has none.
TEST(FlowIndex, EveryKeyKeepsItsFlow) {
  constexpr std::uint64_t kKeys = 10'000;
  std::vector<std::uint64_t> places(kKeys);
  FlowIndex<PacketFlow*> index;
  for (std::uint64_t i = 0; i < kKeys; ++i) {
    PacketFlow*& found = index[i << 32];
    ASSERT_EQ(found, nullptr) << i;
    found = flow(places, i);
  }
  for (std::uint64_t i = kKeys; i-- > 0;) EXPECT_EQ(index[i << 32], flow(places, i)) << i;
  EXPECT_EQ(index[kKeys << 32], nullptr);
}

}  // namespace
}  // namespace heddle::network
