// Collectives against what they are defined to give.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

HEDDLE_IN_EVERY_WAY(Collectives);

TEST_P(Collectives, NobodyLeavesABarrierBeforeTheLastHasCome) {
  run([](int me, int n) {
    for (int last = 0; last < std::min(n, 4); ++last) {
      const Time come = Time::us(100 * (last + 1));
      if (me == last) host::current_rank()->thread().waits().sleep(come - now());
      pshmem_barrier_all();
      EXPECT_GE(now(), come);
    }
    EXPECT_EQ(pshmem_team_sync(SHMEM_TEAM_WORLD), 0);
    pshmem_sync_all();
  });
}

TEST_P(Collectives, ABarrierCompletesPuts) {
  run([](int me, int n) {
    auto* room = allocate<int>(static_cast<std::size_t>(n));
    for (int pe = 0; pe < n; ++pe) pshmem_int_p(room + me, me + 1, pe);
    pshmem_barrier_all();
    for (int pe = 0; pe < n; ++pe) EXPECT_EQ(room[pe], pe + 1);
    pshmem_barrier_all();
  });
}

TEST_P(Collectives, BroadcastsGiveAllWhatTheRootHas) {
  run([](int me, int n) {
    auto* dest = allocate<int>(1000);
    auto* source = allocate<int>(1000);
    for (int root = 0; root < std::min(n, 3); ++root) {
      std::iota(source, source + 1000, me * 10000 + root);
      EXPECT_EQ(pshmem_int_broadcast(SHMEM_TEAM_WORLD, dest, source, 1000, root), 0);
      EXPECT_EQ(dest[0], root * 10000 + root);
      EXPECT_EQ(dest[999], root * 10000 + root + 999);
    }
    // With active sets the root's own destination is left alone.
    auto* sync = allocate<long>(SHMEM_BCAST_SYNC_SIZE);
    std::fill_n(dest, 1000, -1);
    pshmem_broadcast32(dest, source, 10, 0, 0, 0, n, sync);
    EXPECT_EQ(dest[0], me == 0 ? -1 : (std::min(n, 3) - 1));
    pshmem_barrier_all();
  });
}

TEST_P(Collectives, CollectsAreInTheOrderOfPes) {
  run([](int me, int n) {
    const auto size = static_cast<std::size_t>(n);
    auto* source = allocate<short>(size + 1);
    auto* dest = allocate<short>(size * (size + 1));
    std::fill_n(source, size + 1, static_cast<short>(me));
    EXPECT_EQ(pshmem_short_fcollect(SHMEM_TEAM_WORLD, dest, source, 3), 0);
    for (int pe = 0; pe < n; ++pe) {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(dest[3 * pe + i], pe);
    }
    // PE i has i + 1 elements.
    EXPECT_EQ(
        pshmem_short_collect(SHMEM_TEAM_WORLD, dest, source, static_cast<std::size_t>(me) + 1), 0);
    const short* at = dest;
    for (int pe = 0; pe < n; ++pe) {
      for (int i = 0; i <= pe; ++i) EXPECT_EQ(*at++, pe);
    }
    pshmem_barrier_all();
  });
}

TEST_P(Collectives, AllToAllExchangesBlocks) {
  run([](int me, int n) {
    const auto size = static_cast<std::size_t>(n);
    auto* source = allocate<int>(6 * size);
    auto* dest = allocate<int>(6 * size);
    for (int i = 0; i < 6 * n; ++i) source[i] = me * 1000 + i;
    EXPECT_EQ(pshmem_int_alltoall(SHMEM_TEAM_WORLD, dest, source, 2), 0);
    for (int pe = 0; pe < n; ++pe) {
      EXPECT_EQ(dest[2 * pe], pe * 1000 + 2 * me);
      EXPECT_EQ(dest[2 * pe + 1], pe * 1000 + 2 * me + 1);
    }
    std::fill_n(dest, 6 * size, -1);
    // Every third of the source to every second place.
    EXPECT_EQ(pshmem_int_alltoalls(SHMEM_TEAM_WORLD, dest, source, 2, 3, 2), 0);
    for (int pe = 0; pe < n; ++pe) {
      EXPECT_EQ(dest[4 * pe], pe * 1000 + 6 * me);
      EXPECT_EQ(dest[4 * pe + 1], -1);
      EXPECT_EQ(dest[4 * pe + 2], pe * 1000 + 6 * me + 3);
    }
    pshmem_barrier_all();
  });
}

