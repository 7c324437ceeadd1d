#include "nic/arrivals.hpp"

#include <gtest/gtest.h>

#include <array>

namespace heddle::nic {
namespace {

constexpr std::uint64_t kPair = 5;

/// Requests 0, 2, 1, 4, 3 of one pair: those that are expected pass, the others wait for them.
TEST(Arrivals, LeaveInTheOrderOfTheirNumbers) {
  Arrivals arrivals;
  std::array<Exchange, 5> exchanges;
  std::array<Message, 5> messages;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    exchanges[i].number = i;
    messages[i].exchange = &exchanges[i];
  }
  EXPECT_TRUE(arrivals.passes(kPair, 0));
  EXPECT_EQ(arrivals.pop(kPair), nullptr);
  EXPECT_FALSE(arrivals.passes(kPair, 2));
  arrivals.take(kPair, messages[2]);
  EXPECT_EQ(arrivals.pop(kPair), nullptr);
  EXPECT_TRUE(arrivals.passes(kPair, 1));
  EXPECT_EQ(arrivals.pop(kPair), &messages[2]);
  EXPECT_EQ(arrivals.pop(kPair), nullptr);
  EXPECT_FALSE(arrivals.passes(kPair, 4));
  arrivals.take(kPair, messages[4]);
  EXPECT_TRUE(arrivals.passes(kPair, 3));
  EXPECT_EQ(arrivals.pop(kPair), &messages[4]);
}

/// One that will not come is passed over.
TEST(Arrivals, DoNotWaitForWhatIsLost) {
  Arrivals arrivals;
  Exchange exchange;
  exchange.number = 1;
  Message message;
  message.exchange = &exchange;
  arrivals.take(kPair, message);
  EXPECT_EQ(arrivals.pop(kPair), nullptr);
  arrivals.skip(kPair, 0);
  EXPECT_EQ(arrivals.pop(kPair), &message);
}

/// Request 1 of a pair waits for request 0; another pair, whether its neighbour in memory or the
/// same nodes on the service network, is not held up by that and counts for itself.
TEST(Arrivals, OfOnePairDoNotWaitForAnother) {
  constexpr std::uint64_t kNeighbour = kPair + 1;
  constexpr std::uint64_t kService = kPair | std::uint64_t{1} << 32;
  Arrivals arrivals;
  Exchange exchange;
  exchange.number = 1;
  Message message;
  message.exchange = &exchange;
  arrivals.take(kPair, message);
  for (const std::uint64_t other : {kNeighbour, kService}) {
    EXPECT_EQ(arrivals.next_number(other), 0U);
    EXPECT_TRUE(arrivals.passes(other, 0));
    EXPECT_EQ(arrivals.pop(other), nullptr);
    EXPECT_TRUE(arrivals.passes(other, 1));
  }
  EXPECT_TRUE(arrivals.passes(kPair, 0));
  EXPECT_EQ(arrivals.pop(kPair), &message);
}

}  // namespace
}  // namespace heddle::nic
