// Matching, the priority and overflow lists, unexpected messages, search and unlink.
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

constexpr unsigned int kQuiet = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE;

void* user(std::uintptr_t number) {
  return reinterpret_cast<void*>(number);
}

/// The user pointers and kinds of events, as (kind, number).
std::vector<std::pair<ptl_event_kind_t, std::uintptr_t>> seen(const Side& side) {
  std::vector<std::pair<ptl_event_kind_t, std::uintptr_t>> all;
  for (const ptl_event_t& event : side.events()) {
    all.emplace_back(event.type, reinterpret_cast<std::uintptr_t>(event.user_ptr));
  }
  return all;
}

using testing::Pair;

/// Rank 0 puts one letter after the other to rank 1: {bits, length}.
struct Message {
  ptl_match_bits_t bits = 0;
  ptl_size_t length = 1;
};

/// Runs `target` on rank 1; the messages arrive in its first pause.
void with_messages(const std::vector<Message>& messages,
                   const std::function<void(const Side&)>& target,
                   const std::vector<std::string>& sets = {}, unsigned int portal = 0) {
  Bed bed(2, sets);
  bed.run([&](std::uint32_t rank) {
    const Side side(PTL_NI_MATCHING | PTL_NI_LOGICAL, portal);
    if (rank == 1) return target(side);
    std::vector<char> source(1000);
    const ptl_handle_md_t md = side.bind(source.data(), source.size(), PTL_MD_EVENT_SEND_DISABLE);
    pause();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      std::fill(source.begin(), source.end(), static_cast<char>('a' + i));
      EXPECT_OK(PtlPut(md, 0, messages[i].length, PTL_ACK_REQ, rank_id(1), kPortal,
                       messages[i].bits, 0, nullptr, i));
      EXPECT_EQ(side.wait().type, PTL_EVENT_ACK);
    }
    pause(4);
  });
  EXPECT_EQ(bed.machine().events().in_use(), 0U);
}

/// To the pause in which the messages arrive, and on to its end.
void let_them_arrive() {
  pause(2);
}

// Bits differ only where they are ignored: 0x12 and 0x1f match 0x10 with the low half ignored. The
// first entry in the order of appending wins.
TEST(Matching, ComparesBitsThatAreNotIgnored) {
  with_messages({{0x12}, {0x1f}, {0x22}, {0x20}}, [](const Side& side) {
    char memory[8];
    ptl_me_t low = me_of(memory, 8, kQuiet, 0x10);
    low.ignore_bits = 0xf;
    side.append(low, PTL_PRIORITY_LIST, user(1));
    side.append(me_of(memory, 8, kQuiet, 0x12), PTL_PRIORITY_LIST, user(2));
    ptl_me_t all = me_of(memory, 8, kQuiet);
    all.ignore_bits = ~0ULL;
    side.append(all, PTL_OVERFLOW_LIST, user(4));
    side.append(me_of(memory, 8, kQuiet, 0x20), PTL_PRIORITY_LIST, user(3));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 1), Pair(PTL_EVENT_PUT, 1),
                                        Pair(PTL_EVENT_PUT, 4), Pair(PTL_EVENT_PUT, 3)));
  });
}

TEST(Matching, ComparesTheInitiator) {
  with_messages({{}}, [](const Side& side) {
    char memory[8];
    ptl_me_t other = me_of(memory, 8, kQuiet);
    other.match_id = rank_id(1);
    side.append(other, PTL_PRIORITY_LIST, user(1));
    ptl_me_t right = me_of(memory, 8, kQuiet);
    right.match_id = rank_id(0);
    side.append(right, PTL_PRIORITY_LIST, user(2));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 2)));
  });
}

