// A real program under real MPIs: what its traces say is what it says itself.
#include <gmock/gmock.h>

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "goal/adapters.hpp"
#include "goal/check.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "tracer/tally.hpp"
#include "traces/convert/convert.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces::test {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  std::string output;
  int status = -1;
};

Outcome run(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    outcome.output.append(buffer, n);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// The lines that the program would print, from its schedule: acknowledgements of synchronous sends
/// are none of its messages.
std::vector<std::string> messages_of(const goal::Schedule& schedule) {
  struct Sum {
    std::uint64_t messages = 0, bytes = 0;
  };
  std::vector<std::string> lines;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const goal::RankView rank = schedule.rank(r);
    std::vector<Sum> sent(schedule.ranks());
    Sum received;
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const goal::Op op = rank.op(i);
      if (op.kind == goal::OpKind::calc || op.nic == goal::kAcknowledgements) continue;
      Sum& sum = op.kind == goal::OpKind::send ? sent.at(op.peer) : received;
      ++sum.messages;
      sum.bytes += op.value;
    }
    for (std::uint32_t to = 0; to < schedule.ranks(); ++to) {
      lines.push_back(fmt::format("sent {} {} {} {}", r, to, sent[to].messages, sent[to].bytes));
    }
    lines.push_back(fmt::format("received {} {} {}", r, received.messages, received.bytes));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// One MPI, found when the tests were built.
class TracerTest : public testing::TestWithParam<std::string> {
 protected:
  TracerTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->name()) + "_traces";
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = fs::path(HEDDLE_TRACER_PROGRAMS) / name;
    fs::remove_all(folder_);
  }

  std::string library() const { return HEDDLE_TRACER_DIR "/libheddle_trace_" + GetParam() + ".so"; }
  static std::string program(const std::string& kind) {
    return HEDDLE_TRACER_PROGRAMS "/" + kind + GetParam();
  }
  /// More ranks than cores, as root or not, on this machine only.
  Outcome launch(const std::string& environment, const std::string& program) const {
    const bool open_mpi = GetParam() == "openmpi";
    return run("HEDDLE_TRACE_DIR=" + folder_.string() + " " + environment + " " +
               (open_mpi ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 " : "") +
               "timeout 120 mpiexec." + GetParam() + (open_mpi ? " --oversubscribe" : "") +
               " -n 4 " + program);
  }
  /// Whether a program that failed with the tracer fails without it, too: some installations of
  /// MPI have no windows.
  bool fails_anyway(const Outcome& outcome, const std::string& program) const {
    return outcome.status != 0 && launch("", program).status != 0;
  }
  void expect_same(const Outcome& outcome) const {
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    ASSERT_THAT(told(outcome.output), testing::SizeIs(52)) << outcome.output;
    EXPECT_EQ(Tally(folder_).lines(), told(outcome.output));
  }

  fs::path folder_;
};

/// 4 ranks print 4 + 1 + 8 lines each: destinations, what came in, collectives.
TEST_P(TracerTest, PreloadedSeesWhatTheProgramDid) {
  expect_same(launch("LD_PRELOAD=" + library(), program("program_")));
}

TEST_P(TracerTest, LinkedSeesWhatTheProgramDid) {
  expect_same(launch("", program("program_linked_")));
}

/// The halves {2, 0} and {3, 1}, a copy of each, and one of rank 3 alone: 5 communicators, each by
/// one name on all its members.
TEST_P(TracerTest, CommunicatorsHaveOneNameOnAllMembers) {
  ASSERT_EQ(launch("LD_PRELOAD=" + library(), program("program_")).status, 0);
  const Tally tally(folder_);
  std::multiset<std::vector<std::int64_t>> members;
  for (const auto& [id, list] : tally.comms()) members.insert(list);
  EXPECT_THAT(members, testing::ElementsAre(testing::ElementsAre(2, 0), testing::ElementsAre(2, 0),
                                            testing::ElementsAre(3), testing::ElementsAre(3, 1),
                                            testing::ElementsAre(3, 1)));
  for (int r = 0; r < Tally::kRanks; ++r) {
    for (const RecordedCall& call : tally.calls(r)) {
      if (!call.made) continue;
      EXPECT_EQ(tally.comms().at(call.made->id).at(call.made->rank), r);
    }
  }
}

/// The records of a rank follow one another in time, from MPI_Init to MPI_Finalize.
TEST_P(TracerTest, TimesFollowOneAnother) {
  ASSERT_EQ(launch("LD_PRELOAD=" + library(), program("program_")).status, 0);
  const Tally tally(folder_);
  for (int r = 0; r < Tally::kRanks; ++r) {
    const std::vector<RecordedCall>& calls = tally.calls(r);
    EXPECT_EQ(tally.header(r).rank, static_cast<unsigned>(r));
    EXPECT_EQ(tally.header(r).size, 4U);
    EXPECT_THAT(tally.header(r).library,
                testing::HasSubstr(GetParam() == "mpich" ? "MPICH" : "Open MPI"));
    EXPECT_EQ(tally.name(r, calls.front()), "Init");
    EXPECT_EQ(tally.name(r, calls.back()), "Finalize");
    std::int64_t before = 0;
    for (const RecordedCall& call : calls) {
      EXPECT_GE(call.start, before);
      EXPECT_GE(call.end, call.start);
      before = call.end;
    }
  }
}

