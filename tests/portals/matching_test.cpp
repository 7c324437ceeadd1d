// Which entry takes a message, and what entries do with their room.
#include "portals/lists_support.hpp"

namespace heddle::portals {
namespace {

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

}  // namespace
}  // namespace heddle::portals
