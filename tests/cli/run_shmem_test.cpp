// Programs that use OpenSHMEM, as a user compiles and runs them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// `body` between shmem_init and shmem_finalize, with the PE in r and the number of PEs in n.
std::string shmem_program(const std::string& body, const std::string& before = "") {
  return "#include <shmem.h>\n#include <stdio.h>\n" + before +
         "\nint main(void) {\n  shmem_init();\n  int r = shmem_my_pe(), n = shmem_n_pes();\n" +
         body + "\n  shmem_finalize();\n  return r + n < 0;\n}\n";
}

const char* const kGlobals = "long global = -1; static int local_to_file[3];";
const char* const kShmemRing =
    "shmem_long_p(&global, r, (r + 1) % n);\n"
    "static int data[3]; data[2] = r;\n"
    "shmem_int_put(local_to_file, data, 3, (r + n - 1) % n);\n"
    "shmem_barrier_all();\n"
    "printf(\"%d got %ld and %d\\n\", r, global, local_to_file[2]);";

TEST(RunShmem, GlobalsAreSymmetricWhateverTheWayPesGetThem) {
  const CompiledProgram program(shmem_program(kShmemRing, kGlobals));
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string how : kPrivatizations) {
    for (const std::string transport : {"hybrid", "portals"}) {
      const Outcome run =
          program.run("-n 4 --privatize " + how + " --set shmem.transport=" + transport);
      EXPECT_EQ(run.status, 0) << run.err;
      EXPECT_THAT(run.out, AllOf(HasSubstr("0 got 3 and 1\n"), HasSubstr("3 got 2 and 0\n")));
    }
  }
}

// A heap of 64 MiB has room for something aligned to each power of two up to its size, at every PE
// and at the same place of each heap; to more there is nothing.
TEST(RunShmem, AlignmentsAreKeptUpToTheSizeOfTheHeap) {
  const CompiledProgram program(
      shmem_program("size_t bad = 0;\n"
                    "for (size_t a = 64; a <= ((size_t)64 << 20); a *= 2) {\n"
                    "  char* p = shmem_align(a, 64);\n"
                    "  if (p == NULL || (size_t)p % a != 0) ++bad;\n"
                    "  if (p != NULL) { p[63] = 1; shmem_free(p); }\n"
                    "}\n"
                    "if (bad || shmem_align((size_t)1 << 40, 64) != NULL) printf(\"%d of %d: "
                    "%zu\\n\", r, n, bad);"));
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string heap : {"64MiB", "65MiB"}) {
    const Outcome run = program.run("-n 5 --set shmem.heap=" + heap);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "") << heap;
  }
}

// 2^61 longs are 2^64 bytes, which a number of 64 bits takes for none.
TEST(RunShmem, AmountsBeyondTheirNumbersAreRefused) {
  const CompiledProgram program(
      "#include <shmem.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
      "static long a[4], b[4];\nint main(int argc, char** argv) {\n"
      "  const size_t big = (size_t)1 << 61;\n  shmem_init();\n"
      "  const int next = (shmem_my_pe() + 1) % shmem_n_pes();\n"
      "  switch (argc > 1 ? atoi(argv[1]) : -1) {\n"
      "    case 0: shmem_long_put(a, b, big, next); break;\n"
      "    case 1: shmem_long_get(a, b, big, next); break;\n"
      "    case 2: shmem_long_iput(a, b, (ptrdiff_t)big, 1, 3, next); break;\n"
      "    case 3: shmem_long_broadcast(SHMEM_TEAM_WORLD, a, b, big, 0); break;\n"
      "    case 4: shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b, big); break;\n"
      "    case 5: shmem_long_alltoalls(SHMEM_TEAM_WORLD, a, b, (ptrdiff_t)big, 1, 2); break;\n"
      "  }\n  printf(\"done\\n\");\n  shmem_finalize();\n  return 0;\n}\n");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (int i = 0; i < 6; ++i) {
    const Outcome run = heddle("run -q -n 2 ./program " + std::to_string(i), program.folder());
    EXPECT_EQ(run.status, 1) << i << run.err;
    EXPECT_THAT(run.err, testing::ContainsRegex("reach beyond|is not symmetric")) << i;
    EXPECT_EQ(run.out, "") << i;
  }
}

