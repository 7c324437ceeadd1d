// A recorded run as an OTF2 archive, read again.
#include <gtest/gtest.h>

#include <cstdlib>

#include "error_of.hpp"
#include "record/run_recorder.hpp"
#include "report/exports.hpp"
#include "temporary_folder.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::report {
namespace {

#ifdef HEDDLE_OTF2

using traces::CallKind;

// Rank 0 computes for 10 us and sends 4096 bytes in a call of 10 us. Rank 1 waits for them in a
// call from 5 us to 25 us; they are there at 18 us. A wait in the call is a region inside, so that
// the message belongs to the call.
TEST(Otf2Writer, CallsAndMessages) {
  record::RunRecorder recorder;
  recorder.span(0, record::Activity::compute, Time::us(0), Time::us(10));
  recorder.call(0, "MPI_Send", Time::us(10), Time::us(20), 4096);
  const std::uint64_t number =
      recorder.message({0, 1, 4096, record::Way::eager, Time::us(12), Time::us(12), Time::us(18)});
  recorder.causes().told(1, number, Time::us(18));
  recorder.wait(1, Time::us(5), Time::us(18));
  recorder.call(1, "MPI_Recv", Time::us(5), Time::us(25), 0);
  recorder.finish(Time::us(30));
  RunFacts facts;
  facts.title = "test";
  facts.ranks = 2;
  const RecordedRun run =
      analyse(facts, recorder, nullptr, [](const record::Carried&) { return record::WayCost{}; });

  const TemporaryFolder written;
  const std::string folder = written.path();
  check_otf2_folder(folder, "--otf2");
  write_otf2(run, {}, folder);
  EXPECT_NE(error_of([&] { check_otf2_folder(folder, "--otf2"); }), "no error");
  const traces::Trace trace = traces::read_traces(folder);

  ASSERT_EQ(trace.ranks.size(), 2U);
  ASSERT_FALSE(trace.ranks[0].calls.empty());
  ASSERT_FALSE(trace.ranks[1].calls.empty());
  const traces::Call send = trace.ranks[0].calls[0];
  EXPECT_EQ(send.kind, CallKind::send);
  EXPECT_EQ(send.peer, 1);
  EXPECT_EQ(send.bytes, 4096U);
  EXPECT_EQ(send.start, Time::us(10).ps());
  EXPECT_EQ(send.end, Time::us(20).ps());
  const traces::Call recv = trace.ranks[1].calls[0];
  EXPECT_EQ(recv.kind, CallKind::recv);
  EXPECT_EQ(recv.peer, 0);
  EXPECT_EQ(recv.start, Time::us(5).ps());
  EXPECT_EQ(recv.end, Time::us(25).ps());
}

#endif

}  // namespace
}  // namespace heddle::report
