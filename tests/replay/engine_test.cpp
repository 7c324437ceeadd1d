// The engine against the plain meaning of the model, on thousands of random schedules.
#include <gmock/gmock.h>

#include "core/random.hpp"
#include "error_of.hpp"
#include "goal/formats/formats.hpp"
#include "goal/parse.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/schedule_builder.hpp"
#include "replay/engine/parts.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "sanitized.hpp"

namespace heddle::replay {
namespace {

using platform::Noise;
using platform::noise_table;
using platform::NoiseConfig;
using platform::NoiseKind;
using testing::HasSubstr;

/// Draws schedules and parameters from few small numbers, so that many events are simultaneous.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(RandomStream(seed).split("schedules")) {}
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  RandomStream random_;
};

struct Shape {
  std::uint32_t ranks;
  unsigned cpus;
  unsigned nics;
  bool wildcards;
  bool large;
};

std::uint64_t some_size(Dice& dice, const Shape& shape) {
  constexpr std::uint64_t kSizes[] = {0, 1, 2, 5, 5, 9};
  return shape.large && dice.one_in(4) ? 20 + dice.below(3) * 10 : kSizes[dice.below(6)];
}

goal::Op message(Dice& dice, const Shape& shape, goal::OpKind kind, std::uint64_t size,
                 std::uint32_t peer) {
  return {kind,
          size,
          peer,
          static_cast<std::uint32_t>(dice.below(2)),
          static_cast<std::uint8_t>(dice.below(shape.cpus)),
          static_cast<std::uint8_t>(dice.below(shape.nics))};
}

/// Every send has a receive; some receives are open to any source or tag, some are missing.
std::vector<std::vector<goal::Op>> random_ops(Dice& dice, const Shape& shape) {
  std::vector<std::vector<goal::Op>> ops(shape.ranks);
  for (std::uint64_t n = 5 + dice.below(60); n > 0; --n) {
    const auto from = static_cast<std::uint32_t>(dice.below(shape.ranks));
    const auto to = static_cast<std::uint32_t>(dice.below(shape.ranks));
    const std::uint64_t size = some_size(dice, shape);
    const goal::Op send = message(dice, shape, goal::OpKind::send, size, to);
    goal::Op recv = message(dice, shape, goal::OpKind::recv, size, from);
    recv.tag = send.tag;
    if (shape.wildcards && dice.one_in(4)) recv.tag = goal::kAnyTag;
    if (shape.wildcards && dice.one_in(4)) recv.peer = goal::kAnySource;
    ops[from].push_back(send);
    if (!dice.one_in(400)) ops[to].push_back(recv);
    const auto cpu = static_cast<std::uint8_t>(dice.below(shape.cpus));
    ops[from].push_back({goal::OpKind::calc, dice.below(4) * 10, 0, 0, cpu, 0});
  }
  return ops;
}

void shuffle_a_little(Dice& dice, std::vector<goal::Op>& ops) {
  for (std::size_t i = 1; i < ops.size(); ++i) {
    std::swap(ops[i], ops[i - dice.below(std::min<std::size_t>(i, 3) + 1)]);
  }
}

goal::Schedule random_schedule(Dice& dice, const Shape& shape) {
  goal::ScheduleBuilder builder(shape.ranks);
  auto ops = random_ops(dice, shape);
  const std::uint64_t density = 1 + dice.below(4);
  for (std::uint32_t r = 0; r < shape.ranks; ++r) {
    builder.begin_rank(r);
    shuffle_a_little(dice, ops[r]);
    for (const goal::Op& op : ops[r]) {
      const std::uint32_t i = builder.add(op);
      if (i == 0 || !dice.one_in(density)) continue;
      const auto earlier = static_cast<std::uint32_t>(i - 1 - dice.below(std::min(i, 4U)));
      // A receive mostly waits for nothing, or random schedules would nearly all stall.
      if (op.kind == goal::OpKind::recv && !dice.one_in(6)) continue;
      if (dice.one_in(3)) {
        builder.requires_start(i, earlier);
      } else {
        builder.requires_end(i, earlier);
      }
    }
    builder.end_rank();
  }
  return builder.finish();
}

ReplayOptions random_options(Dice& dice, const Shape& shape) {
  ReplayConfig replay = replay_table().defaults();
  replay.rendezvous = Bytes(shape.large ? 8 : 1000);
  replay.unit = Time::ps(1);
  if (dice.one_in(3)) {
    replay.large = Bytes(5);
    replay.large_overhead = Time::ps(static_cast<std::int64_t>(dice.below(4)) * 10);
    replay.large_per_byte = TimePerByte::attoseconds(500'000);
  }
  const auto time = [&] { return Time::ps(static_cast<std::int64_t>(dice.below(4)) * 10); };
  const auto rate = [&] {
    return TimePerByte::attoseconds(static_cast<std::int64_t>(dice.below(5)) * 1'250'000);
  };
  return {{time(), time(), time(), rate(), rate(), replay}};
}

std::vector<std::int64_t> totals(const ReplayResult& result) {
  std::vector<std::int64_t> all;
  for (std::size_t r = 0; r < result.times.size(); ++r) {
    const RankTimes& t = result.times[r];
    all.insert(all.end(),
               {result.finish[r].ps(), t.compute.ps(), t.overhead.ps(), t.gap.ps(), t.noise.ps()});
  }
  return all;
}

std::string outcome_of(ReplayResult (*engine)(const goal::Schedule&, const ReplayOptions&),
                       const goal::Schedule& schedule, const ReplayOptions& options) {
  try {
    const ReplayResult result = engine(schedule, options);
    return testing::PrintToString(totals(result)) + " events " + std::to_string(result.events);
  } catch (const StallError& error) {
    return error.what();
  }
}

// For any schedule and parameters, the engine and the single queue agree on every finish time, on
// where the time went, and on what is left over if the schedule stalls.
TEST(Engine, AgreesWithTheSingleQueueOnRandomSchedules) {
  int stalled = 0;
  for (std::uint64_t seed = 0; seed < (kSanitized ? 800 : 4000); ++seed) {
    Dice dice(seed);
    const Shape shape{static_cast<std::uint32_t>(1 + dice.below(6)), dice.one_in(2) ? 1U : 3U,
                      dice.one_in(2) ? 1U : 2U, dice.one_in(3), dice.one_in(2)};
    const goal::Schedule schedule = random_schedule(dice, shape);
    ReplayOptions options = random_options(dice, shape);
    if (dice.one_in(4)) {
      NoiseConfig noise = noise_table().defaults();
      noise.seed = static_cast<std::int64_t>(seed);
      options.noise = Noise({{Time::ps(3), Time::ps(4)}, {Time::ps(20), Time::ps(11)}},
                            Time::ps(37), noise, shape.ranks);
    }
    const std::string expected = outcome_of(single_queue_replay, schedule, options);
    ASSERT_EQ(outcome_of(loggops_replay, schedule, options), expected) << "seed " << seed;
    stalled += expected.find("stalled") != std::string::npos;
  }
  EXPECT_GT(stalled, kSanitized ? 20 : 100);
  EXPECT_LT(stalled, 2500);
}

/// Random schedules that several threads can share: no message joins its ends, and messages take
/// time.
std::string outcome_of_threads(std::uint64_t seed, unsigned threads) {
  Dice dice(seed);
  const Shape shape{static_cast<std::uint32_t>(8 + dice.below(9)), dice.one_in(2) ? 1U : 3U,
                    dice.one_in(2) ? 1U : 2U, dice.one_in(3), false};
  const goal::Schedule schedule = random_schedule(dice, shape);
  ReplayOptions options = random_options(dice, shape);
  options.parameters.latency = Time::ps(1 + static_cast<std::int64_t>(dice.below(4)) * 10);
  options.threads = threads;
  options.least_events = dice.below(30);
  return outcome_of(loggops_replay, schedule, options);
}

// Whatever the number of threads, every finish time, share of time, count and leftover is that of
// one.
TEST(Engine, ThreadsAgreeOnRandomSchedules) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const std::string expected = outcome_of_threads(seed, 1);
    for (const unsigned threads : {2U, 3U, 8U}) {
      ASSERT_EQ(outcome_of_threads(seed, threads), expected) << "seed " << seed << ", " << threads;
    }
  }
}

