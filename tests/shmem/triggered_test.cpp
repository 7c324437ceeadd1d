// Collectives that the adapters carry out by triggered operations, along a tree.
#include <portals4.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kTriggered = "shmem.collectives=triggered";
const std::string kSoftware = "shmem.collectives=software";

/// How long each of so many PEs is in a call that all make at the same instant.
std::vector<Time> times_in(void (*call)(long* room), int pes,
                           const std::vector<std::string>& sets) {
  std::vector<Time> times(static_cast<std::size_t>(pes));
  std::vector<std::string> all = {by("portals")};
  all.insert(all.end(), sets.begin(), sets.end());
  Bed bed(static_cast<std::uint32_t>(pes), all);
  bed.run([&](int me) {
    auto* room = allocate<long>(2);
    const Time begin = Time::us(10'000);
    host::current_rank()->thread().waits().sleep(begin - now());
    call(room);
    times[static_cast<std::size_t>(me)] = now() - begin;
  });
  return times;
}
void barrier_of(long*) {
  pshmem_sync_all();
}
void sum_of(long* room) {
  pshmem_long_sum_reduce(SHMEM_TEAM_WORLD, room, room + 1, 1);
}
void broadcast_of(long* room) {
  pshmem_long_broadcast(SHMEM_TEAM_WORLD, room, room + 1, 1, 0);
}

/// Every part of a call costs so much, in one of the ways.
std::vector<std::string> costs(const std::string& each, const std::string& more) {
  return {"shmem.put_overhead=" + each, "shmem.atomic_overhead=" + each,
          "shmem.receive_overhead=" + each, "shmem.trigger_overhead=0ns", more};
}

TEST(Triggered, CollectivesNeedProcessorsAtTheirBeginningAndEndOnly) {
  // 33 PEs are three levels below the root of a tree of fours. Whatever processors cost: the
  // operation of a lowest member, and one look at what has come, is all that others wait for.
  for (const auto call : {barrier_of, sum_of}) {
    const std::vector<Time> quick = times_in(call, 33, costs("0ns", kTriggered));
    const std::vector<Time> slow = times_in(call, 33, costs("10us", kTriggered));
    for (std::size_t pe = 0; pe < quick.size(); ++pe) {
      EXPECT_EQ(slow[pe], quick[pe] + Time::us(20)) << "PE " << pe;
    }
    // By processors, each of at least five rounds has both.
    EXPECT_GE(times_in(call, 33, costs("10us", kSoftware))[0], Time::us(5 * 20));
  }
  // The root of a broadcast puts to four.
  const std::vector<Time> quick = times_in(broadcast_of, 33, costs("0ns", kTriggered));
  const std::vector<Time> slow = times_in(broadcast_of, 33, costs("10us", kTriggered));
  for (std::size_t pe = 0; pe < quick.size(); ++pe) {
    EXPECT_LE(slow[pe], quick[pe] + Time::us(50)) << "PE " << pe;
  }
}

/// A barrier that a program makes of Portals' own triggered puts, along a tree of twos.
class RawBarrier {
 public:
  RawBarrier(int pe, int pes) : pe_(pe), pes_(pes) {
    PtlInit();
    PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, nullptr, nullptr,
              &ni_);
    std::vector<ptl_process_t> map(static_cast<std::size_t>(pes));
    for (std::size_t i = 0; i < map.size(); ++i) map[i].phys = {static_cast<ptl_nid_t>(i), 1};
    PtlSetMap(ni_, static_cast<ptl_size_t>(pes), map.data());
    up_ = open(kUp);
    down_ = open(kDown);
    ptl_md_t md{};
    md.eq_handle = PTL_EQ_NONE;
    md.ct_handle = PTL_CT_NONE;
    PtlMDBind(ni_, &md, &nothing_);
  }
  void meet() {
    const int first = 2 * pe_ + 1;
    const int below = std::clamp(pes_ - first, 0, 2);
    const auto children = static_cast<ptl_size_t>(below);
    for (int i = 0; i < below; ++i) {
      PtlTriggeredPut(nothing_, 0, 0, PTL_NO_ACK_REQ, process(first + i), kDown, 0, 0, nullptr, 0,
                      pe_ == 0 ? up_ : down_, pe_ == 0 ? children : 1);
    }
    if (pe_ > 0 && below > 0) {
      PtlTriggeredPut(nothing_, 0, 0, PTL_NO_ACK_REQ, process((pe_ - 1) / 2), kUp, 0, 0, nullptr, 0,
                      up_, children);
    } else if (pe_ > 0) {
      PtlPut(nothing_, 0, 0, PTL_NO_ACK_REQ, process((pe_ - 1) / 2), kUp, 0, 0, nullptr, 0);
    }
    ptl_ct_event_t count;
    EXPECT_EQ(PtlCTWait(pe_ == 0 ? up_ : down_, pe_ == 0 ? children : 1, &count), PTL_OK);
  }

 private:
  static constexpr ptl_pt_index_t kUp = 3;
  static constexpr ptl_pt_index_t kDown = 4;
  static ptl_process_t process(int pe) {
    ptl_process_t id;
    id.rank = static_cast<ptl_rank_t>(pe);
    return id;
  }
  ptl_handle_ct_t open(ptl_pt_index_t where) {
    ptl_pt_index_t pt{};
    ptl_handle_ct_t counter{};
    ptl_handle_le_t entry{};
    PtlPTAlloc(ni_, 0, PTL_EQ_NONE, where, &pt);
    PtlCTAlloc(ni_, &counter);
    ptl_le_t le{};
    le.ct_handle = counter;
    le.uid = PTL_UID_ANY;
    le.options = PTL_LE_OP_PUT | PTL_LE_EVENT_CT_COMM | PTL_LE_EVENT_COMM_DISABLE |
                 PTL_LE_EVENT_LINK_DISABLE;
    PtlLEAppend(ni_, pt, &le, PTL_PRIORITY_LIST, nullptr, &entry);
    return counter;
  }

  int pe_;
  int pes_;
  ptl_handle_ni_t ni_{};
  ptl_handle_ct_t up_{};
  ptl_handle_ct_t down_{};
  ptl_handle_md_t nothing_{};
};

