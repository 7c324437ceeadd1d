// Puts: where data goes, who hears of it, and what each option changes.
#include <numeric>

#include "portals/support.hpp"

namespace heddle::portals {
namespace {

void* const kInitiator = user(0x11);
void* const kTarget = user(0x22);

/// What rank 0 puts, and what rank 1 offers.
struct Case {
  std::size_t room = 8;
  unsigned int me_options = PTL_ME_OP_PUT;
  std::size_t length = 3;
  ptl_size_t offset = 0;
  unsigned int md_options = 0;
  ptl_ack_req_t ack = PTL_ACK_REQ;
  ptl_uid_t uid = PTL_UID_ANY;
  std::vector<std::string> sets = {};
};

struct PutOutcome {
  std::vector<char> memory;            ///< The target's: letters where something was put.
  std::vector<ptl_event_t> initiator;  ///< Events there.
  std::vector<ptl_event_t> target;
  ptl_ct_event_t initiator_count{};
  ptl_ct_event_t target_count{};
  std::array<ptl_sr_value_t, PTL_SR_LAST> status{};

  std::string text() const { return {memory.begin(), memory.end()}; }
};

void offer(const Case& what, PutOutcome& outcome) {
  const Side side;
  const ptl_handle_ct_t ct = side.counter();
  ptl_me_t me =
      me_of(outcome.memory.data(), what.room, what.me_options | PTL_ME_EVENT_LINK_DISABLE);
  me.ct_handle = ct;
  me.uid = what.uid;
  side.append(me, PTL_PRIORITY_LIST, kTarget);
  pause();
  outcome.target = side.events();
  outcome.target_count = Side::value(ct);
  for (int i = 0; i < PTL_SR_LAST; ++i) outcome.status[i] = side.status(ptl_sr_index_t(i));
}

void put(const Case& what, PutOutcome& outcome) {
  std::vector<char> source(what.length);
  std::iota(source.begin(), source.end(), 'a');
  const Side side;
  const ptl_handle_ct_t ct = side.counter();
  const ptl_handle_md_t md = side.bind(source.data(), what.length, what.md_options, ct);
  pause();
  EXPECT_OK(
      PtlPut(md, 0, what.length, what.ack, rank_id(1), kPortal, 0, what.offset, kInitiator, 77));
  outcome.initiator = side.events();
  outcome.initiator_count = Side::value(ct);
  EXPECT_OK(PtlMDRelease(md));
}

PutOutcome run_put(const Case& what) {
  PutOutcome outcome;
  outcome.memory.assign(what.room, '.');
  Bed bed(2, what.sets);
  bed.run([&](std::uint32_t rank) {
    if (rank == 1) {
      offer(what, outcome);
    } else {
      put(what, outcome);
    }
  });
  EXPECT_EQ(bed.machine().commands().in_use(), 0U) << "every operation is forgotten in the end";
  EXPECT_EQ(bed.machine().events().in_use(), 0U);
  EXPECT_EQ(bed.machine().counters().in_use(), 0U);
  return outcome;
}

std::vector<ptl_event_kind_t> kinds(const std::vector<ptl_event_t>& events) {
  std::vector<ptl_event_kind_t> all;
  for (const ptl_event_t& event : events) all.push_back(event.type);
  return all;
}

// The data lands at the offset asked for; the initiator hears SEND and ACK, the target PUT, each
// with what belongs to it.
TEST(Put, MovesDataAndTellsBothSides) {
  const PutOutcome done = run_put({.offset = 2});
  EXPECT_EQ(done.text(), "..abc...");
  ASSERT_THAT(kinds(done.initiator), ElementsAre(PTL_EVENT_SEND, PTL_EVENT_ACK));
  const ptl_event_t& ack = done.initiator[1];
  EXPECT_EQ(ack.mlength, 3U);
  EXPECT_EQ(ack.remote_offset, 2U);
  EXPECT_EQ(ack.ptl_list, PTL_PRIORITY_LIST);
  EXPECT_EQ(ack.ni_fail_type, PTL_NI_OK);
  EXPECT_EQ(ack.user_ptr, kInitiator);
  ASSERT_THAT(kinds(done.target), ElementsAre(PTL_EVENT_PUT));
  const ptl_event_t& put = done.target[0];
  EXPECT_EQ(put.start, done.memory.data() + 2);
  EXPECT_EQ(put.user_ptr, kTarget);
  EXPECT_EQ(put.rlength, 3U);
  EXPECT_EQ(put.mlength, 3U);
  EXPECT_EQ(put.remote_offset, 2U);
  EXPECT_EQ(put.hdr_data, 77U);
  EXPECT_EQ(put.initiator.rank, 0U);
  EXPECT_EQ(put.uid, 1000U);
  EXPECT_EQ(put.pt_index, kPortal);
  EXPECT_EQ(put.ptl_list, PTL_PRIORITY_LIST);
  EXPECT_EQ(put.ni_fail_type, PTL_NI_OK);
}

// A put of no bytes is a message like any other.
TEST(Put, MayBeEmpty) {
  const PutOutcome done = run_put({.length = 0});
  EXPECT_THAT(kinds(done.initiator), ElementsAre(PTL_EVENT_SEND, PTL_EVENT_ACK));
  EXPECT_THAT(kinds(done.target), ElementsAre(PTL_EVENT_PUT));
}

// 10 bytes to offset 6 of 8: two fit. At or beyond the end nothing does, and it still matches.
TEST(Put, IsTruncatedAtTheEndOfTheEntry) {
  const PutOutcome some = run_put({.length = 10, .offset = 6});
  EXPECT_EQ(some.text(), "......ab");
  EXPECT_EQ(some.initiator[1].mlength, 2U);
  EXPECT_EQ(some.target[0].mlength, 2U);
  EXPECT_EQ(some.target[0].rlength, 10U);
  const PutOutcome none = run_put({.length = 10, .offset = 9});
  EXPECT_EQ(none.text(), "........");
  EXPECT_EQ(none.initiator[1].mlength, 0U);
  EXPECT_EQ(none.initiator[1].ni_fail_type, PTL_NI_OK);
}

TEST(Put, DoesNotMatchAnEntryThatMayNotTruncate) {
  const PutOutcome done = run_put({.me_options = PTL_ME_OP_PUT | PTL_ME_NO_TRUNCATE, .length = 9});
  EXPECT_EQ(done.initiator[1].ni_fail_type, PTL_NI_DROPPED);
  EXPECT_THAT(done.target, IsEmpty());
  EXPECT_EQ(done.status[PTL_SR_DROP_COUNT], 1U);
  const PutOutcome fits = run_put({.me_options = PTL_ME_OP_PUT | PTL_ME_NO_TRUNCATE, .length = 8});
  EXPECT_EQ(fits.initiator[1].ni_fail_type, PTL_NI_OK);
}

// Only ACK_REQ gives an ACK event; CT_ACK_REQ and OC_ACK_REQ count where the descriptor counts
// acknowledgements; NO_ACK_REQ does neither.
TEST(Put, AcknowledgesAsAsked) {
  const auto of = [](ptl_ack_req_t ack) {
    return run_put({.md_options = PTL_MD_EVENT_CT_ACK, .ack = ack});
  };
  const PutOutcome full = of(PTL_ACK_REQ);
  EXPECT_THAT(kinds(full.initiator), ElementsAre(PTL_EVENT_SEND, PTL_EVENT_ACK));
  EXPECT_EQ(full.initiator_count, (ptl_ct_event_t{1, 0}));
  for (const ptl_ack_req_t ack : {PTL_CT_ACK_REQ, PTL_OC_ACK_REQ}) {
    const PutOutcome counted = of(ack);
    EXPECT_THAT(kinds(counted.initiator), ElementsAre(PTL_EVENT_SEND));
    EXPECT_EQ(counted.initiator_count, (ptl_ct_event_t{1, 0}));
  }
  const PutOutcome none = of(PTL_NO_ACK_REQ);
  EXPECT_THAT(kinds(none.initiator), ElementsAre(PTL_EVENT_SEND));
  EXPECT_EQ(none.initiator_count, (ptl_ct_event_t{0, 0}));
}

// Counting: SEND, ACK one each; with CT_BYTES the length for SEND and what was stored for ACK.
TEST(Put, CountsAtTheInitiator) {
  constexpr unsigned int both = PTL_MD_EVENT_CT_SEND | PTL_MD_EVENT_CT_ACK;
  EXPECT_EQ(run_put({.md_options = both}).initiator_count, (ptl_ct_event_t{2, 0}));
  EXPECT_EQ(run_put({.md_options = PTL_MD_EVENT_CT_SEND}).initiator_count, (ptl_ct_event_t{1, 0}));
  const PutOutcome bytes = run_put(
      {.room = 4, .length = 10, .md_options = both | PTL_MD_EVENT_CT_BYTES, .ack = PTL_CT_ACK_REQ});
  EXPECT_EQ(bytes.initiator_count, (ptl_ct_event_t{10 + 4, 0}));
  // An acknowledgement of completed operations counts these, never bytes: 10 sent, 1 complete.
  const PutOutcome operations = run_put(
      {.room = 4, .length = 10, .md_options = both | PTL_MD_EVENT_CT_BYTES, .ack = PTL_OC_ACK_REQ});
  EXPECT_EQ(operations.initiator_count, (ptl_ct_event_t{10 + 1, 0}));
}

// An acknowledgement that neither an event nor a counter will show keeps no descriptor in use.
TEST(Put, ReleasesDescriptorsOfUnseenAcknowledgements) {
  Bed bed(2);
  char memory[8] = {};
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) side.append(me_of(memory, 8, PTL_ME_OP_PUT));
    pause();
    if (rank == 1) return;
    char byte = 1;
    const ptl_handle_md_t quiet = side.bind(&byte, 1, 0);
    EXPECT_OK(side.put(quiet, 1, 1, 0, 0, PTL_CT_ACK_REQ));
    ptl_event_t event{};
    EXPECT_OK(PtlEQWait(side.eq, &event));
    EXPECT_EQ(event.type, PTL_EVENT_SEND);
    EXPECT_OK(PtlMDRelease(quiet)) << "sent, and nothing more will be heard";
    const ptl_handle_md_t told = side.bind(&byte, 1, 0);
    EXPECT_OK(side.put(told, 1, 1, 0, 0, PTL_ACK_REQ));
    EXPECT_OK(PtlEQWait(side.eq, &event));
    EXPECT_EQ(PtlMDRelease(told), PTL_IN_USE) << "its acknowledgement will be an event";
    EXPECT_OK(PtlEQWait(side.eq, &event));
    EXPECT_OK(PtlMDRelease(told));
  });
  EXPECT_EQ(bed.machine().commands().in_use(), 0U);
}

