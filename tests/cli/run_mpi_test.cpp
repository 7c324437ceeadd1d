// Programs that use MPI, as a user runs them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// `body` between MPI_Init and MPI_Finalize, with the rank in r and the number of ranks in n.
std::string mpi_program(const std::string& body) {
  return "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char** argv) {\n"
         "  int r, n, v = 1;\n  MPI_Init(&argc, &argv);\n"
         "  MPI_Comm_rank(MPI_COMM_WORLD, &r);\n  MPI_Comm_size(MPI_COMM_WORLD, &n);\n" +
         body + "\n  MPI_Finalize();\n  return v - v;\n}\n";
}

const char* const kRing =
    "int w;\n"
    "MPI_Sendrecv(&r, 1, MPI_INT, (r + 1) % n, 0, &w, 1, MPI_INT, (r + n - 1) % n, 0,\n"
    "             MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    "printf(\"%d got %d\\n\", r, w);";

TEST(RunMpi, ExchangesWhateverTheWayRanksGetTheirGlobals) {
  const CompiledProgram program(mpi_program(kRing));
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string how : kPrivatizations) {
    const Outcome run = program.run("-n 4 --privatize " + how);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("0 got 3\n"));
    EXPECT_THAT(run.out, HasSubstr("3 got 2\n"));
  }
}

TEST(RunMpi, AbortEndsWithItsStatus) {
  const CompiledProgram program(mpi_program("if (r == 1) MPI_Abort(MPI_COMM_WORLD, 5);"));
  const Outcome run = program.run("-n 3");
  EXPECT_EQ(run.status, 5);
  EXPECT_THAT(run.err, HasSubstr("MPI_Abort(5)"));
}

TEST(RunMpi, DeadlocksNameTheCircle) {
  const CompiledProgram program(
      mpi_program("MPI_Recv(&v, 1, MPI_INT, (r + 1) % n, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"));
  const Outcome run = program.run("-n 2");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err,
              HasSubstr("rank 0 waits in MPI_Recv from 1, tag 5, MPI_COMM_WORLD, 4 bytes"));
  EXPECT_THAT(run.err, HasSubstr("in a circle: rank 0 waits for rank 1, which waits for rank 0"));
}

// A buffer that is no memory, of 8 bytes or of 800,000, in a send, a receive and collectives: the
// rank whose buffer it is and its call are named, whoever copies.
TEST(RunMpi, BuffersThatAreNoMemoryNameTheRankAndTheCall) {
  const CompiledProgram program(
      mpi_program("static double x[200000]; void* bad = (void*)64;\n"
                  "int n8 = argv[2][0] == 'l' ? 100000 : 1;\n"
                  "MPI_Status* s = MPI_STATUS_IGNORE; MPI_Comm w = MPI_COMM_WORLD;\n"
                  "switch (argv[1][0]) {\n"
                  "  case 's': if (r == 1) MPI_Send(bad, n8, MPI_DOUBLE, 0, 0, w);\n"
                  "            if (r == 0) MPI_Recv(x, n8, MPI_DOUBLE, 1, 0, w, s); break;\n"
                  "  case 'r': if (r == 0) MPI_Send(x, n8, MPI_DOUBLE, 1, 0, w);\n"
                  "            if (r == 1) MPI_Recv(bad, n8, MPI_DOUBLE, 0, 0, w, s); break;\n"
                  "  case 'b': MPI_Bcast(r == 1 ? bad : x, n8, MPI_DOUBLE, 0, w); break;\n"
                  "  case 'a': MPI_Allreduce(r == 1 ? bad : x, x + 100000, n8, MPI_DOUBLE,\n"
                  "                          MPI_SUM, w); break;\n"
                  "  case 'o': MPI_Allreduce(x, r == 1 ? bad : x + 100000, n8, MPI_DOUBLE,\n"
                  "                          MPI_SUM, w); break;\n}"));
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const std::pair<const char*, const char*> cases[] = {{"s", "MPI_Send"},
                                                       {"r", "MPI_Recv"},
                                                       {"b", "MPI_Bcast"},
                                                       {"a", "MPI_Allreduce"},
                                                       {"o", "MPI_Allreduce"}};
  for (const auto& [name, call] : cases) {
    for (const char* size : {"short", "long"}) {
      for (const std::string how : kPrivatizations) {
        const Outcome run = heddle(
            "run -n 4 --privatize " + how + " ./program " + name + " " + size, program.folder());
        EXPECT_EQ(run.status, 1) << call << " " << size << "\n" << run.err;
        EXPECT_THAT(run.err, HasSubstr(std::string("rank 1: ") + call +
                                       ": a buffer reaches memory that its process does not have"))
            << call << " " << size << ", " << how;
      }
    }
  }
}