TEST(Triggered, ABarrierTakesWhatOneOfPortalsOwnTriggeredPutsTakes) {
  // To the picosecond, and besides a put and a look at the end: 50 ns each.
  constexpr int kPes = 11;
  std::vector<Time> raw(kPes);
  std::vector<Time> ours(kPes);
  Bed bed(kPes, {by("portals"), kTriggered, "shmem.coll.radix=2"});
  bed.run([&](int me) {
    RawBarrier barrier(me, kPes);
    pshmem_sync_all();
    host::current_rank()->thread().waits().sleep(Time::us(1000) - now());
    barrier.meet();
    raw[static_cast<std::size_t>(me)] = now() - Time::us(1000);
    host::current_rank()->thread().waits().sleep(Time::us(2000) - now());
    pshmem_sync_all();
    ours[static_cast<std::size_t>(me)] = now() - Time::us(2000);
  });
  for (std::size_t pe = 0; pe < kPes; ++pe) {
    EXPECT_EQ(ours[pe], raw[pe] + Time::ns(100)) << "PE " << pe;
  }
}

TEST(Triggered, EachMemberButTheRootSendsOneMessageUpAndGetsOneDown) {
  // 2 (n - 1) messages for a barrier or a reduction, n - 1 for a broadcast, in fours or in twos.
  for (const std::string radix : {"0", "2"}) {
    Bed bed(16, {by("portals"), "shmem.coll.radix=" + radix});
    const auto sent = [&] {
      std::uint64_t all = 0;
      for (std::uint32_t pe = 0; pe < 16; ++pe) all += bed.world().pe(pe).counters.messages;
      return all;
    };
    std::vector<std::uint64_t> after;
    bed.run([&](int me) {
      auto* room = allocate<long>(2);
      for (int what = 0; what < 4; ++what) {
        sleep_us(1000);
        if (me == 0) after.push_back(sent());
        sleep_us(1000);
        if (what == 0) pshmem_sync_all();
        if (what == 1) pshmem_long_sum_reduce(SHMEM_TEAM_WORLD, room, room + 1, 1);
        if (what == 2) pshmem_long_broadcast(SHMEM_TEAM_WORLD, room, room + 1, 1, 5);
      }
    });
    ASSERT_EQ(after.size(), 4U);
    EXPECT_EQ(after[1] - after[0], 30U);
    EXPECT_EQ(after[2] - after[1], 30U);
    EXPECT_EQ(after[3] - after[2], 15U);
  }
}

