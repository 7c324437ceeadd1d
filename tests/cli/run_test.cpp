// Programs as their users run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/hosted.hpp"
#include "core/sanitizer.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Four ranks, two per node, say who they are; the summary goes to the standard error.
TEST(Run, RanksKnowWhoAndWhereTheyAre) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(int argc, char** argv) {
      char host[64];
      gethostname(host, sizeof host);
      printf("%d of %d on %s, process %d, %d:%s\n", heddle_rank(), heddle_size(), host,
             (int)getpid(), argc, argv[1]);
      return 0;
    })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = heddle("run -n 4 --ranks-per-node 2 ./program word", program.folder());
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out,
            "0 of 4 on n00, process 1000, 2:word\n1 of 4 on n00, process 1001, 2:word\n"
            "2 of 4 on n01, process 1002, 2:word\n3 of 4 on n01, process 1003, 2:word\n");
  EXPECT_THAT(run.err, AllOf(HasSubstr("4 ranks on 2 nodes of bxi-v2"), HasSubstr("simulated time"),
                             HasSubstr("per rank")));
}

// Each rank counts in a global, initialised and not, around a barrier; in C++ constructors and
// destructors run once per rank, and thread-local variables are private, too.
TEST(Run, GlobalsArePrivate) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <cstdio>
    #include <string>
    #include <vector>
    static int zero;
    int seven = 7;
    static thread_local int local = 5;
    inline std::vector<int> shared_by_templates;
    template <class T> struct Counter { static inline int count = 0; };
    struct Object {
      std::string text = "built";
      ~Object() { std::printf("%d destroys %s\n", heddle_rank(), text.c_str()); }
    } object;
    int main() {
      const int rank = heddle_rank();
      zero += rank; seven += rank; local += rank; object.text += std::to_string(rank);
      Counter<int>::count += rank;
      shared_by_templates.push_back(rank);
      heddle_barrier();
      std::printf("%d: %d %d %d %d %zu\n", rank, zero, seven, local, Counter<int>::count,
                  shared_by_templates.size());
    })",
                                "cpp");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string how : kPrivatizations) {
    const Outcome run = program.run("-n 2 --privatize " + how);
    EXPECT_EQ(run.status, 0) << how << run.err;
    EXPECT_EQ(run.out, "0: 0 7 5 0 1\n0 destroys built0\n1: 1 8 6 1 1\n1 destroys built1\n") << how;
  }
}

#ifndef HEDDLE_ASAN
// What a rank that has opened Portals and waits takes: one page of its stack, and 2.7 KB of the
// heap for its rank, fiber, process, interface and command. The kernel counts the pages and the C
// library the heap, so that it does not matter what else the machine does. Without guards, which
// these are too many for, the stacks are one mapping.
TEST(Run, RanksTakeLittleMemory) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <malloc.h>
    #include <portals4.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <unistd.h>
    /* Bytes in memory of the mapping that holds an address, and how many stacks of about 1 MiB it is:
       guards may be mappings of their own, or not. */
    static unsigned long resident(const void* address, unsigned long* stacks) {
      unsigned long begin, end, kib;
      int found = 0;
      char line[512];
      FILE* maps = fopen("/proc/self/smaps", "r");
      while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
          found = begin <= (uintptr_t)address && (uintptr_t)address < end;
        else if (found && sscanf(line, "Rss: %lu", &kib) == 1)
          break;
      }
      fclose(maps);
      *stacks = (end - begin + (1 << 19)) >> 20;
      return kib * 1024;
    }
    int main(void) {
      ptl_handle_ni_t ni;
      PtlInit();
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
      heddle_barrier();
      if (heddle_rank() == 0) {
        const struct mallinfo2 heap = mallinfo2();
        unsigned long stacks;
        const unsigned long bytes = resident(&ni, &stacks);
        printf("%lu %zu\n", (bytes / getpagesize() + stacks / 2) / stacks,
               (heap.uordblks + heap.hblkhd) / heddle_size());
      }
      heddle_barrier();
      return 0;
    })");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run_once("-n 9216 --ranks-per-node 144");
  ASSERT_EQ(run.status, 0) << run.err;
  std::istringstream numbers(run.out);
  unsigned pages = 0;
  unsigned heap = 0;
  numbers >> pages >> heap;
  EXPECT_EQ(pages, 1U);
  EXPECT_GT(heap, 0U);
  EXPECT_LT(heap, 2700U);
}
#endif

