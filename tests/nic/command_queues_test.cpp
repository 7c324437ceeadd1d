#include "nic/command_queues.hpp"

#include <gmock/gmock.h>

#include "engine_bed.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A command of 64 B crosses the bus; then its call may return, and 2 ns later the request is on
/// the wire.
TEST(CommandQueues, HandCommandsOnWhenTheyHaveCrossedTheBus) {
  EngineBed bed;
  bed.adapter(0).command_queues().issue(bed.begin(Operation::put, 8));
  ASSERT_EQ(bed.network.started.size(), 1U);
  EXPECT_EQ(bed.network.started[0].size, Bytes(64));
  EXPECT_THAT(bed.notebook.calls, IsEmpty());
  bed.network.started[0].report(network::Instant::tail);
  EXPECT_THAT(bed.notebook.calls, ElementsAre("accepted 1"));
  bed.run_for(Time::ns(2));
  EXPECT_EQ(bed.network.on_wire().size(), 1U);
}

/// Room for one. The first request is taken up by the only engine, so that the second may cross;
/// that waits for the engine, so the third may not. A command of another process may.
TEST(CommandQueues, HoldBackWhatFindsNoRoom) {
  EngineBed bed;
  bed.params.command_queue_depth = 1;
  CommandQueues& queues = bed.adapter(0).command_queues();
  for (int i = 0; i < 3; ++i) queues.issue(bed.begin(Operation::get, 0));
  EXPECT_EQ(bed.network.started.size(), 1U);
  bed.network.started[0].report(network::Instant::tail);
  ASSERT_EQ(bed.network.started.size(), 2U);
  bed.network.started[1].report(network::Instant::tail);
  EXPECT_EQ(bed.network.started.size(), 2U);
  queues.issue(bed.begin(Operation::get, 0, 7));
  EXPECT_EQ(bed.network.started.size(), 3U);
}

/// Where commands cost nothing on the bus nothing crosses it, and the call returns in the same
/// instant; it is enough that the bus costs nothing at all.
TEST(CommandQueues, DoNotCrossABusThatCostsNothing) {
  for (const bool pci : {false, true}) {
    EngineBed bed;
    bed.params.pci = pci;
    bed.params.pci_commands = !pci;
    bed.adapter(0).command_queues().issue(bed.begin(Operation::put, 8));
    bed.run_for(Time::zero());
    EXPECT_THAT(bed.notebook.calls, ElementsAre("accepted 1"));
    EXPECT_THAT(bed.network.started, IsEmpty());
  }
}

/// A triggered request waits in the adapter already: no command, no call that returns.
TEST(CommandQueues, LetTriggeredRequestsThrough) {
  EngineBed bed;
  Exchange& exchange = bed.begin(Operation::put, 8);
  exchange.request.triggered = true;
  bed.adapter(0).command_queues().issue(exchange);
  bed.run_for(Time::ns(2));
  EXPECT_THAT(bed.notebook.calls, IsEmpty());
  EXPECT_EQ(bed.network.started.size(), 1U);
  EXPECT_EQ(bed.network.on_wire().size(), 1U);
}

}  // namespace
}  // namespace heddle::nic