TEST(Triggered, WhatComesBeforeAMemberWaitsForIt) {
  // The root is twenty broadcasts ahead; PE p, and with it those below, come late.
  Bed bed(14, {by("portals")});
  bed.run([](int me) {
    auto* data = allocate<int>(2);
    sleep_us(me == 0 ? 0 : 100 * (me % 5));
    for (int i = 0; i < 20; ++i) {
      data[1] = 1000 + i;
      pshmem_int_broadcast(SHMEM_TEAM_WORLD, data, data + 1, 1, 0);
      EXPECT_EQ(data[0], 1000 + i);
    }
    // Each in turn comes last to a sum.
    for (int last = 0; last < 14; ++last) {
      if (me == last) sleep_us(100);
      data[1] = me + last;
      pshmem_int_sum_reduce(SHMEM_TEAM_WORLD, data, data + 1, 1);
      EXPECT_EQ(data[0], 14 * 13 / 2 + 14 * last);
    }
  });
}

/// Every operation of OpenSHMEM's on a type that has it, with the same result either way.
template <class T, class Reduce>
void expect_same_reduction(Reduce reduce) {
  std::map<std::string, std::vector<T>> results;
  for (const std::string& way : {kTriggered, kSoftware}) {
    Bed bed(7, {by("portals"), way});
    bed.run([&](int me) {
      auto* source = allocate<T>(5);
      auto* dest = allocate<T>(5);
      for (int i = 0; i < 5; ++i) source[i] = static_cast<T>(1 + (me * 3 + i) % 4);
      reduce(dest, source);
      if (me == 6) results[way].assign(dest, dest + 5);
      pshmem_barrier_all();
    });
  }
  EXPECT_EQ(results[kTriggered], results[kSoftware]);
}

