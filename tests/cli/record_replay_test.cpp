// What runs record of MPI, replayed: by Heddle over MPI and over LogGOPS' ends, and by SimGrid.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"
#include "validation.hpp"

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;

/// The examples, compiled once.
class Examples {
 public:
  Examples() {
    for (const std::string name : {"stencil", "sort", "cg"}) compile("../../examples/mpi/" + name);
    for (const std::string name : {"exchanges", "windows", "calls"}) compile("programs/" + name);
  }
  std::string folder() const { return folder_.path(); }
  /// The simulated time, in us, of a command that writes JSON.
  double time(const std::string& command, const char* member = "time_ps") const {
    const Outcome outcome = heddle(command + " --json r.json", folder());
    return read(outcome, member);
  }
  /// The same of a program with its arguments.
  double run(const std::string& options, const std::string& program) const {
    return read(heddle("run -q " + options + " --json r.json ./" + program, folder()), "time_ps");
  }

 private:
  void compile(const std::string& source) const {
    const Outcome made = shell(built("heddlecc") + " -O1 " HEDDLE_TEST_DATA "/" + source +
                                   ".c -o " + source.substr(source.rfind('/') + 1),
                               folder_.path());
    EXPECT_EQ(made.status, 0) << made.err;
  }
  double read(const Outcome& outcome, const char* member) const {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::string text = file_text(folder() + "/r.json");
    if (outcome.status != 0 || text.empty()) return std::nan("");
    return nlohmann::json::parse(text).at(member).get<double>() * 1e-6;
  }
  TemporaryFolder folder_;
};

const Examples& examples() {
  static const Examples all;
  return all;
}

constexpr const char* kPrograms[] = {"stencil 128 5", "sort 1024 2", "cg 512 3"};

constexpr const char* kKindsOfCalls[] = {"nonblocking", "persistent",    "probes",    "some",
                                         "cancelled",   "communicators", "datatypes", "wildcards",
                                         "buffered",    "uneven",        "files",     "nobody"};

void expect_within(double measured, double expected, double part, const std::string& what) {
  EXPECT_LE(std::abs(measured / expected - 1), part)
      << what << ": " << measured << " us instead of " << expected;
}

// Everything that a run takes is in the trace: the replay on the same machine ends within 0.2 % of
// it, over both transports.
TEST(RecordReplay, TracesTakeTheTimeOfTheRun) {
  for (const std::string machine : {"-p fat-tree-64", "-p bxi-v2 --set mpi.transport=portals"}) {
    for (const std::string program : kPrograms) {
      const double run = examples().run("-n 16 " + machine + " --trace-ti t.ti", program);
      const double replay = examples().time("replay t.ti " + machine);
      expect_within(replay, run, 0.002, program + " on " + machine);
    }
  }
}

// A trace of one machine says what the program takes on another: 1 %.
TEST(RecordReplay, TracesPredictAnotherMachine) {
  for (const std::string program : kPrograms) {
    examples().run("-n 16 -p fat-tree-64 --trace-ti t.ti", program);
    const std::string other = "-p torus-512 --network packet --set node.speed=3Gf";
    const double predicted = examples().time("replay t.ti " + other);
    expect_within(predicted, examples().run("-n 16 " + other, program), 0.01, program);
  }
}

/// With short messages in chains and trees, long ones, and all kinds of calls.
constexpr const char* kExchanges[] = {
    "stencil 128 5",   "sort 1024 2",           "cg 512 3",
    "exchanges chain", "exchanges collectives", "exchanges random 1"};

constexpr const char* kPortals = "-p bxi-v2 --set mpi.transport=portals";

/// Records a run as a schedule, in the format of its name, and replays that on the same machine.
void expect_time_of_run(int ranks, const std::string& machine, const std::string& program,
                        double part, const std::string& file = "t.goal") {
  const double run =
      examples().run(fmt::format("-n {} {} --trace-goal {}", ranks, machine, file), program);
  const double replay = examples().time("replay " + file + " --ends mpi " + machine);
  expect_within(replay, run, part, program + " on " + machine);
  validation_row("Schedules that runs recorded, replayed on the same machine",
                 fmt::format("{}, {} ranks, `{}`", program, ranks, machine),
                 fmt::format("{:.3f} us", replay), fmt::format("run {:.3f} us", run),
                 fmt::format("{:+.3f} %", 100 * (replay / run - 1)),
                 fmt::format("{} %", 100 * part));
}

