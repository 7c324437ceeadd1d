// Ranks that are processes of their own: programs that nobody built for Heddle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A program of the system's compiler, which knows of Heddle only as a library for Portals.
class PlainProgram {
 public:
  explicit PlainProgram(const std::string& text, const std::string& options = "") {
    std::ofstream(folder_ / "program.c") << text;
    const std::string include = std::string(HEDDLE_TEST_DATA) + "/../../include";
    compilation_ = shell("cc -Wall -O1 -I'" + include + "' program.c -o program -L'" +
                             built("stand-in") + "' -lportals " + options,
                         folder_.path());
  }
  const Outcome& compilation() const { return compilation_; }
  std::string folder() const { return folder_.path(); }
  Outcome run(const std::string& options) const {
    return heddle("run -q " + options + " ./program", folder_.path());
  }

 private:
  TemporaryFolder folder_;
  Outcome compilation_;
};

std::string example(const std::string& name) {
  return std::string(HEDDLE_TEST_DATA) + "/../../examples/portals/" + name + ".c";
}

/// All that a run says, but for what it took here.
std::string all_of(const Outcome& run) {
  return run.out + run.err.substr(0, run.err.find("\nsimulator"));
}

// What is simulated does not depend on where ranks run, nor on how many run at a time.
TEST(RunProcesses, TakeTheSameSimulatedTimeAsRanksInsideOfTheSimulator) {
  const TemporaryFolder folder;
  for (const std::string name : {"pingpong", "barrier", "broadcast"}) {
    const Outcome compiled =
        shell(built("heddlecc") + " -O2 '" + example(name) + "' -o " + name, folder.path());
    ASSERT_EQ(compiled.status, 0) << compiled.err;
    const std::string words = " -n 2 --platform bxi-v2 ./" + name;
    const Outcome inside = heddle("run" + words, folder.path());
    ASSERT_EQ(inside.status, 0) << inside.err;
    for (const std::string parallel : {"1", "4"}) {
      const Outcome apart = heddle("run --processes --parallel " + parallel + words, folder.path());
      EXPECT_EQ(apart.status, 0) << apart.err;
      EXPECT_EQ(all_of(apart), all_of(inside)) << name;
      EXPECT_THAT(apart.err, HasSubstr("globals: processes"));
    }
  }
}

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

// Debian's Open MPI as it is installed: a message goes round, the ranks are added up.
TEST(RunProcesses, RunTheInstalledOpenMpi) {
  const TemporaryFolder folder;
  std::ofstream(folder / "ring.c") << R"(
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
      })";
  if (shell("mpicc.openmpi ring.c -o ring", folder.path()).status != 0) {
    GTEST_SKIP() << "Open MPI is not installed";
  }
  const Outcome setup = heddle("setup openmpi");
  if (setup.status != 0) GTEST_SKIP() << setup.err;
  for (const std::string way : {"", "--over btl", "--offload"}) {
    const Outcome run = heddle("mpirun -n 4 " + way + " ./ring", folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "token 4, sum 6\n") << way;
  }
}

}  // namespace
}  // namespace heddle::cli
