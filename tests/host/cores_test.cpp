#include "host/rank/cores.hpp"

#include <gtest/gtest.h>

#include "host_support.hpp"

namespace heddle::host {
namespace {

// A machine whose nodes have as many cores as its table says; all that computes shares one node.
class CoresOfANode : public testing::Test {
 protected:
  Time reserve(std::uint32_t rank, std::size_t on_node, bool has_threads = false) {
    return cores.reserve({rank, NodeId{0}, on_node, has_threads}, Time::us(1), Time::us(10));
  }

  TestMachine machine{1};
  Cores cores{*machine.platform, 1};
  std::size_t count = static_cast<std::size_t>(machine.platform->node(NodeId{0}).cores);
};

// As many ranks as cores: each of them is done 10 us after it began, at 11 us.
TEST_F(CoresOfANode, AreEnoughForAsManyRanks) {
  for (std::uint32_t r = 0; r < 2 * count; ++r) EXPECT_EQ(reserve(r, count), Time::us(11));
}

// One rank more than cores: the last one begins when the first is done, at 11 us, and is at 21 us.
TEST_F(CoresOfANode, AreSharedByMoreRanks) {
  for (std::uint32_t r = 0; r < count; ++r) EXPECT_EQ(reserve(r, count + 1), Time::us(11));
  EXPECT_EQ(reserve(static_cast<std::uint32_t>(count), count + 1), Time::us(21));
}

// Two threads of a rank that may have one core take turns, and another rank is not held up by it.
TEST_F(CoresOfANode, ThreadsOfARankTakeTurns) {
  EXPECT_EQ(reserve(0, 1, true), Time::us(11));
  EXPECT_EQ(reserve(0, 1, true), Time::us(21));
  EXPECT_EQ(reserve(1, 1, true), Time::us(11));
}

}  // namespace
}  // namespace heddle::host
