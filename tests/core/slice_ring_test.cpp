#include "core/slice_ring.hpp"

#include <vector>

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;

void push(SliceRing& ring, std::int64_t slice, std::uint64_t sequence, std::int64_t time = 0) {
  const std::size_t slot = SliceRing::slot(slice);
  if (!ring.push(slot, time, sequence, 0)) ring.push_to_new(slot, {time, sequence, 0});
}

std::vector<std::uint64_t> taken(SliceRing& ring, std::int64_t slice) {
  std::vector<TimedEntry> entries;
  ring.take(SliceRing::slot(slice), entries);
  std::vector<std::uint64_t> sequences;
  for (const TimedEntry& entry : entries) sequences.push_back(entry.sequence);
  return sequences;
}

// A slot gives what was pushed to it, in that order, over as many chunks as it takes; another
// slot's entries are not among it, and it is empty then.
TEST(SliceRing, KeepsEachSlotsEntriesAsTheyCame) {
  SliceRing ring;
  std::vector<std::uint64_t> pushed;
  for (std::uint64_t i = 0; i < 35; ++i) {
    push(ring, 7, i);
    pushed.push_back(i);
    push(ring, 8, 1000 + i);
  }
  EXPECT_EQ(taken(ring, 7), pushed);
  EXPECT_TRUE(taken(ring, 7).empty());
  EXPECT_EQ(taken(ring, 8).size(), 35U);
}

// The next slice with entries is so far behind the current one, also round the end of the ring; in
// an empty ring none is.
TEST(SliceRing, FindsTheNextSlice) {
  SliceRing ring;
  EXPECT_EQ(ring.next_occupied(0), SliceRing::kSlices);
  push(ring, 1030, 1);
  EXPECT_EQ(ring.next_occupied(1000), 30);
  push(ring, 1023, 2);
  EXPECT_EQ(ring.next_occupied(1000), 23);
  EXPECT_EQ(ring.next_occupied(1023), 7);
}

// A lone chunk shows what it holds, ten entries at most; of several chunks nothing is shown.
TEST(SliceRing, ShowsALoneChunk) {
  SliceRing ring;
  push(ring, 3, 1);
  push(ring, 3, 2);
  std::vector<std::uint64_t> shown;
  for (const TimedEntry& entry : ring.lone_chunk(3)) shown.push_back(entry.sequence);
  EXPECT_THAT(shown, ElementsAre(1, 2));
  for (std::uint64_t i = 0; i < 9; ++i) push(ring, 3, i);
  EXPECT_TRUE(ring.lone_chunk(3).empty());
}

// The least time in a slot, wherever in its chunks that is.
TEST(SliceRing, KnowsTheSoonestOfASlot) {
  SliceRing ring;
  for (std::uint64_t i = 0; i < 25; ++i) push(ring, 4, i, i == 13 ? 40 : 50);
  EXPECT_EQ(ring.soonest(4), 40);
}

// A chunk that is closed takes no more: what comes then stands in another one, behind it.
TEST(SliceRing, ClosesChunks) {
  SliceRing ring;
  const std::uint32_t number = ring.push_to_new(5, {0, 1, 0});
  EXPECT_EQ(ring.close(number).size(), 1U);
  push(ring, 5, 2);
  EXPECT_EQ(ring.close(number).size(), 1U);
  EXPECT_THAT(taken(ring, 5), ElementsAre(1, 2));
}

}  // namespace
}  // namespace heddle
