// The library, interfaces, identities, maps, handles and limits.
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

constexpr unsigned int kMatchingLogical = PTL_NI_MATCHING | PTL_NI_LOGICAL;

ptl_handle_ni_t open(unsigned int options, ptl_pid_t pid = PTL_PID_ANY) {
  ptl_handle_ni_t ni = PTL_INVALID_HANDLE;
  EXPECT_OK(PtlNIInit(PTL_IFACE_DEFAULT, options, pid, nullptr, nullptr, &ni));
  return ni;
}

/// Runs a job of one rank.
void alone(const std::function<void()>& body, const std::vector<std::string>& sets = {}) {
  Bed bed(1, sets);
  bed.run([&](std::uint32_t) { body(); });
}

TEST(Library, AnswersNoInitBeforeInitAndAfterFini) {
  ptl_handle_ni_t ni = PTL_INVALID_HANDLE;
  EXPECT_EQ(PtlInit(), PTL_FAIL) << "there is no rank";
  EXPECT_EQ(PtlNIFini(ni), PTL_NO_INIT);
  alone([&] {
    EXPECT_EQ(PtlNIInit(PTL_IFACE_DEFAULT, kMatchingLogical, 0, nullptr, nullptr, &ni),
              PTL_NO_INIT);
    EXPECT_EQ(PtlAtomicSync(), PTL_NO_INIT);
    EXPECT_OK(PtlInit());
    EXPECT_OK(PtlInit());
    EXPECT_OK(PtlAtomicSync());
    PtlFini();
    EXPECT_OK(PtlAtomicSync()) << "one of two is left";
    PtlFini();
    EXPECT_EQ(PtlAtomicSync(), PTL_NO_INIT);
    PtlFini();
    EXPECT_OK(PtlInit());
    EXPECT_OK(PtlAtomicSync());
  });
}

TEST(Library, ReleasesInterfacesWithTheLastFini) {
  alone([] {
    EXPECT_OK(PtlInit());
    const ptl_handle_ni_t ni = open(kMatchingLogical);
    PtlFini();
    EXPECT_OK(PtlInit());
    ptl_uid_t uid = 0;
    EXPECT_EQ(PtlGetUid(ni, &uid), PTL_ARG_INVALID);
  });
}

// One of MATCHING and NO_MATCHING, one of LOGICAL and PHYSICAL, and nothing else.
TEST(Interface, WantsOneOfEachOption) {
  alone([] {
    EXPECT_OK(PtlInit());
    ptl_handle_ni_t ni = PTL_INVALID_HANDLE;
    const auto init = [&](unsigned int options) {
      return PtlNIInit(PTL_IFACE_DEFAULT, options, PTL_PID_ANY, nullptr, nullptr, &ni);
    };
    EXPECT_EQ(init(0), PTL_ARG_INVALID);
    EXPECT_EQ(init(PTL_NI_MATCHING), PTL_ARG_INVALID);
    EXPECT_EQ(init(PTL_NI_LOGICAL), PTL_ARG_INVALID);
    EXPECT_EQ(init(kMatchingLogical | PTL_NI_NO_MATCHING), PTL_ARG_INVALID);
    EXPECT_EQ(init(kMatchingLogical | PTL_NI_PHYSICAL), PTL_ARG_INVALID);
    EXPECT_EQ(init(kMatchingLogical | 1U << 10), PTL_ARG_INVALID);
    EXPECT_EQ(PtlNIInit(1, kMatchingLogical, PTL_PID_ANY, nullptr, nullptr, &ni), PTL_ARG_INVALID);
    EXPECT_EQ(PtlNIInit(0, kMatchingLogical, PTL_PID_ANY, nullptr, nullptr, nullptr),
              PTL_ARG_INVALID);
    EXPECT_OK(PtlNIInit(0, kMatchingLogical, PTL_PID_ANY, nullptr, nullptr, &ni));
  });
}

