// MPI programs on one machine file, here and in SMPI: the same source, the same messages, the same
// algorithms; computation costs nothing in both. SMPI's network is its flow model. Ours is `queue`,
// or the same flow model with the same costs of calls, where both simulate the same times.
#include <fmt/format.h>

#include "cases.hpp"
#include "programs.hpp"

namespace heddle::bench {
namespace {

constexpr const char* kPingPong = R"(
#include <mpi.h>
#include <stdlib.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, i, rounds = atoi(v[1]);
  char data[8] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (i = 0; i < rounds; i++) {
    if (rank == 0) MPI_Send(data, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(data, 8, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
})";

/// Four neighbours on a periodic grid, 8 KiB to each.
constexpr const char* kHalo = R"(
#include <mpi.h>
#include <stdlib.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, size, i, d, rounds = atoi(v[1]), dims[2] = {0, 0}, wraps[2] = {1, 1}, peer[4];
  MPI_Comm grid;
  MPI_Request requests[8];
  char *in = calloc(4, 8192), *out = calloc(4, 8192);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wraps, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &peer[0], &peer[1]);
  MPI_Cart_shift(grid, 1, 1, &peer[2], &peer[3]);
  for (i = 0; i < rounds; i++) {
    for (d = 0; d < 4; d++)
      MPI_Irecv(in + d * 8192, 8192, MPI_CHAR, peer[d], d, grid, &requests[d]);
    for (d = 0; d < 4; d++)
      MPI_Isend(out + d * 8192, 8192, MPI_CHAR, peer[d], d ^ 1, grid, &requests[4 + d]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
})";

constexpr const char* kAlltoall = R"(
#include <mpi.h>
#include <stdlib.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *in = malloc(size * 1024), *out = malloc(size * 1024);
  MPI_Alltoall(out, 1024, MPI_CHAR, in, 1024, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
})";

constexpr const char* kAllreduce = R"(
#include <mpi.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  double in = 1, out = 0;
  MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
})";

constexpr const char* kEmpty = R"(
#include <mpi.h>
int globals[64];
int main(int c, char** v) {
  MPI_Init(&c, &v);
  globals[0]++;
  MPI_Finalize();
  return 0;
})";

/// Communicators of many ranks, made in the ways that programs make most.
constexpr const char* kCommunicators = R"(
#include <mpi.h>
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, size, dims[2] = {0, 0}, wraps[2] = {1, 1}, remain[2] = {0, 1};
  MPI_Comm grid, row, few, copy;
  MPI_Group all;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wraps, 0, &grid);
  MPI_Cart_sub(grid, remain, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 8, 0, &few);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_create_group(MPI_COMM_WORLD, all, 0, &copy);
  MPI_Finalize();
  return 0;
})";

/// A cluster of SimGrid's kinds, which both sides read.
std::string machine(std::uint32_t nodes, const std::string& topology) {
  return fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-{}\" "
      "speed=\"1Gf\" bw=\"12.5GBps\" lat=\"1us\" sharing_policy=\"SPLITDUPLEX\" "
      "loopback_bw=\"50GBps\" loopback_lat=\"100ns\" {}/>\n</platform>\n",
      nodes - 1, topology);
}
const std::string kTree64 = machine(64, "topology=\"FAT_TREE\" topo_parameters=\"2;8,8;1,8;1,1\"");
const std::string kTree1024 =
    machine(1024, "topology=\"FAT_TREE\" topo_parameters=\"2;32,32;1,32;1,1\"");
const std::string kTorusMillion =
    machine(1'000'000, "topology=\"TORUS\" topo_parameters=\"100,100,100\"");
const std::string kTorus1024 = machine(1024, "topology=\"TORUS\" topo_parameters=\"16,8,8\"");

/// A program, its size and the machine it runs on.
struct Job {
  const char* program;
  std::uint32_t ranks;
  const std::string& platform;
  std::uint32_t nodes;
  std::string argument;           ///< Of the program.
  std::string ours;               ///< Options of `heddle run`.
  std::string peers;              ///< Options of smpirun.
  std::string network = "queue";  ///< Of `heddle run`, with options.
};

/// SMPI's model on both sides: flows that share links by their latencies, without the traffic of
/// acknowledgements and TCP's window.
constexpr const char* kFlows =
    "fluid --set fluid.weighting=simgrid --set fluid.occupancy=after-latency --set mpi.preset=smpi";
constexpr const char* kSameFlows =
    " --cfg=network/crosstraffic:0 --cfg=network/weight-S:0 --cfg=network/TCP-gamma:0";
bool same_model(const Job& job) {
  return job.network == kFlows;
}
Job with_same_model(Job job) {
  job.network = kFlows;
  job.peers += kSameFlows;
  return job;
}

/// Processor time or memory of a command.
using Measure = Sample (*)(double units, const std::string& command);

