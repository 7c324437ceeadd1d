// Atomic operations: each does what it says, and none is lost.
#include <set>

#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

HEDDLE_ON_BOTH_TRANSPORTS(Atomics);

TEST_P(Atomics, AllPesCountTogether) {
  run([](int me, int n) {
    auto* counter = allocate<int>(1);
    std::set<int> mine;
    for (int i = 0; i < 5; ++i) mine.insert(pshmem_int_atomic_fetch_inc(counter, 0));
    EXPECT_EQ(mine.size(), 5U);
    pshmem_int_atomic_inc(counter, 0);
    pshmem_int_atomic_add(counter, 10, 0);
    pshmem_barrier_all();
    if (me == 0) {
      EXPECT_EQ(*counter, n * 16);
    }
  });
}

TEST_P(Atomics, FetchingOnesAnswerWhatWasThere) {
  run([](int me, int n) {
    auto* word = allocate<unsigned long>(1);
    auto* real = allocate<double>(1);
    pshmem_barrier_all();
    const int to = (me + 1) % n;
    EXPECT_EQ(pshmem_ulong_atomic_swap(word, 12, to), 0U);
    EXPECT_EQ(pshmem_ulong_atomic_compare_swap(word, 11, 5, to), 12U);
    EXPECT_EQ(pshmem_ulong_atomic_compare_swap(word, 12, 5, to), 12U);
    EXPECT_EQ(pshmem_ulong_atomic_fetch_add(word, 10, to), 5U);
    EXPECT_EQ(pshmem_ulong_atomic_fetch_and(word, 9, to), 15U);
    EXPECT_EQ(pshmem_ulong_atomic_fetch_or(word, 6, to), 9U);
    EXPECT_EQ(pshmem_ulong_atomic_fetch_xor(word, 1, to), 15U);
    EXPECT_EQ(pshmem_ulong_atomic_fetch(word, to), 14U);
    pshmem_ulong_atomic_set(word, 3, to);
    pshmem_quiet();
    pshmem_ulong_atomic_or(word, 8, to);
    pshmem_quiet();
    pshmem_ulong_atomic_xor(word, 2, to);
    pshmem_quiet();
    pshmem_ulong_atomic_and(word, 12, to);
    pshmem_quiet();
    EXPECT_EQ(pshmem_ulong_atomic_fetch(word, to), 8U);
    EXPECT_EQ(pshmem_double_atomic_swap(real, 2.5, to), 0.0);
    EXPECT_EQ(pshmem_double_atomic_fetch(real, to), 2.5);
    pshmem_barrier_all();
  });
}

TEST_P(Atomics, NegativeNumbersKeepTheirWidth) {
  run([](int me, int n) {
    auto* pair = allocate<int>(2);
    const int to = (me + 1) % n;
    pshmem_int_atomic_add(pair, -3, to);
    pshmem_quiet();
    EXPECT_EQ(pshmem_int_atomic_fetch_add(pair, 1, to), -3);
    pshmem_barrier_all();
    EXPECT_EQ(pair[0], -2);
    EXPECT_EQ(pair[1], 0);
  });
}

TEST_P(Atomics, NonBlockingFetchesAreThereAfterQuiet) {
  run([](int me, int n) {
    auto* counters = allocate<long>(3);
    counters[0] = me;
    pshmem_barrier_all();
    std::vector<long> old(static_cast<std::size_t>(n), -1);
    for (int pe = 0; pe < n; ++pe) {
      pshmem_long_atomic_fetch_nbi(&old[static_cast<std::size_t>(pe)], counters, pe);
    }
    long added = -1;
    long swapped = -1;
    pshmem_long_atomic_fetch_add_nbi(&added, counters + 1, 5, (me + 1) % n);
    pshmem_long_atomic_compare_swap_nbi(&swapped, counters + 2, 0, 9, (me + 1) % n);
    pshmem_quiet();
    for (int pe = 0; pe < n; ++pe) EXPECT_EQ(old[static_cast<std::size_t>(pe)], pe);
    EXPECT_EQ(added, 0);
    EXPECT_EQ(swapped, 0);
    pshmem_barrier_all();
    EXPECT_EQ(counters[1], 5);
    EXPECT_EQ(counters[2], 9);
  });
}

TEST_P(Atomics, OldNamesDoTheSame) {
  run([](int me, int n) {
    auto* word = allocate<int>(1);
    const int to = (me + 1) % n;
    EXPECT_EQ(pshmem_int_fadd(word, 4, to), 0);
    EXPECT_EQ(pshmem_int_finc(word, to), 4);
    EXPECT_EQ(pshmem_int_cswap(word, 5, 1, to), 5);
    EXPECT_EQ(pshmem_int_swap(word, 2, to), 1);
    EXPECT_EQ(pshmem_int_fetch(word, to), 2);
    pshmem_barrier_all();
  });
}

TEST_P(Atomics, ALockLetsOneInAtATime) {
  run([](int, int n) {
    auto* lock = allocate<long>(1);
    auto* value = allocate<long>(1);
    for (int i = 0; i < 3; ++i) {
      pshmem_set_lock(lock);
      // Not atomic by itself: only the lock keeps others from reading the same.
      const long before = pshmem_long_g(value, 0);
      pshmem_long_p(value, before + 1, 0);
      pshmem_clear_lock(lock);
    }
    pshmem_barrier_all();
    EXPECT_EQ(pshmem_long_g(value, 0), 3 * n);
    pshmem_barrier_all();
    while (pshmem_test_lock(lock) != 0) {
    }
    pshmem_long_p(value, pshmem_long_g(value, 0) + 1, 0);
    pshmem_clear_lock(lock);
    pshmem_barrier_all();
    EXPECT_EQ(pshmem_long_g(value, 0), 4 * n);
    pshmem_barrier_all();
  });
}

}  // namespace
}  // namespace heddle::shmem
