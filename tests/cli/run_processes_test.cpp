// Ranks that are processes of their own: programs that nobody built for Heddle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/plain_program.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// All that a run says, but for what it took here.
std::string all_of(const Outcome& run) {
  return run.out + run.err.substr(0, run.err.find("\nsimulator"));
}

/// A program of this tree, with what it is run with.
struct SameTime {
  const char* folder;
  const char* name;
  const char* options;
  const char* arguments;
};

class SameTimeTest : public testing::TestWithParam<SameTime> {};

// What is simulated does not depend on where ranks run, nor on how many run at a time: every
// operation of the adapters has the same times, and programs print the same.
TEST_P(SameTimeTest, InsideOfTheSimulatorAndAsProcesses) {
  const TemporaryFolder folder;
  const SameTime& program = GetParam();
  const std::string source =
      std::string(HEDDLE_TEST_DATA) + "/../../" + program.folder + "/" + program.name + ".c";
  const Outcome compiled =
      shell(built("heddlecc") + " -O2 '" + source + "' -o program", folder.path());
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const std::string words =
      std::string(" --trace ops.csv ") + program.options + " ./program " + program.arguments;
  const Outcome inside = heddle("run" + words, folder.path());
  ASSERT_EQ(inside.status, 0) << inside.err;
  const std::string operations = file_text(folder / "ops.csv");
  for (const std::string parallel : {"1", "4"}) {
    const Outcome apart = heddle("run --processes --parallel " + parallel + words, folder.path());
    EXPECT_EQ(apart.status, 0) << apart.err;
    EXPECT_EQ(all_of(apart), all_of(inside));
    EXPECT_EQ(file_text(folder / "ops.csv"), operations);
    EXPECT_THAT(apart.err, HasSubstr("globals: processes"));
  }
}

constexpr const char* kExamples = "examples/portals";
INSTANTIATE_TEST_SUITE_P(
    Examples, SameTimeTest,
    testing::Values(SameTime{kExamples, "hello", "-n 4 --ranks-per-node 2 --platform bxi-v2", ""},
                    SameTime{kExamples, "pingpong", "-n 2 --platform bxi-v2", "2"},
                    SameTime{kExamples, "styles", "-n 2 --platform quito", "-n 5 -b 8,409,64K"},
                    SameTime{kExamples, "ptlperf", "-n 2 --platform quito", "-b 8,4K -t 100"},
                    SameTime{kExamples, "barrier", "-n 12 --platform bxi-v2", "2"},
                    SameTime{kExamples, "broadcast", "-n 12 --platform bxi-v2", "4K 2"}),
    [](const auto& test) { return std::string(test.param.name); });

// These check every result themselves, and fail if one is wrong: all parts of Portals.
constexpr const char* kChecking = "tests/portals_programs";
INSTANTIATE_TEST_SUITE_P(
    CheckingPrograms, SameTimeTest,
    testing::Values(SameTime{kChecking, "matching", "-n 2 --platform bxi-v2", ""},
                    SameTime{kChecking, "non_matching", "-n 4 --platform bxi-v2", ""},
                    SameTime{kChecking, "atomics", "-n 4 --ranks-per-node 2 --platform bxi-v2", ""},
                    SameTime{kChecking, "triggered", "-n 4 --platform bxi-v2", ""},
                    SameTime{kChecking, "counters", "-n 2 --platform quito", ""},
                    SameTime{kChecking, "events", "-n 2 --platform quito", ""},
                    SameTime{kChecking, "unexpected", "-n 2 --platform bxi-v2", ""},
                    SameTime{kChecking, "flow_control", "-n 6 --platform bxi-v2", ""},
                    SameTime{kChecking, "pieces", "-n 2 --platform bxi-v2 --network packet", ""},
                    SameTime{kChecking, "ranks", "-n 5 --ranks-per-node 2 --platform bxi-v2", ""},
                    SameTime{kChecking, "errors", "-n 2 --platform bxi-v2", ""}),
    [](const auto& test) { return std::string(test.param.name); });

