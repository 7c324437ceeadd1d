#include "nic/arrivals.hpp"

#include <gtest/gtest.h>

#include <array>

namespace heddle::nic {
namespace {

constexpr std::uint64_t kTestedPair = 5;

/// Requests 0, 2, 1, 4, 3 of one pair: those that are expected pass, the others wait for them.
TEST(Arrivals, LeaveInTheOrderOfTheirNumbers) {
  Arrivals arrivals;
  std::array<Exchange, 5> exchanges;
  std::array<Message, 5> messages;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    exchanges[i].number = i;
    messages[i].exchange = &exchanges[i];
  }
  EXPECT_TRUE(arrivals.passes(kTestedPair, 0));
  EXPECT_EQ(arrivals.pop(kTestedPair), nullptr);
  EXPECT_FALSE(arrivals.passes(kTestedPair, 2));
  arrivals.take(kTestedPair, messages[2]);
  EXPECT_EQ(arrivals.pop(kTestedPair), nullptr);
  EXPECT_TRUE(arrivals.passes(kTestedPair, 1));
  EXPECT_EQ(arrivals.pop(kTestedPair), &messages[2]);
  EXPECT_EQ(arrivals.pop(kTestedPair), nullptr);
  EXPECT_FALSE(arrivals.passes(kTestedPair, 4));
  arrivals.take(kTestedPair, messages[4]);
  EXPECT_TRUE(arrivals.passes(kTestedPair, 3));
  EXPECT_EQ(arrivals.pop(kTestedPair), &messages[4]);
}

/// One that will not come is passed over.
TEST(Arrivals, DoNotWaitForWhatIsLost) {
  Arrivals arrivals;
  Exchange exchange;
  exchange.number = 1;
  Message message;
  message.exchange = &exchange;
  arrivals.take(kTestedPair, message);
  EXPECT_EQ(arrivals.pop(kTestedPair), nullptr);
  arrivals.skip(kTestedPair, 0);
  EXPECT_EQ(arrivals.pop(kTestedPair), &message);
}

/// Request 1 of a pair waits for request 0; another pair, whether its neighbour in memory or the
/// same nodes on the service network, is not held up by that and counts for itself.
TEST(Arrivals, OfOnePairDoNotWaitForAnother) {
  constexpr std::uint64_t kNeighbour = kTestedPair + 1;
  constexpr std::uint64_t kService = kTestedPair | std::uint64_t{1} << 32;
  Arrivals arrivals;
  Exchange exchange;
  exchange.number = 1;
  Message message;
  message.exchange = &exchange;
  arrivals.take(kTestedPair, message);
  for (const std::uint64_t other : {kNeighbour, kService}) {
    EXPECT_EQ(arrivals.next_number(other), 0U);
    EXPECT_TRUE(arrivals.passes(other, 0));
    EXPECT_EQ(arrivals.pop(other), nullptr);
    EXPECT_TRUE(arrivals.passes(other, 1));
  }
  EXPECT_TRUE(arrivals.passes(kTestedPair, 0));
  EXPECT_EQ(arrivals.pop(kTestedPair), &message);
}

}  // namespace
}  // namespace heddle::nic