TEST(RunShmem, TheHeaderCompilesWithoutAWarningInEveryDialect) {
  const std::string plain = shmem_program(
      "static int a[4], b[4];\nshmem_int_put(a, b, 4, (r + 1) % n);\nshmem_quiet();\n"
      "shmem_int_sum_reduce(SHMEM_TEAM_WORLD, a, b, 4);");
  const std::string generic = shmem_program(
      "static int a[4], b[4]; static long l; static uint64_t s; static double d;\n"
      "const int me = (r + n) - n;\n"
      "shmem_put(a, b, 4, me); shmem_put(SHMEM_CTX_DEFAULT, a, b, 4, me);\n"
      "shmem_get_nbi(a, b, 4, me); shmem_quiet();\n"
      "shmem_p(&d, 2.5, me); d = shmem_g(&d, me); shmem_iput(a, b, 2, 2, 2, me);\n"
      "shmem_atomic_add(&l, 2L, me); l = shmem_atomic_fetch_inc(SHMEM_CTX_DEFAULT, &l, me);\n"
      "shmem_put_signal(a, b, 4, &s, 1, SHMEM_SIGNAL_SET, me);\n"
      "shmem_wait_until(&s, SHMEM_CMP_EQ, 1); (void)shmem_test(&l, SHMEM_CMP_GE, 0L);\n"
      "shmem_sync(SHMEM_TEAM_WORLD); shmem_broadcast(SHMEM_TEAM_WORLD, a, b, 4, 0);\n"
      "shmem_max_reduce(SHMEM_TEAM_WORLD, a, b, 4); shmem_fcollect(SHMEM_TEAM_WORLD, &d, &d, 0);");
  const struct {
    std::string text, language, options;
  } kDialects[] = {{plain, "c", "-std=c99"},
                   {generic, "c", "-std=c11"},
                   {generic, "c", "-std=gnu17"},
                   {plain, "cpp", "-std=c++11"},
                   {generic, "cpp", "-std=c++17"}};
  for (const auto& dialect : kDialects) {
    const CompiledProgram program(dialect.text, dialect.language,
                                  dialect.options + " -Wall -Wextra -Werror -pedantic");
    EXPECT_EQ(program.compilation().status, 0) << dialect.options << program.compilation().err;
    const Outcome run = program.run("-n 3");
    EXPECT_EQ(run.status, 0) << dialect.options << run.err;
  }
}

TEST(RunShmem, AProgramMayUseMpiOpenShmemAndPortalsTogether) {
  const CompiledProgram program(
      "#include <mpi.h>\n#include <portals4.h>\n#include <shmem.h>\n#include <stdio.h>\n"
      "static int sum, one = 1; static long flag;\n"
      "int main(int argc, char** argv) {\n"
      "  MPI_Init(&argc, &argv);\n  shmem_init();\n"
      "  int r, n = shmem_n_pes();\n  MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
      "  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
      "  shmem_long_p(&flag, sum, (r + 1) % n);\n"
      "  shmem_long_wait_until(&flag, SHMEM_CMP_EQ, n);\n"
      "  ptl_handle_ni_t ni; ptl_process_t id;\n"
      "  if (PtlInit() != PTL_OK) return 1;\n"
      "  PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL,\n"
      "            NULL, &ni);\n"
      "  PtlGetPhysId(ni, &id);\n"
      "  printf(\"%d: %ld on node %d\\n\", r, flag, (int)id.phys.nid);\n"
      "  MPI_Barrier(MPI_COMM_WORLD);\n  shmem_finalize();\n  MPI_Finalize();\n  return 0;\n}\n");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string transport : {"hybrid", "portals"}) {
    const Outcome run = program.run("-n 3 --set shmem.transport=" + transport +
                                    " --set mpi.transport=" + transport);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("0: 3 on node 0\n"), HasSubstr("2: 3 on node 2\n")));
  }
}

TEST(RunShmem, ReturningFromMainEndsOpenShmem) {
  // PE 1 ends at once, and what PE 0 has put is still complete: its wait ends.
  const CompiledProgram program(
      "#include <shmem.h>\n#include <stdio.h>\nlong flag;\nint main(void) {\n  shmem_init();\n"
      "  if (shmem_my_pe() == 0) shmem_long_p(&flag, 1, 1);\n"
      "  else { shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); puts(\"seen\"); }\n  return "
      "0;\n}\n");
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("seen"));
}

TEST(RunShmem, GlobalExitEndsAllWithItsStatus) {
  const CompiledProgram program(
      shmem_program("if (r == 1) shmem_global_exit(7);\nshmem_barrier_all();"));
  EXPECT_EQ(program.run("-n 3").status, 7);
}

