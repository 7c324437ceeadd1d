// Mistakes that go over ranks, and what is only suspicious.
#include "goal/check.hpp"
#include "goal/schedule_builder.hpp"

#include <gmock/gmock.h>

#include "core/random.hpp"
#include "goal/formats/formats.hpp"
#include "goal/patterns/patterns.hpp"
#include "parse.hpp"
#include "replay/loggops/loggops_replay.hpp"

namespace heddle::goal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

replay::ReplayOptions eager() {
  replay::ReplayConfig replay = replay::replay_table().defaults();
  replay.rendezvous = Bytes(INT64_MAX);
  return {{Time::ns(2500), Time::ns(1500), Time::ns(1000), TimePerByte::attoseconds(6'000'000'000),
           TimePerByte(), replay}};
}

// Both ranks want to receive before they send: a of rank 0 waits for b of rank 1, which waits for
// a of rank 1, which waits for b of rank 0, which waits for a of rank 0.
TEST(CheckOverRanks, FindsACycleOfMessages) {
  const std::string rank = "a: recv 8b from X\nb: send 8b to X\nb requires a\n}\n";
  const auto block = [&](int r) {
    std::string text = "rank " + std::to_string(r) + " {\n" + rank;
    for (std::size_t at = 0; (at = text.find('X', at)) != std::string::npos;) {
      text[at] = static_cast<char>('1' - r);
    }
    return text;
  };
  const auto findings = check(parse("num_ranks 2\n" + block(0) + block(1)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].text, HasSubstr("is in a cycle over ranks"));
  EXPECT_THAT(
      findings[0].text,
      HasSubstr(
          "rank 0, b (test.goal:4) after rank 0, a (test.goal:3) after the message of "
          "rank 1, b (test.goal:9) after rank 1, a (test.goal:8) after the message of rank 0, "
          "b (test.goal:4)"));
}

// A chain of 3 ranks that closes behind one more operation; those in front of the cycle are not
// named.
TEST(CheckOverRanks, NamesOnlyTheCycle) {
  const auto findings =
      check(parse("num_ranks 3\nrank 0 {\nx: recv 1b from 1 tag 9\n}\n"
                  "rank 1 {\na: recv 1b from 2\nb: send 1b to 2\ny: send 1b to 0 tag 9\n"
                  "b requires a\ny requires b\n}\n"
                  "rank 2 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].text,
              AllOf(HasSubstr("rank 2, b"), HasSubstr("rank 1, b"),
                    testing::Not(HasSubstr("rank 1, y")), testing::Not(HasSubstr("rank 0"))));
}

// The second receive of rank 1 stands first in the file but waits for the other one: messages are
// taken in the order in which receives begin, so nothing is wrong.
TEST(CheckOverRanks, TheOrderInTheFileDoesNotMatter) {
  EXPECT_THAT(check(parse("num_ranks 2\nrank 0 {\na: send 1b to 1\nack: recv 1b from 1\n"
                          "b: send 1b to 1\nack requires a\nb requires ack\n}\n"
                          "rank 1 {\nlate: recv 1b from 0\nearly: recv 1b from 0\n"
                          "ack: send 1b to 0\nack requires early\nlate requires early\n}\n")),
              IsEmpty());
}

// Rank 0 sends only when it has heard of rank 1, which first receives from anybody: it may be the
// message of rank 2 that lets it go on.
TEST(CheckOverRanks, OpenReceivesAreNoReasonToComplain) {
  const char* const text =
      "num_ranks 3\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"
      "rank 1 {\na: recv 1b from -1\nb: send 1b to 0\nc: recv 1b from -1\nb requires a\n}\n"
      "rank 2 {\nsend 1b to 1\n}\n";
  const CheckReport report = examine(parse(text));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.warnings, IsEmpty());
}

// The first receive of rank 1 takes rank 0's message, as it is there first, and the one that wants
// rank 0's gets none: whether that happens depends on the order of messages.
TEST(CheckOverRanks, AStallInOneOrderIsAWarning) {
  const CheckReport report =
      examine(parse("num_ranks 3\nrank 0 {\nsend 1b to 1\n}\n"
                    "rank 1 {\na: recv 1b from -1\nb: recv 1b from 0\nb requires a\n}\n"
                    "rank 2 {\nsend 1b to 1\n}\n"));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.warnings, ElementsAre(Pair(HasSubstr("which 1 rank has"), 1)));
}

// Cycles between ranks without open receives are found, whatever else is open.
TEST(CheckOverRanks, CyclesBesideOpenReceivesAreFound) {
  const auto findings =
      check(parse("num_ranks 3\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"
                  "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n"
                  "rank 2 {\nrecv 1b from -1\nsend 1b to 2\n}\n"));
  EXPECT_EQ(findings.size(), 1U);
}