// The same interface again is the same handle, and stays until it is closed as often.
TEST(Interface, IsCounted) {
  alone([] {
    EXPECT_OK(PtlInit());
    ptl_ni_limits_t desired{}, first{}, second{};
    desired.max_cts = 7;
    ptl_handle_ni_t a = 0, b = 0;
    EXPECT_OK(PtlNIInit(PTL_IFACE_DEFAULT, kMatchingLogical, PTL_PID_ANY, &desired, &first, &a));
    EXPECT_OK(PtlNIInit(PTL_IFACE_DEFAULT, kMatchingLogical, 99, nullptr, &second, &b));
    EXPECT_EQ(a, b);
    EXPECT_TRUE(PtlHandleIsEqual(a, b));
    EXPECT_EQ(second.max_cts, 7);
    const ptl_handle_ni_t other = open(PTL_NI_NO_MATCHING | PTL_NI_LOGICAL);
    EXPECT_FALSE(PtlHandleIsEqual(a, other));
    EXPECT_OK(PtlNIFini(a));
    ptl_uid_t uid = 0;
    EXPECT_OK(PtlGetUid(a, &uid));
    EXPECT_EQ(uid, 1000U);
    EXPECT_OK(PtlNIFini(a));
    EXPECT_EQ(PtlGetUid(a, &uid), PTL_ARG_INVALID);
    EXPECT_EQ(PtlNIFini(a), PTL_ARG_INVALID);
    EXPECT_NE(open(kMatchingLogical), a) << "a stale handle stays stale";
  });
}

// Wishes are brought below what the parameters say; zero and less is no wish. The portal table has
// at least 64 entries, writes are ordered after writes up to 64 B at least and after reads up to
// 8 B, and fetching atomics are as long as others.
TEST(Interface, ClampsWishes) {
  alone(
      [] {
        EXPECT_OK(PtlInit());
        ptl_ni_limits_t desired{}, actual{};
        desired.max_cts = 10;
        desired.max_entries = INT_MAX;
        desired.max_mds = -5;
        desired.max_pt_index = 1;
        desired.max_msg_size = PTL_SIZE_MAX;
        desired.max_waw_ordered_size = desired.max_war_ordered_size = 1;
        desired.max_atomic_size = 512;
        desired.max_fetch_atomic_size = 16;
        ptl_handle_ni_t ni = 0;
        EXPECT_OK(
            PtlNIInit(PTL_IFACE_DEFAULT, kMatchingLogical, PTL_PID_ANY, &desired, &actual, &ni));
        EXPECT_EQ(actual.max_cts, 10);
        EXPECT_EQ(actual.max_entries, 2000);
        EXPECT_EQ(actual.max_mds, 1 << 20);
        EXPECT_EQ(actual.max_eqs, 65536);
        EXPECT_EQ(actual.max_waw_ordered_size, 64U);
        EXPECT_EQ(actual.max_war_ordered_size, 8U);
        EXPECT_EQ(actual.max_atomic_size, 512U);
        EXPECT_EQ(actual.max_fetch_atomic_size, 512U);
        EXPECT_EQ(actual.max_pt_index, 63);
        EXPECT_EQ(actual.max_msg_size, 4ULL << 30);
        EXPECT_EQ(actual.features, PTL_TARGET_BIND_INACCESSIBLE | PTL_COHERENT_ATOMICS);
      },
      {"portals.max_entries=2000", "portals.total_data_ordering=no"});
}

