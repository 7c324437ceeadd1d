// Puts, gets and signals: data goes where it is put and nowhere else.
#include <numeric>

#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

HEDDLE_ON_BOTH_TRANSPORTS(RemoteMemory);

TEST_P(RemoteMemory, PutsOfAllSizesArriveAtTheNextPeAndChangeNothingAroundThem) {
  run([](int me, int n) {
    for (const std::size_t size : {1U, 7U, 416U, 417U, 2048U, 2049U, 70000U}) {
      auto* room = allocate<unsigned char>(size + 2);
      std::vector<unsigned char> data(size, static_cast<unsigned char>(me + 1));
      pshmem_putmem(room + 1, data.data(), size, (me + 1) % n);
      // A blocking put has taken its source when it returns.
      std::fill(data.begin(), data.end(), 0);
      pshmem_barrier_all();
      const auto from = static_cast<unsigned char>((me + n - 1) % n + 1);
      EXPECT_EQ(room[0], 0);
      EXPECT_EQ(room[size + 1], 0);
      EXPECT_EQ(std::count(room + 1, room + size + 1, from), static_cast<std::ptrdiff_t>(size));
      pshmem_free(room);
    }
  });
}

TEST_P(RemoteMemory, GetsBringWhatTheOwnerHasNow) {
  run([](int me, int n) {
    auto* there = allocate<double>(1000);
    std::iota(there, there + 1000, me * 1000.0);
    pshmem_barrier_all();
    const int from = (me + n / 2) % n;
    std::vector<double> here(1000);
    pshmem_double_get(here.data(), there, 1000, from);
    EXPECT_EQ(here[0], from * 1000.0);
    EXPECT_EQ(here[999], from * 1000.0 + 999);
    EXPECT_EQ(pshmem_double_g(there + 5, from), from * 1000.0 + 5);
    pshmem_barrier_all();
  });
}

TEST_P(RemoteMemory, NonBlockingOnesAreThereAfterQuiet) {
  run([](int me, int n) {
    auto* room = allocate<long>(static_cast<std::size_t>(n));
    auto* own = allocate<long>(1);
    *own = me * 7;
    pshmem_barrier_all();
    for (int pe = 0; pe < n; ++pe) pshmem_long_put_nbi(room + me, own, 1, pe);
    pshmem_quiet();
    std::vector<long> fetched(static_cast<std::size_t>(n));
    for (int pe = 0; pe < n; ++pe) pshmem_long_get_nbi(&fetched[pe], own, 1, pe);
    pshmem_quiet();
    pshmem_barrier_all();
    for (int pe = 0; pe < n; ++pe) {
      EXPECT_EQ(room[pe], pe * 7);
      EXPECT_EQ(fetched[static_cast<std::size_t>(pe)], pe * 7);
    }
  });
}

TEST_P(RemoteMemory, StridesAreOfElementsAtBothEnds) {
  run([](int me, int n) {
    auto* room = allocate<short>(40);
    const short data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int to = (me + 1) % n;
    // Every second of the source to every third place.
    pshmem_short_iput(room, data, 3, 2, 4, to);
    // Blocks of two.
    pshmem_short_ibput(room + 20, data, 4, 3, 2, 3, to);
    pshmem_barrier_all();
    EXPECT_EQ(std::vector<short>(room, room + 12),
              (std::vector<short>{1, 0, 0, 3, 0, 0, 5, 0, 0, 7, 0, 0}));
    EXPECT_EQ(std::vector<short>(room + 20, room + 31),
              (std::vector<short>{1, 2, 0, 0, 4, 5, 0, 0, 7, 8, 0}));
    short back[8] = {};
    pshmem_short_iget(back, room, 2, 3, 4, me);
    EXPECT_EQ(std::vector<short>(back, back + 8), (std::vector<short>{1, 0, 3, 0, 5, 0, 7, 0}));
    pshmem_short_ibget(back, room + 20, 2, 4, 2, 3, to);
    EXPECT_EQ(std::vector<short>(back, back + 6), (std::vector<short>{1, 2, 4, 5, 7, 8}));
    pshmem_barrier_all();
  });
}

TEST_P(RemoteMemory, SizedOnesMoveSoManyBits) {
  run([](int me, int n) {
    auto* room = allocate<std::uint64_t>(8);
    const std::uint64_t data[] = {0x1111111111111111, 0x2222222222222222, 0x3333333333333333, 4};
    const int to = (me + 1) % n;
    pshmem_put8(room, data, 1, to);
    pshmem_put16(room + 1, data, 1, to);
    pshmem_put32(room + 2, data, 1, to);
    pshmem_put64(room + 3, data, 1, to);
    pshmem_put128(room + 4, data, 2, to);
    pshmem_barrier_all();
    EXPECT_EQ(std::vector<std::uint64_t>(room, room + 8),
              (std::vector<std::uint64_t>{0x11, 0x1111, 0x11111111, data[0], data[0], data[1],
                                          data[2], data[3]}));
  });
}

TEST_P(RemoteMemory, ASignalIsSeenAfterTheDataItBelongsTo) {
  run([](int me, int n) {
    for (const std::size_t size : {8U, 3000U, 100000U}) {
      auto* room = allocate<char>(size);
      auto* signal = allocate<std::uint64_t>(1);
      const std::vector<char> data(size, 'x');
      pshmem_putmem_signal_nbi(room, data.data(), size, signal, 1, SHMEM_SIGNAL_ADD, (me + 1) % n);
      EXPECT_EQ(pshmem_signal_wait_until(signal, SHMEM_CMP_EQ, 1), 1U);
      EXPECT_EQ(std::count(room, room + size, 'x'), static_cast<std::ptrdiff_t>(size));
      pshmem_barrier_all();
      pshmem_char_put_signal(room, data.data(), 1, signal, 40, SHMEM_SIGNAL_SET, (me + 1) % n);
      pshmem_uint64_wait_until(signal, SHMEM_CMP_EQ, 40);
      EXPECT_EQ(pshmem_signal_fetch(signal), 40U);
      pshmem_barrier_all();
      pshmem_signal_add(signal, 2, (me + 1) % n);
      pshmem_uint64_wait_until(signal, SHMEM_CMP_EQ, 42);
      pshmem_barrier_all();
    }
  });
}

TEST(RemoteMemoryInNode, PesOfANodeExchangeThroughMemoryAtItsSpeed) {
  // 100 ns and 1 GB/s: 1000 bytes take 1100 ns, between the 50 ns of the put and the 20 ns of
  // quiet.
  for (const char* transport : {"hybrid", "portals"}) {
    Bed bed(2, {by(transport), "shmem.node_latency=100ns", "shmem.node_bandwidth=1GBps"}, 2);
    bed.run([](int me) {
      auto* room = allocate<char>(1000);
      auto* flag = allocate<long>(1);
      pshmem_sync_all();
      if (me == 0) {
        const std::vector<char> data(1000, 'y');
        const Time begin = now();
        pshmem_putmem(room, data.data(), 1000, 1);
        pshmem_quiet();
        EXPECT_EQ(now() - begin, Time::ns(50 + 1100 + 20));
        pshmem_long_p(flag, 1, 1);
      } else {
        pshmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
        EXPECT_EQ(room[999], 'y');
      }
    });
  }
}

}  // namespace
}  // namespace heddle::shmem
