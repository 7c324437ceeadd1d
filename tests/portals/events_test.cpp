// Event queues and counters: reading, waiting, polling, overrun and ends.
#include "core/error.hpp"
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

/// Rank 0 puts `count` bytes one by one to rank 1, which runs `target`.
void with_puts(int count, const std::function<void(const Side&)>& target, ptl_size_t events = 100) {
  Bed bed;
  char memory[8] = {};
  bed.run([&](std::uint32_t rank) {
    const Side side(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0, events);
    if (rank == 1) {
      side.append(me_of(memory, 8, kQuiet));
      return target(side);
    }
    const ptl_handle_md_t md = side.bind(memory, 1, PTL_MD_EVENT_SEND_DISABLE);
    pause();
    for (int i = 0; i < count; ++i) {
      EXPECT_OK(PtlPut(md, 0, 1, PTL_NO_ACK_REQ, rank_id(1), kPortal, 0, 0, nullptr,
                       static_cast<ptl_hdr_data_t>(i)));
    }
    pause(2);
  });
  EXPECT_EQ(bed.machine().events().in_use(), 0U);
}

TEST(EventQueue, IsReadInOrderThenEmpty) {
  with_puts(3, [](const Side& side) {
    ptl_event_t event{};
    EXPECT_EQ(PtlEQGet(side.eq, &event), PTL_EQ_EMPTY);
    pause(2);
    for (ptl_hdr_data_t i = 0; i < 3; ++i) {
      EXPECT_OK(PtlEQGet(side.eq, &event));
      EXPECT_EQ(event.hdr_data, i);
    }
    EXPECT_EQ(PtlEQGet(side.eq, &event), PTL_EQ_EMPTY);
  });
}

// Room for two of four: the first two are read; the loss is told with the first event after it.
TEST(EventQueue, TellsOfLostEvents) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0, 2);
    for (std::uintptr_t i = 0; i < 4; ++i) {
      side.append(me_of(nullptr, 0, 0), PTL_PRIORITY_LIST, user(i));
    }
    pause();
    ptl_event_t event{};
    EXPECT_OK(PtlEQGet(side.eq, &event));
    EXPECT_OK(PtlEQGet(side.eq, &event));
    EXPECT_EQ(event.user_ptr, user(1));
    EXPECT_EQ(PtlEQGet(side.eq, &event), PTL_EQ_EMPTY);
    side.append(me_of(nullptr, 0, 0), PTL_PRIORITY_LIST, user(8));
    side.append(me_of(nullptr, 0, 0), PTL_PRIORITY_LIST, user(9));
    EXPECT_EQ(PtlEQWait(side.eq, &event), PTL_EQ_DROPPED);
    EXPECT_EQ(event.user_ptr, user(8));
    EXPECT_OK(PtlEQWait(side.eq, &event));
    EXPECT_EQ(event.user_ptr, user(9));
  });
}

// The event of a put that begins at 1 ms is there some microseconds later, not before.
TEST(EventQueue, WaitsForTheEvent) {
  with_puts(1, [](const Side& side) {
    EXPECT_EQ(side.wait().type, PTL_EVENT_PUT);
    EXPECT_GT(now(), Time::ms(1) + Time::us(1));
    EXPECT_LT(now(), Time::ms(1) + Time::us(10));
  });
}

// Polling finds it too, and lets time pass.
TEST(EventQueue, MayBePolled) {
  with_puts(1, [](const Side& side) {
    ptl_event_t event{};
    int answer = PTL_EQ_EMPTY;
    while (answer == PTL_EQ_EMPTY) answer = PtlEQGet(side.eq, &event);
    EXPECT_EQ(answer, PTL_OK);
    EXPECT_EQ(event.type, PTL_EVENT_PUT);
    EXPECT_LT(now(), Time::ms(1) + Time::us(50));
  });
}

// A poll of 3 ms in vain takes 3 ms; of none, hardly any time.
TEST(EventQueue, PollsUntilTheTimeout) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    ptl_event_t event{};
    unsigned int which = 9;
    const Time start = now();
    EXPECT_EQ(PtlEQPoll(&side.eq, 1, 3, &event, &which), PTL_EQ_EMPTY);
    EXPECT_EQ(now() - start, Time::ms(3));
    EXPECT_EQ(PtlEQPoll(&side.eq, 1, 0, &event, &which), PTL_EQ_EMPTY);
    EXPECT_LT(now() - start, Time::ms(3) + Time::us(1));
    EXPECT_EQ(PtlEQPoll(nullptr, 1, 0, &event, &which), PTL_ARG_INVALID);
    EXPECT_EQ(PtlEQPoll(&side.eq, 0, 0, &event, &which), PTL_ARG_INVALID);
    EXPECT_EQ(PtlEQPoll(&side.eq, 1, 0, nullptr, &which), PTL_ARG_INVALID);
    const ptl_handle_eq_t bad[] = {side.eq, PTL_EQ_NONE};
    EXPECT_EQ(PtlEQPoll(bad, 2, 0, &event, &which), PTL_ARG_INVALID);
    EXPECT_EQ(PtlEQAlloc(side.ni, 10, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlEQAlloc(side.ni, 0, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlEQGet(side.eq, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlEQWait(PTL_EQ_NONE, &event), PTL_ARG_INVALID);
  });
}

