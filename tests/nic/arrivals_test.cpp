#include "nic/arrivals.hpp"

#include <gtest/gtest.h>

#include <array>

namespace heddle::nic {
namespace {

/// Requests 0, 2, 1, 4, 3 of one pair: those that are expected pass, the others wait for them.
TEST(Arrivals, LeaveInTheOrderOfTheirNumbers) {
  Arrivals arrivals;
  std::array<Exchange, 5> exchanges;
  std::array<Message, 5> messages;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    exchanges[i].number = i;
    messages[i].exchange = &exchanges[i];
  }
  EXPECT_TRUE(arrivals.passes(messages[0]));
  EXPECT_EQ(arrivals.pop(), nullptr);
  EXPECT_FALSE(arrivals.passes(messages[2]));
  arrivals.take(messages[2]);
  EXPECT_EQ(arrivals.pop(), nullptr);
  EXPECT_TRUE(arrivals.passes(messages[1]));
  EXPECT_EQ(arrivals.pop(), &messages[2]);
  EXPECT_EQ(arrivals.pop(), nullptr);
  EXPECT_FALSE(arrivals.passes(messages[4]));
  arrivals.take(messages[4]);
  EXPECT_TRUE(arrivals.passes(messages[3]));
  EXPECT_EQ(arrivals.pop(), &messages[4]);
}

/// One that will not come is passed over.
TEST(Arrivals, DoNotWaitForWhatIsLost) {
  Arrivals arrivals;
  Exchange exchange;
  exchange.number = 1;
  Message message;
  message.exchange = &exchange;
  arrivals.take(message);
  EXPECT_EQ(arrivals.pop(), nullptr);
  arrivals.skip(0);
  EXPECT_EQ(arrivals.pop(), &message);
}

}  // namespace
}  // namespace heddle::nic
