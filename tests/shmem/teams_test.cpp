// Teams, contexts and the symmetric heap.
#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

HEDDLE_IN_EVERY_WAY(Teams);

TEST_P(Teams, AStridedSplitHasEverySecondPe) {
  run([](int me, int n) {
    shmem_team_t even = SHMEM_TEAM_INVALID;
    const int size = (n + 1) / 2;
    EXPECT_EQ(pshmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, size, nullptr, 0, &even), 0);
    EXPECT_EQ(even == SHMEM_TEAM_INVALID, me % 2 == 1);
    if (me % 2 == 0) {
      EXPECT_EQ(pshmem_team_my_pe(even), me / 2);
      EXPECT_EQ(pshmem_team_n_pes(even), size);
      EXPECT_EQ(pshmem_team_translate_pe(even, size - 1, SHMEM_TEAM_WORLD), 2 * (size - 1));
      EXPECT_EQ(pshmem_team_translate_pe(SHMEM_TEAM_WORLD, 1 % n, even), n == 1 ? 0 : -1);
    } else {
      EXPECT_EQ(pshmem_team_my_pe(even), -1);
    }
    auto* number = allocate<int>(2);
    number[0] = 1;
    if (me % 2 == 0) {
      pshmem_int_sum_reduce(even, number + 1, number, 1);
      EXPECT_EQ(number[1], size);
      // A team of a team.
      shmem_team_t first = SHMEM_TEAM_INVALID;
      EXPECT_EQ(pshmem_team_split_strided(even, 0, 1, 1, nullptr, 0, &first), 0);
      if (me == 0) {
        EXPECT_EQ(pshmem_team_n_pes(first), 1);
      }
      pshmem_team_destroy(even);
    }
    pshmem_barrier_all();
  });
}

TEST_P(Teams, ASplitIntoRowsAndColumns) {
  run([](int me, int n) {
    shmem_team_t row = SHMEM_TEAM_INVALID;
    shmem_team_t column = SHMEM_TEAM_INVALID;
    EXPECT_EQ(pshmem_team_split_2d(SHMEM_TEAM_WORLD, 4, nullptr, 0, &row, nullptr, 0, &column), 0);
    const int width = std::min(4, n);
    EXPECT_EQ(pshmem_team_my_pe(row), me % width);
    EXPECT_EQ(pshmem_team_my_pe(column), me / width);
    EXPECT_EQ(pshmem_team_n_pes(row), std::min(width, n - me / width * width));
    EXPECT_EQ(pshmem_team_n_pes(column), (n - me % width + width - 1) / width);
    auto* number = allocate<int>(2);
    number[0] = me;
    pshmem_int_max_reduce(column, number + 1, number, 1);
    EXPECT_EQ(number[1], (pshmem_team_n_pes(column) - 1) * width + me % width);
    EXPECT_EQ(pshmem_team_sync(row), 0);
    pshmem_barrier_all();
  });
}

TEST_P(Teams, ArgumentsThatCannotBeGiveNoTeam) {
  run([](int, int n) {
    shmem_team_t team = SHMEM_TEAM_WORLD;
    EXPECT_NE(pshmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, nullptr, 0, &team), 0);
    EXPECT_EQ(team, SHMEM_TEAM_INVALID);
    EXPECT_NE(pshmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, nullptr, 0, &team), 0);
    EXPECT_EQ(pshmem_team_n_pes(SHMEM_TEAM_INVALID), -1);
  });
}

TEST_P(Teams, AContextCountsItsOwnOperationsAndItsTeamsPes) {
  run([](int me, int n) {
    shmem_team_t backwards = SHMEM_TEAM_INVALID;
    const shmem_team_config_t config{3};
    ASSERT_EQ(pshmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, &config,
                                        SHMEM_TEAM_NUM_CONTEXTS, &backwards),
              0);
    shmem_team_config_t got{0};
    pshmem_team_get_config(backwards, SHMEM_TEAM_NUM_CONTEXTS, &got);
    EXPECT_EQ(got.num_contexts, 3);
    shmem_ctx_t context = SHMEM_CTX_INVALID;
    ASSERT_EQ(pshmem_team_create_ctx(backwards, SHMEM_CTX_PRIVATE, &context), 0);
    shmem_team_t of = SHMEM_TEAM_INVALID;
    EXPECT_EQ(pshmem_ctx_get_team(context, &of), 0);
    EXPECT_EQ(of, backwards);
    auto* room = allocate<int>(1);
    // PE 0 of the team is the last of the world.
    if (me == 0) pshmem_ctx_int_p(context, room, 5, 0);
    pshmem_ctx_quiet(context);
    pshmem_ctx_fence(context);
    pshmem_barrier_all();
    EXPECT_EQ(*room, me == n - 1 ? 5 : 0);
    EXPECT_EQ(pshmem_ctx_int_atomic_fetch(context, room, 0), 5);
    pshmem_ctx_destroy(context);
    pshmem_barrier_all();
  });
}

TEST_P(Teams, TheHeapIsTheSameEverywhere) {
  run([](int me, int n) {
    void* first = pshmem_malloc(100);
    void* second = pshmem_align(4096, 5000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 4096, 0U);
    auto* zeros = static_cast<int*>(pshmem_calloc(10, sizeof(int)));
    EXPECT_EQ(std::count(zeros, zeros + 10, 0), 10);
    EXPECT_EQ(pshmem_addr_accessible(zeros, n - 1), 1);
    int local = 0;
    EXPECT_EQ(pshmem_addr_accessible(&local, n - 1), 0);
    zeros[9] = me;
    zeros = static_cast<int*>(pshmem_realloc(zeros, 100000));
    EXPECT_EQ(zeros[9], me);
    pshmem_barrier_all();
    EXPECT_EQ(pshmem_int_g(zeros + 9, (me + 1) % n), (me + 1) % n);
    pshmem_free(first);
    pshmem_free(second);
    pshmem_free(zeros);
    // All of it is free again.
    EXPECT_NE(pshmem_malloc(1 << 20), nullptr);
    EXPECT_EQ(pshmem_malloc(64), nullptr);
    EXPECT_EQ(pshmem_malloc(0), nullptr);
  });
}

TEST(TeamShared, HasThePesOfANodeAndTheirMemory) {
  Bed bed(6, {}, 3);
  bed.run([](int me) {
    EXPECT_EQ(pshmem_team_n_pes(SHMEM_TEAM_SHARED), 3);
    EXPECT_EQ(pshmem_team_my_pe(SHMEM_TEAM_SHARED), me % 3);
    auto* room = allocate<int>(1);
    const int next = me / 3 * 3 + (me + 1) % 3;
    auto* there = static_cast<int*>(pshmem_ptr(room, next));
    ASSERT_NE(there, nullptr);
    EXPECT_EQ(pshmem_team_ptr(SHMEM_TEAM_SHARED, room, (me + 1) % 3), there);
    EXPECT_EQ(pshmem_ptr(room, (me + 3) % 6), nullptr);
    EXPECT_EQ(pshmem_ptr(room, me), room);
    // A store is seen by who waits, though nothing has been sent.
    sleep_us(10);
    *there = 1;
    pshmem_int_wait_until(room, SHMEM_CMP_EQ, 1);
    pshmem_barrier_all();
  });
}

}  // namespace
}  // namespace heddle::shmem
