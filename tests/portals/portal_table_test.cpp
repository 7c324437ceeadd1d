// Portal table entries: allocation, closing and opening, flow control.
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

TEST(PortalTable, GivesIndicesOut) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;  // Has portal 4.
    const auto allocate = [&](ptl_pt_index_t wanted, ptl_pt_index_t& index) {
      return PtlPTAlloc(side.ni, 0, PTL_EQ_NONE, wanted, &index);
    };
    ptl_pt_index_t index = 0;
    EXPECT_EQ(allocate(kPortal, index), PTL_PT_IN_USE);
    EXPECT_EQ(allocate(256, index), PTL_ARG_INVALID) << "255 is the largest";
    EXPECT_OK(allocate(255, index));
    for (const ptl_pt_index_t next : {0U, 1U, 2U, 3U, 5U}) {
      EXPECT_OK(allocate(PTL_PT_ANY, index));
      EXPECT_EQ(index, next) << "the first that is free";
    }
    for (int i = 6; i < 255; ++i) EXPECT_OK(allocate(PTL_PT_ANY, index));
    EXPECT_EQ(allocate(PTL_PT_ANY, index), PTL_PT_FULL);
    EXPECT_OK(PtlPTFree(side.ni, 100));
    EXPECT_EQ(PtlPTFree(side.ni, 100), PTL_ARG_INVALID);
    EXPECT_OK(allocate(PTL_PT_ANY, index));
    EXPECT_EQ(index, 100U);
  });
}

TEST(PortalTable, ChecksArguments) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    const Side other(PTL_NI_NO_MATCHING | PTL_NI_LOGICAL);
    ptl_pt_index_t index = 0;
    EXPECT_EQ(PtlPTAlloc(side.ni, PTL_PT_FLOWCTRL, PTL_EQ_NONE, PTL_PT_ANY, &index),
              PTL_PT_EQ_NEEDED);
    EXPECT_EQ(PtlPTAlloc(side.ni, 1U << 20, side.eq, PTL_PT_ANY, &index), PTL_ARG_INVALID);
    EXPECT_EQ(PtlPTAlloc(side.ni, 0, other.eq, PTL_PT_ANY, &index), PTL_ARG_INVALID);
    EXPECT_EQ(PtlPTAlloc(side.ni, 0, PTL_INVALID_HANDLE, PTL_PT_ANY, &index), PTL_ARG_INVALID);
    EXPECT_EQ(PtlPTAlloc(side.ni, 0, side.eq, PTL_PT_ANY, nullptr), PTL_ARG_INVALID);
    EXPECT_OK(PtlPTAlloc(
        side.ni,
        PTL_PT_ONLY_USE_ONCE | PTL_PT_ONLY_TRUNCATE | PTL_PT_FLOWCTRL | PTL_PT_MATCH_UNORDERED,
        side.eq, PTL_PT_ANY, &index));
    EXPECT_EQ(PtlPTEnable(side.ni, 99), PTL_ARG_INVALID);
    EXPECT_EQ(PtlPTDisable(side.ni, 99), PTL_ARG_INVALID);
    char byte = 0;
    const ptl_handle_me_t me = side.append(me_of(&byte, 1, PTL_ME_OP_PUT));
    EXPECT_EQ(PtlPTFree(side.ni, kPortal), PTL_IN_USE);
    EXPECT_OK(PtlMEUnlink(me));
    EXPECT_OK(PtlPTFree(side.ni, kPortal));
  });
}

/// Puts bytes to rank 1, each when it is known how the last one ended.
class Sender {
 public:
  ptl_ni_fail_t put() {
    EXPECT_OK(side_.put(md_, 1, 1));
    EXPECT_EQ(side_.wait().type, PTL_EVENT_SEND);
    return side_.wait().ni_fail_type;
  }

 private:
  Side side_;
  char byte_ = 'x';
  ptl_handle_md_t md_ = side_.bind(&byte_, 1);
};

/// The portal of rank 1.
struct Target {
  unsigned int options = 0;
  ptl_size_t events = 100;  ///< That its queue holds.
  std::vector<std::string> sets = {};
};

/// Rank 0 puts to rank 1, a few bytes after each of its pauses, which end as `ends` say; rank 1
/// runs `body`.
void expect_ends(const std::vector<std::vector<ptl_ni_fail_t>>& ends, const Target& target,
                 const std::function<void(const Side&)>& body) {
  Bed bed(2, target.sets);
  bed.run([&](std::uint32_t rank) {
    if (rank == 1) {
      return body(Side(PTL_NI_MATCHING | PTL_NI_LOGICAL, target.options, target.events));
    }
    Sender sender;
    for (const std::vector<ptl_ni_fail_t>& few : ends) {
      pause();
      for (const ptl_ni_fail_t end : few) EXPECT_EQ(sender.put(), end);
    }
  });
}