// A schedule whose ends are MPI's has everything that the run had: costs by size, protocols,
// contention. The replay ends within 0.5 % of it, over both transports and different networks.
TEST(RecordReplay, SchedulesWithEndsOfMpiTakeTheTimeOfTheRun) {
  for (const std::string machine :
       {"-p fat-tree-64", "-p torus-512 --network fluid --set mpi.preset=smpi", kPortals}) {
    for (const std::string program : kExchanges) expect_time_of_run(16, machine, program, 0.005);
  }
}

// A schedule of one machine says what the program takes on another: 1 %.
TEST(RecordReplay, SchedulesPredictAnotherMachine) {
  const std::string other = "-p dragonfly-72 --network packet --set node.speed=3Gf";
  for (const std::string program : kExchanges) {
    examples().run("-n 16 -p fat-tree-64 --trace-goal t.hgs", program);
    const bool computes = program.find("exchanges") == std::string::npos;
    const double predicted = examples().time("replay t.hgs --ends mpi " + other +
                                             (computes ? " --set replay.measured_on=10Gf" : ""));
    expect_within(predicted, examples().run("-n 16 " + other, program), 0.01, program);
  }
}

// One-sided operations are transfers that their target does nothing for, gets are the adapters'
// where they have them: in epochs of every kind, with short and long ones, the replay ends within
// 1 % of the run, over both transports. So it does where the target's processor has to help.
TEST(RecordReplay, SchedulesHaveWindows) {
  for (const std::string machine : {"-p fat-tree-64", kPortals}) {
    for (const std::string kind : {"fences", "locks", "groups", "requests", "atomics"}) {
      for (const std::string count : {"1", "5000"}) {
        expect_time_of_run(8, machine, "windows " + kind + " " + count, 0.01);
      }
    }
  }
  expect_time_of_run(8, "-p fat-tree-64 --set mpi.rma_target_cost=2us", "windows fences 10", 0.01);
}

// A schedule with windows says what they take over the other transport, whose adapters have gets or
// do not: 1 %.
TEST(RecordReplay, SchedulesWithWindowsPredictAnotherMachine) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"-p fat-tree-64", kPortals},
                                 {kPortals, "-p fat-tree-64"}}) {
    for (const std::string program :
         {"windows fences 5000", "windows groups 1", "windows requests 5000"}) {
      examples().run("-n 8 " + from + " --trace-goal t.bin", program);
      const double predicted = examples().time("replay t.bin --ends mpi " + to);
      expect_within(predicted, examples().run("-n 8 " + to, program), 0.01,
                    program + " from " + from);
    }
  }
}

// Non-blocking and persistent collectives, probes, requests of which some are waited for, cancelled
// ones, communicators of all kinds, derived datatypes, wildcards, files, nobody as a peer: traces
// and schedules of programs that have them take the time of the run, to 1 %.
TEST(RecordReplay, AllKindsOfCallsAreReplayed) {
  for (const std::string kind : kKindsOfCalls) {
    const std::string program = "calls " + kind;
    const double run = examples().run("-n 8 -p fat-tree-64 --trace-ti t.ti", program);
    expect_within(examples().time("replay t.ti -p fat-tree-64"), run, 0.01, program + ", traces");
    examples().run("-n 8 -p fat-tree-64 --trace-goal t.goal", program);
    expect_within(examples().time("replay t.goal --ends mpi -p fat-tree-64"), run, 0.01,
                  program + ", schedule");
  }
}

// Short synchronous sends wait for their receives, too: traces mark them, and in schedules of all
// formats they are acknowledged.
TEST(RecordReplay, SynchronousSendsWait) {
  const double run = examples().run("-n 8 -p fat-tree-64 --trace-ti t.ti", "calls synchronous");
  expect_within(examples().time("replay t.ti -p fat-tree-64"), run, 0.002, "synchronous sends");
  for (const std::string file : {"t.goal", "t.bin", "t.hgs"}) {
    for (const std::string machine : {"-p fat-tree-64", kPortals}) {
      expect_time_of_run(8, machine, "calls synchronous", 0.01, file);
    }
  }
}

