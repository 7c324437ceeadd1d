// Memory of which ranks have the same, and that is kept once.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// Each rank has a table of 4 MiB among its globals and one on the heap, fills them with the same,
/// and checks at the end what it has. The first says what this process has of memory, where a page
/// of several counts once.
constexpr const char* kTables = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { SIZE = 1 << 20 };
static int table[SIZE];
static long resident(void) {
  char line[256];
  long size = 0;
  FILE* file = fopen("/proc/self/smaps_rollup", "r");
  while (fgets(line, sizeof line, file)) sscanf(line, "Pss: %ld", &size);
  fclose(file);
  return size;
}
int main(int c, char** v) {
  int rank, i, wrong = 0, *heap = malloc(SIZE * sizeof(int));
  MPI_Init(&c, &v);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (i = 0; i < SIZE; i++) table[i] = heap[i] = i + 1;
  for (i = 0; i < 4; i++) MPI_Barrier(MPI_COMM_WORLD);
  table[4096 * rank] = -1;
  for (i = 0; i < 4; i++) MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%ld\n", resident());
  MPI_Barrier(MPI_COMM_WORLD);
  for (i = 0; i < SIZE; i++) wrong += heap[i] != i + 1 || table[i] != (i == 4096 * rank ? -1 : i + 1);
  if (wrong) printf("rank %d has %d wrong\n", rank, wrong);
  free(heap);
  MPI_Finalize();
  return 0;
})";

struct Measured {
  double mib;
  json document;
  std::string err;
};

class KeptOnce : public ::testing::Test {
 protected:
  Measured run(const std::string& ranks, const std::string& options) const {
    const Outcome run = heddle("run -n " + ranks + " --privatize copies --share-pages " + options +
                                   " --json out.json ./program",
                               program_.folder());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, ::testing::MatchesRegex("[0-9]+\n")) << "no table is wrong";
    return {std::stod(run.out) / 1024, json::parse(file_text(program_.folder() + "/out.json")),
            run.err};
  }

  CompiledProgram program_{kTables, "c", "-O2"};
};

// Each of 20 further ranks has 8 MiB of tables. Kept once, they take less than one MiB each: the
// one page that each has changed, stacks and what the simulator keeps. What is reported as saved is
// what the kernel counts less, to 10 %, and simulated times and fingerprints are the same.
TEST_F(KeptOnce, EqualTablesOfManyRanksTakeMemoryOnce) {
  ASSERT_EQ(program_.compilation().status, 0) << program_.compilation().err;
  const Measured few = run("4", "files");
  const Measured many = run("24", "files");
  const Measured few_once = run("4", "all");
  const Measured many_once = run("24", "all");
  EXPECT_GT(many.mib - few.mib, 20 * 8);
  EXPECT_LT(many_once.mib - few_once.mib, 20);
  const double saved = many_once.document["simulator"]["memory_kept_once_bytes"].get<double>();
  EXPECT_NEAR(saved / (1 << 20), many.mib - many_once.mib, 0.1 * (many.mib - many_once.mib));
  EXPECT_THAT(many_once.err, HasSubstr("kept once"));
  EXPECT_EQ(many.document["fingerprint"], many_once.document["fingerprint"]);
  EXPECT_EQ(many.document["time_ps"], many_once.document["time_ps"]);
}

// A value that is none is named with those that are.
TEST_F(KeptOnce, SaysWhatIsAccepted) {
  const Outcome wrong = program_.run_once("-n 2 --share-pages arrays");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("none"));
}

}  // namespace
}  // namespace heddle::cli