TEST(Put, CountsAtTheTarget) {
  constexpr unsigned int count = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM;
  EXPECT_EQ(run_put({.me_options = count}).target_count, (ptl_ct_event_t{1, 0}));
  const PutOutcome bytes = run_put({.me_options = count | PTL_ME_EVENT_CT_BYTES});
  EXPECT_EQ(bytes.target_count, (ptl_ct_event_t{3, 0}));
  // Counting does not depend on full events.
  const PutOutcome quiet = run_put({.me_options = count | PTL_ME_EVENT_COMM_DISABLE});
  EXPECT_EQ(quiet.target_count, (ptl_ct_event_t{1, 0}));
  EXPECT_THAT(quiet.target, IsEmpty());
  EXPECT_EQ(run_put({.me_options = PTL_ME_OP_PUT}).target_count, (ptl_ct_event_t{0, 0}));
}

TEST(Put, LeavesOutDisabledEvents) {
  const PutOutcome no_send = run_put({.md_options = PTL_MD_EVENT_SEND_DISABLE});
  EXPECT_THAT(kinds(no_send.initiator), ElementsAre(PTL_EVENT_ACK));
  const PutOutcome quiet = run_put({.me_options = PTL_ME_OP_PUT | PTL_ME_EVENT_SUCCESS_DISABLE,
                                    .md_options = PTL_MD_EVENT_SUCCESS_DISABLE});
  EXPECT_THAT(quiet.initiator, IsEmpty());
  EXPECT_THAT(quiet.target, IsEmpty());
  const PutOutcome failed = run_put({.me_options = 0, .md_options = PTL_MD_EVENT_SUCCESS_DISABLE});
  EXPECT_THAT(kinds(failed.initiator), ElementsAre(PTL_EVENT_ACK)) << "failures are still told";
}

