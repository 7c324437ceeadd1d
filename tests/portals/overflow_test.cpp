// Unexpected messages: how the overflow list keeps them, who gets them, and how they are searched
// for.
#include "portals/lists_support.hpp"

namespace heddle::portals {
namespace {

// Messages for which nobody was ready lie in the overflow entry until somebody appends: the event
// says where they lie, how much of them, and what their headers said.
TEST(Overflow, KeepsUnexpectedMessages) {
  with_messages({{7, 4}, {8, 4}, {7, 4}}, [](const Side& side) {
    std::string memory(10, '.');
    ptl_me_t spare = me_of(memory.data(), 10, kQuiet | PTL_ME_MANAGE_LOCAL);
    spare.ignore_bits = ~0ULL;
    const ptl_handle_me_t handle = side.append(spare, PTL_OVERFLOW_LIST, user(9));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 9), Pair(PTL_EVENT_PUT, 9),
                                        Pair(PTL_EVENT_PUT, 9)));
    EXPECT_EQ(memory, "aaaabbbbcc");
    EXPECT_EQ(PtlMEUnlink(handle), PTL_IN_USE) << "its messages are still wanted";
    EXPECT_EQ(PtlPTFree(side.ni, kPortal), PTL_IN_USE);
    side.append(me_of(nullptr, 0, PTL_ME_OP_PUT, 7), PTL_PRIORITY_LIST, user(1));
    const std::vector<ptl_event_t> events = side.events();
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0].type, PTL_EVENT_PUT_OVERFLOW);
    EXPECT_EQ(events[0].user_ptr, user(1));
    EXPECT_EQ(events[0].start, memory.data());
    EXPECT_EQ(events[0].ptl_list, PTL_OVERFLOW_LIST);
    EXPECT_EQ(events[0].hdr_data, 0U);
    EXPECT_EQ(events[0].match_bits, 7U);
    EXPECT_EQ(events[1].start, memory.data() + 8);
    EXPECT_EQ(events[1].hdr_data, 2U);
    EXPECT_EQ(events[1].mlength, 2U);
    EXPECT_EQ(events[1].rlength, 4U);
    EXPECT_EQ(events[2].type, PTL_EVENT_LINK) << "it takes all that match, then is linked";
    side.append(me_of(nullptr, 0, PTL_ME_OP_PUT | PTL_ME_USE_ONCE, 8), PTL_PRIORITY_LIST, user(2));
    EXPECT_THAT(seen(side),
                ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 2), Pair(PTL_EVENT_AUTO_UNLINK, 2)));
    EXPECT_OK(PtlMEUnlink(handle));
  });
}

// An entry used once takes one of two messages; a handle of it is stale from the start.
TEST(Overflow, GivesOneMessageToAnEntryUsedOnce) {
  with_messages({{}, {}}, [](const Side& side) {
    char memory[8];
    side.append(me_of(memory, 8, kQuiet | PTL_ME_EVENT_COMM_DISABLE | PTL_ME_MANAGE_LOCAL),
                PTL_OVERFLOW_LIST);
    let_them_arrive();
    const ptl_me_t once = me_of(nullptr, 0, kQuiet | PTL_ME_USE_ONCE | PTL_ME_EVENT_UNLINK_DISABLE);
    const ptl_handle_me_t first = side.append(once, PTL_PRIORITY_LIST, user(1));
    EXPECT_EQ(PtlMEUnlink(first), PTL_ARG_INVALID);
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 1)));
    side.append(once, PTL_PRIORITY_LIST, user(2));
    const ptl_handle_me_t third = side.append(once, PTL_PRIORITY_LIST, user(3));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 2)));
    EXPECT_OK(PtlMEUnlink(third));
  });
}

// The overflow entry is full after two: AUTO_UNLINK then, AUTO_FREE when its last message is taken.
TEST(Overflow, IsFreedAfterItsLastMessage) {
  with_messages({{1}, {2}}, [](const Side& side) {
    char memory[2];
    ptl_me_t spare = me_of(memory, 2, kQuiet | PTL_ME_MANAGE_LOCAL | PTL_ME_EVENT_COMM_DISABLE);
    spare.ignore_bits = ~0ULL;
    spare.min_free = 1;
    const ptl_handle_me_t handle = side.append(spare, PTL_OVERFLOW_LIST, user(9));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_AUTO_UNLINK, 9)));
    EXPECT_EQ(PtlMEUnlink(handle), PTL_IN_USE);
    side.append(me_of(nullptr, 0, kQuiet | PTL_ME_USE_ONCE, 2), PTL_PRIORITY_LIST, user(1));
    EXPECT_THAT(seen(side),
                ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 1), Pair(PTL_EVENT_AUTO_UNLINK, 1)));
    side.append(me_of(nullptr, 0, kQuiet | PTL_ME_USE_ONCE, 1), PTL_PRIORITY_LIST, user(2));
    EXPECT_THAT(seen(side),
                ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 2), Pair(PTL_EVENT_AUTO_FREE, 9),
                            Pair(PTL_EVENT_AUTO_UNLINK, 2)));
    EXPECT_EQ(PtlMEUnlink(handle), PTL_ARG_INVALID);
  });
}

