#include "nic/reliability.hpp"

#include <gmock/gmock.h>

#include "engine_bed.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The reliability of adapter 0, with parts of its own, and a put that is on the wire.
class Kept {
 public:
  Kept() {
    bed.params.e2e_timeout = Time::us(10);
    bed.params.e2e_retries = 2;
    exchange = &bed.begin(Operation::put, 8);
    bed.adapter(0).transmitter().transmit(*exchange, MessageKind::request);
    bed.run_for(Time::ns(2));
  }
  std::size_t transmissions() const { return bed.network.on_wire().size(); }

  EngineBed bed;
  Exchange* exchange = nullptr;
};

/// Its deadline is 10 us after its transmission began at 2 ns: it is on the wire again 2 ns later,
/// after 20.004 us for the last time, and given up 10 us after that.
TEST(ReliabilityOfAnAdapter, SendsAgainUntilItGivesUp) {
  Kept kept;
  kept.bed.run_for(Time::us(10));
  EXPECT_EQ(kept.transmissions(), 1U);
  kept.bed.run_for(Time::ns(2));
  EXPECT_EQ(kept.transmissions(), 2U);
  kept.bed.run_for(Time::ns(10'002));
  EXPECT_EQ(kept.transmissions(), 3U);
  EXPECT_THAT(kept.bed.notebook.pages[1].completed, IsEmpty());
  kept.bed.run_for(Time::us(10));
  EXPECT_EQ(kept.transmissions(), 3U);
  EXPECT_THAT(kept.bed.notebook.pages[1].completed, ElementsAre(Time::ns(30'006)));
  EXPECT_EQ(kept.bed.notebook.pages[1].outcome, Outcome::undeliverable);
  EXPECT_EQ(kept.bed.adapter(0).statistics().given_up, 1U);
}

/// A NACK has the put sent at once, as soon as the engine is free; a second one, before it has left
/// again, changes nothing.
TEST(ReliabilityOfAnAdapter, SendsAgainAtANack) {
  Kept kept;
  kept.bed.adapter(0).reliability().nacked(*kept.exchange, Half::request);
  kept.bed.adapter(0).reliability().nacked(*kept.exchange, Half::request);
  kept.bed.run_for(Time::us(1));
  EXPECT_EQ(kept.transmissions(), 2U);
  EXPECT_EQ(kept.exchange->context(Half::request).retries, 1);
}

/// What an ACK has come for is not sent again.
TEST(ReliabilityOfAnAdapter, ForgetsWhatIsAcknowledged) {
  Kept kept;
  const std::uint32_t before = kept.exchange->references;
  kept.bed.adapter(0).reliability().forget(*kept.exchange, Half::request);
  EXPECT_EQ(kept.exchange->references, before - 1);
  kept.bed.adapter(0).reliability().forget(*kept.exchange, Half::request);
  EXPECT_EQ(kept.exchange->references, before - 1);
  kept.bed.run_for(Time::us(100));
  EXPECT_EQ(kept.transmissions(), 1U);
}

}  // namespace
}  // namespace heddle::nic
