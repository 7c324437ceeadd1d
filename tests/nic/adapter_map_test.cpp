#include "nic/adapter_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heddle::nic {
namespace {

/// Every adapter belongs to the node that has it, no two nodes share one, and a process uses one of
/// its own node's.
TEST(AdapterMap, GivesEveryNodeItsAdapters) {
  constexpr std::uint32_t kNodes = 5;
  std::vector<int> owners(adapters_of_machine(kNodes));
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    const auto adapters = adapters_of(NodeId{n});
    for (const AdapterId id : adapters) {
      ASSERT_LT(index(id), owners.size());
      ++owners[index(id)];
      EXPECT_EQ(node_of(id), NodeId{n});
    }
    const AdapterId used = adapter_of({NodeId{n}, 7});
    EXPECT_NE(std::find(adapters.begin(), adapters.end(), used), adapters.end());
  }
  EXPECT_EQ(owners, std::vector<int>(owners.size(), 1));
}

}  // namespace
}  // namespace heddle::nic
