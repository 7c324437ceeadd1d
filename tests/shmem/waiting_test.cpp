// Waiting for memory to change: one variable, all, any and some of several.
#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

HEDDLE_ON_BOTH_TRANSPORTS(Waiting);

TEST_P(Waiting, AVariableIsWaitedForUntilItIsAsWanted) {
  run([](int me, int n) {
    auto* flag = allocate<int>(1);
    const int to = (me + 1) % n;
    pshmem_int_p(flag, -5, to);
    pshmem_int_wait_until(flag, SHMEM_CMP_LT, 0);
    EXPECT_EQ(*flag, -5);
    pshmem_barrier_all();
    pshmem_int_atomic_add(flag, 7, to);
    pshmem_int_wait_until(flag, SHMEM_CMP_GE, 1);
    EXPECT_EQ(*flag, 2);
    pshmem_barrier_all();
  });
}

TEST_P(Waiting, UnsignedValuesAreComparedAsSuch) {
  run([](int me, int n) {
    auto* flag = allocate<unsigned>(1);
    pshmem_uint_p(flag, 0x80000000U, (me + 1) % n);
    pshmem_uint_wait_until(flag, SHMEM_CMP_GT, 5);
    EXPECT_EQ(*flag, 0x80000000U);
    pshmem_barrier_all();
  });
}

TEST_P(Waiting, AllOfThemAnyOfThemSomeOfThem) {
  run([](int me, int n) {
    const auto size = static_cast<std::size_t>(n);
    auto* flags = allocate<long>(size);
    for (int pe = 0; pe < n; ++pe) {
      sleep_us(me);
      pshmem_long_p(flags + me, me + 1, pe);
    }
    std::vector<int> seen(size);
    for (std::size_t left = size; left > 0; --left) {
      const std::size_t one = pshmem_long_wait_until_any(flags, size, seen.data(), SHMEM_CMP_NE, 0);
      ASSERT_LT(one, size);
      EXPECT_EQ(seen[one], 0);
      EXPECT_EQ(flags[one], static_cast<long>(one) + 1);
      seen[one] = 1;
    }
    // All are excluded: there is nothing to wait for.
    EXPECT_EQ(pshmem_long_wait_until_any(flags, size, seen.data(), SHMEM_CMP_NE, 0), SIZE_MAX);
    pshmem_long_wait_until_all(flags, size, nullptr, SHMEM_CMP_GT, 0);
    EXPECT_EQ(pshmem_long_test_all(flags, size, nullptr, SHMEM_CMP_GT, 0), 1);
    std::vector<std::size_t> indices(size);
    EXPECT_EQ(pshmem_long_wait_until_some(flags, size, indices.data(), nullptr, SHMEM_CMP_EQ, 1),
              1U);
    EXPECT_EQ(indices[0], 0U);
    EXPECT_EQ(pshmem_long_test_some(flags, size, indices.data(), nullptr, SHMEM_CMP_GT, 0), size);
    pshmem_barrier_all();
  });
}

TEST_P(Waiting, VectorsHaveAValueForEach) {
  run([](int me, int n) {
    auto* flags = allocate<short>(3);
    short wanted[] = {1, 2, 3};
    for (short i = 0; i < 3; ++i) pshmem_short_p(flags + i, wanted[i], (me + 1) % n);
    pshmem_short_wait_until_all_vector(flags, 3, nullptr, SHMEM_CMP_EQ, wanted);
    EXPECT_EQ(flags[2], 3);
    short other[] = {9, 2, 9};
    EXPECT_EQ(pshmem_short_wait_until_any_vector(flags, 3, nullptr, SHMEM_CMP_EQ, other), 1U);
    EXPECT_EQ(pshmem_short_test_all_vector(flags, 3, nullptr, SHMEM_CMP_EQ, other), 0);
    std::size_t indices[3];
    EXPECT_EQ(pshmem_short_wait_until_some_vector(flags, 3, indices, nullptr, SHMEM_CMP_NE, other),
              2U);
    EXPECT_EQ(indices[1], 2U);
    pshmem_barrier_all();
  });
}

TEST_P(Waiting, ALoopOfTestsLetsTimePass) {
  run([](int me, int n) {
    auto* flag = allocate<int>(1);
    if (me == 0) {
      sleep_us(50);
      for (int pe = 0; pe < n; ++pe) pshmem_int_p(flag, 1, pe);
    }
    while (pshmem_int_test(flag, SHMEM_CMP_EQ, 1) == 0) {
    }
    EXPECT_GE(now(), Time::us(50));
    pshmem_barrier_all();
  });
}

}  // namespace
}  // namespace heddle::shmem
