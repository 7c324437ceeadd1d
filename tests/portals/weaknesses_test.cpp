// What breaks in S4BXI 4.2.0 and must not break here; each test names the weakness it guards
// against. (Those of its deployment files and of its own timing have no counterpart.)
#include "core/error.hpp"
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

/// Rank 0 runs `initiator`; rank 1 offers `memory` through an entry with `options` for 5 ms.
void weak_pair(void* memory, ptl_size_t size, unsigned int options,
               const std::function<void(const Side&)>& initiator,
               const std::vector<std::string>& sets = {}) {
  Bed bed(2, sets);
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(memory, size, options));
      return pause(5);
    }
    pause();
    initiator(side);
  });
}

// "NO_ACK_REQ with reliability off and more than 64 bytes: SEND never comes, the run deadlocks."
TEST(S4bxiWeakness, SendComesWithoutAcknowledgementAndReliability) {
  std::vector<char> memory(1000);
  for (const char* e2e : {"nic.e2e=yes", "nic.e2e=no"}) {
    weak_pair(memory.data(), memory.size(), PTL_ME_OP_PUT,
              [](const Side& side) {
                std::vector<char> source(1000);
                EXPECT_OK(side.put(side.bind(source.data(), 1000), 1000, 1, 0, 0, PTL_NO_ACK_REQ));
                EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
              },
              {e2e});
  }
}

// "CSWAP: 5 -> 77 not applied; PtlSwap builds a request without the operand."
TEST(S4bxiWeakness, CompareAndSwapSwaps) {
  std::int64_t memory = 5;
  weak_pair(&memory, 8, kPutGet, [](const Side& side) {
    std::int64_t wanted = 77, old = 0, operand = 5;
    EXPECT_OK(PtlSwap(side.bind(&old, 8), 0, side.bind(&wanted, 8), 0, 8, rank_id(1), kPortal, 0, 0,
                      nullptr, 0, &operand, PTL_CSWAP, PTL_INT64_T));
    side.events();
    EXPECT_EQ(old, 5);
  });
  EXPECT_EQ(memory, 77);
}

// "PtlCTWait wakes only on success == test: threshold 10 with a 16-byte increment deadlocks."
TEST(S4bxiWeakness, CounterWaitEndsBeyondItsTest) {
  char memory[16];
  weak_pair(memory, 16, PTL_ME_OP_PUT, [](const Side& side) {
    char source[16];
    const ptl_handle_ct_t ct = side.counter();
    const ptl_handle_md_t md =
        side.bind(source, 16, PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_BYTES, ct);
    EXPECT_OK(side.put(md, 16, 1));
    ptl_ct_event_t value{};
    EXPECT_OK(PtlCTWait(ct, 10, &value));
    EXPECT_EQ(value.success, 16U);
  });
}

// "Atomic to a non-matching entry: no answer; five retries, then deadlock."
TEST(S4bxiWeakness, AtomicWithoutMatchIsAnswered) {
  std::int64_t memory = 5;
  weak_pair(&memory, 8, PTL_ME_OP_PUT, [](const Side& side) {
    std::int64_t one = 1;
    const Time start = now();
    EXPECT_OK(PtlAtomic(side.bind(&one, 8), 0, 8, PTL_ACK_REQ, rank_id(1), kPortal, 99, 0, nullptr,
                        0, PTL_SUM, PTL_INT64_T));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_DROPPED);
    EXPECT_LT(now() - start, Time::us(100));
  });
  EXPECT_EQ(memory, 5);
}

// "Put to an entry without OP_PUT succeeds and writes memory."
TEST(S4bxiWeakness, PermissionsHold) {
  char memory = '.';
  weak_pair(&memory, 1, PTL_ME_OP_GET, [](const Side& side) {
    char byte = 'x';
    EXPECT_OK(side.put(side.bind(&byte, 1), 1, 1));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_OP_VIOLATION);
  });
  EXPECT_EQ(memory, '.');
}

// "PT_ANY returns 4294967295 for every call."
TEST(S4bxiWeakness, AnyPortalIsARealOne) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    ptl_pt_index_t a = 0, b = 0;
    EXPECT_OK(PtlPTAlloc(side.ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &a));
    EXPECT_OK(PtlPTAlloc(side.ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &b));
    EXPECT_NE(a, b);
    EXPECT_LT(b, 256U);
  });
}

// "Any triggered operation aborts the run."
TEST(S4bxiWeakness, TriggeredOperationsHappen) {
  char memory = '.';
  weak_pair(&memory, 1, PTL_ME_OP_PUT, [](const Side& side) {
    char byte = 'x';
    const ptl_handle_ct_t ct = side.counter();
    EXPECT_OK(PtlTriggeredPut(side.bind(&byte, 1), 0, 1, PTL_NO_ACK_REQ, rank_id(1), kPortal, 0, 0,
                              nullptr, 0, ct, 1));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    pause();
  });
  EXPECT_EQ(memory, 'x');
}

// "Results not reproducible by default."
TEST(S4bxiWeakness, RunsAreTheSameEachTime) {
  const auto fingerprint = [] {
    char memory[64] = {};
    Bed bed(4);
    bed.run([&](std::uint32_t rank) {
      const Side side;
      side.append(me_of(memory, 64, kPutGet));
      const ptl_handle_md_t md = side.bind(memory, 64);
      for (std::uint32_t i = 0; i < 50; ++i) EXPECT_OK(side.put(md, i % 64, (rank + i) % 4));
      side.events();
    });
    return bed.simulation.fingerprint();
  };
  EXPECT_EQ(fingerprint(), fingerprint());
}

// "The event queue's size is ignored, no flow control, no iovec, no limits, no match_id": see
// events_test, portal_table_test, put_test, interface_test and matching_test. A gave-up message is
// told: put_test, MayBeUndeliverable.

}  // namespace
}  // namespace heddle::portals