TEST(RunShmem, TheHeapHasTheSizeThatTheEnvironmentSays) {
  const CompiledProgram program(
      shmem_program("printf(\"%s\\n\", shmem_malloc(2 << 20) != NULL ? \"room\" : \"none\");"));
  EXPECT_THAT(program.run("-n 2").out, HasSubstr("room"));
  EXPECT_THAT(program.run("-n 2 --set shmem.heap=1MiB").out, HasSubstr("none"));
  const Outcome small =
      shell("SHMEM_SYMMETRIC_SIZE=1M " + std::string(HEDDLE_PROGRAM) + " run -q -n 2 ./program",
            program.folder());
  EXPECT_THAT(small.out, HasSubstr("none"));
}

TEST(RunShmem, AProfilerMayComeBetween) {
  const CompiledProgram program(shmem_program(
      "shmem_barrier_all();",
      "void shmem_barrier_all(void) { puts(\"asked first\"); pshmem_barrier_all(); }"));
  const Outcome run = program.run("-n 1");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("asked first"));
}

TEST(RunShmem, ADeadlockSaysWhatIsWaitedFor) {
  const CompiledProgram program(
      shmem_program("if (r == 0) shmem_long_p(&global, 4, 1);\n"
                    "if (r == 1) shmem_long_wait_until(&global, SHMEM_CMP_EQ, 5);",
                    kGlobals));
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("rank 1 waits in shmem_long_wait_until for global "),
                             HasSubstr("to be == 5: it is 4, last written by PE 0"),
                             HasSubstr("rank 0 waits in shmem_finalize, SHMEM_TEAM_WORLD")));
}

TEST(RunShmem, TheProfileIsInTheJsonAndOnTheScreen) {
  const CompiledProgram program(shmem_program(kShmemRing, kGlobals));
  const Outcome run =
      heddle("run -n 4 --json r.json --shmem-calls c.csv --shmem-messages m.csv ./program",
             program.folder());
  EXPECT_THAT(run.err, AllOf(HasSubstr("OpenSHMEM       8 puts"), HasSubstr("shmem_barrier_all")));
  const auto document = nlohmann::json::parse(file_text(program.folder() + "/r.json"));
  const auto& shmem = document["shmem"];
  EXPECT_EQ(shmem["puts"], 8);
  EXPECT_EQ(shmem["pes"].size(), 4U);
  EXPECT_EQ(shmem["collectives"]["calls"], 2);
  // Each PE put something to both neighbours, besides what the barriers sent.
  EXPECT_GE(shmem["pairs"].size(), 8U);
  EXPECT_THAT(file_text(program.folder() + "/c.csv"),
              AllOf(HasSubstr("rank,call,calls,sent_bytes,time_ps,waiting_ps\n"),
                    HasSubstr("\n3,shmem_barrier_all,")));
  EXPECT_THAT(
      file_text(program.folder() + "/m.csv"),
      AllOf(HasSubstr("from,to,messages,bytes\n"), HasSubstr("\n0,1,"), HasSubstr("\n0,3,")));
}

TEST(RunShmem, AWaitWithoutEndNamesItsVariable) {
  const CompiledProgram program(
      shmem_program("if (r == 1) shmem_int_p(&flags[3], 7, 0);\n"
                    "if (r == 0) shmem_int_wait_until(&flags[3], SHMEM_CMP_EQ, 5);",
                    "int flags[4];"));
  for (const std::string how : kPrivatizations) {
    const Outcome run = program.run("-n 2 --privatize " + how);
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("rank 0 waits in shmem_int_wait_until for flags+0xc to be == 5: "
                                   "it is 7, last written by PE 1"));
  }
}

TEST(RunShmem, TheEnvironmentAsksForTheVersionAndMore) {
  const CompiledProgram program(shmem_program(""));
  const std::string run = " '" + std::string(HEDDLE_PROGRAM) + "' run -q -n 3 ./program";
  EXPECT_EQ(shell("SHMEM_VERSION=1" + run, program.folder()).out, "Heddle, OpenSHMEM 1.5\n");
  EXPECT_THAT(shell("SHMEM_INFO=1 SHMEM_SYMMETRIC_SIZE=1M" + run, program.folder()).out,
              AllOf(HasSubstr("Heddle, OpenSHMEM 1.5\n"),
                    HasSubstr("3 PEs, symmetric heaps of 1048576 bytes, transport hybrid\n")));
}

TEST(RunShmem, AProgramAloneSaysWhatItNeeds) {
  const CompiledProgram program(shmem_program(""));
  const Outcome alone = shell("./program", program.folder());
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("shmem_init: this program needs a simulated machine"));
}

}  // namespace
}  // namespace heddle::cli