Sample ours(const Job& job, double units, Measure measure) {
  const Programs programs;
  programs.write("p.c", job.program);
  programs.write("machine.xml", job.platform);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return measure(units, programs.in(fmt::format(
                            "{} run -q -n {} --platform machine.xml --network {} "
                            "--ranks-per-node {} {} ./p {} >/dev/null",
                            HEDDLE_PROGRAM, job.ranks, job.network,
                            (job.ranks + job.nodes - 1) / job.nodes, job.ours, job.argument)));
}

Sample peers(const Job& job, double units, Measure measure) {
  const Programs programs;
  programs.write("p.c", job.program);
  programs.write("machine.xml", job.platform);
  std::string hosts;
  for (std::uint32_t i = 0; i < job.nodes; ++i) hosts += fmt::format("h{}\n", i);
  programs.write("hosts", hosts);
  shell(programs.in("smpicc -O2 p.c -o p"));
  return measure(units, programs.in(fmt::format(
                            "smpirun -np {} -platform machine.xml -hostfile hosts "
                            "--cfg=smpi/simulate-computation:no --log=root.thresh:error {} "
                            "./p {} >/dev/null 2>&1",
                            job.ranks, job.peers, job.argument)));
}

/// Processor time, beside the peer's, of which fewer samples are taken where one takes long.
void add(Suite& suite, const std::string& name, const Scale& scale, const Job& job, double units,
         double target, int peer_repetitions) {
  suite.cases.push_back({.group = "mpi",
                         .name = name,
                         .scale = scale,
                         .ours = [job, units] { return ours(job, units, timed_command); },
                         .peer = [job, units] { return peers(job, units, timed_command); },
                         .target_ratio = target,
                         .peer_repetitions = peer_repetitions,
                         .models = same_model(job) ? "fluid / flows (SMPI's), the same model"
                                                   : "queue / flows (SMPI's)"});
}

/// Processor time of ours, where the peer takes too long or cannot do it.
void add_alone(Suite& suite, const std::string& name, const Scale& scale, const Job& job,
               double units) {
  suite.cases.push_back(
      {"mpi", name, scale, [job, units] { return ours(job, units, timed_command); }, {}, 0, 0, 1});
}

/// Processor time with a recording beside that without one, which may be at most 30 % less.
void add_recorded(Suite& suite, const std::string& name, const Scale& scale, const Job& job,
                  double units) {
  constexpr double kLeast = 1 / 1.3;
  Job recorded = job;
  recorded.ours += " --summary s.json";
  suite.cases.push_back({"mpi", name, scale,
                         [recorded, units] { return ours(recorded, units, timed_command); },
                         [job, units] { return ours(job, units, timed_command); }, kLeast, 0, 3});
}

/// Memory per rank, of which a peer has 19 KiB without globals of their own.
void add_memory(Suite& suite, const std::string& name, const Job& job) {
  constexpr double kLimit = 19 * 1024;
  const double ranks = job.ranks;
  const Scale scale{1.0 / 1024, "KiB/rank"};
  suite.cases.push_back({"mpi",
                         name,
                         scale,
                         [job, ranks] { return ours(job, ranks, memory_of_command); },
                         {},
                         0,
                         kLimit,
                         1});
}

const Scale kPerMessage{1e6, "us/message"};
const Scale kPerRank{1e6, "us/rank"};

void add_messages(Suite& suite) {
  add(suite, "ping-pong 8 B", kPerMessage, {kPingPong, 2, kTree64, 64, "100000", "", ""}, 2e5, 20,
      3);
  constexpr double kHalos = 1024.0 * 4 * 100;
  add(suite, "2D halo 8 KiB x 100, 1,024 ranks, fat tree", kPerMessage,
      {kHalo, 1024, kTree1024, 1024, "100", "", ""}, kHalos, 30, 1);
  add(suite, "2D halo 8 KiB x 100, 1,024 ranks, torus", kPerMessage,
      {kHalo, 1024, kTorus1024, 1024, "100", "", ""}, kHalos, 30, 1);
  add_recorded(suite, "2D halo, fat tree, recorded beside not recorded", kPerMessage,
               {kHalo, 1024, kTree1024, 1024, "100", "", ""}, kHalos);
}

const std::string kPairwise = "--set mpi.coll.alltoall=pair";
const std::string kDoubling = "--set mpi.coll.allreduce=rdb --privatize none";

void add_collectives(Suite& suite) {
  add(suite, "alltoall 1 KiB, 1,024 ranks, pairwise", kPerMessage,
      {kAlltoall, 1024, kTree1024, 1024, "", kPairwise, "--cfg=smpi/alltoall:pair"}, 1024.0 * 1023,
      20, 1);
  add_alone(suite, "alltoall 1 KiB, 1,024 ranks, linear", kPerMessage,
            {kAlltoall, 1024, kTree1024, 1024, "", "--set mpi.coll.alltoall=basic_linear", ""},
            1024.0 * 1023);
  add(suite, "allreduce 8 B, 4,096 ranks", kPerRank,
      {kAllreduce, 4096, kTree1024, 1024, "", kDoubling,
       "--cfg=smpi/allreduce:rdb --cfg=smpi/privatization:no"},
      4096, 20, 2);
}

