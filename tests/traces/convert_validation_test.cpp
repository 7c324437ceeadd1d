// The published traces of a thesis on InfiniBand, their schedules and their run times.
#include <gmock/gmock.h>

#include "convert_support.hpp"
#include "core/units.hpp"
#include "goal/formats/formats.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "replay/network_replay.hpp"
#include "traces/readers/trace_reader.hpp"
#include "validation.hpp"

namespace heddle::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kTraces = HEDDLE_TEST_DATA "/traces/";

/// The operations of a rank in an order in which they can happen; of those that are free the first.
std::vector<std::string> in_order(const goal::Schedule& schedule, std::uint32_t rank) {
  const goal::RankView view = schedule.rank(rank);
  std::vector<std::uint32_t> waiting = view.in_degrees();
  std::vector<std::string> list;
  std::vector<bool> done(view.size());
  for (std::uint32_t n = 0; n < view.size(); ++n) {
    std::uint32_t next = 0;
    while (done[next] || waiting[next] != 0) ++next;
    done[next] = true;
    list.push_back(text_of(view.op(next)));
    for (const goal::Edge edge : view.successors(next)) --waiting[edge.target];
  }
  return list;
}

ConvertConfig picoseconds() {
  ConvertConfig config = convert_table().defaults();
  config.unit = Time::ps(1);
  return config;
}

replay::ReplayResult replay_with(const goal::Schedule& schedule, Time overhead, TimePerByte gap) {
  replay::ReplayConfig config = replay::replay_table().defaults();
  config.unit = Time::ps(1);
  return replay::loggops_replay(schedule,
                                {{Time::zero(), overhead, Time::zero(), gap, {}, config}});
}

// The ping-pong of Appendix C is the chain of operations of Appendix D: ten messages of 400000
// bytes each way with the work between them, to the picosecond.
TEST(PublishedTraces, PingPongBecomesThePublishedSchedule) {
  const Trace trace = read_traces(kTraces + "ltest-0.txt");
  const Conversion converted = convert(trace, picoseconds());
  const goal::Schedule published = goal::read_schedule(kTraces + "ltest.goal");
  ASSERT_EQ(converted.schedule.ranks(), 2U);
  for (std::uint32_t r = 0; r < 2; ++r) {
    EXPECT_EQ(in_order(converted.schedule, r), in_order(published, r));
    EXPECT_EQ(converted.schedule.rank(r).edges(), published.rank(r).edges());
  }
  EXPECT_THAT(converted.report.warnings, IsEmpty());
}

