#include "core/containers/sparse_vector.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

namespace heddle {
namespace {

using Numbers = SparseVector<std::uint64_t>;

std::map<std::size_t, std::uint64_t> different_from_zero(const Numbers& numbers) {
  std::map<std::size_t, std::uint64_t> found;
  numbers.for_each_used([&](std::size_t i, std::uint64_t number) {
    if (number != 0) found[i] = number;
  });
  return found;
}

std::size_t visited(const Numbers& numbers) {
  std::size_t count = 0;
  numbers.for_each_used([&](std::size_t, std::uint64_t) { ++count; });
  return count;
}

// Of a thousand as of 16 million: everything is zero but the first, the last and some between,
// which are found in ascending order, in a copy as well.
TEST(SparseVector, HasWhatWasWritten) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{16'000'000}}) {
    Numbers numbers(size);
    const std::map<std::size_t, std::uint64_t> written = {
        {0, 7}, {size / 3, 8}, {size / 3 + 1, 9}, {size / 2, 10}, {size - 1, 11}};
    for (const auto& [place, number] : written) numbers[place] = number;
    EXPECT_EQ(numbers.size(), size);
    EXPECT_EQ(numbers[1], 0U);
    EXPECT_EQ(different_from_zero(numbers), written);
    Numbers copy = numbers;
    numbers[0] = 0;
    EXPECT_EQ(different_from_zero(copy), written);
    std::size_t last = 0;
    copy.for_each_used([&](std::size_t i, std::uint64_t) {
      EXPECT_TRUE(i == 0 || i > last);
      last = i;
    });
    EXPECT_EQ(last, size - 1);
  }
}

// Five numbers among 16 million of 8 bytes, two of them neighbours, lie on four or five pages: of
// 128 MB, 20 KiB are used, also of a copy. Pages of other systems may have 64 KiB.
TEST(SparseVector, PassesOverPagesThatWereNeverWritten) {
  constexpr std::size_t kMostOnAPage = 65'536 / sizeof(std::uint64_t);
  Numbers numbers(16'000'000);
  EXPECT_EQ(visited(numbers), 0U);
  for (const std::size_t place : {3U, 5'000'000U, 5'000'001U, 9'000'000U, 15'999'999U}) {
    numbers[place] = 1;
  }
  EXPECT_GE(visited(numbers), 5U);
  EXPECT_LE(visited(numbers), 5 * kMostOnAPage);
  const Numbers copy = numbers;
  EXPECT_LE(visited(copy), 5 * kMostOnAPage);
}

TEST(SparseVector, MovesAndIsMadeOfAVector) {
  Numbers numbers = std::vector<std::uint64_t>{1, 2, 3};
  const std::uint64_t* const place = &numbers[0];
  const Numbers moved = std::move(numbers);
  EXPECT_EQ(&moved[0], place);
  EXPECT_EQ(std::vector<std::uint64_t>(moved.begin(), moved.end()),
            (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_TRUE(Numbers().empty());
  EXPECT_EQ(visited(Numbers()), 0U);
}

}  // namespace
}  // namespace heddle