// Node 0 has ranks 0 and 1 with process ids 1 and 2, node 1 rank 2 with process id 1.
TEST(Identity, IsThereFromTheStart) {
  Bed bed(3, {}, 2);
  bed.run([](std::uint32_t rank) {
    EXPECT_OK(PtlInit());
    const ptl_handle_ni_t logical = open(kMatchingLogical);
    const ptl_handle_ni_t physical = open(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
    ptl_process_t id{};
    EXPECT_OK(PtlGetId(logical, &id));
    EXPECT_EQ(id.rank, rank);
    EXPECT_OK(PtlGetId(physical, &id));
    EXPECT_EQ(id.phys.nid, rank / 2);
    EXPECT_EQ(id.phys.pid, 1 + rank % 2);
    EXPECT_OK(PtlGetPhysId(logical, &id));
    EXPECT_EQ(id.phys.nid, rank / 2);
    ptl_process_t map[3];
    ptl_size_t size = 0;
    EXPECT_OK(PtlGetMap(logical, 2, map, &size));
    EXPECT_EQ(size, 3U);
    EXPECT_OK(PtlGetMap(logical, 3, map, &size));
    EXPECT_EQ(map[2].phys.nid, 1U);
    EXPECT_EQ(map[2].phys.pid, 1U);
    EXPECT_EQ(map[1].phys.pid, 2U);
    EXPECT_EQ(PtlGetMap(physical, 3, map, &size), PTL_ARG_INVALID);
    EXPECT_EQ(PtlSetMap(physical, 3, map), PTL_ARG_INVALID);
    EXPECT_EQ(PtlSetMap(logical, 0, map), PTL_ARG_INVALID);
    EXPECT_EQ(PtlGetId(logical, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlGetPhysId(logical, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlGetUid(logical, nullptr), PTL_ARG_INVALID);
  });
}

// A map that turns the ranks around: rank 0 of the map is rank 2 of the job. The initiator in an
// event is the rank in the sender's map. All three set the same one, which is kept once; the one
// that holds anyway is not kept.
TEST(Identity, FollowsTheMap) {
  Bed bed(3);
  char landed = '.';
  bed.run([&](std::uint32_t rank) {
    const Side side;
    ptl_process_t map[3];
    ptl_size_t size = 0;
    EXPECT_OK(PtlGetMap(side.ni, 3, map, &size));
    EXPECT_OK(PtlSetMap(side.ni, 3, map)) << "the one that holds anyway";
    std::swap(map[0], map[2]);
    EXPECT_OK(PtlSetMap(side.ni, 3, map));
    ptl_process_t id{};
    EXPECT_OK(PtlGetId(side.ni, &id));
    EXPECT_EQ(id.rank, 2 - rank);
    EXPECT_OK(PtlGetMap(side.ni, 3, map, &size));
    EXPECT_EQ(map[0].phys.nid, 2U);
    char byte = 'x';
    if (rank == 2) {
      side.append(me_of(&landed, 1, kQuiet));
      EXPECT_EQ(side.wait().initiator.rank, 2U);
    } else {
      pause();
      if (rank == 0) {
        EXPECT_OK(side.put(side.bind(&byte, 1), 1, 0));
      }
      pause();
    }
  });
  EXPECT_EQ(landed, 'x');
  EXPECT_EQ(bed.machine().directory().maps().size(), 1U);
}

constexpr unsigned int kMatchingPhysical = PTL_NI_MATCHING | PTL_NI_PHYSICAL;

/// The physical interface of a rank that has asked for 2, which is taken, and then for 77.
ptl_handle_ni_t open_as_77() {
  ptl_handle_ni_t ni = 0, second = 0;
  EXPECT_EQ(PtlNIInit(PTL_IFACE_DEFAULT, kMatchingPhysical, 2, nullptr, nullptr, &ni),
            PTL_PID_IN_USE);
  ni = open(kMatchingPhysical, 77);
  ptl_process_t id{};
  EXPECT_OK(PtlGetId(ni, &id));
  EXPECT_EQ(id.phys.pid, 77U);
  EXPECT_EQ(PtlNIInit(PTL_IFACE_DEFAULT, kMatchingLogical, 78, nullptr, nullptr, &second),
            PTL_PID_IN_USE)
      << "all interfaces of a process share one";
  second = open(kMatchingLogical, 77);
  ptl_process_t map[3];
  ptl_size_t size = 0;
  EXPECT_OK(PtlGetMap(second, 3, map, &size));
  EXPECT_EQ(map[0].phys.pid, 77U);
  return ni;
}

// Ranks 0 and 1 are on one node: 2 belongs to rank 1, 77 to nobody. Who takes another leaves its
// own behind.
TEST(Identity, HonoursProcessIdsThatAreFree) {
  Bed bed(3, {}, 2);
  char landed = '.';
  bed.run([&](std::uint32_t rank) {
    EXPECT_OK(PtlInit());
    if (rank == 0) {
      const ptl_handle_ni_t ni = open_as_77();
      ptl_pt_index_t pt = 0;
      EXPECT_OK(PtlPTAlloc(ni, 0, PTL_EQ_NONE, kPortal, &pt));
      const ptl_me_t me = me_of(&landed, 1, PTL_ME_OP_PUT);
      ptl_handle_me_t handle = 0;
      EXPECT_OK(PtlMEAppend(ni, kPortal, &me, PTL_PRIORITY_LIST, nullptr, &handle));
      pause(2);
    } else if (rank == 1) {
      pause();
      open(kMatchingPhysical, 1);  // Rank 0's own, which it left.
    } else {
      pause();
      const Side side(kMatchingPhysical);
      char byte = 'x';
      ptl_process_t target{};
      target.phys = {0, 77};
      EXPECT_OK(PtlPut(side.bind(&byte, 1), 0, 1, PTL_ACK_REQ, target, kPortal, 0, 0, nullptr, 0));
      EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
      EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_OK);
    }
  });
  EXPECT_EQ(landed, 'x');
}

constexpr unsigned int kInterfaces[] = {
    PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
    PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL};

/// Each of a process's interfaces, with an entry for puts into the memory.
std::vector<std::unique_ptr<Side>> all_interfaces(char* memory, ptl_size_t length) {
  std::vector<std::unique_ptr<Side>> sides;
  for (const unsigned int each : kInterfaces) {
    sides.push_back(std::make_unique<Side>(each));
    if ((each & PTL_NI_MATCHING) != 0) {
      sides.back()->append(me_of(memory, length, kQuiet));
      continue;
    }
    const ptl_le_t le = le_of(memory, length, kQuiet);
    ptl_handle_le_t handle = 0;
    EXPECT_OK(PtlLEAppend(sides.back()->ni, kPortal, &le, PTL_PRIORITY_LIST, nullptr, &handle));
  }
  return sides;
}

// The four interfaces of a process are four worlds: a message stays in the one it was sent in.
TEST(Interface, HasItsOwnPortals) {
  for (std::size_t chosen = 0; chosen < 4; ++chosen) {
    Bed bed;
    bed.run([&](std::uint32_t rank) {
      EXPECT_OK(PtlInit());
      char memory[8] = {};
      const std::vector<std::unique_ptr<Side>> sides = all_interfaces(memory, sizeof memory);
      const Side& side = *sides[chosen];
      pause();
      if (rank == 0) {
        ptl_process_t target = rank_id(1);
        if ((kInterfaces[chosen] & PTL_NI_PHYSICAL) != 0) target.phys = {1, 1};
        char byte = 'x';
        EXPECT_OK(
            PtlPut(side.bind(&byte, 1), 0, 1, PTL_NO_ACK_REQ, target, kPortal, 0, 0, nullptr, 0));
        return pause();
      }
      pause();
      for (const auto& each : sides) {
        ptl_event_t event{};
        EXPECT_EQ(PtlEQGet(each->eq, &event), each.get() == &side ? PTL_OK : PTL_EQ_EMPTY);
      }
    });
  }
}

TEST(Handle, LeadsToItsInterface) {
  alone([] {
    const Side side;
    char byte = 'x';
    const ptl_handle_md_t md = side.bind(&byte, 1);
    const ptl_handle_me_t me = side.append(me_of(&byte, 1, PTL_ME_OP_PUT));
    for (const ptl_handle_any_t handle : {side.ni, side.eq, side.counter(), md, me}) {
      ptl_handle_ni_t ni = 0;
      EXPECT_OK(PtlNIHandle(handle, &ni));
      EXPECT_EQ(ni, side.ni);
    }
    ptl_handle_ni_t ni = 0;
    EXPECT_EQ(PtlNIHandle(PTL_INVALID_HANDLE, &ni), PTL_ARG_INVALID);
    EXPECT_EQ(PtlNIHandle(PTL_EQ_NONE, &ni), PTL_ARG_INVALID);
    EXPECT_EQ(PtlNIHandle(0, &ni), PTL_ARG_INVALID);
    EXPECT_EQ(PtlNIHandle(md, nullptr), PTL_ARG_INVALID);
    EXPECT_OK(PtlMDRelease(md));
    EXPECT_EQ(PtlNIHandle(md, &ni), PTL_ARG_INVALID);
  });
}

// A place that is used again has another handle: the old one is refused.
TEST(Handle, GoesStale) {
  alone([] {
    const Side side;
    char byte = 'x';
    const ptl_handle_md_t md = side.bind(&byte, 1);
    EXPECT_OK(PtlMDRelease(md));
    EXPECT_NE(side.bind(&byte, 1), md);
    EXPECT_EQ(PtlMDRelease(md), PTL_ARG_INVALID);
    EXPECT_EQ(side.put(md, 1, 0), PTL_ARG_INVALID);
    const ptl_handle_ct_t ct = side.counter();
    EXPECT_OK(PtlCTFree(ct));
    side.counter();
    EXPECT_EQ(PtlCTFree(ct), PTL_ARG_INVALID);
    EXPECT_EQ(PtlCTFree(md), PTL_ARG_INVALID);
    const ptl_handle_me_t me = side.append(me_of(&byte, 1, PTL_ME_OP_PUT));
    EXPECT_OK(PtlMEUnlink(me));
    side.append(me_of(&byte, 1, PTL_ME_OP_PUT));
    EXPECT_EQ(PtlMEUnlink(me), PTL_ARG_INVALID);
    ptl_handle_eq_t eq = 0;
    EXPECT_OK(PtlEQAlloc(side.ni, 1, &eq));
    EXPECT_OK(PtlEQFree(eq));
    ptl_event_t event;
    EXPECT_EQ(PtlEQGet(eq, &event), PTL_ARG_INVALID);
    EXPECT_EQ(PtlEQFree(eq), PTL_ARG_INVALID);
  });
}

TEST(Interface, CountsBundles) {
  alone([] {
    const Side side;
    EXPECT_EQ(PtlEndBundle(side.ni), PTL_ARG_INVALID);
    EXPECT_OK(PtlStartBundle(side.ni));
    EXPECT_OK(PtlStartBundle(side.ni));
    EXPECT_OK(PtlEndBundle(side.ni));
    EXPECT_OK(PtlEndBundle(side.ni));
    EXPECT_EQ(PtlEndBundle(side.ni), PTL_ARG_INVALID);
  });
}

TEST(Interface, ReportsStatusRegisters) {
  alone([] {
    const Side side;
    EXPECT_EQ(side.status(PTL_SR_DROP_COUNT), 0U);
    ptl_sr_value_t value = 0;
    EXPECT_EQ(PtlNIStatus(side.ni, PTL_SR_LAST, &value), PTL_ARG_INVALID);
    EXPECT_EQ(PtlNIStatus(side.ni, PTL_SR_DROP_COUNT, nullptr), PTL_ARG_INVALID);
  });
}

// Each table is full after what the limit says.
TEST(Limits, AreEnforced) {
  alone(
      [] {
        EXPECT_OK(PtlInit());
        const ptl_handle_ni_t ni = open(kMatchingLogical);
        ptl_handle_any_t handle = 0;
        EXPECT_OK(PtlEQAlloc(ni, 10, &handle));
        EXPECT_EQ(PtlEQAlloc(ni, 10, &handle), PTL_NO_SPACE);
        EXPECT_OK(PtlCTAlloc(ni, &handle));
        EXPECT_OK(PtlCTAlloc(ni, &handle));
        EXPECT_EQ(PtlCTAlloc(ni, &handle), PTL_NO_SPACE);
        EXPECT_OK(PtlCTFree(handle));
        EXPECT_OK(PtlCTAlloc(ni, &handle));
        const ptl_md_t md{nullptr, 0, 0, PTL_EQ_NONE, PTL_CT_NONE};
        for (int i = 0; i < 3; ++i) EXPECT_OK(PtlMDBind(ni, &md, &handle));
        EXPECT_EQ(PtlMDBind(ni, &md, &handle), PTL_NO_SPACE);
        ptl_pt_index_t a = 0, b = 0;
        EXPECT_OK(PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &a));
        EXPECT_OK(PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &b));
        const ptl_me_t me = me_of(nullptr, 0, 0);
        const auto append = [&](ptl_pt_index_t pt, ptl_list_t list) {
          return PtlMEAppend(ni, pt, &me, list, nullptr, &handle);
        };
        EXPECT_OK(append(a, PTL_PRIORITY_LIST));
        EXPECT_OK(append(a, PTL_PRIORITY_LIST));
        EXPECT_EQ(append(a, PTL_PRIORITY_LIST), PTL_LIST_TOO_LONG);
        EXPECT_OK(append(a, PTL_OVERFLOW_LIST));
        EXPECT_OK(append(b, PTL_PRIORITY_LIST));
        EXPECT_OK(append(b, PTL_OVERFLOW_LIST));
        EXPECT_EQ(append(b, PTL_OVERFLOW_LIST), PTL_NO_SPACE);
        ptl_iovec_t pieces[5] = {};
        const ptl_me_t four = me_of(pieces, 5, PTL_IOVEC);
        EXPECT_EQ(PtlMEAppend(ni, a, &four, PTL_PRIORITY_LIST, nullptr, &handle), PTL_ARG_INVALID);
      },
      {"portals.max_eqs=1", "portals.max_cts=2", "portals.max_mds=3", "portals.max_entries=5",
       "portals.max_list_size=2", "portals.max_iovecs=4"});
}

// An idle process with one interface: what its tables take is what is in them.
TEST(Interface, IsSmall) {
  EXPECT_LT(sizeof(Process), 256U);
  EXPECT_LT(sizeof(Interface), 640U);
  EXPECT_LT(sizeof(Portal), 128U);
}

}  // namespace
}  // namespace heddle::portals