TEST_P(Collectives, ReductionsCombineAllPes) {
  run([](int me, int n) {
    auto* source = allocate<long>(50);
    auto* dest = allocate<long>(50);
    for (int i = 0; i < 50; ++i) source[i] = me + i;
    EXPECT_EQ(pshmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 50), 0);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(dest[i], n * (n - 1) / 2 + n * i);
    pshmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, 50);
    EXPECT_EQ(dest[7], n - 1 + 7);
    pshmem_long_min_reduce(SHMEM_TEAM_WORLD, dest, source, 50);
    EXPECT_EQ(dest[7], 7);
    // In place.
    pshmem_long_sum_reduce(SHMEM_TEAM_WORLD, source, source, 50);
    EXPECT_EQ(source[1], n * (n - 1) / 2 + n);
    auto* bits = allocate<unsigned char>(2);
    bits[0] = static_cast<unsigned char>(1 << (me % 8));
    pshmem_uchar_or_reduce(SHMEM_TEAM_WORLD, bits + 1, bits, 1);
    EXPECT_EQ(bits[1], n >= 8 ? 255 : (1 << n) - 1);
    auto* real = allocate<long double>(2);
    real[0] = 2;
    pshmem_longdouble_prod_reduce(SHMEM_TEAM_WORLD, real + 1, real, 1);
    EXPECT_EQ(real[1], std::ldexp(1.0L, n));
    auto* complex = allocate<shmem_complexd_t>(2);
    complex[0] = shmem_complexd_t{1.0, 2.0};
    pshmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, complex + 1, complex, 1);
    EXPECT_EQ(__real__ complex[1], n);
    EXPECT_EQ(__imag__ complex[1], 2.0 * n);
    pshmem_barrier_all();
  });
}

TEST_P(Collectives, ScansSumThoseBefore) {
  run([](int me, int) {
    auto* source = allocate<int>(1);
    auto* dest = allocate<int>(1);
    *source = me + 1;
    pshmem_int_sum_inscan(SHMEM_TEAM_WORLD, dest, source, 1);
    EXPECT_EQ(*dest, (me + 1) * (me + 2) / 2);
    pshmem_int_sum_exscan(SHMEM_TEAM_WORLD, dest, source, 1);
    EXPECT_EQ(*dest, me * (me + 1) / 2);
    pshmem_barrier_all();
  });
}

TEST_P(Collectives, ActiveSetsAreEverySecondPe) {
  run([](int me, int n) {
    auto* sync = allocate<long>(SHMEM_REDUCE_SYNC_SIZE);
    auto* work = allocate<int>(SHMEM_REDUCE_MIN_WRKDATA_SIZE);
    auto* source = allocate<int>(static_cast<std::size_t>(n) * 2);
    auto* dest = allocate<int>(static_cast<std::size_t>(n) * 2);
    std::fill_n(source, 2 * n, me);
    const int size = (n + 1) / 2;
    if (me % 2 == 0) {
      pshmem_int_sum_to_all(dest, source, 1, 0, 1, size, work, sync);
      EXPECT_EQ(dest[0], size * (size - 1));
      pshmem_barrier(0, 1, size, sync);
      pshmem_fcollect32(dest, source, 1, 0, 1, size, sync);
      for (int i = 0; i < size; ++i) EXPECT_EQ(dest[i], 2 * i);
      pshmem_collect32(dest, source, 1, 0, 1, size, sync);
      EXPECT_EQ(dest[size - 1], 2 * (size - 1));
      pshmem_alltoall32(dest, source, 1, 0, 1, size, sync);
      EXPECT_EQ(dest[size - 1], 2 * (size - 1));
      pshmem_sync(0, 1, size, sync);
    }
    pshmem_barrier_all();
  });
}

}  // namespace
}  // namespace heddle::shmem