TEST(Triggered, ReductionsGiveWhatProcessorsWouldHaveGiven) {
#define HEDDLE_SAME(TYPE, NAME, OP)                                                 \
  expect_same_reduction<TYPE>([](TYPE* dest, const TYPE* source) {                  \
    EXPECT_EQ(pshmem_##NAME##_##OP##_reduce(SHMEM_TEAM_WORLD, dest, source, 5), 0); \
  })
#define HEDDLE_SAME_NUMBERS(TYPE, NAME) \
  HEDDLE_SAME(TYPE, NAME, sum);         \
  HEDDLE_SAME(TYPE, NAME, prod);        \
  HEDDLE_SAME(TYPE, NAME, max);         \
  HEDDLE_SAME(TYPE, NAME, min)
#define HEDDLE_SAME_BITS(TYPE, NAME) \
  HEDDLE_SAME(TYPE, NAME, and);      \
  HEDDLE_SAME(TYPE, NAME, or);       \
  HEDDLE_SAME(TYPE, NAME, xor)
  HEDDLE_SAME_NUMBERS(short, short);
  HEDDLE_SAME_NUMBERS(int, int);
  HEDDLE_SAME_NUMBERS(long long, longlong);
  HEDDLE_SAME_NUMBERS(float, float);
  HEDDLE_SAME_NUMBERS(double, double);
  HEDDLE_SAME_NUMBERS(long double, longdouble);
  HEDDLE_SAME_BITS(unsigned char, uchar);
  HEDDLE_SAME_BITS(unsigned short, ushort);
  HEDDLE_SAME_BITS(unsigned int, uint);
  HEDDLE_SAME_BITS(unsigned long, ulong);
#undef HEDDLE_SAME_BITS
#undef HEDDLE_SAME_NUMBERS
#undef HEDDLE_SAME
}

TEST(Triggered, WhatIsTooLongIsCarriedOutByProcessors) {
  Bed bed(6, {by("portals"), "shmem.triggered_limit=64", "portals.max_atomic_size=32"});
  bed.run([](int me) {
    for (const std::size_t count : {1U, 4U, 5U, 8U, 9U, 100U}) {
      auto* data = allocate<long>(2 * count);
      std::fill_n(data + count, count, me);
      pshmem_long_sum_reduce(SHMEM_TEAM_WORLD, data, data + count, count);
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(data[i], 15);
      pshmem_long_broadcast(SHMEM_TEAM_WORLD, data, data + count, count, 3);
      EXPECT_EQ(data[count - 1], 3);
    }
  });
}

/// Collectives drawn at random on two teams, members of which come at random instants.
void run_at_random(std::uint32_t seed) {
  constexpr int kPes = 13;
  constexpr int kColumns = 4;
  Bed bed(kPes, {by("portals"), seed % 2 == 0 ? "shmem.coll.radix=0" : "shmem.coll.radix=3"},
          seed % 3 == 0 ? 2 : 1);
  bed.run([&](int me) {
    shmem_team_t row = SHMEM_TEAM_INVALID;
    shmem_team_t column = SHMEM_TEAM_INVALID;
    pshmem_team_split_2d(SHMEM_TEAM_WORLD, kColumns, nullptr, 0, &row, nullptr, 0, &column);
    auto* data = allocate<long>(8);
    std::mt19937 common(seed);
    std::mt19937 own(seed * 100 + static_cast<std::uint32_t>(me));
    for (int i = 0; i < 60; ++i) {
      const std::uint32_t drawn = common();
      const bool in_row = drawn % 2 == 0;
      shmem_team_t team = in_row ? row : column;
      // The members of the PE's own row or column, by their numbers in the world.
      std::vector<long> members;
      for (int pe = 0; pe < kPes; ++pe) {
        if (in_row ? pe / kColumns == me / kColumns : pe % kColumns == me % kColumns) {
          members.push_back(pe);
        }
      }
      if (own() % 3 == 0) sleep_us(own() % 20);
      data[0] = me * 7 + i;
      const auto root = static_cast<int>(drawn / 8 % members.size());
      switch (drawn / 2 % 4) {
        case 0:
          pshmem_team_sync(team);
          break;
        case 1:
          pshmem_long_broadcast(team, data + 4, data, 1, root);
          EXPECT_EQ(data[4], members[static_cast<std::size_t>(root)] * 7 + i) << "call " << i;
          break;
        case 2:
          pshmem_long_sum_reduce(team, data + 4, data, 1);
          EXPECT_EQ(data[4], std::accumulate(members.begin(), members.end(), 0L) * 7 +
                                 i * static_cast<long>(members.size()))
              << "call " << i;
          break;
        default:
          pshmem_long_max_reduce(team, data, data, 1);
          EXPECT_EQ(data[0], members.back() * 7 + i) << "call " << i;
          break;
      }
    }
    pshmem_barrier_all();
  });
  EXPECT_EQ(bed.job().ends().abort().problem, "");
}

TEST(Triggered, RandomCollectivesOfTeamsGiveWhatTheirDefinitionsSay) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) run_at_random(seed);
}

TEST(Triggered, AnAlgorithmChosenByHandIsCarriedOutByProcessors) {
  const std::vector<Time> chosen =
      times_in(barrier_of, 16, costs("10us", "shmem.coll.barrier=bruck"));
  EXPECT_GE(chosen[0], Time::us(4 * 20));
  // As is everything where PEs of a node meet in its memory.
  const std::vector<Time> near =
      times_in(barrier_of, 16, costs("10us", "shmem.node_latency=100ns"));
  EXPECT_GE(near[0], Time::us(4 * 20));
}

TEST(Triggered, WhoWaitsSaysForWhom) {
  const auto body = [](int me) {
    auto* flag = allocate<long>(1);
    if (me == 1) pshmem_long_wait_until(flag, SHMEM_CMP_NE, 0);
    pshmem_barrier_all();
  };
  EXPECT_THAT(
      failure(6, body, {by("portals")}),
      AllOf(HasSubstr("rank 0 waits in shmem_barrier_all, SHMEM_TEAM_WORLD, for 1 of the 4 PEs "
                      "below it; not entered by 1 of 6: PE 1 (in shmem_long_wait_until)"),
            HasSubstr("rank 5 waits in shmem_barrier_all, SHMEM_TEAM_WORLD, for PE 1; not ")));
}

}  // namespace
}  // namespace heddle::shmem