// A program of an ordinary compiler needs no option. It sleeps an hour, which takes no time here,
// finds itself on simulated nodes, and is process 1000 + rank.
TEST(RunProcesses, SeeTheClockAndTheNodesOfTheSimulatedMachine) {
  const PlainProgram program(R"(
      #include <heddle.h>
      #include <stdio.h>
      #include <time.h>
      #include <unistd.h>
      int main() {
        char name[64];
        const time_t before = time(NULL);
        sleep(3600);
        gethostname(name, sizeof name);
        printf("%d of %d: %ld s on %s as %d\n", heddle_rank(), heddle_size(),
               (long)(time(NULL) - before), name, (int)getpid());
        return 0;
      })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 2 --platform quito --prefix-output");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out,
            "[0] 0 of 2: 3600 s on n00 as 1000\n"
            "[1] 1 of 2: 3600 s on n01 as 1001\n");
}

// A port is found whole, or not at all where its place is too short: "port 7" has seven characters
// with its end. What lies behind its place stays as it was.
TEST(RunProcesses, FindNamesWithoutWritingBeyondTheirPlace) {
  const PlainProgram program(R"(
      #include <pmi.h>
      #include <pmi2.h>
      #include <stdio.h>
      #include <string.h>
      static struct { char port[7]; char behind[6000]; } place;
      static int untouched(void) {
        unsigned i = 0;
        while (i < sizeof place.behind && place.behind[i] == 'x') ++i;
        return i == sizeof place.behind;
      }
      int main() {
        int spawned;
        PMI_Init(&spawned);
        memset(place.behind, 'x', sizeof place.behind);
        PMI_Publish_name("service", "port 7");
        int status = PMI_Lookup_name("service", place.port);
        printf("%d %s %d\n", status, place.port, untouched());
        status = PMI2_Nameserv_lookup("service", NULL, place.port, 6);
        printf("%d %d\n", status != PMI2_SUCCESS, untouched());
        PMI_Finalize();
        return 0;
      })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1 --processes");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "0 port 7 1\n1 1\n");
}

// Threads of a process call at the same time, and wait for each other without the simulator: four
// of them sleep 1 to 4 s, so the rank is through after 4 s.
TEST(RunProcesses, ServeSeveralThreads) {
  const PlainProgram program(R"(
      #include <pthread.h>
      #include <stdio.h>
      #include <time.h>
      #include <unistd.h>
      static void* nap(void* n) { sleep((unsigned)(long)n); return NULL; }
      int main() {
        pthread_t threads[4];
        const time_t before = time(NULL);
        for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, nap, (void*)(i + 1));
        for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
        printf("%ld\n", (long)(time(NULL) - before));
        return 0;
      })",
                             "-pthread");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "4\n");
}

// A timer sends its signal at the simulated time, and ends a sleep.
TEST(RunProcesses, GetSignalsFromSimulatedTimers) {
  const PlainProgram program(R"(
      #include <signal.h>
      #include <stdio.h>
      #include <unistd.h>
      static volatile int rang = 0;
      static void ring(int number) { rang = number; }
      int main() {
        signal(SIGALRM, ring);
        alarm(10);
        const unsigned left = sleep(60);
        printf("%u left, %s\n", left, rang == SIGALRM ? "alarm" : "nothing");
        return 0;
      })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 1");
  EXPECT_EQ(run.out, "50 left, alarm\n") << run.err;
}

/// Whether a process of the program is there.
bool runs(const PlainProgram& program) {
  return shell("for exe in /proc/[0-9]*/exe; do readlink $exe 2>/dev/null; done | grep -q '" +
               program.folder() + "/program'")
             .status == 0;
}

// A rank that crashes is named with its signal, the others end with it, and the status is what a
// shell would say of it: 128 + 11.
TEST(RunProcesses, NameTheOneThatCrashesAndEndTheOthers) {
  const PlainProgram program(R"(
      #include <heddle.h>
      #include <stdlib.h>
      #include <unistd.h>
      int main() {
        if (heddle_rank() == 1) *(volatile int*)8 = 1;
        heddle_barrier();
        return 0;
      })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 3");
  EXPECT_EQ(run.status, 139);
  EXPECT_THAT(run.err, AllOf(HasSubstr("rank 1"), HasSubstr("crashed with SIGSEGV")));
  EXPECT_FALSE(runs(program));
}

// The status of a rank is that of the run; who waits for it in vain is told.
TEST(RunProcesses, HandOnTheStatusOfAProcess) {
  const PlainProgram program("int main() { return 7; }");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  EXPECT_EQ(program.run("-n 2").status, 7);
  const Outcome none = heddle("run --processes ./none", program.folder());
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("./none"));
}

