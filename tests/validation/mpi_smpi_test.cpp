// One program on one machine file, here and in SMPI: ping-pong and six collectives with the same
// algorithms, the same costs of messages and the same sharing of links.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/hosted.hpp"
#include "validation.hpp"

namespace heddle {
namespace {

using cli::Outcome;

constexpr double kAllowed = 0.01;
constexpr int kRanks = 8;

/// Prints the microseconds of the slowest rank in one operation after a barrier.
constexpr const char* kProgram = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, size, i, bytes = atoi(v[2]);
  const char* what = v[1];
  double begin, mine, most;
  MPI_Comm w = MPI_COMM_WORLD;
  MPI_Comm_rank(w, &rank);
  MPI_Comm_size(w, &size);
  char *a = calloc(size, bytes + 8), *b = calloc(size, bytes + 8);
  MPI_Barrier(w);
  begin = MPI_Wtime();
  for (i = 0; i < 4 && rank < 2 && !strcmp(what, "pingpong"); i++) {
    if (rank == i % 2) MPI_Send(a, bytes, MPI_CHAR, 1 - rank, 0, w);
    else MPI_Recv(a, bytes, MPI_CHAR, 1 - rank, 0, w, MPI_STATUS_IGNORE);
  }
  if (!strcmp(what, "barrier")) MPI_Barrier(w);
  if (!strcmp(what, "bcast")) MPI_Bcast(a, bytes, MPI_CHAR, 0, w);
  if (!strcmp(what, "allreduce")) MPI_Allreduce(a, b, bytes / 8, MPI_DOUBLE, MPI_SUM, w);
  if (!strcmp(what, "reduce")) MPI_Reduce(a, b, bytes / 8, MPI_DOUBLE, MPI_SUM, 0, w);
  if (!strcmp(what, "alltoall")) MPI_Alltoall(a, bytes, MPI_CHAR, b, bytes, MPI_CHAR, w);
  if (!strcmp(what, "allgather")) MPI_Allgather(a, bytes, MPI_CHAR, b, bytes, MPI_CHAR, w);
  mine = MPI_Wtime() - begin;
  MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, w);
  if (rank == 0) printf("%.9f\n", most * 1e6);
  MPI_Finalize();
  return 0;
})";

constexpr const char* kMachine =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">\n"
    "<cluster id=\"c\" prefix=\"node-\" suffix=\"\" radical=\"0-1023\" speed=\"10Gf\" "
    "bw=\"12.5GBps\" lat=\"1us\"/>\n"
    "</zone></platform>\n";

struct Operation {
  const char* name;
  const char* algorithm;  ///< As both call it.
};
constexpr Operation kOperations[] = {
    {"pingpong", ""},           {"barrier", "ompi_recursivedoubling"},
    {"bcast", "binomial_tree"}, {"reduce", "binomial"},
    {"allreduce", "rdb"},       {"alltoall", "pair"},
    {"allgather", "NTSLR"},
};

class Comparison {
 public:
  Comparison() {
    std::ofstream(folder_ / "times.c") << kProgram;
    std::ofstream(folder_ / "machine.xml") << kMachine;
    std::ofstream hosts(folder_ / "hosts");
    for (int i = 0; i < kRanks; ++i) hosts << "node-" << i << "\n";
    hosts.close();
    EXPECT_EQ(shell("smpicc -O1 times.c -o peer").status, 0);
    EXPECT_EQ(shell(cli::built("heddlecc") + " -O1 times.c -o own").status, 0);
  }
  /// `whole`: with all of SMPI's network, weights, windows and the traffic of acknowledgements.
  double own(const Operation& operation, int bytes, bool whole) const {
    std::string options =
        " run -q -n 8 --platform machine.xml --set mpi.preset=smpi"
        " --set mpi.coll.barrier=ompi_recursivedoubling";
    if (!whole) {
      options +=
          " --network fluid --set fluid.weighting=simgrid --set fluid.occupancy=after-latency";
    }
    if (*operation.algorithm != '\0') {
      options += fmt::format(" --set mpi.coll.{}={}", operation.name, operation.algorithm);
    }
    return number(
        shell(fmt::format("{}{} ./own {} {}", HEDDLE_PROGRAM, options, operation.name, bytes)));
  }
  double peer(const Operation& operation, int bytes, bool whole) const {
    std::string options =
        "-np 8 -platform machine.xml -hostfile hosts --cfg=smpi/simulate-computation:no"
        " --cfg=smpi/barrier:ompi_recursivedoubling --log=root.thresh:error";
    if (!whole) {
      options += " --cfg=network/crosstraffic:0 --cfg=network/weight-S:0 --cfg=network/TCP-gamma:0";
    }
    if (*operation.algorithm != '\0') {
      options += fmt::format(" --cfg=smpi/{}:{}", operation.name, operation.algorithm);
    }
    return number(shell(fmt::format("smpirun {} ./peer {} {}", options, operation.name, bytes)));
  }