// Without privatization the ranks add to one variable: 0 + 1 + 2.
TEST(Run, GlobalsCanBeShared) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int sum;
    int main(void) {
      sum += heddle_rank();
      heddle_barrier();
      if (heddle_rank() == 0) printf("%d\n", sum);
    })");
  EXPECT_EQ(program.run("-n 3 --privatize none").out, "3\n");
}

// Globals that are shared are constructed by the first rank and destroyed after the last: each of
// three ranks adds one to 100, and finds what the constructor of a string made.
TEST(Run, SharedGlobalsAreConstructedOnce) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <cstdio>
    #include <cstdlib>
    #include <string>
    struct Sum { int value = 100; ~Sum() { std::printf("destroys %d\n", value); } } sum;
    std::string text(100, 'x');
    static void bye() { std::printf("bye %d\n", heddle_rank()); }
    int main() {
      static std::string local(50, 'y');
      std::atexit(bye);
      ++sum.value;
      heddle_barrier();
      if (heddle_rank() == 2) heddle_compute(1);
      std::printf("%d %zu %zu\n", sum.value, text.size(), local.size());
    })",
                                "cpp");
  const Outcome run = program.run("-n 3 --privatize none");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "103 100 50\nbye 0\n103 100 50\nbye 1\n103 100 50\nbye 2\ndestroys 103\n");
}

// Many ranks are given their globals by exchanging them.
TEST(Run, ManyRanksStart) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int mine = 1;
    int main(void) {
      mine += heddle_rank();
      heddle_barrier();
      if (heddle_rank() == 2999) printf("%d\n", mine);
    })");
  const Outcome run = heddle("run -n 3000 --ranks-per-node 64 ./program", program.folder());
  EXPECT_EQ(run.out, "3000\n") << run.err;
  EXPECT_THAT(run.err, HasSubstr("globals: swap"));
}

// A barrier of four ranks costs two steps of 1 us from the arrival of the last, which slept 3 us:
// all leave at 5 us.
TEST(Run, BarriersCostTime) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      if (heddle_rank() == 2) usleep(3);
      heddle_barrier();
      printf("%llu\n", (unsigned long long)heddle_time_ps());
    })");
  EXPECT_EQ(program.run("-n 4").out, "5000000\n5000000\n5000000\n5000000\n");
}

TEST(Run, RanksExchangeValues) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      int value = 100 + heddle_rank(), other = 0;
      heddle_put("value", &value, sizeof value);
      heddle_fence();
      long size = heddle_get((heddle_rank() + 1) % heddle_size(), "value", &other, sizeof other);
      printf("%ld %d %ld\n", size, other, heddle_get(0, "nothing", &other, sizeof other));
    })");
  EXPECT_EQ(program.run("-n 3").out, "4 101 -1\n4 102 -1\n4 100 -1\n");
}

// heddle_compute of 2 us and 10^4 operations at 10 Gflop/s, 1 us: 3 us in all.
TEST(Run, ComputingTakesTime) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      heddle_compute(2e-6);
      heddle_compute_flops(1e4);
      printf("%.3f us\n", heddle_time() * 1e6);
    })");
  EXPECT_EQ(program.run("-n 1").out, "3.000 us\n");
  // Three calls, reading the clock among them, with 5 us of computation before each.
  EXPECT_EQ(program.run("-n 1 --compute fixed:5us").out, "18.000 us\n");
  EXPECT_EQ(program.run("-n 1 --compute measure:0").out, "3.000 us\n");
}

// 5 us before each call and before the end: with one call 10 us, by whichever way the rank ends.
TEST(Run, ComputingBeforeTheEndTakesTime) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdlib.h>
    #include <unistd.h>
    int main(void) {
      heddle_compute(0);
      if (heddle_rank() == 1) exit(0);
      if (heddle_rank() == 2) _exit(0);
    })");
  EXPECT_EQ(program.run("-n 3 --compute fixed:5us --json out.json").status, 0);
  const auto document = nlohmann::json::parse(file_text(program.folder() + "/out.json"));
  for (const auto& rank : document["ranks"]) EXPECT_EQ(rank["end_ps"], 10'000'000);
}

// The status of the lowest rank that did not end with zero.
TEST(Run, ExitStatusIsTheProgramsOwn) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    #include <stdlib.h>
    static void bye(void) { printf("bye %d\n", heddle_rank()); }
    int main(void) {
      atexit(bye);
      printf("no end of line");
      if (heddle_rank() == 1) exit(7);
      if (heddle_rank() == 2) _Exit(9);
      return 0;
    })");
  const Outcome run = program.run("-n 3");
  EXPECT_EQ(run.status, 7);
  EXPECT_EQ(run.out, "no end of linebye 0\nno end of linebye 1\nno end of line\n");
}