// Whoever ends the simulator ends all ranks, whatever they do: one computes, one waits.
TEST(RunProcesses, AreGoneWhenTheSimulatorIsEnded) {
  const PlainProgram program(R"(
      #include <heddle.h>
      int main() {
        volatile unsigned long work = 0;
        if (heddle_rank() == 0) heddle_barrier();
        for (;;) ++work;
      })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string signal : {"INT", "TERM", "KILL"}) {
    const Outcome run = shell("timeout --preserve-status -s " + signal + " 0.5 " + HEDDLE_PROGRAM +
                                  " run -n 2 ./program; status=$?; sleep 0.1; exit $status",
                              program.folder());
    EXPECT_EQ(run.status, signal == "INT" ? 130 : signal == "TERM" ? 143 : 137) << run.err;
    EXPECT_FALSE(runs(program)) << signal;
  }
}

// A program without libraries cannot ask the simulator, and would see the real machine.
TEST(RunProcesses, MustLoadTheirLibraries) {
  const PlainProgram program("int main() { return 0; }");
  const Outcome relinked = shell("cc -static program.c -o program", program.folder());
  if (relinked.status != 0) GTEST_SKIP() << relinked.err;
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, AllOf(HasSubstr("./program"), HasSubstr("linked statically")));
}

// What the kernel cannot start is refused once, before there are ranks, and not by each of them.
TEST(RunProcesses, AreOfProgramsThatCanBeStarted) {
  const PlainProgram program("int main() { return 0; }");
  const Outcome changed = shell("echo exit 0 > program", program.folder());
  ASSERT_EQ(changed.status, 0) << changed.err;
  const Outcome run = program.run("-n 16 --processes");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, AllOf(HasSubstr("./program"), HasSubstr("#!")));
  EXPECT_EQ(run.err.find("cannot be started"), run.err.rfind("cannot be started"));
  ASSERT_EQ(shell("printf '#!/bin/sh\\nexit 0\\n' > program", program.folder()).status, 0);
  EXPECT_EQ(program.run("-n 2 --processes").status, 0);
}

// The library of AddressSanitizer insists on being the first of all: it is, and finds what it looks
// for in a rank that has slept a simulated hour.
TEST(RunProcesses, MayHaveBeenBuiltToFindErrorsOfMemory) {
  const PlainProgram program(R"(
      #include <stdio.h>
      #include <stdlib.h>
      #include <time.h>
      #include <unistd.h>
      int main() {
        const time_t before = time(NULL);
        sleep(3600);
        fprintf(stderr, "%ld s\n", (long)(time(NULL) - before));
        volatile char* bytes = malloc(10);
        return bytes[10];
      })",
                             "-fsanitize=address");
  if (program.compilation().status != 0) GTEST_SKIP() << program.compilation().err;
  const Outcome run = program.run("-n 1");
  EXPECT_NE(run.status, 0);
  EXPECT_THAT(run.err, AllOf(HasSubstr("3600 s\n"), HasSubstr("heap-buffer-overflow")));
}

/// A program of tests/openmpi, or one by its text, compiled for the installed Open MPI.
class OpenMpiProgram {
 public:
  explicit OpenMpiProgram(const std::string& text, const std::string& options = "") {
    std::ofstream(folder_ / "program.c") << text;
    if (shell("mpicc.openmpi program.c -o program " + options, folder_.path()).status != 0) {
      missing_ = "Open MPI is not installed";
    } else if (const Outcome setup = heddle("setup openmpi"); setup.status != 0) {
      missing_ = setup.err;
    }
  }
  /// Why it cannot be run, or nothing.
  const std::string& missing() const { return missing_; }
  std::string folder() const { return folder_.path(); }
  Outcome run(const std::string& options) const {
    return heddle("mpirun -q " + options + " ./program", folder_.path());
  }

 private:
  TemporaryFolder folder_;
  std::string missing_;
};

std::string of_openmpi(const std::string& name) {
  return file_text(std::string(HEDDLE_TEST_DATA) + "/../openmpi/" + name);
}

