#include "host/memory/rank_blocks.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <vector>

namespace heddle::host {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
using Contents = RankBlocks::Contents;

std::byte* taken(RankBlocks& blocks, std::uint32_t rank, std::size_t size,
                 Contents contents = Contents::any) {
  return static_cast<std::byte*>(blocks.take(rank, size, contents));
}

bool resident(std::byte* page) {
  unsigned char there = 0;
  EXPECT_EQ(mincore(page, 1, &there), 0);
  return (there & 1) != 0;
}

// The first blocks of all ranks lie in a row, those of neighbours a page apart, and so do the
// second ones; in which order ranks ask does not matter.
TEST(RankBlocks, FirstBlocksOfRanksLieInARow) {
  RankBlocks blocks;
  blocks.serve(4);
  const auto page = sysconf(_SC_PAGESIZE);
  std::byte* const first = taken(blocks, 0, kMiB);
  std::byte* const second = taken(blocks, 0, kMiB);
  EXPECT_EQ(taken(blocks, 3, kMiB) - first, 3 * (static_cast<long>(kMiB) + page));
  EXPECT_EQ(taken(blocks, 3, kMiB) - second, 3 * (static_cast<long>(kMiB) + page));
  EXPECT_EQ(taken(blocks, 1, kMiB) - first, static_cast<long>(kMiB) + page);
}

// Of 1 MiB and one byte there is room for an eighth more than 1 MiB, in another row; nowhere else
// does a block begin.
TEST(RankBlocks, RoomIsThatOfABlock) {
  RankBlocks blocks;
  blocks.serve(2);
  EXPECT_EQ(blocks.room(&blocks), 0u);
  std::byte* const small = taken(blocks, 1, kMiB);
  std::byte* const large = taken(blocks, 1, kMiB + 1);
  EXPECT_EQ(blocks.room(small), kMiB);
  EXPECT_EQ(blocks.room(large), kMiB / 8 * 9);
  EXPECT_EQ(blocks.room(small + 16), 0u);
  blocks.give_back(small);
  EXPECT_EQ(blocks.room(small), 0u);
  EXPECT_EQ(blocks.room(large), kMiB / 8 * 9);
}

// A rank beyond those that are served asks elsewhere, and so does one with too many blocks.
TEST(RankBlocks, AreLimited) {
  RankBlocks blocks;
  blocks.serve(1);
  EXPECT_EQ(blocks.take(1, kMiB, Contents::any), nullptr);
  for (int i = 0; i < 64; ++i) EXPECT_NE(blocks.take(0, kMiB, Contents::any), nullptr);
  EXPECT_EQ(blocks.take(0, kMiB, Contents::any), nullptr);
}

// A block that was given back is taken again, and is zero where that is wanted.
TEST(RankBlocks, WhatIsTakenAgainIsZeroIfWanted) {
  RankBlocks blocks;
  blocks.serve(1);
  std::byte* const block = taken(blocks, 0, kMiB);
  std::memset(block, 7, kMiB);
  blocks.give_back(block);
  EXPECT_EQ(taken(blocks, 0, kMiB, Contents::zero), block);
  EXPECT_EQ(block[0], std::byte{0});
  EXPECT_EQ(block[kMiB - 1], std::byte{0});
}

// 64 MiB are kept when they are given back, the fifth block of 16 MiB is not.
TEST(RankBlocks, GiveMemoryBackToTheSystem) {
  RankBlocks blocks;
  blocks.serve(5);
  std::vector<std::byte*> all;
  for (std::uint32_t rank = 0; rank < 5; ++rank) {
    all.push_back(taken(blocks, rank, 16 * kMiB));
    all.back()[0] = std::byte{1};
  }
  for (std::byte* block : all) blocks.give_back(block);
  EXPECT_TRUE(resident(all[3]));
  EXPECT_FALSE(resident(all[4]));
  EXPECT_EQ(taken(blocks, 4, 16 * kMiB, Contents::zero)[0], std::byte{0});
}

// Memory that is expected to be used is not touched by that, wherever it is.
TEST(RankBlocks, ExpectationChangesNoContents) {
  RankBlocks blocks;
  blocks.serve(8);
  std::vector<std::byte*> all;
  for (std::uint32_t rank = 0; rank < 8; ++rank) all.push_back(taken(blocks, rank, kMiB));
  all[2][5] = std::byte{9};
  for (std::byte* block : all) blocks.expect_use(block, kMiB);
  blocks.expect_use(&blocks, sizeof blocks);
  EXPECT_EQ(all[2][5], std::byte{9});
  EXPECT_EQ(all[7][5], std::byte{0});
}

}  // namespace
}  // namespace heddle::host