// While a portal is disabled everything is refused with PT_DISABLED, and no event says so.
TEST(PortalTable, RefusesWhileDisabled) {
  expect_ends({{PTL_NI_PT_DISABLED}, {PTL_NI_OK}}, {}, [](const Side& side) {
    char memory = '.';
    side.append(me_of(&memory, 1, kQuiet));
    EXPECT_OK(PtlPTDisable(side.ni, kPortal));
    pause();
    EXPECT_THAT(side.kinds(), IsEmpty());
    EXPECT_EQ(memory, '.');
    EXPECT_EQ(side.status(PTL_SR_DROP_COUNT), 0U);
    EXPECT_OK(PtlPTEnable(side.ni, kPortal));
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_PUT));
  });
}

TEST(PortalTable, MayBeBornDisabled) {
  expect_ends({{PTL_NI_PT_DISABLED}}, {PTL_PT_ALLOC_DISABLED}, [](const Side& side) {
    char memory = '.';
    side.append(me_of(&memory, 1, PTL_ME_OP_PUT));
    pause(2);
  });
}

// No entry left: the portal closes with one event, refuses the message and all later ones, and
// takes them when it is opened again.
TEST(FlowControl, ClosesWhenNothingMatches) {
  expect_ends({{PTL_NI_OK, PTL_NI_PT_DISABLED, PTL_NI_PT_DISABLED}, {PTL_NI_OK}}, {PTL_PT_FLOWCTRL},
              [](const Side& side) {
                char memory = '.';
                const ptl_me_t once = me_of(&memory, 1, kQuiet | PTL_ME_USE_ONCE);
                side.append(once);
                pause();
                const std::vector<ptl_event_t> events = side.events();
                ASSERT_EQ(events.size(), 3U);
                EXPECT_EQ(events[0].type, PTL_EVENT_PUT);
                EXPECT_EQ(events[1].type, PTL_EVENT_AUTO_UNLINK);
                EXPECT_EQ(events[2].type, PTL_EVENT_PT_DISABLED);
                EXPECT_EQ(events[2].pt_index, kPortal);
                EXPECT_EQ(side.status(PTL_SR_DROP_COUNT), 0U);
                side.append(once);
                EXPECT_OK(PtlPTEnable(side.ni, kPortal));
                EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_PUT, PTL_EVENT_AUTO_UNLINK));
              });
}

// A queue of two: the third message finds no room for its event. PT_DISABLED has room of its own.
TEST(FlowControl, ClosesWhenTheEventQueueIsFull) {
  expect_ends(
      {{PTL_NI_OK, PTL_NI_OK, PTL_NI_PT_DISABLED}}, {PTL_PT_FLOWCTRL, 2}, [](const Side& side) {
        char memory = '.';
        side.append(me_of(&memory, 1, kQuiet));
        pause();
        EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_PUT, PTL_EVENT_PUT, PTL_EVENT_PT_DISABLED));
      });
}

TEST(FlowControl, ClosesWithoutAWordIfTheEntrySaysSo) {
  expect_ends({{PTL_NI_OK, PTL_NI_PT_DISABLED}}, {PTL_PT_FLOWCTRL, 1}, [](const Side& side) {
    char memory = '.';
    side.append(me_of(&memory, 1, kQuiet | PTL_ME_EVENT_FLOWCTRL_DISABLE));
    pause();
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_PUT));
  });
}

// One unexpected header is allowed: the second message closes a portal with flow control, and is
// dropped by one without.
TEST(FlowControl, ClosesWhenThereIsNoRoomForHeaders) {
  for (const unsigned int options : {0U, PTL_PT_FLOWCTRL}) {
    const ptl_ni_fail_t second = options == 0 ? PTL_NI_DROPPED : PTL_NI_PT_DISABLED;
    const Target target{options, 100, {"portals.max_unexpected_headers=1"}};
    expect_ends({{PTL_NI_OK, second}}, target, [options](const Side& side) {
      char memory[8];
      side.append(me_of(memory, 8, PTL_ME_OP_PUT), PTL_OVERFLOW_LIST);
      pause(2);
      EXPECT_EQ(side.status(PTL_SR_DROP_COUNT), options == 0 ? 1U : 0U);
    });
  }
}

}  // namespace
}  // namespace heddle::portals
