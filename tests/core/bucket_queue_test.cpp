#include "core/bucket_queue.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "core/random.hpp"

namespace heddle {
namespace {

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

// Ten thousand entries in one slice, then a stretch where all lies beyond the ring: the slices
// follow, and the order stays.
TEST(BucketQueue, FollowsTheDensityOfEntries) {
  BucketQueue queue(1 << 20);
  RandomStream random(1);
  std::uint64_t sequence = 0;
  for (const std::int64_t gap : {100, 100'000'000}) {
    std::int64_t now = gap * 1'000'000;
    for (int i = 0; i < 10'000; ++i) {
      queue.push({now + static_cast<std::int64_t>(random.below(1 << 20)), sequence++, 0});
    }
    for (int i = 0; i < 100'000; ++i) {
      BucketQueue::Entry entry;
      ASSERT_TRUE(queue.pop(entry));
      ASSERT_GE(entry.time, now);
      now = entry.time;
      queue.push({now + static_cast<std::int64_t>(random.below(20'000 * gap)), sequence++, 0});
    }
    for (BucketQueue::Entry entry; queue.pop(entry);) {
      ASSERT_GE(entry.time, now);
      now = entry.time;
    }
  }
}

// A slice with entries all over it, most of which share a few times and have come in no order: they
// are sorted by both, whether 9, 100 or 3,000.
TEST(BucketQueue, SortsASliceOfFewTimesAndManySequences) {
  for (const std::uint64_t count : {9U, 100U, 3000U}) {
    for (const std::uint64_t times : {1U, 3U, 50U, 100'000U}) {
      RandomStream random(count + times);
      BucketQueue queue(1 << 20);
      std::set<std::pair<std::int64_t, std::uint64_t>> plain;
      while (plain.size() < count) {
        const auto time = static_cast<std::int64_t>((1 << 20) + random.below(times) * 7);
        const std::uint64_t sequence = random.below(1 << 30);
        if (plain.emplace(time, sequence).second) queue.push({time, sequence, 0});
      }
      for (const auto& expected : plain) {
        BucketQueue::Entry entry;
        ASSERT_TRUE(queue.pop(entry));
        ASSERT_EQ(std::pair(entry.time, entry.sequence), expected);
      }
    }
  }
}

// However few entries a slice has, and whatever order they were pushed in, they are served by time,
// then by sequence; of 5 and less every order is tried, of more, up to two beyond a chunk's room,
// some. Times are 0, 1 and 2 in turns, so that several are alike.
TEST(BucketQueue, ServesAFewEntriesOfASliceInOrder) {
  for (std::uint64_t n = 1; n <= 12; ++n) {
    std::vector<std::uint64_t> order(n);
    for (std::uint64_t i = 0; i < n; ++i) order[i] = i;
    int tried = 0;
    do {
      BucketQueue queue(1 << 10);
      for (const std::uint64_t i : order) {
        queue.push((1 << 20) + static_cast<std::int64_t>(i % 3), i, 10 * i);
      }
      std::vector<std::pair<std::int64_t, std::uint64_t>> served;
      for (BucketQueue::Entry entry; queue.pop(entry);) {
        EXPECT_EQ(entry.what, 10 * entry.sequence);
        served.emplace_back(entry.time, entry.sequence);
      }
      ASSERT_EQ(served.size(), n);
      EXPECT_TRUE(std::is_sorted(served.begin(), served.end())) << n << " entries";
    } while (std::next_permutation(order.rbegin(), order.rend()) && ++tried < 200);
  }
}

// Windows of 50: entries that come in one have sequences of their own kind until it is over; what
// is left has its number then, and all come out in the order (time, number).
TEST(BucketQueue, SettlesSequencesWhenAWindowIsOver) {
  constexpr std::uint64_t kProvisional = 1 << 30;
  for (const std::int64_t slice : {1, 7, 50}) {
    RandomStream random(static_cast<std::uint64_t>(slice));
    BucketQueue queue(slice, 50);
    std::set<std::pair<std::int64_t, std::uint64_t>> plain;  // With what is in the end its number.
    std::uint64_t number = 0;
    queue.push({0, number++, 0});
    plain.emplace(0, 0);
    for (int window = 0; window < 2000 && !plain.empty(); ++window) {
      const std::int64_t start = queue.soonest();
      ASSERT_EQ(start, plain.begin()->first);
      queue.begin_window(start + 50);
      const std::uint64_t before = number;
      while (const BucketQueue::Entry* const first = queue.first_of_window()) {
        const BucketQueue::Entry entry = *first;
        queue.pop_first();
        const std::uint64_t its_number = entry.sequence & ~kProvisional;
        ASSERT_EQ(std::pair(entry.time, its_number), *plain.begin());
        plain.erase(plain.begin());
        for (std::uint64_t n = plain.size() < 300 ? random.below(4) : 0; n > 0; --n) {
          constexpr std::uint64_t kReach[] = {2, 40, 200, 100000};
          const auto ahead = static_cast<std::int64_t>(random.below(kReach[random.below(4)]));
          queue.push({entry.time + ahead, kProvisional | number, 0});
          plain.emplace(entry.time + ahead, number++);
        }
      }
      ASSERT_TRUE(plain.empty() || plain.begin()->first >= start + 50);
      queue.settle([&](BucketQueue::Entry& entry) {
        if (entry.sequence & kProvisional) {
          ASSERT_GE(entry.sequence & ~kProvisional, before);
          entry.sequence &= ~kProvisional;
        }
      });
    }
  }
}

// Entries that are not wanted any more go, wherever they stand.
TEST(BucketQueue, RemovesWhatIsNotWanted) {
  BucketQueue queue(16);
  for (std::uint64_t i = 0; i < 1'000; ++i) queue.push(static_cast<std::int64_t>(i * i), i, i);
  BucketQueue::Entry entry;
  for (int i = 0; i < 10; ++i) queue.pop(entry);
  queue.remove_if([](const BucketQueue::Entry& e) { return e.what % 2 == 0; });
  EXPECT_EQ(queue.size(), 495U);
  for (std::uint64_t i = 11; queue.pop(entry); i += 2) ASSERT_EQ(entry.what, i);
}

}  // namespace
}  // namespace heddle