// On a physical interface node and process are wildcards of their own.
TEST(Matching, ComparesNodeAndProcessByThemselves) {
  Bed bed;
  bed.run([](std::uint32_t rank) {
    const Side side(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
    char memory[8] = {};
    if (rank == 0) {
      ptl_process_t target{};
      target.phys = {1, 1};
      pause();
      EXPECT_OK(
          PtlPut(side.bind(memory, 1), 0, 1, PTL_NO_ACK_REQ, target, kPortal, 0, 0, nullptr, 0));
      return pause();
    }
    const ptl_process_t ids[] = {{.phys = {1, PTL_PID_ANY}},
                                 {.phys = {PTL_NID_ANY, 7}},
                                 {.phys = {0, 2}},
                                 {.phys = {0, PTL_PID_ANY}},
                                 {.phys = {0, 1}}};
    for (std::uintptr_t i = 0; i < 5; ++i) {
      ptl_me_t me = me_of(memory, 8, kQuiet);
      me.match_id = ids[i];
      side.append(me, PTL_PRIORITY_LIST, user(i));
    }
    pause();
    const std::vector<ptl_event_t> events = side.events();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].user_ptr, user(3));
    EXPECT_EQ(events[0].initiator.phys.nid, 0U);
    EXPECT_EQ(events[0].initiator.phys.pid, 1U);
  });
}

// A violation does not let the search go on to the next entry.
TEST(Matching, StopsAtTheFirstEntryThatFits) {
  with_messages({{}}, [](const Side& side) {
    char memory[8];
    side.append(me_of(memory, 8, PTL_ME_OP_GET | PTL_ME_EVENT_LINK_DISABLE));
    side.append(me_of(memory, 8, kQuiet));
    let_them_arrive();
    EXPECT_THAT(seen(side), IsEmpty());
    EXPECT_EQ(side.status(PTL_SR_OPERATION_VIOLATIONS), 1U);
  });
}

TEST(Entry, IsUsedOnce) {
  with_messages({{}, {}, {}}, [](const Side& side) {
    char memory[8];
    side.append(me_of(memory, 8, kQuiet | PTL_ME_USE_ONCE), PTL_PRIORITY_LIST, user(1));
    side.append(me_of(memory, 8, kQuiet | PTL_ME_USE_ONCE | PTL_ME_EVENT_UNLINK_DISABLE),
                PTL_PRIORITY_LIST, user(2));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 1), Pair(PTL_EVENT_AUTO_UNLINK, 1),
                                        Pair(PTL_EVENT_PUT, 2)));
    EXPECT_EQ(side.status(PTL_SR_DROP_COUNT), 1U);
  });
}

TEST(Entry, TellsThatItIsLinked) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    side.append(me_of(nullptr, 0, 0), PTL_PRIORITY_LIST, user(1));
    side.append(me_of(nullptr, 0, 0), PTL_OVERFLOW_LIST, user(2));
    side.append(me_of(nullptr, 0, PTL_ME_EVENT_LINK_DISABLE), PTL_OVERFLOW_LIST, user(3));
    side.append(me_of(nullptr, 0, PTL_ME_EVENT_SUCCESS_DISABLE), PTL_OVERFLOW_LIST, user(4));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_LINK, 1), Pair(PTL_EVENT_LINK, 2),
                                        Pair(PTL_EVENT_LINK, 4)));
  });
}

// 10 bytes, 3 + 3 + 3 put: at 0, 3 and 6; what is left is 1, less than the 2 that must be free. The
// ACK would say the offset used; here the PUT event's start does.
TEST(Entry, ManagesItsOffset) {
  with_messages({{0, 3}, {0, 3}, {0, 3}, {0, 3}}, [](const Side& side) {
    std::string memory(10, '.');
    ptl_me_t me = me_of(memory.data(), 10, kQuiet | PTL_ME_MANAGE_LOCAL);
    me.min_free = 2;
    side.append(me, PTL_PRIORITY_LIST, user(1));
    let_them_arrive();
    const std::vector<ptl_event_t> events = side.events();
    ASSERT_EQ(events.size(), 4U);
    EXPECT_EQ(events[1].start, memory.data() + 3);
    EXPECT_EQ(events[2].start, memory.data() + 6);
    EXPECT_EQ(events[3].type, PTL_EVENT_AUTO_UNLINK);
    EXPECT_EQ(memory, "aaabbbccc.");
    EXPECT_EQ(side.status(PTL_SR_DROP_COUNT), 1U);
  });
}

