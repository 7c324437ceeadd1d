#include "nic/wire.hpp"

#include <gmock/gmock.h>

#include "engine_bed.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Puts a message of 8 B on the wire.
Message& start(EngineBed& bed, Exchange& exchange, bool shortcut = false) {
  Message& message = bed.exchanges.make_message(exchange, MessageKind::request);
  message.shortcut = shortcut;
  network::Transfer transfer;
  transfer.source = {message.source()};
  transfer.destination = {message.destination()};
  transfer.size = Bytes(8);
  bed.wire.start(message, transfer);
  return message;
}

Faults always(double Faults::*what) {
  Faults faults;
  faults.*what = 1;
  return faults;
}

/// The network is handed the transfer, and with its last byte the message is at its target.
TEST(Wire, DeliversMessages) {
  EngineBed bed;
  Exchange& exchange = bed.begin(Operation::put, 8);
  start(bed, exchange);
  EXPECT_THAT(bed.notebook.arrivals, IsEmpty());
  ASSERT_EQ(bed.network.started.size(), 1U);
  bed.network.started[0].report(network::Instant::tail);
  EXPECT_THAT(bed.notebook.arrivals, ElementsAre(1));
}

/// A message that is lost does not arrive, and its sender's adapter counts it.
TEST(Wire, LosesWhatFaultsDrop) {
  EngineBed bed(always(&Faults::drop));
  start(bed, bed.begin(Operation::put, 8));
  bed.network.started[0].report(network::Instant::tail);
  EXPECT_THAT(bed.notebook.arrivals, IsEmpty());
  EXPECT_EQ(bed.adapter(0).statistics().dropped, 1U);
  EXPECT_EQ(bed.adapter(1).statistics().dropped, 0U);
}

/// One that is damaged is no more matched than a lost one, but counts otherwise.
TEST(Wire, DamagesWhatFaultsCorrupt) {
  EngineBed bed(always(&Faults::corrupt));
  start(bed, bed.begin(Operation::put, 8));
  bed.network.started[0].report(network::Instant::tail);
  EXPECT_THAT(bed.notebook.arrivals, IsEmpty());
  EXPECT_EQ(bed.adapter(0).statistics().dropped, 0U);
  EXPECT_EQ(bed.adapter(0).statistics().corrupted, 1U);
}

/// Quick ACKs take no engine and are no messages that a cable could lose.
TEST(Wire, SparesWhatTakesNoEngine) {
  EngineBed bed(always(&Faults::drop));
  Message& message = start(bed, bed.begin(Operation::put, 8), true);
  EXPECT_FALSE(message.drop);
  bed.network.started[0].report(network::Instant::tail);
  EXPECT_EQ(bed.adapter(0).statistics().dropped, 0U);
}

}  // namespace
}  // namespace heddle::nic