/// A schedule whose messages are all matched, with dependencies drawn at random: of a few ranks
/// and many messages it often stalls.
Schedule small_random_schedule(std::uint64_t seed) {
  RandomStream random(seed);
  constexpr std::uint32_t kRanks = 4;
  std::vector<std::vector<Op>> ops(kRanks);
  for (std::uint32_t m = 0; m < 12; ++m) {
    const auto from = static_cast<std::uint32_t>(random.below(kRanks));
    const auto to = static_cast<std::uint32_t>(random.below(kRanks));
    ops[from].push_back({OpKind::send, 8, to, m, 0, 0});
    ops[to].push_back({OpKind::recv, 8, from, m, 0, 0});
  }
  ScheduleBuilder builder(kRanks, "random");
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    builder.begin_rank(r);
    for (std::size_t i = ops[r].size(); i > 1; --i) {
      std::swap(ops[r][i - 1], ops[r][random.below(i)]);
    }
    for (std::uint32_t i = 0; i < ops[r].size(); ++i) {
      builder.add(ops[r][i]);
      if (i > 0 && random.below(3) == 0) {
        builder.requires_end(i, static_cast<std::uint32_t>(random.below(i)));
      }
    }
    builder.end_rank();
  }
  return builder.finish();
}

// With a tag of its own for each message the check and a replay agree: a cycle is found if and only
// if the replay stalls.
TEST(CheckOverRanks, AgreesWithTheReplay) {
  int stalls = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Schedule schedule = small_random_schedule(seed);
    bool stalled = false;
    try {
      replay::loggops_replay(schedule, eager());
    } catch (const replay::StallError&) {
      stalled = true;
    }
    stalls += stalled;
    ASSERT_EQ(!check(schedule).empty(), stalled) << seed;
  }
  EXPECT_GT(stalls, 20);
  EXPECT_LT(stalls, 380);
}

// The longest time there is are 2^63 / 4 ps, the largest message 2^48 bytes.
TEST(Check, ValuesBeyondSimulatedTime) {
  const char* const text =
      "num_ranks 1\nrank 0 {\nlong: calc 18446744073709551615\n"
      "big: send 18446744073709551615b to 0\nrecv 18446744073709551615b from 0\n}\n";
  const auto findings = check(parse(text));
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0].text, AllOf(HasSubstr("rank 0, long: calc 18446744073709551615"),
                                      HasSubstr("test.goal:3"), HasSubstr("at most")));
  EXPECT_THAT(findings[1].text, AllOf(HasSubstr("rank 0, big: send"), HasSubstr("test.goal:4"),
                                      HasSubstr("at most 281474976710656")));
  try {
    replay::loggops_replay(parse(text), eager());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("test.goal:3"), HasSubstr("rank 0, long")));
  }
}

// What fits depends on the unit and on G: in units of a day 27 are too many, and at 1 us per byte
// 2^42 bytes are.
TEST(Check, ReplayRefusesWhatDoesNotFitItsUnits) {
  const auto error = [](const char* op, const replay::ReplayOptions& options) {
    try {
      replay::loggops_replay(parse("num_ranks 1\nrank 0 {\nx: " + std::string(op) + "\n}\n"),
                             options);
    } catch (const InputError& problem) {
      return std::string(problem.what());
    } catch (const RunError&) {
      return std::string("stalled");
    }
    return std::string("fine");
  };
  replay::ReplayOptions days = eager();
  days.parameters.replay.unit = Time::s(86400);
  EXPECT_EQ(error("calc 26", days), "fine");
  EXPECT_THAT(error("calc 27", days), AllOf(HasSubstr("test.goal:3"), HasSubstr("at most 26")));
  replay::ReplayOptions slow = eager();
  slow.parameters.gap_per_byte = TimePerByte::attoseconds(1'000'000'000'000);
  EXPECT_THAT(error("send 4398046511104b to 0", slow), HasSubstr("rank 0, x"));
  EXPECT_EQ(error("send 4398046511104b to 0", eager()), "stalled");
}

// A calc of 2305843009213694 ns lasts longer than 2^61 ps: the check refuses what the replay
// refuses, in the unit that both are told.
TEST(Check, AgreesWithTheReplayOnWhatIsTooLong) {
  const Schedule schedule = parse("num_ranks 1\nrank 0 {\nx: calc 2305843009213694\n}\n");
  EXPECT_EQ(check(schedule).size(), 1U);
  EXPECT_THROW(replay::loggops_replay(schedule, eager()), InputError);
  EXPECT_THAT(check(schedule, {100, limits_for(Time::ps(1))}), IsEmpty());
  replay::ReplayOptions picoseconds = eager();
  picoseconds.parameters.replay.unit = Time::ps(1);
  EXPECT_EQ(replay::loggops_replay(schedule, picoseconds).makespan().ps(), 2305843009213694);
}

// 100 bytes do not fit 10; two messages of two do not; room to spare is no mistake.
TEST(Check, WarnsOfReceivesThatAreTooSmall) {
  const CheckReport report =
      examine(parse("num_ranks 2\nrank 0 {\nm: send 100b to 1\nsend 100b to 1 tag 1\n"
                    "send 100b to 1 tag 2\n}\n"
                    "rank 1 {\nr: recv 10b from 0\nrecv 99b from 0 tag 1\n"
                    "recv 200b from 0 tag 2\n}\n"));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(
      report.warnings,
      ElementsAre(Pair(AllOf(HasSubstr("messages larger"), HasSubstr("rank 0, m: send 100b"),
                             HasSubstr("test.goal:3"), HasSubstr("rank 1, r: recv 10b")),
                       2)));
}

}  // namespace
}  // namespace heddle::goal