 private:
  Outcome shell(const std::string& command) const { return cli::shell(command, folder_.path()); }
  static double number(const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out.empty() ? std::nan("") : std::stod(outcome.out);
  }
  TemporaryFolder folder_;
};

/// With SMPI's own factors, of 8 bytes to 100 kB (all three protocols).
void compare(const std::string& subject, bool whole) {
  const Comparison comparison;
  for (const Operation& operation : kOperations) {
    for (const int bytes : {8, 4096, 100'000}) {
      const double own = comparison.own(operation, bytes, whole);
      const double peer = comparison.peer(operation, bytes, whole);
      const double error = own / peer - 1;
      validation_row(subject, fmt::format("{} {} B", operation.name, bytes),
                     fmt::format("{:.3f} us", own), fmt::format("{:.3f} us", peer),
                     fmt::format("{:+.2f} %", 100 * error), "1 %");
      EXPECT_LE(std::abs(error), kAllowed) << operation.name << " " << bytes;
    }
  }
}

TEST(MpiSmpi, PingPongAndCollectivesTakeTheSameTime) {
  if (cli::shell("which smpicc smpirun").status != 0) GTEST_SKIP() << "SMPI is not installed";
  compare("MPI against SMPI 3.32, 8 ranks, one switch", false);
}

/// SMPI as it is when nothing is set, beside us with nothing but mpi.preset=smpi.
TEST(MpiSmpi, OneSettingGivesItsTimes) {
  if (cli::shell("which smpicc smpirun").status != 0) GTEST_SKIP() << "SMPI is not installed";
  compare("MPI with mpi.preset=smpi alone against SMPI 3.32 with its defaults", true);
}

/// What a run prints, and the memory that it took.
struct Measured {
  std::string said;
  double kib = 0;
};
Measured measured(const TemporaryFolder& folder, const std::string& command) {
  const Outcome outcome =
      cli::shell(HEDDLE_TEST_DATA "/../../scripts/peak-memory " + command, folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::size_t line = outcome.out.find('\n');
  if (line == std::string::npos) return {};
  return {outcome.out.substr(0, line), std::strtod(outcome.out.c_str() + line, nullptr)};
}

/// The example of an LU factorisation, its memory folded, its computation given in operations, on
/// 1,024 ranks: the same simulated time to the last digit printed, in less memory.
TEST(MpiSmpi, AFoldedFactorisationTakesTheSameTimeInLessMemory) {
  if (cli::shell("which smpicc smpirun").status != 0) GTEST_SKIP() << "SMPI is not installed";
  const TemporaryFolder folder;
  const std::string source = HEDDLE_TEST_DATA "/../../examples/mpi/lu.c";
  std::ofstream(folder / "machine.xml") << kMachine;
  std::ofstream hosts(folder / "hosts");
  for (int i = 0; i < 1024; ++i) hosts << "node-" << i << "\n";
  hosts.close();
  ASSERT_EQ(cli::shell("smpicc -O2 " + source + " -o peer", folder.path()).status, 0);
  ASSERT_EQ(cli::shell(cli::built("heddlecc") + " -O2 " + source + " -o own", folder.path()).status,
            0);
  const Measured own = measured(
      folder, cli::built("heddle") +
                  " run -q -n 1024 --platform machine.xml --network fluid --payload none"
                  " --set fluid.weighting=simgrid --set fluid.occupancy=after-latency"
                  " --set mpi.preset=smpi --set mpi.coll.bcast=binomial_tree"
                  " --set mpi.coll.allreduce=rdb --set mpi.coll.barrier=ompi_recursivedoubling"
                  " ./own 65536 256 3");
  const Measured peer = measured(
      folder,
      "smpirun -np 1024 -platform machine.xml -hostfile hosts --cfg=smpi/host-speed:10Gf"
      " --cfg=smpi/simulate-computation:no --cfg=network/crosstraffic:0 --cfg=network/weight-S:0"
      " --cfg=network/TCP-gamma:0 --cfg=smpi/barrier:ompi_recursivedoubling"
      " --cfg=smpi/bcast:binomial_tree --cfg=smpi/allreduce:rdb --log=root.thresh:error"
      " ./peer 65536 256 3");
  EXPECT_EQ(own.said, peer.said);
  EXPECT_LT(own.kib, peer.kib);
  const std::string subject = "LU factorisation of 65,536, folded, 1,024 ranks, against SMPI 3.32";
  validation_row(subject, "time", own.said.substr(own.said.rfind(':') + 2),
                 peer.said.substr(peer.said.rfind(':') + 2), "", "equal");
  validation_row(subject, "memory", fmt::format("{:.0f} MiB", own.kib / 1024),
                 fmt::format("{:.0f} MiB", peer.kib / 1024), "", "less");
}

}  // namespace
}  // namespace heddle