// What the ranks open does not come to stand where a standard stream was closed: they run to their
// end, and say so where they can.
TEST(RunProcesses, MayHaveNoStandardStreams) {
  const OpenMpiProgram program(R"(
      #include <mpi.h>
      #include <stdio.h>
      int main(int argc, char** argv) {
        int rank;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        fputs("an error\n", stderr);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        FILE* const file = fopen(rank == 0 ? "0.txt" : "1.txt", "w");
        fputs("done\n", file);
        return fclose(file) == 0 ? 0 : 3;
      })");
  if (!program.missing().empty()) GTEST_SKIP() << program.missing();
  for (const char* closed : {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"}) {
    const Outcome outcome =
        shell("rm -f ?.txt; " + std::string(HEDDLE_PROGRAM) + " mpirun -q -n 2 ./program " + closed,
              program.folder());
    EXPECT_EQ(outcome.status, 0) << closed << outcome.err;
    EXPECT_EQ(file_text(program.folder() + "/1.txt"), "done\n") << closed;
  }
}

// Debian's Open MPI as it is installed: a message goes round, the ranks are added up.
TEST(RunProcesses, RunTheInstalledOpenMpi) {
  const OpenMpiProgram ring(R"(
      #include <mpi.h>
      #include <stdio.h>
      int main(int argc, char** argv) {
        int rank, size, token = 0, sum = 0;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
        if (rank > 0) MPI_Recv(&token, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        ++token;
        MPI_Send(&token, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
        if (rank == 0) MPI_Recv(&token, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) printf("token %d, sum %d\n", token, sum);
        MPI_Finalize();
        return 0;
      })");
  if (!ring.missing().empty()) GTEST_SKIP() << ring.missing();
  for (const std::string way : {"", "--over btl", "--offload"}) {
    const Outcome run = ring.run("-n 4 " + way);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "token 4, sum 6\n") << way;
  }
}

/// The fingerprint of a run's events, as its JSON has it.
std::string fingerprint_in(const std::string& json) {
  const std::string key = "\"fingerprint\": ";
  return json.substr(json.find(key), key.size() + 18);
}

// Whatever else the machine does, and however many processes run at a time: the events are the
// same. Open MPI's library reads the processor's counter, so that has to be simulated, too.
TEST(RunProcesses, OfOpenMpiAreTheSameInEveryRun) {
  const OpenMpiProgram program(of_openmpi("pingpong.c"));
  if (!program.missing().empty()) GTEST_SKIP() << program.missing();
  EXPECT_EQ(program.run("-n 2 --json first").status, 0);
  EXPECT_EQ(program.run("-n 2 --json second --parallel 2").status, 0);
  EXPECT_EQ(fingerprint_in(file_text(program.folder() + "/first")),
            fingerprint_in(file_text(program.folder() + "/second")));
}

/// Two ranks on a node that meet for ever.
constexpr const char* kForEver = R"(
    #include <mpi.h>
    int main(int argc, char** argv) {
      MPI_Init(&argc, &argv);
      for (;;) MPI_Barrier(MPI_COMM_WORLD);
    })";

// Ctrl-C: no process is left, no shared memory, and no file of Open MPI's.
TEST(RunProcesses, OfOpenMpiLeaveNothingBehindWhenTheyAreStopped) {
  const OpenMpiProgram program(kForEver);
  if (!program.missing().empty()) GTEST_SKIP() << program.missing();
  const Outcome run =
      shell("mkdir tmp; ls /dev/shm >before; TMPDIR=$PWD/tmp timeout --preserve-status -s INT 3 " +
                std::string(HEDDLE_PROGRAM) +
                " mpirun --over btl --shared-memory --ranks-per-node 2 -n 2 ./program; status=$?; "
                "ls -A tmp; ls /dev/shm | comm -13 before - | grep vader; exit $status",
            program.folder());
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_EQ(run.out, "");
}

// Open MPI's variables count: recursive doubling (3) on 4 ranks takes another time than a reduction
// to rank 0 and a broadcast from there (2, nonoverlapping), and both the right one for itself.
TEST(RunProcesses, OpenMpisVariablesChooseItsAlgorithms) {
  const OpenMpiProgram program(R"(
      #include <mpi.h>
      #include <stdio.h>
      int main(int argc, char** argv) {
        int rank, sum = 0;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) printf("%d %.3f\n", sum, (MPI_Wtime() - start) * 1e6);
        MPI_Finalize();
        return 0;
      })");
  if (!program.missing().empty()) GTEST_SKIP() << program.missing();
  const auto with = [&](const std::string& algorithm) {
    return program
        .run("-n 4 --mca coll_tuned_use_dynamic_rules=1 --mca coll_tuned_allreduce_algorithm=" +
             algorithm)
        .out;
  };
  const std::string doubling = with("3");
  const std::string rooted = with("2");
  EXPECT_THAT(doubling, testing::StartsWith("6 "));
  EXPECT_THAT(rooted, testing::StartsWith("6 "));
  EXPECT_NE(doubling, rooted);
}