// Appendix I: the same messages in the same order as published, and the time inside the calls.
TEST(PublishedTraces, IrecvAndAllreduceBecomeThePublishedMessages) {
  ConvertConfig config = picoseconds();
  config.durations = true;
  const Conversion c = convert(read_traces(kTraces + "irecv_allreduce-0.txt"), config);
  const goal::Schedule published = goal::read_schedule(kTraces + "irecv_allreduce.goal");
  for (std::uint32_t r = 0; r < 2; ++r) EXPECT_EQ(messages(c.schedule, r), messages(published, r));
  // All the time from MPI_Init to MPI_Finalize is there: 6721 us and 6748 us.
  const auto compute = [&](std::uint32_t rank) {
    std::uint64_t sum = 0;
    const goal::RankView view = c.schedule.rank(rank);
    for (std::uint32_t i = 0; i < view.size(); ++i) {
      sum += view.op(i).kind == goal::OpKind::calc ? view.value(i) : 0;
    }
    return sum;
  };
  EXPECT_EQ(compute(0), 6'721'000'000U);
  EXPECT_EQ(compute(1), 6'748'000'000U);
}

// The published schedule of Appendix I takes 10 us longer than the program did when the network
// costs nothing, as rank 0 waits for rank 1 on top of the wait that its calls contain. With the
// messages aligned it takes 6721 us, as the program did.
TEST(PublishedTraces, AlignedDurationsDoNotWaitTwice) {
  ConvertConfig config = picoseconds();
  config.durations = true;
  const Trace trace = read_traces(kTraces + "irecv_allreduce-0.txt");
  const goal::Schedule published = goal::read_schedule(kTraces + "irecv_allreduce.goal");
  const Time theirs = replay_with(published, {}, {}).finish[0];
  const replay::ReplayResult ours = replay_with(convert(trace, config).schedule, {}, {});
  validation_row("Traces of the InfiniBand thesis", "Appendix I, durations aligned, rank 0",
                 format_time(ours.finish[0]),
                 fmt::format("6721 us (published schedule: {})", format_time(theirs)), "0",
                 "exact");
  EXPECT_EQ(ours.finish[0], Time::us(6721));
  EXPECT_EQ(ours.finish[1], Time::us(6748));
  EXPECT_GT(theirs, Time::us(6730));
}

/// Over flits and credits on the thesis' fat tree of 8 hosts and 6 switches.
replay::ReplayResult packet_replay(const goal::Schedule& schedule, Time overhead) {
  Settings settings(network::fabric_sections());
  const auto description = platform::read_machine("ib-h8-s6", settings);
  const auto platform = platform::build_platform(description, settings);
  replay::ReplayConfig config = replay::replay_table().defaults();
  config.unit = Time::ps(1);
  network::LogGopsConfig ends;
  ends.overhead = overhead;
  Simulation simulation;
  const auto network = network::make_network("packet", simulation, *platform, settings);
  replay::Carrier carrier{simulation, *network,
                          replay::place_ranks(schedule.ranks(), platform->nodes(), config)};
  return replay::network_replay(schedule, {replay::combine_for_network(ends, config)}, carrier);
}

double us(Time t) {
  return static_cast<double>(t.ps()) / 1e6;
}

// The program of Appendix C ran for 13807 us. A message spends 55 us in the layers above the link;
// the thesis charges them at the receiver, we charge half of them at either end. With the pinning
// of buffers as measured there the prediction has to come within 3 %; without, it cannot: the
// thesis itself has 12479 us. Over LogGOPS a message takes the 218.3 us that it takes in their
// network.
TEST(PublishedTraces, PingPongWithPinningTakesAsLongAsInReality) {
  constexpr double kReal = 13807;
  const Trace trace = read_traces(kTraces + "ltest-0.txt");
  const TimePerByte gap = TimePerByte::attoseconds(218'286'850LL * 1'000'000 / 399'999);
  const Time o = Time::ns(27'500);
  ConvertConfig config = picoseconds();
  const goal::Schedule plain = convert(trace, config).schedule;
  config.pinning = true;
  const goal::Schedule pinned = convert(trace, config).schedule;
  const auto row = [&](const std::string& what, double measured) {
    validation_row("Trace of a ping-pong of 400000 bytes (InfiniBand thesis, Appendix C)", what,
                   fmt::format("{:.0f} us", measured), fmt::format("{:.0f} us", kReal),
                   fmt::format("{:+.2f} %", 100 * (measured / kReal - 1)), "3 %");
    EXPECT_NEAR(measured, kReal, 0.03 * kReal) << what;
  };
  row("LogGOPS, buffers pinned", us(replay_with(pinned, o, gap).finish[0]));
  row("packet network, buffers pinned", us(packet_replay(pinned, o).finish[0]));
  // Without pinning the simulation of the thesis itself: 12478.847 us and 12454.847 us.
  const replay::ReplayResult theirs = packet_replay(plain, o);
  EXPECT_NEAR(us(theirs.finish[0]), 12478.847, 0.005 * 12478.847);
  EXPECT_NEAR(us(theirs.finish[1]), 12454.847, 0.005 * 12454.847);
  EXPECT_LT(us(theirs.finish[0]), 0.97 * kReal);
}

// Only rank 0 of four ranks of Appendix H is published: not enough for a schedule.
TEST(PublishedTraces, ATraceOfOneOfFourRanksIsAnError) {
  try {
    convert(read_traces(kTraces + "collectives-0.txt"), picoseconds());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("collectives-0.txt:9"), HasSubstr("'4' ranks"),
                                    HasSubstr("traces of 1 only")));
  }
}

}  // namespace
}  // namespace heddle::traces
