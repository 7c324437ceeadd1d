// MPI programs on one machine file, here and in SMPI: the same source, the same messages, the same
// algorithms; computation costs nothing in both. SMPI's network is its flow model, ours `queue`
// unless a case says otherwise.
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
const std::string kTorus1024 = machine(1024, "topology=\"TORUS\" topo_parameters=\"16,8,8\"");

/// A program, its size and the machine it runs on.
struct Job {
  const char* program;
  std::uint32_t ranks;
  const std::string& platform;
  std::uint32_t nodes;
  std::string argument;  ///< Of the program.
  std::string ours;      ///< Options of `heddle run`.
  std::string peers;     ///< Options of smpirun.
};

Sample ours(const Job& job, double units) {
  const Programs programs;
  programs.write("p.c", job.program);
  programs.write("machine.xml", job.platform);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return timed_command(
      units,
      programs.in(fmt::format("{} run -q -n {} --platform machine.xml --network queue "
                              "--ranks-per-node {} {} ./p {} >/dev/null",
                              HEDDLE_PROGRAM, job.ranks, (job.ranks + job.nodes - 1) / job.nodes,
                              job.ours, job.argument)));
}

Sample peers(const Job& job, double units) {
  const Programs programs;
  programs.write("p.c", job.program);
  programs.write("machine.xml", job.platform);
  std::string hosts;
  for (std::uint32_t i = 0; i < job.nodes; ++i) hosts += fmt::format("h{}\n", i);
  programs.write("hosts", hosts);
  shell(programs.in("smpicc -O2 p.c -o p"));
  return timed_command(units, programs.in(fmt::format(
                                  "smpirun -np {} -platform machine.xml -hostfile hosts "
                                  "--cfg=smpi/simulate-computation:no --log=root.thresh:error {} "
                                  "./p {} >/dev/null 2>&1",
                                  job.ranks, job.peers, job.argument)));
}

void add(Suite& suite, const std::string& name, const Scale& scale, const Job& job, double units,
         double target, int repetitions) {
  suite.cases.push_back({"mpi", name, scale, [job, units] { return ours(job, units); },
                         [job, units] { return peers(job, units); }, target, 0, repetitions});
}

/// A case of our own, without a peer that could do it.
void add_alone(Suite& suite, const std::string& name, const Scale& scale, const Job& job,
               double units) {
  suite.cases.push_back(
      {"mpi", name, scale, [job, units] { return ours(job, units); }, {}, 0, 0, 1});
}

void add_messages(Suite& suite) {
  const Scale per_message{1e6, "us/message"};
  add(suite, "ping-pong 8 B", per_message, {kPingPong, 2, kTree64, 64, "100000", "", ""}, 2e5, 20,
      3);
  constexpr double kHalos = 1024.0 * 4 * 100;
  add(suite, "2D halo 8 KiB x 100, 1,024 ranks, fat tree", per_message,
      {kHalo, 1024, kTree1024, 1024, "100", "", ""}, kHalos, 30, 1);
  add(suite, "2D halo 8 KiB x 100, 1,024 ranks, torus", per_message,
      {kHalo, 1024, kTorus1024, 1024, "100", "", ""}, kHalos, 30, 1);
}

void add_collectives(Suite& suite) {
  const Scale per_message{1e6, "us/message"};
  add(suite, "alltoall 1 KiB, 1,024 ranks, pairwise", per_message,
      {kAlltoall, 1024, kTree1024, 1024, "", "--set mpi.coll.alltoall=pair",
       "--cfg=smpi/alltoall:pair"},
      1024.0 * 1023, 20, 1);
  add_alone(suite, "alltoall 1 KiB, 1,024 ranks, linear", per_message,
            {kAlltoall, 1024, kTree1024, 1024, "", "--set mpi.coll.alltoall=basic_linear", ""},
            1024.0 * 1023);
  add(suite, "allreduce 8 B, 4,096 ranks", {1e6, "us/rank"},
      {kAllreduce, 4096, kTree1024, 1024, "", "--set mpi.coll.allreduce=rdb --privatize none",
       "--cfg=smpi/allreduce:rdb --cfg=smpi/privatization:no"},
      4096, 20, 2);
}

void add_starts(Suite& suite) {
  const Scale per_rank{1e6, "us/rank"};
  add(suite, "Init and Finalize, 4,096 private ranks", per_rank,
      {kEmpty, 4096, kTree64, 64, "", "", ""}, 4096, 10, 2);
  add_alone(suite, "Init and Finalize, 262,144 ranks", per_rank,
            {kEmpty, 262'144, kTree64, 64, "", "", ""}, 262'144);
  add_alone(suite, "Init and Finalize, 1,048,576 ranks", per_rank,
            {kEmpty, 1'048'576, kTree64, 64, "", "", ""}, 1'048'576);
}

}  // namespace

void add_mpi_cases(Suite& suite) {
  add_messages(suite);
  add_collectives(suite);
  add_starts(suite);
}

}  // namespace heddle::bench
