#include "host/rank/ranks_by_node.hpp"

#include <gtest/gtest.h>

#include <array>

namespace heddle::host {
namespace {

std::vector<std::uint32_t> on(const RanksByNode& ranks, std::uint32_t node) {
  std::vector<std::uint32_t> numbers;
  for (const RankId rank : ranks.on(NodeId{node})) {
    numbers.push_back(static_cast<std::uint32_t>(rank));
  }
  return numbers;
}

// Ranks 0 to 3 on nodes 2, 0, 2, 1: node 2 has ranks 0 and 2 in this order, node 3 has none.
TEST(RanksByNode, AreInTheOrderOfTheirNumbers) {
  RanksByNode ranks(4);
  ranks.add(std::array{NodeId{2}, NodeId{0}, NodeId{2}, NodeId{1}});
  EXPECT_EQ(on(ranks, 0), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(on(ranks, 1), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(on(ranks, 2), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_TRUE(on(ranks, 3).empty());
}

// Those that come later stand behind those that are there, and leave their places as they are.
TEST(RanksByNode, OfLaterProgramsComeLast) {
  RanksByNode ranks(2);
  ranks.add(std::array{NodeId{1}, NodeId{0}});
  ranks.add(std::array{NodeId{0}, NodeId{1}, NodeId{1}});
  EXPECT_EQ(on(ranks, 0), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(on(ranks, 1), (std::vector<std::uint32_t>{0, 3, 4}));
}

}  // namespace
}  // namespace heddle::host
