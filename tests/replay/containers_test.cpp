// The matching lists against plain ones, and the lines of what waits.
#include <algorithm>
#include <array>
#include <list>

#include <gmock/gmock.h>

#include "core/random.hpp"
#include "goal/matching.hpp"
#include "replay/engine/waiting_counts.hpp"
#include "replay/engine/waiting_line.hpp"

namespace heddle::replay {
namespace {

struct Plain {
  std::uint32_t source;
  std::uint32_t tag;
  std::uint32_t payload;
};

bool meet(std::uint32_t a, std::uint32_t b) {
  return a == b || a == UINT32_MAX || b == UINT32_MAX;
}

// Whatever was appended and taken before, the oldest entry that goes with source and tag is found;
// lists of hundreds of entries are indexed, short ones searched.
TEST(Matcher, FindsTheOldestThatGoesWithSourceAndTag) {
  for (const std::uint64_t open_in : {2, 10, 1000000}) {
    RandomStream random(open_in);
    goal::Matcher matcher;
    goal::MatchList list;
    std::list<Plain> plain;
    const auto draw = [&](std::uint64_t n) {
      return random.below(open_in) == 0 ? UINT32_MAX : static_cast<std::uint32_t>(random.below(n));
    };
    std::size_t longest = 0;
    for (std::uint32_t step = 0; step < 30000; ++step) {
      const std::uint32_t source = draw(40);
      const std::uint32_t tag = draw(8);
      // Long stretches of mostly appending, then of mostly taking.
      if (random.below(4) < (step / 3000 % 2 == 0 ? 3U : 1U)) {
        matcher.append(list, source, tag, step);
        plain.push_back({source, tag, step});
        longest = std::max(longest, plain.size());
        continue;
      }
      const auto it = std::find_if(plain.begin(), plain.end(), [&](const Plain& p) {
        return meet(p.source, source) && meet(p.tag, tag);
      });
      const std::uint32_t found = matcher.find(list, source, tag);
      ASSERT_EQ(found == goal::kNone, it == plain.end());
      if (found == goal::kNone) continue;
      ASSERT_EQ(matcher.remove(list, found), it->payload);
      plain.erase(it);
    }
    EXPECT_GT(longest, 200U);
    std::uint32_t entry = list.head;
    for (const Plain& p : plain) {
      ASSERT_NE(entry, goal::kNone);
      EXPECT_EQ(matcher[entry].payload, p.payload);
      entry = matcher[entry].next;
    }
    EXPECT_EQ(entry, goal::kNone);
  }
}

// A list that was emptied takes the record it had last, whatever other lists took meanwhile.
TEST(Matcher, ListsKeepTheirLastRecord) {
  goal::Matcher matcher;
  goal::MatchList first;
  goal::MatchList second;
  const std::uint32_t mine = matcher.append(first, 1, 0, 10);
  const std::uint32_t other = matcher.append(second, 2, 0, 20);
  EXPECT_EQ(matcher.remove(second, other), 20U);
  EXPECT_EQ(matcher.remove(first, mine), 10U);
  EXPECT_EQ(matcher.append(first, 1, 0, 11), mine);
  EXPECT_EQ(matcher.append(second, 2, 0, 21), other);
  EXPECT_NE(matcher.append(second, 2, 0, 22), mine);
}

struct Record {
  std::uint64_t sequence;
  std::uint32_t child;
  std::uint32_t next;
};

// Whatever order 500 records come in, the heap gives them back by their sequences.
TEST(SequenceHeap, GivesRecordsBackInOrder) {
  goal::ChunkPool<Record> records;
  SequenceHeap<Record> heaps(records);
  std::uint32_t heap = goal::kNone;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::uint32_t record = records.take();
    records[record] = {i * 377 % 500, goal::kNone, goal::kNone};
    heap = heaps.add(heap, record);
  }
  for (std::uint64_t sequence = 0; sequence < 500; ++sequence) {
    ASSERT_EQ(records[heap].sequence, sequence);
    heap = heaps.without_first(heap);
  }
  EXPECT_EQ(heap, goal::kNone);
}

// An operation that waits for 1, 255, 256 or 1,000 others is free when the last of them is done,
// and not before; others are not touched by it.
TEST(WaitingCounts, CountsAsManyAsThereAre) {
  for (const int others : {1, 255, 256, 1000}) {
    WaitingCounts counts;
    const std::uint8_t at_most = WaitingCounts::kMany;
    const std::array<std::uint8_t, 3> stored{
        0, static_cast<std::uint8_t>(std::min<int>(others, at_most)), 0};
    counts.reset(stored);
    EXPECT_EQ(counts.any_waits_for_many(), others >= at_most);
    EXPECT_EQ(raw(counts.find_free(OpNumber{0}, OpNumber{3})), 0U);
    EXPECT_EQ(raw(counts.find_free(OpNumber{1}, OpNumber{3})), 2U);
    EXPECT_EQ(raw(counts.find_free(OpNumber{1}, OpNumber{2})), 2U);
    if (others > at_most) counts.add(OpNumber{1}, static_cast<std::uint64_t>(others) - at_most);
    for (int i = 1; i < others; ++i) {
      ASSERT_FALSE(counts.take(OpNumber{1})) << i << " of " << others;
      ASSERT_TRUE(counts.waits(OpNumber{1}));
    }
    EXPECT_TRUE(counts.take(OpNumber{1})) << others;
    for (const std::uint64_t op : {0, 1, 2}) EXPECT_FALSE(counts.waits(OpNumber{op}));
  }
}

// The first operation of a line takes no record; those behind it follow in their order.
TEST(OpLine, HandsThePlaceToTheNext) {
  goal::ChunkPool<WaitingOp> pool;
  OpLine line;
  EXPECT_TRUE(line.empty());
  line.set_first(Time::ps(10));
  line.append(pool, {1, Time::ps(20), OpId{7}, goal::kNone});
  line.append(pool, {2, Time::ps(30), OpId{8}, goal::kNone});
  WaitingOp next{};
  EXPECT_TRUE(line.advance(pool, next));
  EXPECT_EQ(next.op, OpId{7});
  EXPECT_EQ(line.first_since().ps(), 20);
  EXPECT_TRUE(line.advance(pool, next));
  EXPECT_EQ(next.op, OpId{8});
  EXPECT_FALSE(line.advance(pool, next));
  EXPECT_TRUE(line.empty());
}

}  // namespace
}  // namespace heddle::replay
