// The queue and the matching lists against plain ones.
#include <algorithm>
#include <list>
#include <set>

#include <gmock/gmock.h>

#include "core/random.hpp"
#include "replay/bucket_queue.hpp"
#include "replay/matching.hpp"

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
    Matcher matcher;
    MatchList list;
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
      ASSERT_EQ(found == kNone, it == plain.end());
      if (found == kNone) continue;
      ASSERT_EQ(matcher.remove(list, found), it->payload);
      plain.erase(it);
    }
    EXPECT_GT(longest, 200U);
    EXPECT_EQ(list.size, plain.size());
  }
}

// Entries come out in the order (time, sequence), also those pushed behind, within and far ahead of
// the current slice.
TEST(BucketQueue, ServesByTimeAndSequence) {
  for (const std::int64_t slice : {1, 10, 1000}) {
    RandomStream random(static_cast<std::uint64_t>(slice));
    BucketQueue queue(slice);
    std::set<std::pair<std::int64_t, std::uint64_t>> plain;
    std::int64_t now = 0;
    std::uint64_t sequence = 0;
    for (int step = 0; step < 50000; ++step) {
      if (plain.empty() || random.below(2) == 0) {
        constexpr std::uint64_t kReach[] = {1, 20, 3000, 10000000};
        const auto ahead = static_cast<std::int64_t>(random.below(kReach[random.below(4)]));
        queue.push({now + ahead, sequence, 2 * sequence});
        plain.emplace(now + ahead, sequence++);
        continue;
      }
      BucketQueue::Entry entry;
      ASSERT_TRUE(queue.pop(entry));
      const std::pair<std::int64_t, std::uint64_t> served(entry.time, entry.sequence);
      ASSERT_EQ(served, *plain.begin());
      ASSERT_EQ(entry.what, 2 * entry.sequence);
      now = entry.time;
      plain.erase(plain.begin());
    }
  }
}

}  // namespace
}  // namespace heddle::replay
