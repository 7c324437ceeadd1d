// What loops look at: how it is compared with memory.
#include "host/rank/looked_at.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "counting_memory.hpp"
#include "host/program/crash_handler.hpp"

namespace heddle::host {
namespace {

std::uint64_t address_of(const void* place) {
  return reinterpret_cast<std::uint64_t>(place);
}

/// Looks at so many numbers, each so many behind the one before.
LookedAt looking_at(const std::vector<std::uint64_t>& numbers, std::size_t count,
                    std::size_t step) {
  LookedAt looked_at;
  for (std::size_t i = 0; i < count; ++i) {
    looked_at.add(address_of(&numbers[i * step]), numbers[i * step], sizeof numbers[0]);
  }
  return looked_at;
}

// Places side by side are one stretch, whatever their sizes, and all are asked for at once.
TEST(LookedAt, ComparesWhatLiesSideBySideAsOne) {
  std::vector<std::uint64_t> numbers(256, 7);
  CountingMemory memory;
  LookedAt looked_at = looking_at(numbers, 255, 1);
  looked_at.add(address_of(&numbers[255]), 7, 1);
  looked_at.add(address_of(&numbers[255]) + 1, 0, 1);
  EXPECT_EQ(looked_at.count(), 257U);
  EXPECT_EQ(looked_at.stretches(), 1U);
  EXPECT_TRUE(looked_at.same_in(memory));
  EXPECT_EQ(memory.asked(), 1U);
  // The last byte that is looked at is the second one of the last number.
  numbers[255] = 0x10007;
  EXPECT_TRUE(looked_at.same_in(memory));
  numbers[255] = 0x107;
  EXPECT_FALSE(looked_at.same_in(memory));
}

// The same of places apart from each other: what lies between them may change.
TEST(LookedAt, AsksOnceForPlacesApart) {
  std::vector<std::uint64_t> numbers(256 * 8);
  CountingMemory memory;
  const LookedAt looked_at = looking_at(numbers, 256, 8);
  EXPECT_EQ(looked_at.stretches(), 256U);
  numbers[1] = 5;
  EXPECT_TRUE(looked_at.same_in(memory));
  EXPECT_EQ(memory.asked(), 1U);
  numbers[255 * 8] = 5;
  EXPECT_FALSE(looked_at.same_in(memory));
}

// Where not all can be reached at once, each stretch is asked for; where one cannot be reached,
// what is there is read.
TEST(LookedAt, ReadsWhatCannotBeReached) {
  std::vector<std::uint64_t> numbers(600);
  for (const std::size_t reach : {std::size_t{64}, std::size_t{0}}) {
    CountingMemory memory(reach);
    numbers[1] = 0;
    EXPECT_TRUE(looking_at(numbers, 4, 1).same_in(memory));
    const LookedAt apart = looking_at(numbers, 4, 100);
    EXPECT_TRUE(apart.same_in(memory));
    const LookedAt much = looking_at(numbers, 300, 1);
    EXPECT_TRUE(much.same_in(memory));
    numbers[299] = 1;
    EXPECT_FALSE(much.same_in(memory));
    numbers[299] = 0;
    numbers[300] = 1;
    EXPECT_TRUE(much.same_in(memory));
    EXPECT_FALSE(apart.same_in(memory));
    numbers[300] = 0;
  }
}

// A value that varies is put in its place.
TEST(LookedAt, TakesOtherValues) {
  std::vector<std::uint64_t> numbers(3);
  CountingMemory memory;
  LookedAt looked_at = looking_at(numbers, 1, 1);
  const std::size_t second = looked_at.end();
  looked_at.add(address_of(&numbers[1]), 0, 4);
  numbers[1] = 9;
  EXPECT_FALSE(looked_at.same_in(memory));
  looked_at.put(second, 9, 4);
  EXPECT_EQ(looked_at.value(second, 4), 9U);
  EXPECT_TRUE(looked_at.same_in(memory));
}

// Of memory that is gone nothing is as it was, and there are only so many places.
TEST(LookedAt, KnowsItsLimits) {
  const CrashHandler crashes;
  CountingMemory memory;
  LookedAt looked_at;
  looked_at.add(16, 0, 8);
  EXPECT_FALSE(looked_at.same_in(memory));
  looked_at.clear();
  EXPECT_FALSE(looked_at.known());
  const std::vector<std::uint64_t> numbers(LookedAt::kMost);
  looked_at = looking_at(numbers, LookedAt::kMost, 1);
  EXPECT_TRUE(looked_at.same_in(memory));
  EXPECT_FALSE(looked_at.add(16, 0, 8));
}

}  // namespace
}  // namespace heddle::host
