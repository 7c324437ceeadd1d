// Studies with MPI programs: depths of simulation that change, and work that is skipped.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;

/// Every rank sends numbered messages to every other, in short and long ones mixed, and receives
/// from anybody: what it got from each must come in order. Switches as it goes.
constexpr const char* kOrder = R"(
#include <heddle.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { ROUNDS = 40, LONG = 5000 };
int main(int argc, char** argv) {
  int rank, ranks, i, p, bad = 0, sum = 0, all, out[LONG] = {0}, in[LONG], next[64] = {0};
  MPI_Request requests[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 0; i < ROUNDS; i++) {
    int n = 0;
    if (argc > 1 && i % 5 == 0) MPI_Pcontrol(i / 5 % 2);
    if (argc > 1 && i % 7 == 3) heddle_fidelity("hybrid/queue");
    out[0] = i;
    for (p = 0; p < ranks; p++)
      if (p != rank) MPI_Isend(out, i % 3 == 2 ? LONG : 1, MPI_INT, p, 0, MPI_COMM_WORLD, &requests[n++]);
    for (p = 1; p < ranks; p++) {
      MPI_Status status;
      MPI_Recv(in, LONG, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      bad += in[0] != next[status.MPI_SOURCE]++;
      sum += in[0];
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d out of order, sum %d\n", all, sum);
  MPI_Finalize();
  return 0;
}
)";

const CompiledProgram& order_program() {
  static const CompiledProgram program(kOrder);
  return program;
}

// 8 ranks, 40 rounds: 7 * (0 + ... + 39) = 5460 at rank 0, in order, however often the depth of
// simulation changes and by whatever rule.
TEST(Fidelity, SwitchingChangesNoResult) {
  ASSERT_EQ(order_program().compilation().status, 0) << order_program().compilation().err;
  for (const std::string levels :
       {"hybrid/queue, portals/packet", "portals/packet, hybrid/queue",
        "0:portals/queue, 3us:hybrid/queue, "
        "20us:portals/queue, 50us:hybrid/fluid",
        "nodes[0-3]:portals/packet, *:hybrid/queue", "auto(2): portals/packet, hybrid/queue"}) {
    const Outcome run = order_program().run("-n 8 -p bxi-v2 --fidelity '" + levels + "'", "switch");
    EXPECT_EQ(run.status, 0) << levels << ": " << run.err;
    EXPECT_EQ(run.out, "0 out of order, sum 5460\n") << levels;
  }
}

// A rule from time 0 on for all is the same as the transport and the network by themselves.
TEST(Fidelity, OneLevelIsThatLevel) {
  const auto time = [](const std::string& options) {
    const Outcome run = order_program().run("-n 8 -p bxi-v2 --json r.json " + options);
    EXPECT_EQ(run.status, 0) << run.err;
    return nlohmann::json::parse(file_text(order_program().folder() + "/r.json")).at("time_ps");
  };
  const auto deep = time("--set mpi.transport=portals --network packet");
  const auto coarse = time("--network queue");
  EXPECT_EQ(time("--fidelity '0:portals/packet'"), deep);
  EXPECT_EQ(time("--fidelity '0:hybrid/queue'"), coarse);
  EXPECT_EQ(time("--fidelity '0:hybrid/queue, 1s:portals/packet'"), coarse);
  EXPECT_EQ(time("--fidelity '*:hybrid/queue, nodes[0-7]:portals/packet'"), deep);
  EXPECT_NE(deep, coarse);
}

// Rounds that take the same time three times over are simulated coarsely then, and said to be; the
// round with other messages brings the fine level back.
TEST(Fidelity, AutomaticSwitchesAreReported) {
  const CompiledProgram program(R"(
#include <mpi.h>
int main(int argc, char** argv) {
  int i, one = 1, sum;
  static char big[100000], out[100000];
  MPI_Init(&argc, &argv);
  for (i = 0; i < 20; i++) {
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (i == 15) MPI_Bcast(i % 2 ? big : out, sizeof big, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
)");
  ASSERT_EQ(program.compilation().status, 0);
  const Outcome run =
      heddle("run -n 8 -p bxi-v2 --fidelity 'auto(3): portals/packet, hybrid/queue' ./program",
             program.folder());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("hybrid/queue from"));
  EXPECT_THAT(run.err, HasSubstr("3 rounds with the same messages took as long"));
  EXPECT_THAT(run.err, HasSubstr("portals/packet from"));
  EXPECT_THAT(run.err, HasSubstr("the messages of a round have changed"));
}

TEST(Fidelity, WrongLevelsAreRefused) {
  const auto error = [](const std::string& levels) {
    const Outcome run = heddle("run --fidelity '" + levels + "' true");
    EXPECT_EQ(run.status, 2) << levels;
    return run.err;
  };
  EXPECT_THAT(error("hybrid"), HasSubstr("'hybrid' is no level"));
  EXPECT_THAT(error("tcp/queue"), HasSubstr("'tcp' is no transport"));
  EXPECT_THAT(error("hybrid/token-ring"), HasSubstr("'token-ring' is no network"));
  EXPECT_THAT(error("soon:hybrid/queue"), HasSubstr("'soon' is no time"));
  EXPECT_THAT(error("auto: hybrid/queue"), HasSubstr("auto takes two levels"));
}

}  // namespace
}  // namespace heddle::cli
