// Efficiencies of runs whose answers follow from a few divisions.
#include <gtest/gtest.h>

#include "record/efficiency.hpp"
#include "record/run_recorder.hpp"

namespace heddle::record {
namespace {

/// A message of `from` that has rank `to` go on at `at`, sent at `sent`.
void tell(RunRecorder& recorder, std::uint32_t from, std::uint32_t to, Time begin, Time sent,
          Time at) {
  const std::uint64_t number = recorder.message({from, to, 8, Way::eager, sent, sent, at});
  recorder.causes().told(to, number, at);
  recorder.wait(to, begin, at);
}

TEST(Efficiency, OfOneSlowRankIsTheMeanOfTheLongest) {
  // Ranks compute for 10, 10, 10 and 30 us, and the last one tells the others in no time: the mean
  // is 15 us, half of the longest. Nothing is transferred and nothing else is waited for.
  RunRecorder recorder;
  for (std::uint32_t r = 0; r < 3; ++r) {
    recorder.span(r, Activity::compute, Time::us(0), Time::us(10));
  }
  recorder.span(3, Activity::compute, Time::us(0), Time::us(30));
  for (std::uint32_t r = 0; r < 3; ++r) {
    tell(recorder, 3, r, Time::us(10), Time::us(30), Time::us(30));
  }
  recorder.finish(Time::us(30));
  const Efficiency e = find_efficiency(recorder);
  EXPECT_DOUBLE_EQ(e.load_balance, 0.5);
  EXPECT_DOUBLE_EQ(e.serialisation, 1);
  EXPECT_DOUBLE_EQ(e.transfer, 1);
  EXPECT_DOUBLE_EQ(e.parallel, 0.5);
}

TEST(Efficiency, OfOneRankAfterAnotherIsSerialisation) {
  // Rank 0 computes for 10 us, then rank 1 for 10: loads are equal, and 20 us are needed where 10
  // would do.
  RunRecorder recorder;
  recorder.span(0, Activity::compute, Time::us(0), Time::us(10));
  tell(recorder, 0, 1, Time::us(0), Time::us(10), Time::us(10));
  recorder.span(1, Activity::compute, Time::us(10), Time::us(20));
  recorder.finish(Time::us(20));
  const Efficiency e = find_efficiency(recorder);
  EXPECT_DOUBLE_EQ(e.load_balance, 1);
  EXPECT_DOUBLE_EQ(e.serialisation, 0.5);
  EXPECT_DOUBLE_EQ(e.transfer, 1);
  EXPECT_DOUBLE_EQ(e.parallel, 0.5);
}

TEST(Efficiency, OfMessagesThatTakeTimeIsTransfer) {
  // Both compute for 10 us, with 5 us of overhead, and then wait 5 us for each other's message: on
  // a machine without communication 10 us of 20 would be left.
  RunRecorder recorder;
  for (std::uint32_t r = 0; r < 2; ++r) {
    recorder.span(r, Activity::compute, Time::us(0), Time::us(10));
    recorder.span(r, Activity::overhead, Time::us(10), Time::us(15));
  }
  tell(recorder, 0, 1, Time::us(15), Time::us(15), Time::us(20));
  tell(recorder, 1, 0, Time::us(15), Time::us(15), Time::us(20));
  recorder.finish(Time::us(20));
  const Efficiency e = find_efficiency(recorder);
  EXPECT_DOUBLE_EQ(e.load_balance, 1);
  EXPECT_DOUBLE_EQ(e.serialisation, 1);
  EXPECT_DOUBLE_EQ(e.transfer, 0.5);
  EXPECT_EQ(e.ideal, Time::us(10));
}

TEST(Efficiency, OfStepsOfAdaptersIsThatOfTheirCommands) {
  // Rank 0 computes for 10 us and puts; the adapters take 10 us until rank 1 goes on, and computes
  // for 10. Their work is transfer, the order of both is serialisation.
  RunRecorder recorder;
  recorder.span(0, Activity::compute, Time::us(0), Time::us(10));
  const auto command =
      recorder.step({13, 7, 0, 0, 64, Time::us(10), Time::us(12), 0, Time::us(10)});
  const auto wire = recorder.step({3, 7, 0, 1, 8, Time::us(12), Time::us(20), command, {}});
  recorder.wait(1, Time::us(0), Time::us(20), Time::zero(), {0, wire});
  recorder.span(1, Activity::compute, Time::us(20), Time::us(30));
  recorder.finish(Time::us(30));
  const Efficiency e = find_efficiency(recorder);
  EXPECT_EQ(e.ideal, Time::us(20));
  EXPECT_DOUBLE_EQ(e.serialisation, 0.5);
  EXPECT_DOUBLE_EQ(e.transfer, 20.0 / 30.0);
  EXPECT_DOUBLE_EQ(e.parallel, e.load_balance * e.serialisation * e.transfer);
}

TEST(Efficiency, OfRunsThatComputeNothingIsNotKnown) {
  RunRecorder recorder;
  recorder.span(0, Activity::overhead, Time::us(0), Time::us(1));
  recorder.finish(Time::us(1));
  EXPECT_FALSE(find_efficiency(recorder).known);
}

}  // namespace
}  // namespace heddle::record