// Long buffered sends end before they are received, though standard ones would not.
TEST(RecordReplay, BufferedSendsDoNotWait) {
  for (const std::string machine : {"-p fat-tree-64", kPortals}) {
    const double run = examples().run("-n 8 " + machine + " --trace-ti t.ti", "calls copied");
    expect_within(examples().time("replay t.ti " + machine), run, 0.01, "traces, " + machine);
    examples().run("-n 8 " + machine + " --trace-goal t.goal", "calls copied");
    expect_within(examples().time("replay t.goal --ends mpi " + machine), run, 0.01,
                  "schedule, " + machine);
  }
}

// What polls in vain take is in the recording where no message was waited for: the replay ends
// within 1 % of the run.
TEST(RecordReplay, PollsInVainTakeTheirTime) {
  const double run = examples().run("-n 8 -p fat-tree-64 --trace-ti t.ti", "calls progress");
  expect_within(examples().time("replay t.ti -p fat-tree-64"), run, 0.01, "traces");
  examples().run("-n 8 -p fat-tree-64 --trace-goal t.goal", "calls progress");
  expect_within(examples().time("replay t.goal --ends mpi -p fat-tree-64"), run, 0.01, "schedule");
}

// Over LogGOPS' ends, the acknowledgement is a message: 8 bytes take 2 o + L + 7 G there and none
// take 2 o + L back, 11,042 ns with LogGOPSim's numbers.
TEST(RecordReplay, SynchronousSendsWaitOverLogGops) {
  std::ofstream(examples().folder() + "/s.ti")
      << "0 init\n#synchronous 0\n0 send 1 9 8 6\n0 finalize\n"
         "1 init\n1 recv 0 9 8 6\n1 finalize\n";
  ASSERT_EQ(heddle("convert s.ti -o s.goal", examples().folder()).status, 0);
  EXPECT_NEAR(examples().time("replay s.goal", "makespan_ps"), 11.042, 1e-9);
}

// Ranks of MPI have one processor, and need a machine.
TEST(RecordReplay, EndsOfMpiSayWhatIsAccepted) {
  const std::string folder = examples().folder();
  std::ofstream(folder + "/two.goal") << "num_ranks 1\nrank 0 {\ncalc 5 cpu 1\n}\n";
  const Outcome processors = heddle("replay two.goal --ends mpi -p fat-tree-64", folder);
  EXPECT_EQ(processors.status, 2);
  EXPECT_THAT(processors.err, HasSubstr("ranks of MPI have one processor"));
  const Outcome machine = heddle("replay two.goal --ends mpi", folder);
  EXPECT_EQ(machine.status, 2);
  EXPECT_THAT(machine.err, HasSubstr("accepted with --platform"));
}

// Any schedule can have them: a ring of 8 B on four nodes takes three messages and what MPI adds.
TEST(RecordReplay, PatternsCanHaveEndsOfMpi) {
  const double time = examples().time(
      "replay --pattern dissemination --set pattern.ranks=16 --ends mpi -p fat-tree-64");
  EXPECT_GT(time, 0);
}

// With nothing charged at the ends, a replay over LogGOPS' ends takes the time of the run, to
// 0.5 %.
TEST(RecordReplay, SchedulesTakeTheTimeOfARunWithoutOverheads) {
  for (const std::string program : kPrograms) {
    const double run = examples().run(
        "-n 16 -p fat-tree-64 --trace-goal t.goal --set mpi.send_overhead=0ns --set "
        "mpi.isend_overhead=0ns --set mpi.receive_overhead=0ns --set mpi.envelope=0",
        program);
    const double replay =
        examples().time("replay t.goal -p fat-tree-64 --set replay.S=16383", "makespan_ps");
    expect_within(replay, run, 0.005, program);
  }
}

