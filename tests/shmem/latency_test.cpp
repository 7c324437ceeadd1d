// What operations cost: those of Portals, and what the software adds.
#include <portals4.h>

#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

constexpr Time kOverhead = Time::ns(50);
constexpr Time kQuiet = Time::ns(20);

/// What the same operations cost a program that makes them itself, with counters at both ends.
class RawPortals {
 public:
  RawPortals(int pe, void* memory, std::size_t size) {
    PtlInit();
    PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, nullptr, nullptr,
              &ni_);
    const ptl_process_t map[] = {physical(0), physical(1)};
    PtlSetMap(ni_, 2, map);
    PtlCTAlloc(ni_, &here_);
    PtlCTAlloc(ni_, &there_);
    PtlPTAlloc(ni_, 0, PTL_EQ_NONE, 3, &pt_);
    ptl_le_t entry{};
    entry.start = memory;
    entry.length = size;
    entry.ct_handle = there_;
    entry.uid = PTL_UID_ANY;
    entry.options = PTL_LE_OP_PUT | PTL_LE_OP_GET | PTL_LE_EVENT_CT_COMM |
                    PTL_LE_EVENT_COMM_DISABLE | PTL_LE_EVENT_LINK_DISABLE;
    ptl_handle_le_t le;
    PtlLEAppend(ni_, pt_, &entry, PTL_PRIORITY_LIST, nullptr, &le);
    ptl_md_t md{};
    md.start = memory;
    md.length = size;
    md.options = PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_SEND_DISABLE;
    md.ct_handle = here_;
    md.eq_handle = PTL_EQ_NONE;
    PtlMDBind(ni_, &md, &plain_);
    md.options |= PTL_MD_VOLATILE;
    PtlMDBind(ni_, &md, &volatile_);
    target_.rank = static_cast<ptl_rank_t>(1 - pe);
  }
  Time put(std::size_t size, bool kept) {
    const Time begin = now();
    EXPECT_EQ(
        PtlPut(kept ? volatile_ : plain_, 0, size, PTL_CT_ACK_REQ, target_, pt_, 0, 0, nullptr, 0),
        PTL_OK);
    return waited(begin);
  }
  Time get(std::size_t size) {
    const Time begin = now();
    EXPECT_EQ(PtlGet(plain_, 0, size, target_, pt_, 0, 0, nullptr), PTL_OK);
    return waited(begin);
  }
  Time fetch_add() {
    const Time begin = now();
    EXPECT_EQ(PtlFetchAtomic(volatile_, 8, volatile_, 16, 8, target_, pt_, 0, 0, nullptr, 0,
                             PTL_SUM, PTL_INT64_T),
              PTL_OK);
    return waited(begin);
  }

 private:
  static ptl_process_t physical(std::uint32_t rank) {
    ptl_process_t id;
    id.phys = {rank, 1};
    return id;
  }
  Time waited(Time begin) {
    ptl_ct_event_t count;
    PtlCTWait(here_, ++expected_, &count);
    EXPECT_EQ(count.failure, 0U);
    return now() - begin;
  }
  ptl_handle_ni_t ni_{};
  ptl_handle_ct_t here_{};
  ptl_handle_ct_t there_{};
  ptl_pt_index_t pt_{};
  ptl_handle_md_t plain_{};
  ptl_handle_md_t volatile_{};
  ptl_process_t target_{};
  ptl_size_t expected_ = 0;
};

constexpr std::size_t kRoom = 256 * 1024;

TEST(Latency, AnOperationCostsThatOfPortalsAndTheStatedOverheads) {
  Bed bed(2, {by("portals")});
  bed.run([](int me) {
    auto* room = allocate<char>(kRoom);
    RawPortals raw(me, room, kRoom);
    pshmem_barrier_all();
    // Until the adapters have done with the barrier.
    sleep_us(100);
    if (me == 0) {
      for (const std::size_t size : {1U, 8U, 64U, 416U}) {
        const Time expected = raw.put(size, true);
        sleep_us(100);
        const Time begin = now();
        pshmem_putmem(room, room, size, 1);
        pshmem_quiet();
        EXPECT_EQ(now() - begin, expected + kOverhead + kQuiet) << size;
        sleep_us(100);
      }
      for (const std::size_t size : {2049U, 65536U, 262144U}) {
        const Time expected = raw.put(size, false);
        sleep_us(100);
        const Time begin = now();
        pshmem_putmem_nbi(room, room, size, 1);
        pshmem_quiet();
        EXPECT_EQ(now() - begin, expected + kOverhead + kQuiet) << size;
        sleep_us(100);
      }
      for (const std::size_t size : {8U, 4096U, 262144U}) {
        const Time expected = raw.get(size);
        sleep_us(100);
        const Time begin = now();
        pshmem_getmem(room, room, size, 1);
        EXPECT_EQ(now() - begin, expected + kOverhead) << size;
        sleep_us(100);
      }
      const Time expected = raw.fetch_add();
      sleep_us(100);
      const Time begin = now();
      pshmem_long_atomic_fetch_add(reinterpret_cast<long*>(room), 1, 1);
      EXPECT_EQ(now() - begin, expected + kOverhead);
    }
    pshmem_barrier_all();
  });
}

TEST(Latency, OverANetworkAnEnvelopeComesBack) {
  // Each way: 2 x 500 ns of links, 2 x 250 ns of PCIe; 8 + 16 bytes there and 16 back, whose last
  // byte leaves each of four links of 10 GB/s after it has come: 4 x 2.4 ns and 4 x 1.6 ns.
  Bed bed(2, {by("hybrid")});
  bed.run([](int me) {
    auto* room = allocate<long>(1);
    pshmem_barrier_all();
    if (me == 0) {
      const Time begin = now();
      pshmem_long_p(room, 1, 1);
      EXPECT_EQ(now() - begin, kOverhead);
      pshmem_quiet();
      const Time took = now() - begin - kOverhead - kQuiet;
      EXPECT_GE(took, Time::ns(3000));
      EXPECT_LE(took, Time::ns(3000) + Time::ps(4 * 2400 + 4 * 1600));
    }
    pshmem_barrier_all();
  });
}

}  // namespace
}  // namespace heddle::shmem
