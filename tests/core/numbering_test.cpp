#include "core/windows/numbering.hpp"

#include <functional>
#include <set>
#include <tuple>

#include <gmock/gmock.h>

#include "core/random.hpp"

namespace heddle {
namespace {

using ::testing::SizeIs;

constexpr std::int64_t kWindow = 12;

/// Something of a made-up window: it belongs to a part, and causes others of that part.
struct Happening {
  std::int64_t time;
  std::uint64_t sequence;
  std::size_t part;
  std::uint64_t identity;  ///< The same in whatever order the parts are served.
  bool operator<(const Happening& other) const {
    return std::tie(time, sequence, part) < std::tie(other.time, other.sequence, other.part);
  }
};

/// `variety` 1: everything in lock-step; more: times and numbers of what is caused differ.
struct World {
  std::uint64_t seed;
  std::uint64_t variety;

  std::uint64_t drawn(std::uint64_t identity, std::uint64_t what) const {
    return RandomStream(seed + identity * 16 + what).below(variety);
  }
  /// Hands what `cause` causes, in the window and after it, to `take`, without its sequence.
  void cause(const Happening& cause, const std::function<void(Happening)>& take) const {
    const std::uint64_t count = 1 + drawn(cause.identity, 0);
    if (cause.time > kWindow / 2 && drawn(cause.identity, 1) % 2 == 1) return;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t identity = cause.identity * 5 + k + 1;
      const auto later = static_cast<std::int64_t>(3 + drawn(identity, 2) - drawn(identity, 3) / 2);
      take({cause.time + later, 0, cause.part, identity});
    }
  }
  std::set<Happening> beginning(std::size_t parts) const {
    std::set<Happening> all;
    for (std::uint64_t i = 0; i < 60; ++i) {
      const std::size_t part = variety == 1 ? i / 20 % parts : drawn(i, 4) % parts;
      all.insert({static_cast<std::int64_t>(drawn(i, 5)), i, part, i + 1});
    }
    return all;
  }
};

/// By part: the number of the first thing that each of its causing events causes, by one queue.
std::vector<std::vector<std::uint64_t>> by_one_queue(const World& world, std::size_t parts) {
  std::vector<std::vector<std::uint64_t>> firsts(parts);
  std::set<Happening> queue = world.beginning(parts);
  std::uint64_t sequence = 1000;
  while (!queue.empty() && queue.begin()->time < kWindow) {
    const Happening now = *queue.begin();
    queue.erase(queue.begin());
    const std::uint64_t first = sequence;
    world.cause(now, [&](Happening next) {
      next.sequence = sequence++;
      queue.insert(next);
    });
    if (sequence > first) firsts[now.part].push_back(first);
  }
  return firsts;
}

EventLog log_of_part(const World& world, std::size_t parts, std::size_t part) {
  EventLog log;
  std::set<Happening> queue = world.beginning(parts);
  std::erase_if(queue, [&](const Happening& happening) { return happening.part != part; });
  while (!queue.empty() && queue.begin()->time < kWindow) {
    const Happening now = *queue.begin();
    queue.erase(queue.begin());
    std::uint64_t caused = 0;
    world.cause(now, [&](Happening next) {
      next.sequence = Sequences::first_of(log.events()) + caused++;
      queue.insert(next);
    });
    if (caused > 0) log.note(Time::ps(now.time), now.sequence, caused);
  }
  log.close();
  return log;
}

// Worlds of 1 to 4 parts, numbered in 1 to 3 shares: every event's number is that of one queue,
// where all happens in lock-step and where nothing is alike.
TEST(Numbering, GivesTheNumbersOfOneQueue) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const World world{seed, 1 + seed % 4};
    const std::size_t parts = 1 + seed % 3;
    const auto expected = by_one_queue(world, parts);
    std::vector<EventLog> logs;
    std::vector<std::span<const EventRun>> runs;
    for (std::size_t p = 0; p < parts; ++p) logs.push_back(log_of_part(world, parts, p));
    for (const EventLog& log : logs) runs.push_back(log.runs());
    const Numbering numbering(runs);
    for (std::size_t shares = 1; shares <= 3; ++shares) {
      std::vector<std::vector<std::vector<Numbered>>> given(shares);
      for (std::size_t s = 0; s < shares; ++s) {
        given[s].resize(parts);
        const auto from = numbering.cut(s, shares);
        numbering.number(from, numbering.cut(s + 1, shares), 1000 + numbering.caused_before(from),
                         given[s]);
      }
      for (std::size_t p = 0; p < parts; ++p) {
        Numbers numbers;
        for (const auto& share : given) numbers.add(share[p]);
        numbers.close();
        ASSERT_EQ(logs[p].events(), expected[p].size());
        for (std::size_t e = 0; e < expected[p].size(); ++e) {
          ASSERT_EQ(numbers.resolve(Sequences::first_of(e)), expected[p][e])
              << "seed " << seed << " shares " << shares << " part " << p << " event " << e;
        }
      }
    }
  }
}

// Three events of one instant that cause two things each, then one that causes three: two runs and
// the end.
TEST(EventLog, TellsWhatIsAlikeAtOnce) {
  EventLog log;
  for (const std::uint64_t sequence : {10, 14, 18}) log.note(Time::ps(5), sequence, 2);
  log.note(Time::ps(5), 22, 3);
  log.close();
  ASSERT_THAT(log.runs(), SizeIs(3));
  EXPECT_EQ(log.events(), 4);
  EXPECT_EQ(log.runs()[0].sequence_of(2), 18);
  EXPECT_EQ(log.runs()[1].caused_before, 6);
  EXPECT_EQ(log.runs()[2].caused_before, 9);
}

// An event before its cause in the same instant happens right after it.
TEST(EventLog, PutsAnEventBehindItsCause) {
  EventLog log;
  log.note(Time::ps(5), 20, 1);
  log.note(Time::ps(5), 3, 1);
  log.close();
  EXPECT_EQ(log.runs()[0].sequence_of(1), 20);
}

}  // namespace
}  // namespace heddle