TEST(Put, IsNotAcknowledgedByAnEntryThatDisablesIt) {
  const PutOutcome done = run_put(
      {.me_options = PTL_ME_OP_PUT | PTL_ME_ACK_DISABLE, .md_options = PTL_MD_EVENT_CT_ACK});
  EXPECT_THAT(kinds(done.initiator), ElementsAre(PTL_EVENT_SEND));
  EXPECT_EQ(done.initiator_count, (ptl_ct_event_t{0, 0}));
  EXPECT_EQ(done.text(), "abc.....");
}

// Without OP_PUT the put is refused: nothing is written, the ACK says OP_VIOLATION, the register
// counts, the target hears nothing, and the failure is counted.
TEST(Put, NeedsPermissionForTheOperation) {
  const PutOutcome done = run_put(
      {.me_options = PTL_ME_OP_GET | PTL_ME_EVENT_CT_COMM, .md_options = PTL_MD_EVENT_CT_ACK});
  EXPECT_EQ(done.text(), "........");
  EXPECT_EQ(done.initiator[1].ni_fail_type, PTL_NI_OP_VIOLATION);
  EXPECT_EQ(done.initiator[1].mlength, 0U);
  EXPECT_EQ(done.initiator_count, (ptl_ct_event_t{0, 1}));
  EXPECT_EQ(done.status[PTL_SR_OPERATION_VIOLATIONS], 1U);
  EXPECT_EQ(done.status[PTL_SR_DROP_COUNT], 0U);
  EXPECT_EQ(done.target_count, (ptl_ct_event_t{0, 0}));
  EXPECT_THAT(done.target, IsEmpty());
}

