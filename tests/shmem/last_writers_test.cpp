#include "shmem/last_writers.hpp"

#include <gtest/gtest.h>

namespace heddle::shmem {
namespace {

TEST(LastWriters, KnowsWhoWroteAShortPieceLast) {
  LastWriters writers;
  const std::uint64_t place = 0;
  EXPECT_EQ(writers.find(3, &place), -1);
  writers.note(3, &place, 8, 1);
  writers.note(3, &place, 4, 2);
  EXPECT_EQ(writers.find(3, &place), 2);
  // The same address of another PE is another place.
  EXPECT_EQ(writers.find(4, &place), -1);
}

TEST(LastWriters, DoesNotRememberLongPieces) {
  LastWriters writers;
  const std::uint64_t place[2] = {};
  writers.note(0, place, sizeof place, 1);
  EXPECT_EQ(writers.find(0, place), -1);
}

}  // namespace
}  // namespace heddle::shmem