// UNEXPECTED_HDR_DISABLE: the message is stored and forgotten; nothing keeps the entry.
TEST(Overflow, MayForgetHeaders) {
  with_messages({{}}, [](const Side& side) {
    char memory[2];
    side.append(me_of(memory, 2, kQuiet | PTL_ME_USE_ONCE | PTL_ME_UNEXPECTED_HDR_DISABLE),
                PTL_OVERFLOW_LIST, user(9));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 9), Pair(PTL_EVENT_AUTO_UNLINK, 9),
                                        Pair(PTL_EVENT_AUTO_FREE, 9)));
    side.append(me_of(nullptr, 0, PTL_ME_OP_PUT), PTL_PRIORITY_LIST, user(1));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_LINK, 1)));
  });
}

TEST(Overflow, CountsAndKeepsQuietAsAsked) {
  with_messages({{1, 5}, {1, 5}, {2, 1}, {2, 1}}, [](const Side& side) {
    char memory[20];
    ptl_me_t spare = me_of(memory, 8, kQuiet | PTL_ME_MANAGE_LOCAL | PTL_ME_EVENT_COMM_DISABLE);
    spare.ignore_bits = ~0ULL;
    side.append(spare, PTL_OVERFLOW_LIST);
    let_them_arrive();
    const ptl_handle_ct_t ct = side.counter();
    ptl_me_t me = me_of(
        nullptr, 0,
        kQuiet | PTL_ME_EVENT_CT_OVERFLOW | PTL_ME_EVENT_CT_BYTES | PTL_ME_EVENT_OVER_DISABLE, 1);
    me.ct_handle = ct;
    side.append(me);
    EXPECT_THAT(seen(side), IsEmpty());
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{5 + 3, 0})) << "3 bytes of the second were stored";
    me = me_of(nullptr, 0, kQuiet | PTL_ME_EVENT_CT_OVERFLOW | PTL_ME_EVENT_SUCCESS_DISABLE, 2);
    me.ct_handle = ct;
    side.append(me);
    EXPECT_THAT(seen(side), IsEmpty());
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{8 + 2, 0}));
  });
}

// The offset of an entry with LOCAL_INC_UH_RLENGTH is moved by what is in the unexpected messages:
// 3 + 4, so the next message lands at 7.
TEST(Overflow, MovesTheOffsetOfAnEntryThatAsksForIt) {
  Bed bed;
  bed.run([](std::uint32_t rank) {
    const Side side;
    if (rank == 0) {
      char source[8] = "xxxxxxx";
      const ptl_handle_md_t md = side.bind(source, 8);
      pause();
      EXPECT_OK(side.put(md, 3, 1));
      EXPECT_OK(side.put(md, 4, 1));
      pause(2);
      EXPECT_OK(side.put(md, 2, 1));
      return pause();
    }
    char spare[2];
    std::string memory(12, '.');
    side.append(me_of(spare, 2, kQuiet | PTL_ME_EVENT_COMM_DISABLE), PTL_OVERFLOW_LIST);
    pause(2);
    ptl_me_t me =
        me_of(memory.data(), 12, kQuiet | PTL_ME_MANAGE_LOCAL | PTL_ME_LOCAL_INC_UH_RLENGTH);
    side.append(me);
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_PUT_OVERFLOW, PTL_EVENT_PUT_OVERFLOW));
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_PUT));
    EXPECT_EQ(memory, ".......xx...");
  });
}

// With min_free 6 of 12 the second message uses it up: it is not linked. The third stays.
TEST(Overflow, MayUseUpAnEntryByMovingItsOffset) {
  with_messages({{0, 3}, {0, 4}, {0, 1}}, [](const Side& side) {
    char spare[2], memory[12];
    side.append(me_of(spare, 2, kQuiet | PTL_ME_EVENT_COMM_DISABLE), PTL_OVERFLOW_LIST);
    let_them_arrive();
    ptl_me_t me =
        me_of(memory, 12, PTL_ME_OP_PUT | PTL_ME_MANAGE_LOCAL | PTL_ME_LOCAL_INC_UH_RLENGTH);
    me.min_free = 6;
    side.append(me, PTL_PRIORITY_LIST, user(1));
    EXPECT_THAT(seen(side),
                ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 1), Pair(PTL_EVENT_PUT_OVERFLOW, 1),
                            Pair(PTL_EVENT_AUTO_UNLINK, 1)));
    side.append(me_of(memory, 12, PTL_ME_OP_PUT), PTL_PRIORITY_LIST, user(2));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 2), Pair(PTL_EVENT_LINK, 2)));
  });
}

// Entries of the overflow list do not look at unexpected messages.
TEST(Overflow, DoesNotSearchForItsOwnEntries) {
  with_messages({{}}, [](const Side& side) {
    char memory[4];
    side.append(me_of(memory, 2, kQuiet | PTL_ME_EVENT_COMM_DISABLE), PTL_OVERFLOW_LIST);
    let_them_arrive();
    side.append(me_of(memory, 2, PTL_ME_OP_PUT), PTL_OVERFLOW_LIST, user(1));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_LINK, 1)));
  });
}