TEST(Put, NeedsTheUserTheEntryNames) {
  const PutOutcome mine = run_put({.uid = 1000});
  EXPECT_EQ(mine.initiator[1].ni_fail_type, PTL_NI_OK);
  const PutOutcome other = run_put({.uid = 1001});
  EXPECT_EQ(other.initiator[1].ni_fail_type, PTL_NI_PERM_VIOLATION);
  EXPECT_EQ(other.status[PTL_SR_PERMISSION_VIOLATIONS], 1U);
  EXPECT_EQ(other.text(), "........");
}

TEST(Put, WithoutPayloadsMovesNothingAndTellsEverything) {
  const PutOutcome done = run_put({.sets = {"portals.copy_payload=no"}});
  EXPECT_EQ(done.text(), "........");
  EXPECT_EQ(done.target[0].mlength, 3U);
  EXPECT_EQ(done.initiator[1].mlength, 3U);
}

// To a process that is not there, has not opened the interface, or a portal that is not allocated:
// dropped, and the ACK says so.
TEST(Put, ToNobodyIsDropped) {
  Bed bed(3);
  bed.run([&](std::uint32_t rank) {
    if (rank == 1) return;  // Ends at once.
    if (rank == 2) {
      const Side other(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
      return pause(3);
    }
    const Side side;
    char byte = 'x';
    const ptl_handle_md_t md = side.bind(&byte, 1);
    pause();
    for (const std::uint32_t target : {1U, 2U}) {
      EXPECT_OK(side.put(md, 1, target));
      EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
      EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_DROPPED);
    }
    EXPECT_OK(PtlPut(md, 0, 1, PTL_ACK_REQ, rank_id(0), 77, 0, 0, nullptr, 0));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_DROPPED);
    EXPECT_EQ(side.status(PTL_SR_DROP_COUNT), 1U);
  });
}

// Given up by the adapter after its retries: SEND and ACK both say UNDELIVERABLE.
TEST(Put, MayBeUndeliverable) {
  nic::Faults faults;
  faults.drop = 1;
  Bed bed(2, {"nic.e2e_timeout=1us", "nic.e2e_retries=2"}, 1, faults);
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) return pause(2);
    std::vector<char> source(100);
    const ptl_handle_md_t md = side.bind(source.data(), 100, PTL_MD_EVENT_CT_ACK, side.counter());
    EXPECT_OK(side.put(md, 100, 1));
    const ptl_event_t send = side.wait();
    EXPECT_EQ(send.type, PTL_EVENT_SEND);
    EXPECT_EQ(send.ni_fail_type, PTL_NI_UNDELIVERABLE);
    EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_UNDELIVERABLE);
    EXPECT_OK(PtlMDRelease(md));
  });
}

// Headers are matched in the order of issue, long and short alike.
TEST(Put, KeepsItsOrder) {
  std::vector<char> memory(4000, '.');
  std::vector<ptl_hdr_data_t> order;
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(memory.data(), memory.size(), PTL_ME_OP_PUT));
      side.events();
      for (const ptl_event_t& event : side.events()) order.push_back(event.hdr_data);
      return;
    }
    std::vector<char> source(4000, 'x');
    const ptl_handle_md_t md = side.bind(source.data(), source.size());
    pause();
    for (std::uint64_t i = 0; i < 10; ++i) {
      const ptl_size_t length = i % 2 == 0 ? 4000 : 1;
      EXPECT_OK(PtlPut(md, 0, length, PTL_NO_ACK_REQ, rank_id(1), kPortal, 0, 0, nullptr, i));
    }
    pause();
  });
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

// A process may put to itself.
TEST(Put, ReachesItsOwnProcess) {
  Bed bed(1);
  bed.run([&](std::uint32_t) {
    const Side side;
    char from = 'x', to = '.';
    side.append(me_of(&to, 1, kQuiet));
    EXPECT_OK(side.put(side.bind(&from, 1), 1, 0));
    EXPECT_THAT(side.kinds(),
                testing::UnorderedElementsAre(PTL_EVENT_SEND, PTL_EVENT_ACK, PTL_EVENT_PUT));
    EXPECT_EQ(to, 'x');
  });
}

}  // namespace
}  // namespace heddle::portals
