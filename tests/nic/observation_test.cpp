// What an observer is told of an operation.
#include <gtest/gtest.h>

#include <algorithm>

#include "support.hpp"

namespace heddle::nic {
namespace {

// A put of 4 KiB: the command, a request for memory and the reading of it, the put itself, its
// writing at the target, the acknowledgement, its event, and the acknowledgement of that between
// the adapters: each once, and all of one operation. They are told in the order of their ends.
TEST(Observation, OfAPutIsCompleteAndInOrder) {
  Bed bed;
  bed.notebook.completed_events = 1;
  bed.put(4096);
  bed.simulation.run();
  for (const Activity activity :
       {Activity::pci_command, Activity::pci_dma_request, Activity::pci_dma_payload, Activity::put,
        Activity::pci_payload_write, Activity::portals_ack, Activity::pci_event,
        Activity::bxi_ack}) {
    const auto records = bed.records.of(activity);
    ASSERT_EQ(records.size(), 1U) << static_cast<int>(activity);
    EXPECT_EQ(records[0].operation, bed.records.all[0].operation);
    EXPECT_LE(records[0].start, records[0].end);
  }
  EXPECT_EQ(bed.records.all.size(), 8U);
  EXPECT_TRUE(std::is_sorted(bed.records.all.begin(), bed.records.all.end(),
                             [](const auto& a, const auto& b) { return a.end < b.end; }));
}

// Of the payload, the last packet of 512 B does not overlap with the wire: it is read off the
// wire in 200 ns + 512 B at 15.75 GB/s, which is 32.508 ns, and written in 250 ns + 512 B at 10
// GB/s, which is 51.2 ns.
TEST(Observation, WritingEndsBehindTheArrival) {
  Bed bed;
  const std::uint32_t put = bed.put(4096);
  bed.simulation.run();
  const ActivityRecord write = bed.records.of(Activity::pci_payload_write).at(0);
  EXPECT_EQ(write.initiator, (ProcessId{NodeId{1}, 2}));
  EXPECT_EQ(write.target, write.initiator);
  EXPECT_EQ(write.size, Bytes(4096));
  EXPECT_EQ(write.start, bed.page(put).arrived.at(0) + Time::ps(232'508));
  EXPECT_EQ(write.end, write.start + Time::ps(301'200));
}

// A get is written where it was asked for; an empty put is written nowhere.
TEST(Observation, WritingIsOfWhatCarriesPayload) {
  Bed bed;
  bed.notebook.verdict = [](std::uint32_t) { return Verdict{Bytes(64), false, {}}; };
  bed.issue(bed.request(Operation::get, 0));
  bed.simulation.run();
  const auto writes = bed.records.of(Activity::pci_payload_write);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].initiator, (ProcessId{NodeId{0}, 1}));

  Bed empty;
  empty.put(0);
  empty.simulation.run();
  EXPECT_TRUE(empty.records.of(Activity::pci_payload_write).empty());
}

// From the event of a put's acknowledgement back to its process: each step has the one before it as
// its cause, and the command has none but the process, which gave it at 5 us.
TEST(Observation, KnowsWhyEachStepBegan) {
  Bed bed;
  bed.notebook.completed_events = 1;
  bed.simulation.run_until(Time::us(5));
  bed.put(4096);
  bed.simulation.run();
  ActivityRecord record = bed.records.of(Activity::pci_event).at(0);
  for (const Activity expected :
       {Activity::portals_ack, Activity::put, Activity::pci_dma_request, Activity::pci_command}) {
    record = bed.records.cause_of(record);
    EXPECT_EQ(record.activity, expected);
  }
  EXPECT_EQ(record.cause.activity, 0U);
  EXPECT_EQ(record.cause.since, Time::us(5));
  const ActivityRecord put = bed.records.of(Activity::put).at(0);
  EXPECT_TRUE(put.from_memory);
  EXPECT_TRUE(put.to_memory);
}

// Of two puts at once the second arrives while the only match engine is still at the first, until
// that is written: that, and not its own arrival, has its event written.
TEST(Observation, OfAMessageBeforeABusyEngineNamesWhatTheEngineDid) {
  Bed bed;
  bed.notebook.target_events = 1;
  bed.put(8);
  bed.put(8);
  bed.simulation.run();
  const auto events = bed.records.of(Activity::pci_event);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(bed.records.cause_of(events[0]).activity, Activity::put);
  const ActivityRecord before = bed.records.cause_of(events[1]);
  EXPECT_EQ(before.activity, Activity::pci_payload_write);
  EXPECT_EQ(before.operation, events[0].operation) << "of the first";
  EXPECT_EQ(before.end, events[1].start);
}

}  // namespace
}  // namespace heddle::nic
