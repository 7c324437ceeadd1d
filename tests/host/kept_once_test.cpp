#include "host/memory/kept_once.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "host/memory/rank_blocks.hpp"

namespace heddle::host {
namespace {

constexpr std::size_t kGlobalPages = 256;

/// Memory of one rank, with the number of its page in each.
class Globals {
 public:
  Globals()
      : memory_(static_cast<std::byte*>(
            mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    for (std::size_t i = 0; i < kGlobalPages; ++i) {
      std::memset(&at(i), static_cast<int>(i % 250 + 1), PageMap::page());
    }
  }
  ~Globals() { munmap(memory_, size()); }
  Globals(const Globals&) = delete;
  Globals& operator=(const Globals&) = delete;

  std::byte& at(std::size_t page) const { return memory_[page * PageMap::page()]; }
  std::span<std::byte> all() const { return {memory_, size()}; }
  /// Of its pages.
  std::size_t own() const {
    PageMap map;
    std::size_t own = 0;
    for (const PageMap::Page page : map.read(memory_, kGlobalPages)) own += page.own() ? 1 : 0;
    return own;
  }
  bool is_as_filled() const {
    for (std::size_t i = 0; i < kGlobalPages; ++i) {
      if (at(i) != static_cast<std::byte>(i % 250 + 1)) return false;
    }
    return true;
  }

 private:
  static std::size_t size() { return kGlobalPages * PageMap::page(); }
  std::byte* memory_;
};

// The first rank's memory is there once it has stopped; what the second has the same of is then
// kept once, and so is what the third has. None of the 256 pages is anybody's own: two times 256
// are saved.
TEST(KeptOnce, EqualPagesAreMappedOnce) {
  KeptOnce kept(true);
  const std::uint32_t row = kept.new_row();
  const std::vector<Globals> ranks(3);
  for (std::uint32_t r = 0; r < 3; ++r) kept.add_globals(r, row, ranks[r].all());
  for (std::uint32_t r = 0; r < 3; ++r) kept.stopped(r);
  for (const Globals& rank : ranks) {
    EXPECT_EQ(rank.own(), 0U);
    EXPECT_TRUE(rank.is_as_filled());
  }
  EXPECT_EQ(kept.saved().bytes, 2 * kGlobalPages * PageMap::page());
}

// Who writes to a page has it alone: others see what was there before. Of the two that still have
// it together one is saved.
TEST(KeptOnce, WhoWritesHasAPageOfItsOwn) {
  KeptOnce kept(true);
  const std::uint32_t row = kept.new_row();
  const std::vector<Globals> ranks(3);
  for (std::uint32_t r = 0; r < 3; ++r) kept.add_globals(r, row, ranks[r].all());
  for (std::uint32_t r = 0; r < 3; ++r) kept.stopped(r);
  ranks[1].at(7) = std::byte{99};
  EXPECT_EQ(ranks[1].own(), 1U);
  EXPECT_EQ(ranks[0].at(7), std::byte{8});
  EXPECT_EQ(ranks[2].at(7), std::byte{8});
}

// Pages that differ stay, and rows of fewer than sixteen equal ones in between.
TEST(KeptOnce, FewEqualPagesAreNotWorthIt) {
  KeptOnce kept(true);
  const std::uint32_t row = kept.new_row();
  const std::vector<Globals> ranks(2);
  for (std::size_t i = 0; i < 128; i += 16) ranks[1].at(i) = std::byte{255};
  for (std::uint32_t r = 0; r < 2; ++r) kept.add_globals(r, row, ranks[r].all());
  for (std::uint32_t r = 0; r < 2; ++r) kept.stopped(r);
  // From 113 on there are 143 in a row.
  EXPECT_EQ(ranks[1].own(), 113U);
  EXPECT_EQ(kept.saved().bytes, 143 * PageMap::page());
  for (std::size_t i = 0; i < 128; i += 16) EXPECT_EQ(ranks[1].at(i), std::byte{255});
}

// What a rank has filled by its second stop is found at that.
TEST(KeptOnce, ArraysThatAreFilledLaterAreFound) {
  KeptOnce kept(true);
  const std::uint32_t row = kept.new_row();
  const std::vector<Globals> ranks(2);
  ranks[1].at(100) = std::byte{255};
  for (std::uint32_t r = 0; r < 2; ++r) kept.add_globals(r, row, ranks[r].all());
  for (std::uint32_t r = 0; r < 2; ++r) kept.stopped(r);
  for (const Globals& rank : ranks) std::memset(&rank.at(0), 252, rank.all().size());
  for (std::uint32_t r = 0; r < 2; ++r) kept.stopped(r);
  EXPECT_EQ(ranks[0].own() + ranks[1].own(), 0U);
  EXPECT_EQ(ranks[0].at(100), std::byte{252});
}

// A block that is given back and taken again is zero, as it has to be, and can be filled anew.
TEST(KeptOnce, BlocksThatAreGivenBackAreTheirRowsAgain) {
  constexpr std::size_t kSize = std::size_t{1} << 20;
  RankBlocks& blocks = rank_blocks();
  blocks.serve(2, RankBlocks::kMostCompared);
  KeptOnce kept(true);
  std::byte* memory[2];
  for (std::uint32_t r = 0; r < 2; ++r) {
    memory[r] = static_cast<std::byte*>(blocks.take(r, kSize, RankBlocks::Contents::any));
    std::memset(memory[r], 5, kSize);
    kept.stopped(r);
  }
  EXPECT_TRUE(blocks.is_mapped(memory[1]));
  EXPECT_EQ(kept.saved().bytes, kSize);
  blocks.give_back(memory[1]);
  EXPECT_EQ(blocks.take(1, kSize, RankBlocks::Contents::zero), memory[1]);
  EXPECT_EQ(memory[1][1000], std::byte{0});
  EXPECT_EQ(memory[0][1000], std::byte{5});
  EXPECT_FALSE(blocks.is_mapped(memory[1]));
  for (std::byte* block : memory) blocks.give_back(block);
  blocks.serve(0);
}

// Nobody asked for it.
TEST(KeptOnce, LooksAtNoArraysUnlessItIsToldTo) {
  KeptOnce kept(false);
  const std::uint32_t row = kept.new_row();
  const std::vector<Globals> ranks(2);
  for (std::uint32_t r = 0; r < 2; ++r) kept.add_globals(r, row, ranks[r].all());
  for (std::uint32_t r = 0; r < 2; ++r) kept.stopped(r);
  EXPECT_EQ(ranks[1].own(), kGlobalPages);
}

}  // namespace
}  // namespace heddle::host