// Two queues with two events each are read by turns: 0, 1, 0, 1.
TEST(EventQueue, PollsQueuesByTurns) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side a;
    const Side b(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
    const ptl_handle_eq_t queues[] = {a.eq, b.eq};
    for (int i = 0; i < 2; ++i) {
      a.append(me_of(nullptr, 0, 0));
      b.append(me_of(nullptr, 0, 0));
    }
    pause();
    std::vector<unsigned int> order;
    for (int i = 0; i < 4; ++i) {
      ptl_event_t event{};
      unsigned int which = 9;
      EXPECT_OK(PtlEQPoll(queues, 2, PTL_TIME_FOREVER, &event, &which));
      order.push_back(which);
    }
    EXPECT_THAT(order, ElementsAre(0, 1, 0, 1));
  });
}

// A wait for nothing is a deadlock that says who waits for what.
TEST(EventQueue, NamesWhatADeadlockWaitsFor) {
  Bed bed(1);
  try {
    bed.run([](std::uint32_t) { Side().wait(); });
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("rank 0 waits in PtlEQWait for an event on EQ 0"));
  }
}

// PtlAbort ends later waits at once.
TEST(EventQueue, AnswersAbortedAfterAbort) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    const ptl_handle_ct_t ct = side.counter();
    PtlAbort();
    ptl_event_t event{};
    ptl_ct_event_t value{};
    unsigned int which = 0;
    const ptl_size_t test = 1;
    EXPECT_EQ(PtlEQWait(side.eq, &event), PTL_ABORTED);
    EXPECT_EQ(PtlEQPoll(&side.eq, 1, 5, &event, &which), PTL_ABORTED);
    EXPECT_EQ(PtlCTWait(ct, 1, &value), PTL_ABORTED);
    EXPECT_EQ(PtlCTPoll(&ct, &test, 1, 5, &value, &which), PTL_ABORTED);
  });
}

/// Rank 0 waits in four ways, each for something that never comes; rank 1 plays a second thread of
/// its process that does something about it.
void interrupt(int expected,
               const std::function<void(Process&, const Side&, ptl_handle_ct_t)>& what) {
  for (int way = 0; way < 4; ++way) {
    Bed bed;
    const Side* waiting = nullptr;
    ptl_handle_ct_t ct = 0;
    bed.run([&](std::uint32_t rank) {
      if (rank == 1) {
        pause(2);
        Process& other = *Process::of(bed.job().rank(host::RankId{0}));
        what(other, *waiting, ct);
        other.poke();
        return;
      }
      const Side side;
      ct = side.counter();
      waiting = &side;
      ptl_event_t event{};
      ptl_ct_event_t value{};
      unsigned int which = 0;
      const ptl_handle_eq_t queues[] = {side.eq, side.eq};
      const ptl_handle_ct_t counters[] = {ct, ct};
      const ptl_size_t tests[] = {1, 1};
      const int answer = way == 0   ? PtlEQWait(side.eq, &event)
                         : way == 1 ? PtlEQPoll(queues, 2, 50, &event, &which)
                         : way == 2 ? PtlCTWait(ct, 1, &value)
                                    : PtlCTPoll(counters, tests, 2, 50, &value, &which);
      EXPECT_EQ(answer, expected) << "way " << way;
      EXPECT_EQ(now(), Time::ms(2));
    });
  }
}

TEST(Waiting, EndsWithAbort) {
  interrupt(PTL_ABORTED,
            [](Process& process, const Side&, ptl_handle_ct_t) { process.aborted = true; });
}

TEST(Waiting, EndsWithItsObject) {
  interrupt(PTL_INTERRUPTED, [](Process& process, const Side& side, ptl_handle_ct_t ct) {
    process.machine().free_queue(*process.owner(side.eq), side.eq);
    process.machine().free_counter(*process.owner(ct), ct);
  });
}

// A queue that goes takes its events along, those on their way too.
TEST(EventQueue, MayGoWithEventsUnderWay) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    side.append(me_of(nullptr, 0, 0));
    pause();
    side.append(me_of(nullptr, 0, 0));
    EXPECT_OK(PtlEQFree(side.eq));
    side.append(me_of(nullptr, 0, 0));
    pause();
  });
  EXPECT_EQ(bed.machine().events().in_use(), 0U);
}

// Counters.

TEST(Counter, IsSetAndIncremented) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    const ptl_handle_ct_t ct = side.counter();
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{0, 0}));
    EXPECT_OK(PtlCTInc(ct, {3, 0}));
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{3, 0}))
        << "the program sees its own changes at once";
    EXPECT_OK(PtlCTInc(ct, {0, 2}));
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{3, 2}));
    EXPECT_EQ(PtlCTInc(ct, {1, 1}), PTL_ARG_INVALID);
    EXPECT_OK(PtlCTSet(ct, {1, 0}));
    EXPECT_EQ(Side::value(ct), (ptl_ct_event_t{1, 0}));
    EXPECT_OK(PtlCTFree(ct));
    EXPECT_EQ(PtlCTInc(ct, {1, 0}), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTSet(ct, {1, 0}), PTL_ARG_INVALID);
    ptl_ct_event_t value{};
    EXPECT_EQ(PtlCTGet(ct, &value), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTWait(ct, 1, &value), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTCancelTriggered(ct), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTAlloc(side.ni, nullptr), PTL_ARG_INVALID);
  });
}