// 160,000 B that do not lie in a row are sent in pieces. btl/portals4 has no entry for pieces that
// are longer than its eager messages, so it is told to send none.
TEST(RunProcesses, OfOpenMpiSendDataWithGapsByBtl) {
  const OpenMpiProgram program(R"(
      #include <mpi.h>
      #include <stdio.h>
      enum { kCount = 20000 };
      static double data[2 * kCount];
      int main(int argc, char** argv) {
        int rank, right = 0;
        MPI_Datatype every_other;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Type_vector(kCount, 1, 2, MPI_DOUBLE, &every_other);
        MPI_Type_commit(&every_other);
        for (int i = 0; i < 2 * kCount; ++i) data[i] = rank == 0 ? i : -1;
        if (rank == 0) MPI_Send(data, 1, every_other, 1, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(data, 1, every_other, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < kCount; ++i) right += data[2 * i] == 2 * i && data[2 * i + 1] == -1;
        if (rank == 1) printf("%d\n", right);
        MPI_Finalize();
        return 0;
      })");
  if (!program.missing().empty()) GTEST_SKIP() << program.missing();
  for (const std::string limit : {"", "--mca btl_portals4_eager_limit=4096"}) {
    const Outcome run = program.run("-n 2 --over btl " + limit);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "20000\n") << limit;
  }
}

// Open MPI's own clock, by which it gives up what it has repeated for 10 ms, is the simulated one:
// it divides the processor's counter by the frequency that it finds.
TEST(RunProcesses, OfOpenMpiCountTheirTimeLimitsInSimulatedTime) {
  const OpenMpiProgram program(
      R"(
      #include <mpi.h>
      #include <stdint.h>
      #include <stdio.h>
      #include <unistd.h>
      extern uint64_t (*opal_timer_base_get_usec)(void);
      int main(int argc, char** argv) {
        MPI_Init(&argc, &argv);
        const uint64_t before = opal_timer_base_get_usec();
        usleep(10000);
        printf("%d us\n", (int)(opal_timer_base_get_usec() - before));
        MPI_Finalize();
        return 0;
      })",
      "-lopen-pal");
  if (!program.missing().empty()) GTEST_SKIP() << program.missing();
  EXPECT_EQ(program.run("-n 1").out, "10000 us\n");
}

// A child is no rank: it sees the real machine, and its end is not the rank's.
TEST(RunProcesses, StartChildrenThatAreNoRanks) {
  const PlainProgram program(R"(
      #include <heddle.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <sys/wait.h>
      #include <unistd.h>
      int main() {
        int status = 0;
        const pid_t child = fork();
        if (child == 0) _exit(heddle_rank() == -1 && getpid() > 1 ? 3 : 4);
        waitpid(child, &status, 0);
        printf("%d: %d %d\n", heddle_rank(), WEXITSTATUS(status), system("exit 5") / 256);
        return 0;
      })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 2 --processes");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "0: 3 5\n1: 3 5\n");
}

// Half a round trip of 8 B by Portals alone takes 1.767 us on quito. Open MPI appends its receive
// when its last message is acknowledged, so late that the answer waits 0.237 us for it at the
// adapter, and looks for events every 10 ns, in up to two queues: 0.237 to 0.257 us more.
TEST(RunProcesses, OpenMpiAddsTheWaitForItsReceiveToAMessage) {
  const CompiledProgram alone(of_openmpi("portals_pingpong.c"));
  ASSERT_EQ(alone.compilation().status, 0) << alone.compilation().err;
  const Outcome raw = alone.run_once("-n 2 --platform quito");
  EXPECT_EQ(raw.out, "1.767\n") << raw.err;
  const OpenMpiProgram program(of_openmpi("pingpong.c"));
  if (!program.missing().empty()) GTEST_SKIP() << program.missing();
  const Outcome run = program.run("-n 2 --platform quito");
  ASSERT_EQ(run.status, 0) << run.err;
  const double added = std::stod(run.out) - std::stod(raw.out);
  EXPECT_GE(added, 0.237 - 0.0005);
  EXPECT_LE(added, 0.257 + 0.0005);
}

}  // namespace
}  // namespace heddle::cli
