// Generated schedules: complete, and where Schedgen has the pattern, with the same times.
#include "goal/patterns/patterns.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "goal/check.hpp"
#include "goal/formats/formats.hpp"
#include "goal/operations.hpp"
#include "parse.hpp"
#include "replay/loggops/loggops_replay.hpp"

namespace heddle::goal {
namespace {

using testing::HasSubstr;

replay::ReplayOptions default_options() {
  return {{Time::ns(2500), Time::ns(1500), Time::ns(1000), TimePerByte::attoseconds(6'000'000'000),
           TimePerByte(), replay::replay_table().defaults()}};
}

PatternConfig config_of(std::int64_t ranks, std::int64_t size) {
  PatternConfig config = pattern_table().defaults();
  config.ranks = ranks;
  config.size = Bytes(size);
  return config;
}

Time makespan(const Schedule& schedule) {
  return replay::loggops_replay(schedule, default_options()).makespan();
}

// Every pattern, on one rank, few, an odd number and a power of two, has no cycle and no message
// without its counterpart, and runs to its end.
TEST(Patterns, AllAreCompleteForAnyNumberOfRanks) {
  for (const Pattern& pattern : patterns()) {
    for (const std::int64_t ranks : {1, 2, 3, 7, 8, 12}) {
      SCOPED_TRACE(std::string(pattern.name) + " on " + std::to_string(ranks));
      PatternConfig config = config_of(ranks, 200'000);
      config.iterations = 3;
      config.compute = 100;
      const Schedule schedule = generate(pattern.name, config);
      EXPECT_EQ(schedule.ranks(), ranks);
      for (const Finding& finding : check(schedule)) ADD_FAILURE() << finding.text;
      EXPECT_NO_THROW(makespan(schedule));
    }
  }
}

// The files that Schedgen made of the same patterns take as long, on every rank.
TEST(Patterns, TakeAsLongAsSchedgens) {
  const auto expect_same = [](const char* name, const PatternConfig& config, const char* file) {
    SCOPED_TRACE(name);
    const Schedule theirs = read_schedule(std::string(HEDDLE_TEST_DATA "/goal/") + file);
    EXPECT_EQ(replay::loggops_replay(generate(name, config), default_options()).finish,
              replay::loggops_replay(theirs, default_options()).finish);
  };
  expect_same("dissemination", config_of(8, 180), "dissemination8_180.goal");
  expect_same("binomial-bcast", config_of(16, 4096), "binomial_bcast16.goal");
  expect_same("binomial-reduce", config_of(16, 4096), "binomial_reduce16.goal");
  expect_same("linear-alltoall", config_of(8, 1500), "linear_alltoall8.goal");
  expect_same("linear-barrier", config_of(16, 1), "linbarrier16.goal");
  expect_same("ring-allreduce", config_of(8, 1'600'000), "ring_allreduce8.goal");
  expect_same("ring-allreduce", config_of(16, 1'600'000), "ring_allreduce16_schedgen.goal");
  PatternConfig gather = config_of(16, 2000);
  gather.root = 3;
  expect_same("gather", gather, "gather16.goal");
}

// What LogGOPSim 2023 computed for larger ones, in ns: dissemination of 8 B on 2^14 ranks 77588,
// linear alltoall of 64 B on 128 ranks 429006; and the ring allreduce of 16 ranks and 1,600,000 B
// with a stable order 18164820.
TEST(Patterns, GiveThePublishedTimes) {
  EXPECT_EQ(makespan(generate("dissemination", config_of(16384, 8))), Time::ns(77588));
  EXPECT_EQ(makespan(generate("linear-alltoall", config_of(128, 64))), Time::ns(429006));
  EXPECT_EQ(makespan(generate("ring-allreduce", config_of(16, 1'600'000))), Time::ns(18164820));
}

// A round waits for the receive and the send of the one before.
TEST(Patterns, TheTextIsAsSchedgensIs) {
  std::ostringstream text;
  write_text(generate("dissemination", config_of(8, 180)), text);
  EXPECT_THAT(text.str(), testing::StartsWith("num_ranks 8\n\nrank 0 {\n"
                                              "l1: send 180b to 1 tag 0\n"
                                              "l2: recv 180b from 7 tag 0\n"
                                              "l3: send 180b to 2 tag 0\n"
                                              "l3 requires l"));
  for (const char* line : {"l3 requires l1\n", "l3 requires l2\n", "l4 requires l1\n",
                           "l4 requires l2\n", "l5 requires l4\n", "l6 requires l3\n"}) {
    EXPECT_THAT(text.str(), HasSubstr(line));
  }
}

TEST(Patterns, TheSeedDecides) {
  PatternConfig config = config_of(64, 100);
  const auto text = [&] {
    std::ostringstream out;
    write_text(generate("random-bisection", config), out);
    return out.str();
  };
  const std::string first = text();
  EXPECT_EQ(text(), first);
  config.seed = 2;
  EXPECT_NE(text(), first);
}

TEST(Patterns, MistakesAreNamed) {
  EXPECT_THROW(generate("disemination", config_of(2, 1)), InputError);
  PatternConfig config = config_of(8, 1);
  config.root = 8;
  EXPECT_THROW(generate("gather", config), InputError);
  config.width = 3;
  EXPECT_THROW(generate("stencil2d", config), InputError);
}

// Patterns that no machine holds are refused before any of it is made, with what they would need:
// 10^6 ranks that send to each other are 2 x 10^12 operations of some 32 bytes.
TEST(Patterns, AbsurdSizesAreRefusedAtOnce) {
  const auto error = [](const char* name, const PatternConfig& config) {
    try {
      generate(name, config);
    } catch (const InputError& problem) {
      return std::string(problem.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error("linear-alltoall", config_of(1'000'000, 1)),
              testing::AllOf(HasSubstr("linear-alltoall on 1000000 ranks"), HasSubstr("2e+12"),
                             HasSubstr("GiB of memory")));
  PatternConfig long_one = config_of(4, 1);
  long_one.iterations = INT64_MAX;
  EXPECT_THAT(error("stencil2d", long_one), HasSubstr("at most 2147483647 a rank"));
  PatternConfig fine = config_of(2, INT64_MAX);
  fine.segment = Bytes(1);
  EXPECT_THAT(error("pipelined-ring", fine), HasSubstr("operations"));
}

// No pattern has more operations than it says.
TEST(Patterns, EstimatesHold) {
  for (const Pattern& pattern : patterns()) {
    for (const std::int64_t ranks : {1, 2, 3, 7, 8, 12, 33}) {
      PatternConfig config = config_of(ranks, 200'001);
      config.iterations = 3;
      config.compute = 100;
      const auto ops = static_cast<double>(generate(pattern.name, config).ops());
      EXPECT_LE(ops, pattern.operations(config)) << pattern.name << " on " << ranks;
      EXPECT_LE(pattern.operations(config), 4 * ops + 40 * static_cast<double>(ranks))
          << pattern.name << " on " << ranks;
    }
  }
}

TEST(Check, FindsCyclesAndLoneMessages) {
  const auto findings =
      check(parse("num_ranks 2\nrank 0 {\nx: send 1b to 1 tag 4\na: calc 1\nb: calc 1\nc: calc "
                  "2\na requires b\n"
                  "b requires c\nc irequires a\n}\nrank 1 {\ny: recv 1b from 0 tag 5\n}\n"));
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_THAT(findings[0].text, HasSubstr("is in a cycle"));
  EXPECT_THAT(findings[0].text, HasSubstr(" after "));
  EXPECT_THAT(findings[1].text,
              HasSubstr("rank 0, x: send 1b to 1 tag 4 (test.goal:3): no receive matches it"));
  EXPECT_THAT(findings[2].text,
              HasSubstr("rank 1, y: recv 1b from 0 tag 5 (test.goal:12): no send"));
}

TEST(Check, CountsReceivesThatAreOpen) {
  EXPECT_TRUE(check(read_schedule(HEDDLE_TEST_DATA "/goal/wildcards.goal")).empty());
  EXPECT_EQ(check(parse("num_ranks 1\nrank 0 {\nsend 1b to 0\nrecv 1b from -1\nrecv 1b from -1\n}"))
                .size(),
            1U);
}

// Side by side neither part disturbs the other; after one another the times add up, as both ranks
// end the first part at the same time: 5500 each, twice.
TEST(Operations, JoinSchedules) {
  const Schedule pair = parse(
      "num_ranks 2\nrank 0 {\nsend 1b to 1\nrecv 1b from 1\n}\nrank 1 {\nsend 1b to 0\n"
      "recv 1b from 0\n}");
  const Schedule* parts[] = {&pair, &pair};
  const Schedule both = side_by_side(parts);
  EXPECT_EQ(both.ranks(), 4U);
  EXPECT_EQ(both.rank(2).op(0).peer, 3U);
  EXPECT_EQ(makespan(both), makespan(pair));
  EXPECT_EQ(makespan(pair), Time::ns(5500));
  EXPECT_EQ(makespan(one_after_another(parts)), Time::ns(11000));
}

TEST(Operations, SumUpASchedule) {
  const ScheduleInfo info = info_of(read_schedule(HEDDLE_TEST_DATA "/goal/wildcards.goal"));
  EXPECT_EQ(info.ranks, 4U);
  EXPECT_EQ(info.sends, 4U);
  EXPECT_EQ(info.receives, 4U);
  EXPECT_EQ(info.calcs, 3U);
  EXPECT_EQ(info.open_receives, 3U);
  EXPECT_EQ(info.bytes, 400U);
  EXPECT_EQ(info.compute, 4060U);
  EXPECT_EQ(info.dependencies, 7U);
}

// Tags, processors and adapters are named where they are not 0, messages are dashed.
TEST(Operations, DrawASchedule) {
  std::ostringstream out;
  write_dot(read_schedule(HEDDLE_TEST_DATA "/goal/wildcards.goal"), out);
  EXPECT_THAT(out.str(), HasSubstr("r0_0 [label=\"r0: recv 100b from any tag any\""));
  EXPECT_THAT(out.str(), HasSubstr("r0_2 -> r0_3 [style=dotted]"));
  out.str("");
  write_dot(parse("num_ranks 2\nrank 0 {\na: send 1b to 1 tag 5 cpu 2 nic 3\nb: calc 7 cpu 1\n}\n"
                  "rank 1 {\nrecv 1b from 0 tag 6\nrecv 1b from 0 tag 5\n}"),
            out);
  EXPECT_THAT(out.str(), HasSubstr("\"a: send 1b to 1 tag 5 cpu 2 nic 3\""));
  EXPECT_THAT(out.str(), HasSubstr("\"b: calc 7 cpu 1\""));
  EXPECT_THAT(out.str(), HasSubstr("r0_0 -> r1_1 [style=dashed"));
  EXPECT_THAT(out.str(), testing::Not(HasSubstr("r0_0 -> r1_0")));
}

}  // namespace
}  // namespace heddle::goal
