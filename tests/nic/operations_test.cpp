// Gets, atomic operations, commands, counters: times on the machine that put_test.cpp describes.
#include <gmock/gmock.h>

#include "support.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Verdict moved(std::int64_t size, bool acknowledge = false) {
  return {Bytes(size), acknowledge, {}};
}

/// The request of 64 B arrives at 258.4 + 1006.4. The answer takes 2 ns, 256.4 ns for the request
/// to memory, 232.508 ns for the first packet, 1409.6 ns on the way, 232.508 ns for the last
/// packet.
TEST(Get, ReadsAndWritesMemory) {
  Bed bed;
  bed.notebook.completed_events = 1;
  bed.notebook.verdict = [](std::uint32_t) { return moved(4096); };
  const Notebook::Page& get = bed.run(bed.request(Operation::get, 0));
  EXPECT_THAT(get.arrived, ElementsAre(Time::ps(1'264'800)));
  EXPECT_THAT(get.completed,
              ElementsAre(Time::ps(1'264'800 + 258'400 + 232'508 + 1'409'600 + 232'508)));
  EXPECT_THAT(bed.notebook.seen, ElementsAre(Time::ps(3'397'816 + 509'600)));
  EXPECT_THAT(get.sent, IsEmpty());
}

/// The target's event comes when the response is known to have arrived: 2 + 1003.2 ns after the
/// initiator was done. Without E2E, when the response has been read: 1523.2 + 250 + 409.6.
TEST(Get, TargetEventWaitsForTheResponse) {
  for (const bool e2e : {true, false}) {
    Bed bed({e2e ? "nic.e2e=yes" : "nic.e2e=no"});
    bed.notebook.target_events = 1;
    bed.notebook.verdict = [](std::uint32_t) { return moved(4096); };
    bed.issue(bed.request(Operation::get, 0));
    bed.simulation.run();
    EXPECT_THAT(bed.notebook.seen_at_target,
                ElementsAre(Time::ps((e2e ? 3'397'816 + 1'005'200 : 2'182'800) + 509'600)));
  }
}

/// Nothing to move: no memory is read, and none written.
TEST(Get, OfNothingIsAnsweredAtOnce) {
  Bed bed;
  bed.notebook.verdict = [](std::uint32_t) { return moved(0); };
  const Notebook::Page& get = bed.run(bed.request(Operation::get, 0));
  EXPECT_THAT(get.completed, ElementsAre(Time::ps(1'264'800 + 1'002'000)));
}

/// The payload is written before the acknowledgement (200.508 ns), and the event comes behind it.
TEST(Atomic, IsWrittenBeforeItIsAcknowledged) {
  Bed bed;
  bed.notebook.target_events = 1;
  const Notebook::Page& atomic = bed.run(bed.request(Operation::atomic, 8));
  EXPECT_THAT(atomic.arrived, ElementsAre(Time::ps(1'259'200)));
  EXPECT_THAT(atomic.completed, ElementsAre(Time::ps(1'459'708 + 1'005'200)));
  EXPECT_THAT(bed.notebook.seen_at_target, ElementsAre(Time::ps(1'459'708 + 509'600)));
}

/// Nothing matched: the target says so and the initiator goes on. S4BXI waits forever.
TEST(Atomic, IsAcknowledgedWhereNothingMatches) {
  Bed bed;
  bed.notebook.verdict = [](std::uint32_t) { return moved(0, true); };
  const Notebook::Page& atomic = bed.run(bed.request(Operation::atomic, 8));
  EXPECT_THAT(atomic.completed, ElementsAre(Time::ps(1'259'200 + 1'005'200)));
}

/// The processor's write of 56 B has to end (255.6 ns) before the command.
TEST(Atomic, BufferedPayloadIsThereBeforeTheCommand) {
  Bed bed;
  Request request = bed.request(Operation::atomic, 64);
  request.buffered = true;
  const Notebook::Page& atomic = bed.run(request);
  EXPECT_THAT(atomic.accepted, ElementsAre(Time::ps(255'600 + 256'400)));
}

/// A request like a put's, a response like a get's: 1259.2, then 2 + 256.4 + 200.508 + 1000.8 +
/// 200.508.
TEST(FetchAtomic, CarriesPayloadBothWays) {
  Bed bed;
  const Notebook::Page& fetch = bed.run(bed.request(Operation::fetch_atomic, 8));
  EXPECT_THAT(fetch.sent, ElementsAre(Time::ps(458'400)));
  EXPECT_THAT(fetch.completed, ElementsAre(Time::ps(1'259'200 + 1'660'216)));
}

TEST(Commands, OfTablesCrossTheBus) {
  Bed bed;
  bed.adapters->command({NodeId{0}, 1}, 7);
  bed.simulation.run();
  EXPECT_THAT(bed.page(7).accepted, ElementsAre(Time::ps(256'400)));
  EXPECT_EQ(bed.adapters->statistics(NodeId{0}).commands, 1U);
}

/// A counter of 16 B crosses the bus in 251.6 ns; two events without a message are seen after 509.6
/// and 769.2 ns.
TEST(Memory, CountersAndEventsAreWritten) {
  Bed bed;
  bed.adapters->write_counter({NodeId{0}, 1}, 3);
  bed.simulation.run();
  EXPECT_THAT(bed.notebook.counted, ElementsAre(Time::ps(251'600)));
  Bed other;
  EventTokens events;
  events.add(0);
  events.add(0);
  other.adapters->write_events({NodeId{0}, 1}, events);
  other.simulation.run();
  EXPECT_THAT(other.notebook.seen, ElementsAre(Time::ps(509'600), Time::ps(769'200)));
}

/// The acknowledgement travels at once, without bytes: 1259.2 + 1000.
TEST(Options, QuickAcknowledgementsCostNothingButLatency) {
  Bed bed({"nic.quick_acks=yes"});
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(2'259'200)));
  EXPECT_EQ(put.released.size(), 1U);
}

/// Commands and events cost nothing on the bus, but an event is still seen 250 ns later.
TEST(Options, WithoutPciCommands) {
  Bed bed({"nic.pci_commands=no"});
  bed.notebook.completed_events = 1;
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.accepted, ElementsAre(Time::zero()));
  EXPECT_THAT(bed.notebook.seen, ElementsAre(Time::ps(1'002'800 + 1'005'200 + 250'000)));
}

/// Nor do payloads: 4096 B arrive 2 + 1409.6 ns after the call.
TEST(Options, WithoutPci) {
  Bed bed({"nic.pci=no"});
  const Notebook::Page& put = bed.run_put(4096);
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(1'411'600)));
  EXPECT_THAT(bed.records.of(Activity::pci_dma_request), IsEmpty());
}

/// A node of its own kind: the acknowledgements of node 1 are 1000 B longer.
TEST(Options, BelongToNodes) {
  Bed bed({}, kPair + "overrides: [{nodes: \"1\", ack_size: 1032B}]\n");
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(2'264'400 + 100'000)));
}

/// One record for everything a large put does, in the order of the ends: command, request to
/// memory, payload read, the put itself, ...
TEST(Observer, SeesEveryActivity) {
  Bed bed;
  bed.notebook.completed_events = 1;
  bed.put(4096);
  bed.simulation.run();
  std::vector<Activity> seen;
  for (const ActivityRecord& record : bed.records.all) {
    EXPECT_EQ(record.operation, 1U);
    EXPECT_LE(record.start, record.end);
    EXPECT_FALSE(record.failed);
    seen.push_back(record.activity);
  }
  EXPECT_THAT(
      seen, ElementsAre(Activity::pci_command, Activity::pci_dma_request, Activity::pci_dma_payload,
                        Activity::put, Activity::pci_payload_write, Activity::portals_ack,
                        Activity::pci_event, Activity::bxi_ack));
  const ActivityRecord put = bed.records.of(Activity::put)[0];
  EXPECT_EQ(put.initiator, (ProcessId{NodeId{0}, 1}));
  EXPECT_EQ(put.target, (ProcessId{NodeId{1}, 2}));
  EXPECT_EQ(put.size, Bytes(4096));
  EXPECT_EQ(put.virtual_network, 1);
  EXPECT_EQ(put.start, Time::ps(747'308));
  EXPECT_EQ(put.end, Time::ps(2'156'908));
  const ActivityRecord ack = bed.records.of(Activity::portals_ack)[0];
  EXPECT_EQ(ack.initiator, (ProcessId{NodeId{1}, 2}));
  EXPECT_EQ(ack.target, (ProcessId{NodeId{0}, 1}));
  EXPECT_EQ(ack.virtual_network, 3);
}

}  // namespace
}  // namespace heddle::nic
