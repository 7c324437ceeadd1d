// What programs do wrong is named: where, what, and what would have been accepted.
#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Errors, AnAddressThatIsNotSymmetric) {
  const auto body = [](int me) {
    int local = 0;
    if (me == 1) pshmem_int_p(&local, 1, 0);
  };
  EXPECT_THAT(failure(2, body), AllOf(HasSubstr("PE 1: shmem_int_p: dest: the address 0x"),
                                      HasSubstr("is not symmetric"), HasSubstr("shmem_malloc")));
}

TEST(Errors, DataThatReachesBeyondTheHeap) {
  const auto body = [](int) {
    auto* room = static_cast<char*>(pshmem_malloc(64));
    char data = 0;
    pshmem_putmem(room, &data, 2 << 20, 0);
  };
  EXPECT_THAT(failure(2, body),
              AllOf(HasSubstr("2097152 bytes at heap+0x0 reach beyond"), HasSubstr("1048576")));
}

TEST(Errors, APeThatIsNotThere) {
  const auto body = [](int) {
    auto* room = allocate<long>(1);
    pshmem_long_g(room, 5);
  };
  EXPECT_THAT(failure(3, body),
              HasSubstr("shmem_long_g: there is no PE 5 in SHMEM_TEAM_WORLD: accepted are 0 to 2"));
}

TEST(Errors, AContextOrTeamThatIsNotThere) {
  const auto context = [](int) {
    auto* room = allocate<long>(1);
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    pshmem_ctx_create(0, &ctx);
    pshmem_ctx_destroy(ctx);
    pshmem_ctx_long_p(ctx, room, 1, 0);
  };
  EXPECT_THAT(failure(1, context), HasSubstr("shmem_ctx_long_p: there is no context 2"));
  const auto invalid = [](int) { pshmem_ctx_quiet(SHMEM_CTX_INVALID); };
  EXPECT_THAT(failure(1, invalid), HasSubstr("the context is SHMEM_CTX_INVALID"));
  const auto team = [](int) {
    auto* room = allocate<int>(2);
    pshmem_int_sum_reduce(SHMEM_TEAM_INVALID, room, room + 1, 1);
  };
  EXPECT_THAT(failure(1, team), HasSubstr("the team is SHMEM_TEAM_INVALID"));
}

TEST(Errors, AllocationsThatDiffer) {
  const auto body = [](int me) { pshmem_malloc(me == 2 ? 65 : 64); };
  EXPECT_THAT(failure(4, body),
              AllOf(HasSubstr("symmetric allocations differ: as its operation number 1"),
                    HasSubstr("allocates 65 bytes"), HasSubstr("allocates 64 bytes")));
  const auto freed = [](int) {
    auto* room = static_cast<char*>(pshmem_malloc(64));
    pshmem_free(room + 8);
  };
  EXPECT_THAT(failure(2, freed), HasSubstr("nothing that is allocated begins at heap+0x8"));
}

TEST(Errors, ACollectiveThatOneDoesNotEnter) {
  const auto body = [](int me) {
    auto* flag = allocate<long>(1);
    if (me == 2) pshmem_long_wait_until(flag, SHMEM_CMP_NE, 0);
    pshmem_barrier_all();
  };
  EXPECT_THAT(failure(4, body),
              AllOf(HasSubstr("rank 0 waits in shmem_barrier_all, SHMEM_TEAM_WORLD"),
                    HasSubstr("not entered by 1 of 4: PE 2 (in shmem_long_wait_until)")));
}

TEST(Errors, DifferentCollectives) {
  const auto body = [](int me) {
    auto* room = allocate<int>(2);
    if (me == 0) {
      pshmem_sync_all();
    } else {
      pshmem_int_sum_reduce(SHMEM_TEAM_WORLD, room, room + 1, 1);
    }
  };
  for (const std::string way : {"hybrid", "portals", "software"}) {
    EXPECT_THAT(failure(2, body, in_the_way(way)),
                AllOf(HasSubstr("do not call the same: as their collective call number"),
                      HasSubstr("has called shmem_")));
  }
}

TEST(Errors, CollectivesWithDifferentAmountsOrRoots) {
  for (const std::string way : {"hybrid", "portals", "software"}) {
    const auto amounts = [](int me) {
      auto* room = allocate<int>(4096);
      pshmem_int_sum_reduce(SHMEM_TEAM_WORLD, room, room, me == 1 ? 4000 : 3);
    };
    EXPECT_THAT(failure(3, amounts, in_the_way(way)),
                HasSubstr("PE 1: shmem_int_sum_reduce: the PEs of SHMEM_TEAM_WORLD disagree on the "
                          "number of elements: this one has 16000 bytes, PE 0 has 12"));
    const auto roots = [](int me) {
      auto* room = allocate<int>(2);
      pshmem_int_broadcast(SHMEM_TEAM_WORLD, room, room + 1, 1, me == 2 ? 1 : 0);
    };
    EXPECT_THAT(failure(3, roots, in_the_way(way)),
                HasSubstr("disagree on the root: this one says 1, PE 0 says 0"));
  }
}

TEST(Errors, ALockThatNobodyHas) {
  const auto body = [](int) { pshmem_clear_lock(allocate<long>(1)); };
  EXPECT_THAT(failure(2, body), HasSubstr("shmem_clear_lock: nobody has the lock at heap+0x0"));
}

TEST(Errors, AWaitWithoutEndSaysForWhatAndWhoWroteLast) {
  for (const char* transport : {"hybrid", "portals"}) {
    const auto body = [](int me) {
      auto* flag = allocate<int>(4);
      if (me == 0) pshmem_int_p(flag + 3, 7, 1);
      if (me == 1) pshmem_int_wait_until(flag + 3, SHMEM_CMP_GT, 8);
    };
    EXPECT_THAT(failure(2, body, {by(transport)}),
                HasSubstr("rank 1 waits in shmem_int_wait_until for heap+0xc to be > 8: it is 7, "
                          "last written by PE 0"));
  }
}

TEST(Errors, CallsBeforeTheBeginningAndAfterTheEnd) {
  Bed before(1);
  const auto problem = [](Bed& bed, const std::function<void(int)>& body) {
    try {
      bed.run_plain(body);
    } catch (const RunError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(problem(before, [](int) { pshmem_barrier_all(); }),
              HasSubstr("shmem_barrier_all: called before shmem_init"));
  Bed after(1);
  EXPECT_THAT(problem(after,
                      [](int) {
                        pshmem_init();
                        pshmem_finalize();
                        pshmem_my_pe();
                      }),
              HasSubstr("shmem_my_pe: called after shmem_finalize"));
}

}  // namespace
}  // namespace heddle::shmem
