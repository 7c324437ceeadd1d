// Nodes with several adapters, as commands show them.
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"
#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Two planes of the 64 nodes of bxi-v2: as many nodes, twice the switches, cables and bisection.
TEST(Adapters, DoubleAFabricByPlanes) {
  const json one = json::parse(heddle("topo bxi-v2 --json -").out);
  const json two = json::parse(heddle("topo bxi-v2 --set node.adapters=2 --json -").out);
  EXPECT_EQ(two["nodes"], one["nodes"]);
  EXPECT_EQ(two["switches"], 2 * one["switches"].get<int>());
  EXPECT_EQ(two["cables"], 2 * one["cables"].get<int>());
  EXPECT_EQ(two["bisection"]["bandwidth_bps"],
            2 * one["bisection"]["bandwidth_bps"].get<std::int64_t>());
}

// Messages of 1 MB between neighbours, one at a time: 80 us on one cable of 100 Gb/s, a quarter of
// that where four planes share each. Latencies are some 1 us.
TEST(Adapters, ShareLongMessagesOfTraffic) {
  const std::string command =
      "traffic -p fat-tree-64 --pattern shift --size 1MB --messages 1 --json - ";
  const auto makespan = [&](const std::string& sets) {
    return json::parse(heddle(command + sets).out)["runs"][0]["makespan_ps"].get<double>() / 1e6;
  };
  EXPECT_NEAR(makespan(""), 80, 2);
  EXPECT_NEAR(makespan("--set node.adapters=4 --set node.adapter_choice=stripe"), 20, 2);
  EXPECT_NEAR(makespan("--set node.adapters=4 --set node.adapter_choice=hash"), 80, 2);
}

// Ranks 0 and 1 on one node send 1 MB each to ranks 2 and 3 on another: one after the other, or
// side by side where each has an adapter of its own. The time of the later one is printed.
TEST(Adapters, AreSharedOutToRanks) {
  const CompiledProgram program(R"(
    #include <mpi.h>
    #include <stdio.h>
    #include <stdlib.h>
    int main(int argc, char** argv) {
      int rank;
      double time, last;
      char* data = calloc(1000000, 1);
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank < 2) MPI_Send(data, 1000000, MPI_BYTE, rank + 2, 0, MPI_COMM_WORLD);
      if (rank >= 2) MPI_Recv(data, 1000000, MPI_BYTE, rank - 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      time = MPI_Wtime();
      MPI_Reduce(&time, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
      if (rank == 0) printf("%.3f\n", last * 1e6);
      MPI_Finalize();
    })");
  const auto time = [&](const std::string& sets) {
    const Outcome outcome =
        program.run("-n 4 --ranks-per-node 2 -p fat-tree-64 --network queue " + sets);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return std::atof(outcome.out.c_str());
  };
  const double one = time("");
  EXPECT_NEAR(time("--set node.adapters=2") / one, 0.5, 0.03);
  EXPECT_NEAR(time("--set node.adapters=2 --set node.adapter_choice=hash") / one, 1.0, 0.03);
  EXPECT_NEAR(time("--set node.adapters=2 --set node.adapter_choice=stripe") / one, 0.5, 0.03);
}

// Two ranks of a node at different devices, joined by a switch inside it: the table of the busiest
// links names the cables of the devices.
TEST(Adapters, HaveASwitchBetweenThem) {
  const Outcome replayed = heddle(
      "replay --pattern ring --set pattern.ranks=2 --set pattern.size=1MB -p fat-tree-64 "
      "--network queue --set node.adapters=2 --set node.inner_bandwidth=400Gbps "
      "--set replay.ranks_per_node=2");
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("n0 inner 0 out"));
}

TEST(Adapters, ThatDoNotFitAreRefused) {
  const Outcome outcome =
      heddle("topo bxi-v2 --set node.adapters=3 --set node.adapter_map=neighbours");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("accepted is a fabric with a multiple of 3 places"));
}

}  // namespace
}  // namespace heddle::cli
