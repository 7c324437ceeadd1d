// The transports of MPI, as programs see them.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kTransports[] = {"hybrid", "portals"};

// Eager and rendezvous messages take turns, the long ones first to be overtaken if anything could
// overtake: they come in the order of their sends, with their data, to receives that were there
// before and to such that came later.
TEST(MpiTransport, KeepsOrderAndData) {
  const CompiledProgram program(R"(
    #include <mpi.h>
    #include <stdio.h>
    #include <stdlib.h>
    enum { kMessages = 24, kMost = 100000 };
    static int size_of(int i) { int sizes[] = {kMost, 0, 16000, 8, 20000, 400}; return sizes[i % 6]; }
    int main(int argc, char** argv) {
      int rank, i, k, bad = 0;
      MPI_Request sends[kMessages];
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      for (i = 0; i < kMessages; i++) {
        unsigned char* data = malloc(kMost);
        if (rank == 0) {
          for (k = 0; k < size_of(i); k++) data[k] = (unsigned char)(i + k);
          MPI_Isend(data, size_of(i), MPI_BYTE, 1, i, MPI_COMM_WORLD, &sends[i]);
        } else {
          MPI_Status status;
          int count;
          MPI_Recv(data, kMost, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
          MPI_Get_count(&status, MPI_BYTE, &count);
          if (status.MPI_TAG != i || count != size_of(i)) bad++;
          for (k = 0; k < count; k++) bad += data[k] != (unsigned char)(i + k);
        }
      }
      if (rank == 0) MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE);
      if (rank == 1) printf("%d wrong\n", bad);
      MPI_Finalize();
    })");
  for (const char* transport : kTransports) {
    const std::string set = std::string(" --set mpi.transport=") + transport;
    EXPECT_EQ(program.run("-n 2" + set).out, "0 wrong\n") << transport;
    EXPECT_EQ(program.run("-n 2 --ranks-per-node 2" + set).out, "0 wrong\n") << transport;
    EXPECT_EQ(program.run("-n 2 --ranks-per-node 2 --set mpi.node_latency=300ns" + set).out,
              "0 wrong\n")
        << transport;
  }
}

// A message of 8 bytes on bxi-v2 is a put: the command crosses the bus, the adapter sends, the
// target's adapter writes data and event. All that takes longer than the network alone, and longer
// still where each message costs the transmit engine 1 us.
TEST(MpiTransport, TakesTheAdaptersTime) {
  const CompiledProgram program(R"(
    #include <mpi.h>
    #include <stdio.h>
    int main(int argc, char** argv) {
      int rank;
      long value = 0;
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) MPI_Send(&value, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
      if (rank == 1) {
        MPI_Recv(&value, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%.0f\n", MPI_Wtime() * 1e9);
      }
      MPI_Finalize();
    })");
  const int hybrid = std::stoi(program.run("-n 2 --set mpi.transport=hybrid").out);
  const int portals = std::stoi(program.run("-n 2 --set mpi.transport=portals").out);
  const int slower = std::stoi(program
                                   .run("-n 2 --set mpi.transport=portals --set "
                                        "nic.after_request=2us --set nic.message_overhead=1us")
                                   .out);
  EXPECT_GT(portals, hybrid);
  EXPECT_GT(slower, portals) << "what the adapter does takes longer";
}

constexpr const char* kOneMessage = R"(
    #include <mpi.h>
    int main(int argc, char** argv) {
      int rank, value = 0;
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Finalize();
    })";

// A cable that is down for good: the adapter gives up, and the run says who cannot be reached.
// Messages that pass by the adapters cannot break, which is said.
TEST(MpiTransport, SaysWhoCannotBeReached) {
  const CompiledProgram program(kOneMessage);
  const Outcome outcome = program.run("-n 2 --set mpi.transport=portals --fault drop=1");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("rank 1 cannot be reached by rank 0"));
  const Outcome hybrid = program.run("-n 2 --fault drop=1");
  EXPECT_EQ(hybrid.status, 0);
  EXPECT_THAT(hybrid.err, HasSubstr("warning: --fault: nothing could break"));
}

// Ranks that are processes are those of programs with an MPI of their own.
TEST(MpiTransport, IsNotForProcesses) {
  const CompiledProgram program(kOneMessage);
  const Outcome outcome = program.run("-n 2 --processes");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("MPI_Init: Heddle's own MPI and OpenSHMEM are not for ranks "
                                     "that are processes: start this program without --processes"));
}

}  // namespace
}  // namespace heddle::cli