TEST(Run, RefusesWhatItCannotRun) {
  const CompiledProgram program("int main(void) { return 0; }");
  EXPECT_THAT(heddle("run ./missing", program.folder()).err,
              HasSubstr("./missing: cannot read the program: No such file"));
  EXPECT_EQ(heddle("run ./missing", program.folder()).status, 2);
  EXPECT_THAT(heddle("run ./program.c", program.folder()).err,
              HasSubstr("not a program: build the program with heddlecc"));
  ASSERT_EQ(shell("gcc program.c -o plain", program.folder()).status, 0);
  EXPECT_EQ(heddle("run ./plain", program.folder()).status, 0);
  ASSERT_EQ(shell("echo 'int x;' | gcc -shared -fPIC -x c - -o library -Wl,--no-as-needed -lm",
                  program.folder())
                .status,
            0);
  const Outcome library = heddle("run --privatize copies ./library", program.folder());
  EXPECT_EQ(library.status, 2);
  EXPECT_THAT(library.err, HasSubstr("does not show its main function: build"));
  const Outcome many = program.run("-n 65");
  EXPECT_EQ(many.status, 2);
  EXPECT_THAT(many.err, HasSubstr("--ranks-per-node: 65 ranks, 1 per node, need 65 nodes; 64 are "
                                  "there. Take a larger machine, or 2 ranks per node"));
  EXPECT_THAT(heddle("run").err, HasSubstr("no program given"));
  EXPECT_THAT(heddle("run --netwrok fluid ./program").err,
              HasSubstr("unknown option '--netwrok' (did you mean '--network'?)"));
  EXPECT_THAT(heddle("run --compute slow ./program", program.folder()).err,
              HasSubstr("--compute: 'slow' is not a valid host.compute"));
}

// A value that an option does not take is named, not the words behind it.
TEST(Run, RefusesBadNumbers) {
  const CompiledProgram program("int main(void) { return 0; }");
  for (const std::string option :
       {"-n 0", "-n abc", "-n -3", "-n 2x", "--ranks-per-node 0", "--seed x", "--debug-rank x"}) {
    const Outcome run = program.run(option);
    EXPECT_EQ(run.status, 2) << option;
    const std::string value = option.substr(option.find(' ') + 1);
    EXPECT_THAT(run.err, AllOf(HasSubstr("'" + value + "' is not accepted"),
                               HasSubstr("a whole number from")));
  }
  EXPECT_THAT(program.run("--compute ''").err, HasSubstr("--compute: '' is not accepted"));
  EXPECT_THAT(heddle("run --help").out, testing::Not(HasSubstr("standard output\n")));
}

// Options behind the program's name are the program's.
TEST(Run, ArgumentsAreTheProgramsOwn) {
  const CompiledProgram program(R"(
    #include <stdio.h>
    int main(int argc, char** argv) {
      for (int i = 1; i < argc; ++i) printf("%s;", argv[i]);
      printf("\n");
    })");
  EXPECT_EQ(program.run("-n 1", "-n 3 --help -- x").out, "-n;3;--help;--;x;\n");
  EXPECT_EQ(heddle("run -q -n 1 -- ./program --help -- x", program.folder()).out, "--help;--;x;\n");
}

TEST(Run, WritesJson) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    int main(void) { heddle_compute(1e-6 * (1 + heddle_rank())); return heddle_rank(); })");
  program.run("-n 2 --json out.json --network queue");
  const auto document = nlohmann::json::parse(file_text(program.folder() + "/out.json"));
  EXPECT_EQ(document["schema"], "heddle.run/1");
  EXPECT_EQ(document["network"], "queue");
  EXPECT_EQ(document["status"], 1);
  EXPECT_EQ(document["time_ps"], 2'000'000);
  EXPECT_EQ(document["ranks"][0]["computing_ps"], 1'000'000);
  EXPECT_EQ(document["ranks"].size(), 2U);
}

// The same run twice has the same fingerprint.
TEST(Run, IsReproducible) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <unistd.h>
    int main(void) { usleep(1 + heddle_rank() * 7 % 5); heddle_barrier(); })");
  const Outcome first = program.run("-n 16 --fingerprint");
  EXPECT_THAT(first.err, HasSubstr("fingerprint "));
  EXPECT_EQ(program.run("-n 16 --fingerprint").err, first.err);
  EXPECT_EQ(program.run("-n 16 --fingerprint --privatize swap").err, first.err);
}

}  // namespace
}  // namespace heddle::cli