/// SimGrid, on one switch, with the same model and the same algorithms as ours.
class SimGridPeer {
 public:
  SimGridPeer() {
    std::ofstream(folder_ + "/machine.xml")
        << "<?xml version='1.0'?>\n"
           "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">\n"
           "<cluster id=\"c\" prefix=\"node-\" suffix=\"\" radical=\"0-15\" speed=\"10Gf\" "
           "bw=\"12.5GBps\" lat=\"1us\"/>\n</zone></platform>\n";
    std::ofstream hosts(folder_ + "/hosts");
    for (int i = 0; i < 16; ++i) hosts << "node-" << i << "\n";
    // Names as SimGrid has them; what it calls reduce's binomial posts receives one by one, ours
    // and Open MPI's two at a time. It has one algorithm each for scans and gatherv, without a
    // name.
    for (const std::string choice :
         {"barrier ompi_recursivedoubling", "allreduce rdb", "alltoall pair", "alltoallv pair",
          "reduce ompi_binomial", "bcast binomial_tree", "gather ompi_basic_linear",
          "scatter ompi_basic_linear", "allgather ring", "allgatherv ring",
          "reduce_scatter ompi_ring"}) {
      const std::size_t space = choice.find(' ');
      const std::string algorithm = choice.substr(space + 1);
      own_ += " --set mpi.coll." + choice.substr(0, space) + "=" + algorithm;
      peer_ += " --cfg=smpi/" + choice.substr(0, space) + ":" + algorithm;
    }
  }
  /// Our run, recorded.
  double run(int ranks, const std::string& program) const {
    return examples().run("-n " + std::to_string(ranks) + own_ + " --trace-ti t.ti", program);
  }
  double own_replay() const { return examples().time("replay t.ti" + own_); }
  /// The clock, in us, when it says that it is done: that has more digits than what it says.
  double replay(int ranks) const {
    const Outcome replayed =
        shell("smpirun -np " + std::to_string(ranks) + peer_ + " -replay t.ti", folder_);
    const std::size_t at = (replayed.out + replayed.err).find(":Simulation time ");
    EXPECT_NE(at, std::string::npos) << replayed.out << replayed.err;
    if (at == std::string::npos) return std::nan("");
    const std::string before = (replayed.out + replayed.err).substr(0, at);
    return std::stod(before.substr(before.rfind('\n') + 1)) * 1e6;
  }

 private:
  std::string folder_ = examples().folder();
  std::string own_ =
      " -p machine.xml --network fluid --set fluid.weighting=simgrid --set "
      "fluid.occupancy=after-latency --set mpi.preset=smpi --set mpi.coll.scan=spreading --set "
      "mpi.coll.exscan=recursivedoubling --set mpi.coll.gatherv=linear_nb --set "
      "mpi.coll.scatterv=linear_nb";
  std::string peer_ =
      " -platform machine.xml -hostfile hosts --cfg=network/crosstraffic:0 "
      "--cfg=network/weight-S:0 --cfg=network/TCP-gamma:0 --log=root.fmt:%.9r:%m%n";
};

// With its own options for the same model, SimGrid's replay of the traces ends within 1 % of the
// run that was recorded: of the examples, and of programs with all kinds of calls.
TEST(RecordReplay, SimGridReplaysTheTraces) {
  if (shell("which smpirun").status != 0) GTEST_SKIP() << "SimGrid is not installed";
  const SimGridPeer peer;
  const std::string subject = "Time-independent traces replayed by SimGrid 3.32, live";
  std::vector<std::pair<int, std::string>> programs;
  for (const std::string program : kExchanges) programs.emplace_back(16, program);
  for (const std::string kind : kKindsOfCalls) programs.emplace_back(8, "calls " + kind);
  for (const auto& [ranks, program] : programs) {
    const double run = peer.run(ranks, program);
    const double replayed = peer.replay(ranks);
    expect_within(replayed, run, 0.01, program);
    expect_within(peer.own_replay(), run, 0.01, program + ", replayed by Heddle");
    validation_row(subject, fmt::format("{}, {} ranks", program, ranks),
                   fmt::format("run {:.3f} us", run), fmt::format("{:.3f} us", replayed),
                   fmt::format("{:+.3f} %", 100 * (run / replayed - 1)), "1 %");
  }
  validation_note(
      subject,
      "Algorithms are named one by one on both sides, for some of one name differ. Three "
      "reductions of 800 B in a row take SimGrid's `binomial` 36.82 us, because it posts one "
      "receive at a "
      "time, and Open MPI's (`ompi_binomial`), which posts two, 29.02 us on both sides. A scan is "
      "always a message to each rank above in SimGrid (4.07 us on 8 ranks; here `spreading`); in "
      "Open MPI each rank hands its sum on to the next. With smpi/coll-selector:ompi SimGrid "
      "aborts "
      "(free(): invalid pointer) in an allreduce of fewer elements than ranks, whoever wrote the "
      "trace.");
}