/// MPI_Abort writes what is in memory first, so the rank that calls it has a whole trace.
TEST_P(TracerTest, AbortLosesNothingOfItsCaller) {
  const Outcome outcome = launch("LD_PRELOAD=" + library(), program("program_") + " abort");
  EXPECT_NE(outcome.status, 0);
  const std::string path = folder_ / "rank-000000.htrace";
  const goal::MappedFile file(path);
  RecordedTrace trace(file.bytes(), path);
  std::string last;
  for (RecordedCall call; trace.next(call);) last = trace.function(call).name;
  EXPECT_EQ(last, "Abort");
}

/// Without collective operations the schedule holds exactly the messages that the program counted.
TEST_P(TracerTest, ScheduleHasTheMessagesOfTheProgram) {
  const Outcome outcome = launch("LD_PRELOAD=" + library(), program("program_") + " messages");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const Conversion conversion = convert(read_traces(folder_), convert_table().defaults());
  EXPECT_EQ(messages_of(conversion.schedule), told(outcome.output));
}

/// Every rank of the converted program comes to its end, later than it started.
TEST_P(TracerTest, ConvertedProgramReplays) {
  const Outcome outcome = launch("LD_PRELOAD=" + library(), program("program_"));
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const Conversion conversion = convert(read_traces(folder_), convert_table().defaults());
  EXPECT_THAT(check(conversion.schedule), testing::IsEmpty());
  const auto result = replay::loggops_replay(
      conversion.schedule, {replay::combine({}, replay::replay_table().defaults())});
  EXPECT_THAT(result.finish,
              testing::AllOf(testing::SizeIs(4), testing::Each(testing::Gt(Time()))));
}

/// MPI_Alltoallw of 2 shorts to each rank but the own, which gets 2 doubles; a neighbour alltoallv
/// with the 2 neighbours on a ring of 1 dimension; 12 integers put into a window of the merged
/// groups; communicators that members cannot agree upon have the name for unknown ones.
TEST_P(TracerTest, RareCallsAreRecorded) {
  const std::string others = program("program_") + " others";
  const Outcome outcome = launch("LD_PRELOAD=" + library(), others);
  if (fails_anyway(outcome, others)) GTEST_SKIP() << outcome.output;
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const Tally tally(folder_, Tally::Only::decode);
  std::map<std::string, RecordedCall> last;
  for (const RecordedCall& call : tally.calls(2)) last[tally.name(2, call)] = call;
  EXPECT_THAT(last.at("Alltoallw").counts, testing::ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(last.at("Alltoallw").sizes, testing::ElementsAre(2, 2, 8, 2));
  EXPECT_THAT(last.at("Neighbor_alltoallv").counts, testing::ElementsAre(2, 2));
  EXPECT_EQ(last.at("Gather").comm, kRecordedUnknown);
  EXPECT_EQ(last.at("Gather").count * last.at("Gather").size, 6U);
  EXPECT_EQ(last.at("Put").count * last.at("Put").size, 48U);
  EXPECT_EQ(last.at("Put").peer, 3);
  EXPECT_THAT(tally.comms().at(last.at("Put").comm), testing::ElementsAre(0, 1, 2, 3));
  ASSERT_TRUE(last.contains("Waitsome"));
  EXPECT_THAT(last.at("Testall").requests, testing::ElementsAre(0, 0));
}

/// What was received from any rank is known when the request is complete: here 8 bytes from the
/// left.
TEST_P(TracerTest, CompletionsSayWhatCame) {
  const std::string others = program("program_") + " others";
  const Outcome outcome = launch("LD_PRELOAD=" + library(), others);
  if (fails_anyway(outcome, others)) GTEST_SKIP() << outcome.output;
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const Tally tally(folder_, Tally::Only::decode);
  std::vector<RecordedStatus> came;
  for (const RecordedCall& call : tally.calls(1)) {
    for (const RecordedCompletion& completion : call.completed) {
      if (completion.status) came.push_back(*completion.status);
    }
  }
  ASSERT_THAT(came, testing::SizeIs(1));
  EXPECT_EQ(came[0].source, 0);
  EXPECT_EQ(came[0].tag, 60);
  EXPECT_EQ(came[0].bytes, 8U);
}

/// A folder that cannot be made is said once per rank, and the program runs on.
TEST_P(TracerTest, ProgramRunsWithoutAPlaceForTraces) {
  folder_ = "/dev/null/traces";
  const Outcome outcome = launch("LD_PRELOAD=" + library(), program("program_"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output,
              testing::HasSubstr("cannot write the trace /dev/null/traces/rank-000000.htrace"));
  EXPECT_THAT(told(outcome.output), testing::SizeIs(52));
}

std::vector<std::string> mpis() {
  std::vector<std::string> names;
  std::istringstream list(HEDDLE_TRACED_MPIS);
  for (std::string name; list >> name;) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Mpis, TracerTest, testing::ValuesIn(mpis()),
                         [](const auto& mpi) { return mpi.param; });

}  // namespace
}  // namespace heddle::traces::test