/// Rank 0 puts `length` bytes to rank 1, whose entry counts bytes on the counter it is given.
void with_counted(ptl_size_t length,
                  const std::function<void(const Side&, ptl_handle_ct_t)>& target,
                  unsigned int options = PTL_ME_OP_PUT | PTL_ME_EVENT_CT_BYTES) {
  Bed bed;
  char memory[64] = {};
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 0) {
      pause();
      EXPECT_OK(side.put(side.bind(memory, 64), length, 1));
      return pause();
    }
    ptl_me_t me = me_of(memory, 64, options | PTL_ME_EVENT_CT_COMM | PTL_ME_EVENT_COMM_DISABLE);
    me.ct_handle = side.counter();
    side.append(me);
    target(side, me.ct_handle);
  });
  EXPECT_EQ(bed.machine().counters().in_use(), 0U);
}

// A wait for 10 ends with 16.
TEST(Counter, WaitEndsAtOrBeyondTheTest) {
  with_counted(16, [](const Side&, ptl_handle_ct_t ct) {
    ptl_ct_event_t value{};
    EXPECT_OK(PtlCTWait(ct, 10, &value));
    EXPECT_EQ(value, (ptl_ct_event_t{16, 0}));
    EXPECT_GT(now(), Time::ms(1));
    EXPECT_OK(PtlCTWait(ct, 16, &value));
  });
}

TEST(Counter, WaitEndsWithAFailure) {
  Bed bed;
  bed.run([](std::uint32_t rank) {
    const Side side;
    if (rank == 1) return pause(2);
    char byte = 0;
    const ptl_handle_ct_t ct = side.counter();
    pause();
    EXPECT_OK(side.put(side.bind(&byte, 1, PTL_MD_EVENT_CT_ACK, ct), 1, 1, 0, 0, PTL_OC_ACK_REQ));
    ptl_ct_event_t value{};
    EXPECT_OK(PtlCTWait(ct, 5, &value));
    EXPECT_EQ(value, (ptl_ct_event_t{0, 1})) << "nothing matched at the target";
  });
}

// A loop that looks at a counter ends.
TEST(Counter, MayBePolledByLooking) {
  with_counted(16, [](const Side&, ptl_handle_ct_t ct) {
    ptl_ct_event_t value{};
    while (value.success < 16) EXPECT_OK(PtlCTGet(ct, &value));
    EXPECT_LT(now(), Time::ms(1) + Time::us(50));
    EXPECT_EQ(PtlCTGet(ct, nullptr), PTL_ARG_INVALID);
  });
}

TEST(Counter, IsPolledWithOthers) {
  with_counted(16, [](const Side& side, ptl_handle_ct_t ct) {
    const ptl_handle_ct_t counters[] = {side.counter(), ct};
    const ptl_size_t tests[] = {1, 16};
    ptl_ct_event_t value{};
    unsigned int which = 9;
    EXPECT_OK(PtlCTPoll(counters, tests, 2, PTL_TIME_FOREVER, &value, &which));
    EXPECT_EQ(which, 1U);
    EXPECT_EQ(value, (ptl_ct_event_t{16, 0}));
    const Time start = now();
    EXPECT_EQ(PtlCTPoll(counters, tests, 1, 2, &value, &which), PTL_CT_NONE_REACHED);
    EXPECT_EQ(now() - start, Time::ms(2));
    EXPECT_EQ(PtlCTPoll(counters, tests, 1, 0, &value, &which), PTL_CT_NONE_REACHED);
    EXPECT_EQ(PtlCTPoll(counters, tests, 0, 0, &value, &which), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTPoll(counters, nullptr, 1, 0, &value, &which), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTPoll(nullptr, tests, 1, 0, &value, &which), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTPoll(counters, tests, 1, 0, nullptr, &which), PTL_ARG_INVALID);
  });
}

TEST(Counter, NamesWhatADeadlockWaitsFor) {
  Bed bed(1);
  try {
    bed.run([](std::uint32_t) {
      const Side side;
      ptl_ct_event_t value;
      PtlCTWait(side.counter(), 7, &value);
    });
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("rank 0 waits in PtlCTWait for CT 0 to reach 7 (it is at 0)"));
  }
}

// Freed with a change on its way to memory: nothing is left of it in the end.
TEST(Counter, MayGoWithAValueUnderWay) {
  with_counted(16, [](const Side&, ptl_handle_ct_t ct) {
    pause();
    // The put begins now and arrives within 10 us.
    for (int i = 0; i < 100; ++i) host::current_rank()->fiber().sleep(Time::ns(25));
    EXPECT_OK(PtlCTFree(ct));
    pause();
  });
}

}  // namespace
}  // namespace heddle::portals