// Communication of every kind ends up in a trace that can be replayed: wildcards name who was
// received from, and what time-independent traces have no action for is written as messages. The
// time differs by what they cannot tell apart, MPI_Reduce_scatter_block for one: less than 10 %.
TEST(RecordReplay, EverythingIsWrittenAsSomethingThatCanBeRead) {
  const CompiledProgram program(R"(
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size, in[8] = {0}, out[8] = {0}, counts[4] = {1, 0, 2, 1}, places[4] = {0, 1, 1, 3};
  MPI_Comm half;
  MPI_Request r[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
  MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, half);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  if (rank == 0) {
    for (int i = 1; i < size; i++)
      MPI_Recv(in, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Ssend(out, rank, MPI_INT, 0, rank, MPI_COMM_WORLD);
  }
  MPI_Send_init(out, 1, MPI_INT, (rank + 1) % size, 7, half == MPI_COMM_NULL ? half : MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(in, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[1]);
  for (int i = 0; i < 3; i++) { MPI_Startall(2, r); MPI_Waitall(2, r, MPI_STATUSES_IGNORE); }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
  MPI_Bcast(in, 4, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Gather(out, 1, MPI_INT, in, 1, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Gatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Scatterv(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Reduce(out, in, 3, MPI_INT, MPI_MAX, 3, MPI_COMM_WORLD);
  MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
)");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 4 --trace-ti t.ti --json r.json");
  ASSERT_EQ(run.status, 0) << run.err;
  const Outcome replayed = heddle("replay t.ti -p bxi-v2 --json s.json", program.folder());
  ASSERT_EQ(replayed.status, 0) << replayed.err;
  const auto time = [&](const char* file) {
    return nlohmann::json::parse(file_text(program.folder() + "/" + file))
        .at("time_ps")
        .get<double>();
  };
  expect_within(time("s.json"), time("r.json"), 0.1, "all calls");
  const std::string rank = file_text(program.folder() + "/t.ti_files/rank-2.txt");
  for (const char* action : {"gatherv", "scatterv", "allgatherv", "reducescatter", "exscan"}) {
    EXPECT_THAT(rank, HasSubstr(action));
  }
  const Outcome converted = heddle("convert t.ti -o t.goal", program.folder());
  EXPECT_EQ(converted.status, 0) << converted.err;
}

// One-sided transfers are not in a trace, which is said.
TEST(RecordReplay, WindowsAreSaidToBeMissing) {
  const CompiledProgram program(R"(
#include <mpi.h>
int main(int argc, char** argv) {
  int value = 1, *base;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
)");
  const Outcome run = program.run("-n 2 --trace-ti t.ti");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.err, HasSubstr("the trace lacks what"));
}

// Sixteen numbers come where eight are received: rank 1 says so, while rank 0 is inside a barrier.
TEST(RecordReplay, TracesThatCannotBeFail) {
  const Project project({{"t.txt", "t0.txt\nt1.txt\n"},
                         {"t0.txt", "0 init\n0 send 1 0 16 0\n0 barrier\n0 finalize\n"},
                         {"t1.txt", "1 init\n1 recv 0 0 8 0\n1 barrier\n1 finalize\n"}});
  const Outcome outcome = project("heddle replay t.txt --platform fat-tree-64");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("rank 1: t1.txt:2: receive: "));
  EXPECT_THAT(outcome.err, HasSubstr("longer than its buffer"));
}

// The same of requests: the wait that finds out has a place.
TEST(RecordReplay, WaitsThatCannotBeHaveAPlace) {
  const Project project(
      {{"t.txt", "t0.txt\nt1.txt\n"},
       {"t0.txt", "0 init\n0 send 1 0 16 0\n0 finalize\n"},
       {"t1.txt", "1 init\n1 irecv 0 0 8 0\n1 compute 1\n1 waitall 1\n1 finalize\n"}});
  const Outcome outcome = project("heddle replay t.txt --platform fat-tree-64");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("rank 1: t1.txt:4: wait: MPI_ERR_TRUNCATE"));
}

TEST(RecordReplay, TracesNeedAMachineAndAFile) {
  const std::string folder = examples().folder();
  examples().run("-n 4 -p fat-tree-64 --trace-ti t.ti", "stencil 16 1");
  const Outcome without = heddle("replay t.ti", folder);
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, HasSubstr("accepted with --platform"));
  const Outcome output = heddle("run --trace-ti - ./stencil", folder);
  EXPECT_EQ(output.status, 2);
  EXPECT_THAT(output.err, HasSubstr("accepted is a file"));
}

}  // namespace
}  // namespace heddle::cli
