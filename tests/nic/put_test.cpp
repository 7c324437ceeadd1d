// Puts without trouble: the times of each path of the payload, and what the software is told.
//
// On the machine of these tests a bus takes 250 ns and the wire 1 us, and both 0.1 ns per byte. A
// command of 64 B crosses the bus in 256.4 ns; an engine takes 2 ns before each message; an
// acknowledgement of 32 B needs 2 + 1003.2 ns from the match to the initiator.
#include <gmock/gmock.h>

#include "support.hpp"

namespace heddle::nic {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// 8 B arrive 2 + 1000.8 ns after the command; the acknowledgement is back 1005.2 ns later. Its
/// event takes 250 + 9.6 ns, and is seen 250 ns later.
TEST(Put, InlinePayloadTravelsInTheCommand) {
  Bed bed;
  bed.notebook.completed_events = 1;
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.accepted, ElementsAre(Time::ps(256'400)));
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(256'400 + 2'000 + 1'000'800)));
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(1'259'200 + 1'005'200)));
  EXPECT_THAT(bed.notebook.seen, ElementsAre(Time::ps(2'264'400 + 509'600)));
}

/// The times of docs/life-of-a-put.md, with an event at either end: each takes 250 + 9.6 ns to
/// memory and 250 ns to be seen, and the target's is written before the acknowledgement of 32 B
/// leaves (2 + 1003.2 ns).
TEST(Put, LivesAsDocumented) {
  Bed bed;
  bed.notebook.completed_events = 1;
  bed.notebook.target_events = 1;
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.accepted, ElementsAre(Time::ps(256'400)));
  EXPECT_EQ(bed.records.of(Activity::put)[0].start, Time::ps(258'400));
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(1'259'200)));
  EXPECT_EQ(bed.records.of(Activity::pci_event)[0].end, Time::ps(1'518'800));
  EXPECT_THAT(bed.notebook.seen_at_target, ElementsAre(Time::ps(1'768'800)));
  EXPECT_EQ(bed.records.of(Activity::portals_ack)[0].start, Time::ps(1'520'800));
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(2'524'000)));
  EXPECT_THAT(bed.notebook.seen, ElementsAre(Time::ps(3'033'600)));
}

/// The processor writes 56 B and waits for the fence of 200 ns before it gives the command; then 64
/// B travel from the adapter: 456.4 + 2 + 1006.4.
TEST(Put, BufferedPayloadIsWrittenByTheProcessor) {
  Bed bed;
  Request request = bed.request(Operation::put, 64);
  request.buffered = true;
  const Notebook::Page& put = bed.run(request);
  EXPECT_THAT(put.accepted, ElementsAre(Time::ps(456'400)));
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(1'464'800)));
  ASSERT_EQ(bed.records.of(Activity::pci_pio_payload).size(), 1U);
  EXPECT_EQ(bed.records.of(Activity::pci_pio_payload)[0].size, Bytes(56));
}

/// The request to read memory crosses the bus in 256.4 ns (514.8); the first packet takes 200 ns
/// and 512 B at 15.75 GB/s, 32.508 ns (747.308); then 4096 B travel, 1409.6 ns.
TEST(Put, LargePayloadIsStreamedFromMemory) {
  Bed bed;
  const Notebook::Page& put = bed.run_put(4096);
  EXPECT_THAT(put.accepted, ElementsAre(Time::ps(256'400)));
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(747'308 + 1'409'600)));
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(2'156'908 + 1'005'200)));
}

/// Software that does not want to know when its buffer is free hears of the put when it arrives and
/// when it is answered, at the same times. The engine is as busy as ever: a second put, given with
/// the first (which is on the wire at 258.4), follows after 200 + 2 ns.
TEST(Put, NeedNotReportThatItIsSent) {
  Bed bed;
  Request request = bed.request(Operation::put, 8);
  request.wants_sent = false;
  const std::uint32_t put = bed.issue(request);
  bed.put(8);
  bed.simulation.run();
  EXPECT_THAT(bed.page(put).sent, IsEmpty());
  EXPECT_THAT(bed.page(put).arrived, ElementsAre(Time::ps(1'259'200)));
  EXPECT_THAT(bed.page(put).completed, ElementsAre(Time::ps(1'259'200 + 1'005'200)));
  ASSERT_EQ(bed.records.of(Activity::put).size(), 2U);
  EXPECT_EQ(bed.records.of(Activity::put)[1].start, Time::ps(258'400 + 202'000));
}

/// The sizes at which the path changes: 8 and 408 B beside match bits, 16 and 416 B without.
TEST(Put, LimitsDependOnMatching) {
  const auto paths = [](std::int64_t size, bool matching) {
    Bed bed;
    Request request = bed.request(Operation::put, size);
    request.buffered = true;
    request.matching = matching;
    bed.issue(request);
    bed.simulation.run();
    return std::pair(bed.records.of(Activity::pci_pio_payload).size(),
                     bed.records.of(Activity::pci_dma_request).size());
  };
  EXPECT_EQ(paths(8, true), std::pair(0UL, 0UL));
  EXPECT_EQ(paths(9, true), std::pair(1UL, 0UL));
  EXPECT_EQ(paths(408, true), std::pair(1UL, 0UL));
  EXPECT_EQ(paths(409, true), std::pair(0UL, 1UL));
  EXPECT_EQ(paths(16, false), std::pair(0UL, 0UL));
  EXPECT_EQ(paths(17, false), std::pair(1UL, 0UL));
  EXPECT_EQ(paths(416, false), std::pair(1UL, 0UL));
  EXPECT_EQ(paths(417, false), std::pair(0UL, 1UL));
}

/// Up to 64 B the adapter keeps the payload: it is sent 200 ns after it went on the wire (258.4),
/// or when all of it is read: 514.8 + 250 + 5.6 for 56 of 64 B.
TEST(Put, SmallBuffersAreFreeWhenSent) {
  Bed bed;
  const Notebook::Page& inlined = bed.run_put(8);
  EXPECT_THAT(inlined.sent, ElementsAre(Time::ps(458'400)));
  Bed other;
  const Notebook::Page& read = other.run_put(64);
  EXPECT_THAT(read.sent, ElementsAre(Time::ps(770'400)));
}

TEST(Put, LargerBuffersAreFreeWhenAcknowledged) {
  Bed bed;
  const Notebook::Page& put = bed.run_put(65);
  EXPECT_THAT(put.sent, IsEmpty());
  EXPECT_EQ(put.completed.size(), 1U);
}

/// Without acknowledgements of any kind nobody would ever say so: a large buffer is free when its
/// last byte has been read, at 514.8 + 250 + 408.8 ns, later than it was injected (747.308 +
/// 409.6). S4BXI waits forever here.
TEST(Put, UnacknowledgedBuffersAreFreeWhenInjected) {
  Bed bed({"nic.e2e=no"});
  Request request = bed.request(Operation::put, 4096);
  request.wants_ack = false;
  const Notebook::Page& put = bed.run(request);
  EXPECT_THAT(put.sent, ElementsAre(Time::ps(1'173'600)));
  EXPECT_THAT(bed.notebook.calls,
              ElementsAre("accepted 1", "sent 1", "arrive 1", "completed 1", "released 1"));
  EXPECT_EQ(bed.adapters->stuck(), "");
}

/// The target's event is written before the acknowledgement is sent: 259.6 ns later than without.
TEST(Put, TargetEventDelaysTheAcknowledgement) {
  Bed bed;
  bed.notebook.target_events = 1;
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(bed.notebook.seen_at_target, ElementsAre(Time::ps(1'259'200 + 509'600)));
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(2'264'400 + 259'600)));
}

/// Two events of one step are written one after the other.
TEST(Put, EventsFollowEachOther) {
  Bed bed;
  bed.notebook.completed_events = 2;
  bed.put(8);
  bed.simulation.run();
  EXPECT_THAT(bed.notebook.seen,
              ElementsAre(Time::ps(2'264'400 + 509'600), Time::ps(2'264'400 + 769'200)));
}

/// Without a Portals acknowledgement the adapters' own one completes the put, at the same time.
TEST(Put, IsCompletedWithoutPortalsAcknowledgement) {
  Bed bed;
  Request request = bed.request(Operation::put, 8);
  request.wants_ack = false;
  const Notebook::Page& put = bed.run(request);
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(2'264'400)));
  EXPECT_THAT(bed.records.of(Activity::portals_ack), IsEmpty());
  EXPECT_EQ(bed.records.of(Activity::bxi_ack).size(), 1U);
}

/// The target may refuse to acknowledge; with and without E2E the request ends all the same.
TEST(Put, EndsIfTheTargetDoesNotAcknowledge) {
  for (const char* e2e : {"nic.e2e=yes", "nic.e2e=no"}) {
    Bed bed({e2e});
    bed.notebook.verdict = [](std::uint32_t) { return Verdict{Bytes(0), false, {}}; };
    const Notebook::Page& put = bed.run_put(4096);
    EXPECT_EQ(put.completed.size(), 1U) << e2e;
    EXPECT_EQ(put.released.size(), 1U) << e2e;
  }
}

/// The Portals acknowledgement is acknowledged in turn: the adapters forget the put when that has
/// arrived at the target, 2 + 1003.2 ns after it was completed. No timer is left behind.
TEST(Put, IsForgottenWhenItsAcknowledgementIsAcknowledged) {
  Bed bed;
  const Notebook::Page& put = bed.run_put(8);
  EXPECT_THAT(put.released, ElementsAre(Time::ps(2'264'400 + 1'005'200)));
  EXPECT_EQ(bed.simulation.now(), Time::ps(2'264'400 + 1'005'200));
  EXPECT_THAT(bed.notebook.calls,
              ElementsAre("accepted 1", "sent 1", "arrive 1", "completed 1", "released 1"));
}

/// A message to the own node crosses the loopback of 100 ns.
TEST(Put, ToTheOwnNodeUsesTheLoopback) {
  Bed bed;
  Request request = bed.request(Operation::put, 8);
  request.target.node = NodeId{0};
  const Notebook::Page& put = bed.run(request);
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(258'400 + 100'000)));
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(358'400 + 102'000)));
  EXPECT_EQ(put.released.size(), 1U);
}

/// The adapter reads 4096 B from memory and writes them there again: the first packet is in the
/// adapter at 747.308 ns, the bytes cross the bus in 409.6 ns, out and in, 100 ns apart.
TEST(Put, LargePayloadToTheOwnNodeCrossesTheBusBothWays) {
  Bed bed;
  Request request = bed.request(Operation::put, 4096);
  request.target.node = NodeId{0};
  const std::uint32_t put = bed.issue(request);
  bed.simulation.run();
  EXPECT_THAT(bed.page(put).arrived, ElementsAre(Time::ps(747'308 + 100'000 + 409'600)));
}

TEST(Put, WithoutPayloadArrivesAfterTheLatency) {
  Bed bed;
  const Notebook::Page& put = bed.run_put(0);
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(1'258'400)));
  EXPECT_THAT(put.completed, ElementsAre(Time::ps(2'263'600)));
}

/// A request that waited in the adapter needs no command: 2 + 1000.8 ns.
TEST(Put, TriggeredNeedsNoCommand) {
  Bed bed;
  Request request = bed.request(Operation::put, 8);
  request.triggered = true;
  const Notebook::Page& put = bed.run(request);
  EXPECT_THAT(put.accepted, IsEmpty());
  EXPECT_THAT(put.arrived, ElementsAre(Time::ps(1'002'800)));
  EXPECT_THAT(bed.records.of(Activity::pci_command), IsEmpty());
}

}  // namespace
}  // namespace heddle::nic