/// The kernels once more, with one model on both sides.
void add_with_same_model(Suite& suite) {
  constexpr double kTarget = 20;
  const auto add_one = [&suite](const std::string& name, const Scale& scale, const Job& job,
                                double units, int peer_repetitions) {
    add(suite, name + ", flows", scale, with_same_model(job), units, kTarget, peer_repetitions);
  };
  add_one("ping-pong 8 B", kPerMessage, {kPingPong, 2, kTree64, 64, "100000", "", ""}, 2e5, 3);
  add_one("2D halo 8 KiB x 100, 1,024 ranks, fat tree", kPerMessage,
          {kHalo, 1024, kTree1024, 1024, "100", "", ""}, 1024.0 * 4 * 100, 1);
  add_one("alltoall 1 KiB, 1,024 ranks, pairwise", kPerMessage,
          {kAlltoall, 1024, kTree1024, 1024, "", kPairwise, "--cfg=smpi/alltoall:pair"},
          1024.0 * 1023, 1);
  add_one("allreduce 8 B, 4,096 ranks", kPerRank,
          {kAllreduce, 4096, kTree1024, 1024, "", kDoubling,
           "--cfg=smpi/allreduce:rdb --cfg=smpi/privatization:no"},
          4096, 2);
}

void add_starts(Suite& suite) {
  add(suite, "Init and Finalize, 4,096 private ranks", kPerRank,
      {kEmpty, 4096, kTree64, 64, "", "", ""}, 4096, 10, 2);
  add_alone(suite, "Init and Finalize, 262,144 ranks", kPerRank,
            {kEmpty, 262'144, kTree64, 64, "", "", ""}, 262'144);
  add_alone(suite, "Init and Finalize, 1,048,576 ranks", kPerRank,
            {kEmpty, 1'048'576, kTree64, 64, "", "", ""}, 1'048'576);
  add_memory(suite, "Init and Finalize, 262,144 ranks: memory",
             {kEmpty, 262'144, kTree64, 64, "", "", ""});
  add_memory(suite, "Init and Finalize, 1,048,576 ranks: memory",
             {kEmpty, 1'048'576, kTree64, 64, "", "", ""});
}

/// The stencil of the examples, whose ranks have nothing of their own: one step.
void add_million(Suite& suite) {
  const Job job{"#include \"" HEDDLE_EXAMPLES "/mpi/stencil3d.c\"\n",
                1'000'000,
                kTorusMillion,
                1'000'000,
                "128 1",
                "--privatize none --payload none",
                ""};
  add_alone(suite, "3D stencil, 1,000,000 ranks", kPerRank, job, 1e6);
  add_memory(suite, "3D stencil, 1,000,000 ranks: memory", job);
}

/// How cost grows with ranks, from a hundred or a thousand to many more, and with messages.
void add_growth(Suite& suite) {
  const auto halo = [&](std::uint32_t ranks, int rounds) {
    const std::string name = fmt::format("growth: halo, {} ranks, {} rounds", ranks, rounds);
    add_alone(suite, name, kPerMessage,
              {kHalo, ranks, kTree1024, 1024, std::to_string(rounds), "", ""},
              4.0 * ranks * rounds);
    return name;
  };
  const auto alltoall = [&](std::uint32_t ranks) {
    const std::string name = fmt::format("growth: alltoall, {} ranks", ranks);
    add_alone(suite, name, kPerMessage, {kAlltoall, ranks, kTree1024, 1024, "", kPairwise, ""},
              static_cast<double>(ranks) * (ranks - 1));
    return name;
  };
  const auto allreduce = [&](std::uint32_t ranks) {
    const std::string name = fmt::format("growth: allreduce, {} ranks", ranks);
    add_alone(suite, name, kPerRank, {kAllreduce, ranks, kTree1024, 1024, "", kDoubling, ""},
              ranks);
    return name;
  };
  const auto communicators = [&](std::uint32_t ranks) {
    const std::string name = fmt::format("growth: communicators, {} ranks", ranks);
    add_alone(suite, name, kPerRank,
              {kCommunicators, ranks, kTree1024, 1024, "", "--privatize none", ""}, ranks);
    return name;
  };
  // n log n is n^1.1 here; the rest is for caches, which many ranks do not fit into.
  constexpr double kMost = 1.3;
  suite.growths.push_back({halo(256, 10), halo(4096, 10), 16, kMost});
  suite.growths.push_back({halo(1024, 5), halo(1024, 50), 10, kMost});
  suite.growths.push_back({alltoall(128), alltoall(512), 16, kMost});
  suite.growths.push_back({allreduce(4096), allreduce(65'536), 16, kMost});
  suite.growths.push_back({communicators(10'000), communicators(100'000), 10, kMost});
  suite.growths.push_back(
      {"Init and Finalize, 262,144 ranks", "Init and Finalize, 1,048,576 ranks", 4, kMost});
}

}  // namespace

void add_mpi_cases(Suite& suite) {
  add_messages(suite);
  add_collectives(suite);
  add_with_same_model(suite);
  add_starts(suite);
  add_million(suite);
  add_growth(suite);
}

}  // namespace heddle::bench