TEST(RunMpi, CheckListsWhatWasForgotten) {
  const CompiledProgram program(
      mpi_program("MPI_Comm c; MPI_Request q; double d; MPI_Datatype t;\n"
                  "MPI_Comm_dup(MPI_COMM_WORLD, &c);\n"
                  "MPI_Type_contiguous(2, MPI_INT, &t);\n"
                  "if (r == 0) {\n"
                  "  long l = 3;\n"
                  "  MPI_Send(&v, 1, MPI_INT, 1, 77, MPI_COMM_WORLD);\n"
                  "  MPI_Send(&l, 1, MPI_LONG, 1, 1, MPI_COMM_WORLD);\n"
                  "  MPI_Isend(&v, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &q);\n"
                  "  v = 2;\n"
                  "  MPI_Wait(&q, MPI_STATUS_IGNORE);\n"
                  "} else {\n"
                  "  MPI_Recv(&d, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                  "  MPI_Recv(&v, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                  "  MPI_Irecv(&v, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &q);\n"
                  "}"));
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = heddle("run -n 2 --check ./program", program.folder());
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.err, HasSubstr("rank 1: never received a message from 0, tag 77, "
                                 "MPI_COMM_WORLD, 4 bytes"));
  EXPECT_THAT(run.err, HasSubstr("rank 1: never completed a receive from 0, tag 9"));
  EXPECT_THAT(run.err, HasSubstr("rank 1: received other types than were sent: 8 bytes from 0"));
  EXPECT_THAT(run.err, HasSubstr("rank 0: changed the buffer of a send to 1, tag 2"));
  EXPECT_THAT(run.err, HasSubstr("rank 0: never freed communicator 1"));
  EXPECT_THAT(run.err, HasSubstr("rank 0: never freed 1 datatypes"));
}

TEST(RunMpi, CheckFindsNothingInARightProgram) {
  const CompiledProgram program(mpi_program(kRing));
  EXPECT_THAT(heddle("run -n 3 --check ./program", program.folder()).err,
              HasSubstr("check           nothing found"));
}

TEST(RunMpi, ProfileCountsCallsBytesAndPairs) {
  // Four ranks send four bytes each to the next.
  const CompiledProgram program(mpi_program(kRing));
  const Outcome run = heddle(
      "run -n 4 --json r.json --mpi-calls c.csv --mpi-messages m.csv ./program", program.folder());
  EXPECT_THAT(run.err, HasSubstr("MPI             4 messages, 16 B"));
  EXPECT_THAT(run.err, HasSubstr("MPI_Sendrecv"));
  EXPECT_THAT(file_text(program.folder() + "/m.csv"), HasSubstr("\n3,0,1,4\n"));
  EXPECT_THAT(file_text(program.folder() + "/c.csv"), HasSubstr("\n2,MPI_Sendrecv,1,4,"));
  const auto document = nlohmann::json::parse(file_text(program.folder() + "/r.json"));
  EXPECT_EQ(document["mpi"]["messages"], 4);
  EXPECT_EQ(document["mpi"]["ranks"].size(), 4U);
  EXPECT_EQ(document["mpi"]["sizes"][0]["to_bytes"], 7);
}

TEST(RunMpi, RunsTheSameWayAgain) {
  const CompiledProgram program(mpi_program(kRing));
  const Outcome once = program.run("-n 7 --fingerprint");
  EXPECT_THAT(once.err, HasSubstr("fingerprint"));
  EXPECT_EQ(once.err, program.run("-n 7 --fingerprint").err);
}

}  // namespace
}  // namespace heddle::cli