/// Three messages of bits 1, 2, 1 lie in an overflow entry that is unlinked already.
void with_unexpected(const std::function<void(const Side&, const char*)>& body) {
  with_messages({{1}, {2}, {1}}, [&](const Side& side) {
    char memory[3];
    ptl_me_t spare = me_of(memory, 3, kQuiet | PTL_ME_MANAGE_LOCAL | PTL_ME_EVENT_COMM_DISABLE);
    spare.ignore_bits = ~0ULL;
    spare.min_free = 1;
    side.append(spare, PTL_OVERFLOW_LIST, user(9));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_AUTO_UNLINK, 9)));
    body(side, memory);
  });
}

int search(const Side& side, ptl_search_op_t what, unsigned int options, ptl_match_bits_t bits,
           ptl_handle_ct_t ct = PTL_CT_NONE) {
  ptl_me_t me = me_of(nullptr, 0, options, bits);
  me.ct_handle = ct;
  return PtlMESearch(side.ni, kPortal, &me, what, user(5));
}

TEST(Search, FindsAndLeavesMessages) {
  with_unexpected([](const Side& side, const char* memory) {
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, PTL_ME_USE_ONCE, 2));
    std::vector<ptl_event_t> events = side.events();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].type, PTL_EVENT_SEARCH);
    EXPECT_EQ(events[0].ni_fail_type, PTL_NI_OK);
    EXPECT_EQ(events[0].user_ptr, user(5));
    EXPECT_EQ(events[0].start, memory + 1);
    EXPECT_EQ(events[0].hdr_data, 1U);
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, 0, 1));
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_SEARCH, PTL_EVENT_SEARCH)) << "one per match";
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, 0, 3));
    events = side.events();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].type, PTL_EVENT_SEARCH);
    EXPECT_EQ(events[0].ni_fail_type, PTL_NI_NO_MATCH);
    EXPECT_EQ(events[0].user_ptr, user(5));
  });
}

TEST(Search, DeletesMessages) {
  with_unexpected([](const Side& side, const char*) {
    EXPECT_OK(search(side, PTL_SEARCH_DELETE, PTL_ME_USE_ONCE, 1));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 5)));
    EXPECT_OK(search(side, PTL_SEARCH_DELETE, PTL_ME_USE_ONCE, 3));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_SEARCH, 5)));
    EXPECT_OK(search(side, PTL_SEARCH_DELETE, 0, 1));
    EXPECT_OK(search(side, PTL_SEARCH_DELETE, 0, 2));
    EXPECT_THAT(seen(side),
                ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 5), Pair(PTL_EVENT_PUT_OVERFLOW, 5),
                            Pair(PTL_EVENT_AUTO_FREE, 9)));
    EXPECT_OK(PtlPTFree(side.ni, kPortal));
  });
}

TEST(Search, ObeysOptions) {
  with_unexpected([](const Side& side, const char*) {
    const ptl_handle_ct_t ct = side.counter();
    EXPECT_OK(
        search(side, PTL_SEARCH_ONLY, PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_CT_OVERFLOW, 1, ct));
    EXPECT_OK(
        search(side, PTL_SEARCH_ONLY, PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_CT_OVERFLOW, 3, ct));
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, PTL_ME_EVENT_SUCCESS_DISABLE, 1));
    EXPECT_THAT(seen(side), IsEmpty());
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{2, 2})) << "two found, two ends";
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, PTL_ME_EVENT_SUCCESS_DISABLE, 3));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_SEARCH, 5))) << "failures are told";
    EXPECT_OK(search(side, PTL_SEARCH_DELETE, PTL_ME_EVENT_OVER_DISABLE, 1));
    EXPECT_THAT(seen(side), IsEmpty());
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, 0, 1));
    EXPECT_EQ(side.events()[0].ni_fail_type, PTL_NI_NO_MATCH);
  });
}

// A search that goes on ends with one failure, whatever it has found; one that is for a single
// message fails only if there is none. Who waits for the counter is never left waiting.
TEST(Search, CountsItsEnd) {
  with_unexpected([](const Side& side, const char*) {
    const auto count = [&](unsigned int options, ptl_match_bits_t bits) {
      const ptl_handle_ct_t ct = side.counter();
      EXPECT_OK(search(side, PTL_SEARCH_ONLY, options | PTL_ME_EVENT_CT_OVERFLOW, bits, ct));
      ptl_ct_event_t value{};
      EXPECT_OK(PtlCTWait(ct, 1, &value));
      return Side::value(ct);
    };
    EXPECT_EQ(count(0, 1), (ptl_ct_event_t{2, 1}));
    EXPECT_EQ(count(0, 3), (ptl_ct_event_t{0, 1}));
    EXPECT_EQ(count(PTL_ME_USE_ONCE, 1), (ptl_ct_event_t{1, 0}));
    EXPECT_EQ(count(PTL_ME_USE_ONCE, 3), (ptl_ct_event_t{0, 1}));
  });
}

}  // namespace
}  // namespace heddle::portals