// Without min_free it stays and truncates; with NO_TRUNCATE it no longer matches.
TEST(Entry, ManagesItsOffsetToTheEnd) {
  with_messages({{0, 3}, {0, 3}, {0, 3}}, [](const Side& side) {
    std::string memory(5, '.'), rest(9, '.');
    side.append(me_of(memory.data(), 5, kQuiet | PTL_ME_MANAGE_LOCAL | PTL_ME_NO_TRUNCATE),
                PTL_PRIORITY_LIST, user(1));
    side.append(me_of(rest.data(), 4, kQuiet | PTL_ME_MANAGE_LOCAL), PTL_PRIORITY_LIST, user(2));
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 1), Pair(PTL_EVENT_PUT, 2),
                                        Pair(PTL_EVENT_PUT, 2)));
    EXPECT_EQ(memory, "aaa..");
    EXPECT_EQ(rest, "bbbc.....");
  });
}

// PTL_ME_MAY_ALIGN: each message begins at a multiple of 8.
TEST(Entry, AlignsIfItMay) {
  with_messages({{0, 3}, {0, 9}, {0, 1}}, [](const Side& side) {
    std::string memory(32, '.');
    side.append(me_of(memory.data(), 32, kQuiet | PTL_ME_MANAGE_LOCAL | PTL_ME_MAY_ALIGN));
    let_them_arrive();
    EXPECT_EQ(memory, "aaa.....bbbbbbbbb.......c.......");
  });
}

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
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{2, 0}));
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, PTL_ME_EVENT_SUCCESS_DISABLE, 3));
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_SEARCH, 5))) << "failures are told";
    EXPECT_OK(search(side, PTL_SEARCH_DELETE, PTL_ME_EVENT_OVER_DISABLE, 1));
    EXPECT_THAT(seen(side), IsEmpty());
    EXPECT_OK(search(side, PTL_SEARCH_ONLY, 0, 1));
    EXPECT_EQ(side.events()[0].ni_fail_type, PTL_NI_NO_MATCH);
  });
}

// The same on a non-matching interface: every entry matches.
TEST(ListEntries, WorkWithoutMatching) {
  Bed bed;
  bed.run([](std::uint32_t rank) {
    const Side side(PTL_NI_NO_MATCHING | PTL_NI_LOGICAL);
    std::string memory(8, rank == 0 ? 'x' : '.');
    if (rank == 0) {
      pause();
      const ptl_handle_md_t md = side.bind(memory.data(), 8);
      for (int i = 0; i < 3; ++i) EXPECT_OK(side.put(md, 1, 1, 99, 3));
      return pause(4);
    }
    const auto append = [&](const ptl_le_t& le, ptl_list_t list, std::uintptr_t who) {
      ptl_handle_le_t handle = 0;
      EXPECT_OK(PtlLEAppend(side.ni, kPortal, &le, list, user(who), &handle));
      return handle;
    };
    append(le_of(memory.data(), 8, kQuiet | PTL_LE_USE_ONCE), PTL_PRIORITY_LIST, 1);
    const ptl_handle_le_t spare = append(le_of(memory.data(), 8, kQuiet), PTL_OVERFLOW_LIST, 2);
    let_them_arrive();
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT, 1), Pair(PTL_EVENT_AUTO_UNLINK, 1),
                                        Pair(PTL_EVENT_PUT, 2), Pair(PTL_EVENT_PUT, 2)));
    EXPECT_EQ(memory, "...x....");
    const ptl_le_t probe = le_of(nullptr, 0, PTL_LE_USE_ONCE);
    EXPECT_OK(PtlLESearch(side.ni, kPortal, &probe, PTL_SEARCH_ONLY, user(5)));
    EXPECT_OK(PtlLESearch(side.ni, kPortal, &probe, PTL_SEARCH_DELETE, user(6)));
    EXPECT_THAT(seen(side),
                ElementsAre(Pair(PTL_EVENT_SEARCH, 5), Pair(PTL_EVENT_PUT_OVERFLOW, 6)));
    EXPECT_EQ(PtlLEUnlink(spare), PTL_IN_USE);
    append(le_of(nullptr, 0, PTL_LE_OP_PUT), PTL_PRIORITY_LIST, 7);
    EXPECT_THAT(seen(side), ElementsAre(Pair(PTL_EVENT_PUT_OVERFLOW, 7), Pair(PTL_EVENT_LINK, 7)));
    EXPECT_OK(PtlLEUnlink(spare));
    EXPECT_EQ(PtlLEUnlink(spare), PTL_ARG_INVALID);
  });
}

