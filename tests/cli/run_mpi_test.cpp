// Programs that use MPI, as a user runs them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

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
  EXPECT_EQ(run.status, 3);
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

// 2^61 doubles are 2^64 bytes, which a number of 64 bits takes for none: each call that counts so
// many is an error, and a size that an int cannot hold is MPI_UNDEFINED.
TEST(RunMpi, SizesBeyondTheirNumbersAreErrors) {
  const CompiledProgram program(mpi_program(
      "static double x[8], y[8]; const MPI_Count big = (MPI_Count)1 << 61; int c, size; (void)n;\n"
      "MPI_Comm w = MPI_COMM_WORLD; MPI_Datatype t; MPI_Win win; MPI_Count wide, lb;\n"
      "MPI_Request q; MPI_File f; MPI_Aint aint; MPI_Offset off;\n"
      "MPI_Comm_set_errhandler(w, MPI_ERRORS_RETURN);\n"
      "MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);\n"
      "MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);\n"
      "#define SAY(call) MPI_Error_class(call, &c); printf(\"%d %s\\n\", c, #call);\n"
      "if (r == 0) {\n"
      "SAY(MPI_Send_c(x, big, MPI_DOUBLE, 1, 0, w))\n"
      "SAY(MPI_Isend_c(x, big, MPI_DOUBLE, 1, 0, w, &q))\n"
      "SAY(MPI_Recv_c(x, big, MPI_DOUBLE, 1, 0, w, MPI_STATUS_IGNORE))\n"
      "SAY(MPI_Bcast_c(x, big, MPI_DOUBLE, 0, w))\n"
      "SAY(MPI_Allgather_c(x, 1, MPI_DOUBLE, y, big, MPI_DOUBLE, w))\n"
      "SAY(MPI_Allreduce_c(x, y, big, MPI_DOUBLE, MPI_SUM, w))\n"
      "SAY(MPI_Reduce_scatter_block_c(x, y, big, MPI_DOUBLE, MPI_SUM, w))\n"
      "SAY(MPI_Pack_size_c(big, MPI_DOUBLE, w, &wide))\n"
      "SAY(MPI_Type_contiguous_c(big, MPI_DOUBLE, &t))\n"
      "SAY(MPI_Type_vector_c(2, 1, big, MPI_DOUBLE, &t))\n"
      "SAY(MPI_Type_create_hvector_c(9, 1, big, MPI_DOUBLE, &t))\n"
      "SAY(MPI_Type_create_resized_c(MPI_DOUBLE, big * 2, big * 2, &t))\n"
      "SAY(MPI_Win_create(x, big, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win))\n"
      "}\n"
      "MPI_Type_contiguous(2147483647, MPI_INT, &t);\n"
      "MPI_Type_size(t, &size); MPI_Type_size_x(t, &wide);\n"
      "if (r == 0) printf(\"size %d %lld\\n\", size == MPI_UNDEFINED, (long long)wide);\n"
      "MPI_Type_get_extent_x(t, &lb, &wide); MPI_Type_free(&t);\n"
      "if (r == 0) printf(\"extent %lld\\n\", (long long)wide);\n"
      "MPI_Win_create(x, sizeof x, 1 << 30, MPI_INFO_NULL, w, &win);\n"
      "MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN); MPI_Win_fence(0, win);\n"
      "aint = (MPI_Aint)1 << 34;\n"
      "if (r == 0) {\n"
      "SAY(MPI_Put(y, 1, MPI_DOUBLE, 1, aint, 1, MPI_DOUBLE, win))\n"
      "SAY(MPI_Put_c(y, 1, MPI_DOUBLE, 1, 0, big, MPI_DOUBLE, win))\n"
      "}\n"
      "MPI_Win_fence(0, win); MPI_Win_free(&win);\n"
      "MPI_File_open(MPI_COMM_SELF, \"file\", MPI_MODE_CREATE | MPI_MODE_RDWR |\n"
      "              MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);\n"
      "MPI_File_set_view(f, 0, MPI_DOUBLE, MPI_DOUBLE, \"native\", MPI_INFO_NULL);\n"
      "if (r == 0) {\n"
      "SAY(MPI_File_write_at(f, big, x, 1, MPI_DOUBLE, MPI_STATUS_IGNORE))\n"
      "SAY(MPI_File_read_at_c(f, 0, x, big, MPI_DOUBLE, MPI_STATUS_IGNORE))\n"
      "SAY(MPI_File_get_byte_offset(f, big, &off))\n"
      "}\n"
      "MPI_File_close(&f);"));
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome run = program.run("-n 2 --privatize copies");
  EXPECT_EQ(run.status, 0) << run.err;
  // MPI_ERR_COUNT is 2, MPI_ERR_ARG 12, MPI_ERR_SIZE 51, MPI_ERR_DISP 52.
  std::istringstream lines(run.out);
  int errors = 0;
  for (std::string line; std::getline(lines, line); ++errors) {
    if (line.starts_with("size") || line.starts_with("extent")) continue;
    EXPECT_THAT(line, testing::ContainsRegex("^(2|12|51|52) MPI_")) << line;
  }
  EXPECT_EQ(errors, 20);
  EXPECT_THAT(run.out, HasSubstr("size 1 8589934588\n")) << "4 * (2^31 - 1) bytes";
  EXPECT_THAT(run.out, HasSubstr("extent 8589934588\n"));
}

// MPI 4 lets programs ask for an alignment; the C library's own function keeps any.
TEST(RunMpi, MemoryHasTheAlignmentThatIsAskedFor) {
  const CompiledProgram program(
      mpi_program("MPI_Info info; void *p, *q; MPI_Win win; size_t bad = 0; (void)n;\n"
                  "for (size_t a = 64; a <= ((size_t)32 << 20); a *= 2) {\n"
                  "  char text[32]; sprintf(text, \"%zu\", a); MPI_Info_create(&info);\n"
                  "  MPI_Info_set(info, \"mpi_minimum_memory_alignment\", text);\n"
                  "  MPI_Alloc_mem(100, info, &p); bad += (size_t)p % a != 0; MPI_Free_mem(p);\n"
                  "  MPI_Win_allocate(100, 1, info, MPI_COMM_WORLD, &q, &win);\n"
                  "  bad += (size_t)q % a != 0; MPI_Win_free(&win); MPI_Info_free(&info);\n"
                  "  if (posix_memalign(&p, a, 100) == 0) { bad += (size_t)p % a != 0; free(p); }\n"
                  "}\nif (bad) printf(\"%d: %zu\\n\", r, bad);"),
      "c", "-include stdlib.h");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  EXPECT_EQ(program.run("-n 3").out, "");
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
