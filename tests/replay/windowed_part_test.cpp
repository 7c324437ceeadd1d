// Windows of a part of a replay: where they end, what they remember, what they have for others.
#include "replay/engine/windowed_part.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"

namespace heddle::replay {
namespace {

using testing::HasSubstr;

RemoteMessage message_at(std::int64_t arrival, std::uint64_t sequence) {
  return {Time::ps(arrival), sequence, Bytes(8), OpId{0}, RankId{0}, Tag{0}, RankId{5}, PairId{0}};
}

/// What event 0 of a log caused is numbered from `first` on.
class NumbersOfOne {
 public:
  explicit NumbersOfOne(std::uint64_t first) : list_{{0, 1, first, 4}} {
    numbers_.clear();
    numbers_.add(list_);
    numbers_.close();
  }
  Numbers& get() { return numbers_; }

 private:
  std::vector<Numbered> list_;
  Numbers numbers_;
};

// All ranks are here, and the window never ends.
TEST(WindowedPart, AnEngineWithAllRanksHasOneWindow) {
  const WindowedPart whole(12, Time::ps(1000));
  EXPECT_FALSE(whole.shared());
  EXPECT_EQ(whole.first(), RankId{0});
  EXPECT_EQ(whole.last(), RankId{12});
  EXPECT_EQ(whole.end(), Time::never());
}

// Windows of at most 1000 end at multiples of 32, the power of two within a sixteenth of that: from
// 5 on at 992, from 992 on at 1984. What is in the queue before that is served, the rest is not.
TEST(WindowedPart, WindowsEndWhereSlicesDo) {
  const Parts parts({RankId{0}, RankId{4}, RankId{8}});
  WindowedPart part(parts, 1, Time::ps(1000), 0);
  EXPECT_EQ(part.first(), RankId{4});
  EXPECT_EQ(part.part_of(RankId{3}), 0U);
  EventQueue events = part.make_queue();
  part.open_first(events);
  events.push(Time::ps(991), 1, EntryKind::calc, RankId{4}, OpId{0});
  events.push(Time::ps(992), 2, EntryKind::calc, RankId{4}, OpId{0});
  EXPECT_EQ(events.entries().first_of_window(), nullptr);  // Time has not begun.
  part.open(Time::ps(5), events);
  EXPECT_EQ(part.end().ps(), 992);
  ASSERT_NE(events.entries().first_of_window(), nullptr);
  events.entries().pop_first();
  EXPECT_EQ(events.entries().first_of_window(), nullptr);
  part.open(Time::ps(992), events);
  EXPECT_EQ(part.end().ps(), 1984);
  EXPECT_NE(events.entries().first_of_window(), nullptr);
}

// Of three events the first caused two things and the last one: the log has two events, and their
// provisional sequences name them as events 0 and 1.
TEST(WindowedPart, RemembersTheEventsThatCausedSomething) {
  const Parts parts({RankId{0}, RankId{4}, RankId{8}});
  WindowedPart part(parts, 0, Time::ps(1000), 0);
  EventQueue events = part.make_queue();
  part.open(Time::ps(0), events);
  const std::uint64_t first = events.next_sequence();
  EXPECT_TRUE(Sequences::provisional(first));
  events.next_sequence();
  part.note(Time::ps(10), 77, events);
  part.note(Time::ps(11), 78, events);
  const std::uint64_t later = events.next_sequence();
  part.note(Time::ps(12), 79, events);
  part.close();
  EXPECT_EQ(Sequences::event_of(first), 0U);
  EXPECT_EQ(Sequences::event_of(later), 1U);
  ASSERT_EQ(part.log().events(), 2U);
  EXPECT_EQ(part.log().runs().back().caused_before, 3U);
  EXPECT_EQ(part.log().runs().front().time.ps(), 10);
  // The next window begins anew.
  part.open(Time::ps(1000), events);
  EXPECT_EQ(events.sequence(), first);
  EXPECT_EQ(part.log().events(), 0U);
}

// Over links the sequences of ranks are marked as those behind.
TEST(WindowedPart, MarksTheSequencesOfRanks) {
  const Parts parts({RankId{0}, RankId{4}, RankId{8}});
  WindowedPart part(parts, 0, Time::ps(1000), Sequences::kBehind);
  EventQueue events = part.make_queue();
  part.open(Time::ps(0), events);
  EXPECT_NE(events.next_sequence() & Sequences::kBehind, 0U);
}

TEST(WindowedPart, RefusesMoreThanASequenceCanName) {
  const Parts parts({RankId{0}, RankId{4}, RankId{8}});
  WindowedPart part(parts, 0, Time::ps(1000), 0);
  EventQueue events = part.make_queue();
  part.open(Time::ps(0), events);
  events.set_sequence(events.sequence() + (std::uint64_t{1} << Sequences::kOffsetBits));
  EXPECT_THAT(error_of<RunError>([&] { part.note(Time::ps(0), 0, events); }),
              HasSubstr("sets 268435456 others free"));
}

// A message that was caused by event 0, as its second thing, is numbered 41. It can be read when
// the window is over, while the next one writes; the one after that has none.
TEST(WindowedPart, MessagesForOthersAreNumberedWhenTheWindowIsOver) {
  const Parts parts({RankId{0}, RankId{4}, RankId{8}});
  WindowedPart part(parts, 0, Time::ps(1000), 0);
  part.messages().put(1, message_at(3000, Sequences::first_of(0) + 1));
  part.messages().put(1, message_at(2500, 7));
  EXPECT_TRUE(part.messages().to(1).empty());
  NumbersOfOne numbers(40);
  EXPECT_EQ(part.settle(numbers.get()).ps(), 2500);
  part.messages().put(1, message_at(4000, 8));
  ASSERT_EQ(part.messages().to(1).size(), 2U);
  EXPECT_EQ(part.messages().to(1)[0].sequence, 41U);
  EXPECT_EQ(part.messages().to(1)[1].sequence, 7U);
  EXPECT_TRUE(part.messages().to(0).empty());
  EXPECT_EQ(part.settle(numbers.get()).ps(), 4000);
  EXPECT_EQ(part.messages().to(1).size(), 1U);
  part.messages().forget();
  EXPECT_EQ(part.settle(numbers.get()), Time::never());
  EXPECT_TRUE(part.messages().to(1).empty());
}

// What is on its way to another part's link comes before what ranks do: its number is not marked as
// behind, that of its message is.
TEST(WindowedPart, MessagesOnLinksComeBeforeWhatRanksDo) {
  const Parts parts({RankId{0}, RankId{4}, RankId{8}});
  WindowedPart part(parts, 0, Time::ps(1000), Sequences::kBehind);
  RemoteLinkMessage remote{};
  remote.time = Time::ps(1500);
  remote.sequence = Sequences::first_of(0) + 2;
  remote.of_launch = (Sequences::first_of(0) + 1) | Sequences::kBehind;
  part.link_messages().put(1, remote);
  NumbersOfOne numbers(40 | Sequences::kBehind);
  EXPECT_EQ(part.settle(numbers.get()).ps(), 1500);
  ASSERT_EQ(part.link_messages().to(1).size(), 1U);
  EXPECT_EQ(part.link_messages().to(1)[0].sequence, 42U);
  EXPECT_EQ(part.link_messages().to(1)[0].of_launch, 41U | Sequences::kBehind);
}

}  // namespace
}  // namespace heddle::replay