TEST(ListEntries, CheckArguments) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side matching;
    const Side plain(PTL_NI_NO_MATCHING | PTL_NI_LOGICAL);
    const ptl_me_t me = me_of(nullptr, 0, 0);
    const ptl_le_t le = le_of(nullptr, 0, 0);
    ptl_handle_me_t handle = 0;
    const auto append = [&](const Side& side, const ptl_me_t& what,
                            ptl_list_t list = PTL_PRIORITY_LIST) {
      return PtlMEAppend(side.ni, kPortal, &what, list, nullptr, &handle);
    };
    EXPECT_EQ(append(plain, me), PTL_ARG_INVALID);
    EXPECT_EQ(PtlLEAppend(matching.ni, kPortal, &le, PTL_PRIORITY_LIST, nullptr, &handle),
              PTL_ARG_INVALID);
    EXPECT_EQ(PtlMEAppend(matching.ni, 9, &me, PTL_PRIORITY_LIST, nullptr, &handle),
              PTL_ARG_INVALID);
    EXPECT_EQ(PtlMEAppend(matching.ni, kPortal, nullptr, PTL_PRIORITY_LIST, nullptr, &handle),
              PTL_ARG_INVALID);
    EXPECT_EQ(PtlMEAppend(matching.ni, kPortal, &me, PTL_PRIORITY_LIST, nullptr, nullptr),
              PTL_ARG_INVALID);
    EXPECT_EQ(append(matching, me, static_cast<ptl_list_t>(7)), PTL_ARG_INVALID);
    EXPECT_EQ(append(matching, me_of(nullptr, 0, 1U << 25)), PTL_ARG_INVALID);
    EXPECT_EQ(append(matching, me_of(nullptr, 2, PTL_IOVEC)), PTL_ARG_INVALID);
    ptl_me_t foreign = me;
    foreign.ct_handle = plain.counter();
    EXPECT_EQ(append(matching, foreign), PTL_ARG_INVALID);
    ptl_le_t managed = le;
    managed.options = PTL_ME_MANAGE_LOCAL;
    EXPECT_EQ(PtlLEAppend(plain.ni, kPortal, &managed, PTL_PRIORITY_LIST, nullptr, &handle),
              PTL_ARG_INVALID);
    EXPECT_OK(PtlLEAppend(plain.ni, kPortal, &le, PTL_PRIORITY_LIST, nullptr, &handle));
    EXPECT_EQ(PtlMEUnlink(handle), PTL_ARG_INVALID);
    EXPECT_OK(PtlLEUnlink(handle));
    EXPECT_OK(append(matching, me));
    EXPECT_EQ(PtlLEUnlink(handle), PTL_ARG_INVALID);
    EXPECT_EQ(PtlMESearch(matching.ni, kPortal, nullptr, PTL_SEARCH_ONLY, nullptr),
              PTL_ARG_INVALID);
    EXPECT_EQ(PtlMESearch(matching.ni, kPortal, &me, static_cast<ptl_search_op_t>(9), nullptr),
              PTL_ARG_INVALID);
    EXPECT_EQ(PtlMESearch(plain.ni, kPortal, &me, PTL_SEARCH_ONLY, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlLESearch(plain.ni, kPortal, nullptr, PTL_SEARCH_ONLY, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlLESearch(matching.ni, kPortal, &le, PTL_SEARCH_ONLY, nullptr), PTL_ARG_INVALID);
  });
}

}  // namespace
}  // namespace heddle::portals