ReplayOptions simple_options() {
  ReplayConfig replay = replay_table().defaults();
  return {{Time::ns(2500), Time::ns(1500), Time::ns(1000), TimePerByte::attoseconds(6'000'000'000),
           TimePerByte(), replay}};
}

goal::Schedule generated(const char* pattern, std::int64_t ranks, std::int64_t iterations) {
  goal::PatternConfig config = goal::pattern_table().defaults();
  config.ranks = ranks;
  config.iterations = iterations;
  config.compute = 3000;
  config.size = Bytes(100);
  return generate(pattern, config);
}

// In these nearly everything is simultaneous, or nearly nothing is.
TEST(Engine, ThreadsGiveTheFingerprintOfOne) {
  for (const char* pattern : {"dissemination", "nearest-neighbour", "random-dag", "linear-alltoall",
                              "binomial-bcast", "ring-allreduce"}) {
    const goal::Schedule schedule = generated(pattern, 61, 3);
    ReplayOptions options = simple_options();
    const std::uint64_t expected = loggops_replay(schedule, options).fingerprint();
    for (const unsigned threads : {2U, 3U, 8U}) {
      for (const std::uint64_t least_events : {0U, 20U}) {
        options.threads = threads;
        options.least_events = least_events;
        EXPECT_EQ(loggops_replay(schedule, options).fingerprint(), expected)
            << pattern << " " << options.threads << " " << least_events;
      }
    }
  }
}

// 16 ranks that talk to their neighbours have a few dozen events in a window of o + L: one thread
// replays them all. The same ranks share every window if windows of any size are worth it.
TEST(Engine, SmallWindowsAreReplayedByOneThread) {
  const goal::Schedule schedule = generated("nearest-neighbour", 16, 50);
  ReplayOptions options = simple_options();
  options.threads = 2;
  EXPECT_EQ(loggops_replay(schedule, options).shared_windows, 0U);
  options.least_events = 0;
  EXPECT_GT(loggops_replay(schedule, options).shared_windows, 0U);
}

// Ranks 1 and 2 are joined by a message of more than S, so three threads find two parts: 0 alone
// and the rest, or one of the ends.
TEST(Parts, AMessageOfMoreThanSJoinsItsEnds) {
  goal::ScheduleBuilder builder(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    builder.begin_rank(r);
    if (r == 1) builder.send(1000, 2);
    if (r == 2) builder.recv(1000, 1);
    builder.calc(1);
    builder.calc(1);
    builder.end_rank();
  }
  const goal::Schedule schedule = builder.finish();
  const Parts joined = cut_into_parts(schedule, 4, Bytes(999));
  for (std::size_t p = 0; p < joined.size(); ++p) EXPECT_NE(joined.begin(p), RankId{2});
  EXPECT_EQ(joined.size(), 3U);
  EXPECT_EQ(cut_into_parts(schedule, 4, Bytes(1000)).size(), 4U);
}

// On an idle pair of ranks an eager message of s bytes is there after 2 o + L + (s-1) G; the calc
// before it adds its 100 ns: 100 + 1500 + 2500 + 1500 + 9 x 6 = 5654 ns.
TEST(Engine, AnIdleMessageTakesTwoOverheadsLatencyAndItsBytes) {
  const goal::Schedule schedule = goal::parse(
      "num_ranks 2\nrank 0 {\na: calc 100\nb: send 10b to 1\nb requires a\n}\nrank 1 {\nrecv 10b "
      "from "
      "0\n}\n");
  const ReplayResult result = loggops_replay(schedule, simple_options());
  EXPECT_EQ(result.finish[1], Time::ns(5654));
  EXPECT_EQ(result.last_rank(), RankId{1});
  EXPECT_EQ(result.events, 4U);
  // Rank 0 computes 100 and sends for 1500; rank 1 spends 1500 on the message and 54 on its bytes.
  EXPECT_EQ(result.times[0].compute.ps(), 100'000);
  EXPECT_EQ(result.times[0].overhead.ps(), 1'500'000);
  EXPECT_EQ(result.times[1].overhead.ps(), 1'500'000);
  EXPECT_EQ(result.times[1].gap.ps(), 54'000);
  EXPECT_EQ(result.waiting(RankId{1}), Time::ns(4100));
}

// 0 bytes cost no more and no less than the message itself: 1500 + 2500 + 1500 = 5500 ns.
TEST(Engine, ZeroBytesCostNothing) {
  const goal::Schedule schedule =
      goal::parse("num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n");
  EXPECT_EQ(loggops_replay(schedule, simple_options()).makespan(), Time::ns(5500));
}

// 1000 + 10 + 5000 = 6010 even though the three run on different processors, where LogGOPSim 2023
// starts the second at 0 and ends at 5010.
TEST(Engine, ASuccessorOnAnotherCpuWaitsForTheEnd) {
  const goal::Schedule schedule = goal::parse(
      "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 10 cpu 1\nc: calc 5000 cpu 1\nb requires a\n"
      "c requires b\n}\n");
  ReplayOptions options = simple_options();
  EXPECT_EQ(loggops_replay(schedule, options).makespan(), Time::ns(6010));
  options.parameters.replay.loggopsim_2023 = true;
  EXPECT_EQ(loggops_replay(schedule, options).makespan(), Time::ns(5010));
}

// G of 0.04 ns per byte: 100,001 bytes take 5500 + 4000 ns; a rate of whole nanoseconds cannot say
// that.
TEST(Engine, RatesMayBeFractions) {
  const goal::Schedule schedule = goal::parse(
      "num_ranks 2\nrank 0 {\nsend 100001b to 1\n}\nrank 1 {\nrecv 100001b from 0\n}\n");
  ReplayOptions options = simple_options();
  options.parameters.gap_per_byte = TimePerByte::attoseconds(40'000'000);
  EXPECT_EQ(loggops_replay(schedule, options).makespan(), Time::ns(9500));
}

// From 1000 bytes on, o is 4000 ns at both ends and O 1 ns per byte: 4000 + 2500 + 4000 + 999 x 6.
TEST(Engine, LargeMessagesHaveOverheadsOfTheirOwn) {
  const goal::Schedule schedule =
      goal::parse("num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n}\n");
  ReplayOptions options = simple_options();
  options.parameters.replay.large = Bytes(1000);
  options.parameters.replay.large_overhead = Time::ns(4000);
  options.parameters.replay.large_per_byte = TimePerByte::attoseconds(1'000'000'000);
  const ReplayResult result = loggops_replay(schedule, options);
  EXPECT_EQ(result.finish[1], Time::ns(16494));
  EXPECT_EQ(result.finish[0], Time::ns(4999));
}

TEST(Engine, AStallNamesWhatIsLeft) {
  const goal::Schedule schedule = goal::parse(
      "num_ranks 2\nrank 0 {\nx: send 1b to 1 tag 4\n}\nrank 1 {\ny: recv 1b from 0 tag 5\nz: calc "
      "1\nz requires y\n}\n");
  const std::string error =
      error_of<StallError>([&] { loggops_replay(schedule, simple_options()); });
  EXPECT_THAT(error, HasSubstr("rank 1, y: recv 1b from 0 tag 5 (test.goal:6)"));
  EXPECT_THAT(error, HasSubstr("rank 0, x: send 1b to 1 tag 4 (test.goal:3)"));
  EXPECT_THAT(error, HasSubstr("rank 1, z: calc 1 (test.goal:7)"));
}

TEST(Engine, ACycleIsAnErrorNotAShortRun) {
  const goal::Schedule schedule = goal::parse(
      "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\ncalc 7\n}\n");
  EXPECT_THROW(loggops_replay(schedule, simple_options()), StallError);
}

TEST(Engine, TimeThatDoesNotFitIsAnError) {
  const goal::Schedule schedule =
      goal::parse("num_ranks 1\nrank 0 {\na: calc 2000000000000000\nb: calc 2000000000000000\n}\n");
  EXPECT_THROW(loggops_replay(schedule, simple_options()), RunError);
}

// The error of a thread is that of the replay, and the other threads end.
TEST(Engine, AnErrorInOneThreadEndsAll) {
  const goal::Schedule schedule = goal::parse(
      "num_ranks 2\nrank 0 {\ncalc 1\n}\nrank 1 {\na: calc 2000000000000000\nb: calc "
      "2000000000000000\n}\n");
  ReplayOptions options = simple_options();
  options.threads = 2;
  EXPECT_THAT(error_of<RunError>([&] { loggops_replay(schedule, options); }),
              HasSubstr("rank 1 works longer than simulated time reaches"));
}

// Interruptions of 10 at 0, 100, 200, ... Work of 50 begun at 95 is interrupted at 100 for 10; work
// begun at 205 first waits the 5 that are left.
TEST(Noise, AddsTheRestOfOneInterruptionAndAllThatStart) {
  NoiseConfig config = noise_table().defaults();
  const Noise noise({{Time::ps(0), Time::ps(10)}}, Time::ps(100), config, 1);
  // The rank's place in the pattern is drawn; find it by asking when an instant is interrupted.
  std::int64_t first = 0;
  while (noise.delay(0, first, 1) != 10) ++first;
  EXPECT_EQ(noise.delay(0, first + 95, 50), 10);
  EXPECT_EQ(noise.delay(0, first + 205, 50), 5);
  EXPECT_EQ(noise.delay(0, first + 20, 50), 0);
  EXPECT_EQ(noise.delay(0, first + 20, 1000), 100);
}

// An hour of interruption every nanosecond: a millisecond's work would take 114 years.
TEST(Noise, EndsTheRunIfWorkNeverGetsOn) {
  NoiseConfig config = noise_table().defaults();
  config.kind = NoiseKind::periodic;
  config.period = Time::ns(1);
  config.duration = Time::s(3600);
  const Noise noise(config, 1);
  EXPECT_THROW(noise.delay(0, 0, Time::ms(1).ps()), RunError);
}

TEST(Noise, TheSeedDecidesAndCoscheduledRanksAgree) {
  NoiseConfig config = noise_table().defaults();
  config.kind = NoiseKind::exponential;
  const Noise noise(config, 3);
  const Noise again(config, 3);
  config.coscheduled = true;
  const Noise together(config, 3);
  const std::int64_t second = 1'000'000'000'000;
  EXPECT_GT(noise.delay(0, 0, second), 0);
  EXPECT_EQ(noise.delay(2, 0, second), again.delay(2, 0, second));
  EXPECT_NE(noise.delay(0, 0, second), noise.delay(1, 0, second));
  EXPECT_EQ(together.delay(0, 0, second), together.delay(1, 0, second));
}

TEST(Noise, ATraceIsReadAndItsMistakesPlaced) {
  const auto events = platform::parse_noise("# host\n10\t5\n20 7\n", "n.txt");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].start, Time::ns(20));
  EXPECT_EQ(events[1].duration, Time::ns(7));
  EXPECT_THROW(platform::parse_noise("10 5\n5 5\n", "n.txt"), InputError);
  EXPECT_THROW(platform::parse_noise("10\n", "n.txt"), InputError);
}

TEST(Noise, ATraceNeedsItsFile) {
  NoiseConfig config = noise_table().defaults();
  config.kind = NoiseKind::trace;
  const auto error = [&] {
    try {
      const Noise noise(config, 1);
    } catch (const InputError& problem) {
      return std::string(problem.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error(), HasSubstr("noise.file is expected"));
  config.file = "/nowhere/noise.txt";
  EXPECT_THAT(error(), HasSubstr("/nowhere/noise.txt: cannot be opened"));
}

}  // namespace
}  // namespace heddle::replay
