// Programs that read and write files through MPI.
#include <gmock/gmock.h>

#include "cli/checked_mpi.hpp"

namespace heddle::cli {
namespace {

// Every rank writes its blocks of a file that all interleave, and reads its neighbour's.
TEST(MpiFilesTest, ShowsViews) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File file;
  MPI_Status status;
  MPI_Offset bytes;
  MPI_Datatype blocks;
  int data[12], back[12], count;
  for (int i = 0; i < 12; ++i) data[i] = 100 * rank + i;
  CHECK(MPI_File_open(MPI_COMM_WORLD, "blocks", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                      &file) == MPI_SUCCESS);
  MPI_Type_vector(4, 3, 3 * size, MPI_INT, &blocks);
  MPI_Type_commit(&blocks);
  MPI_File_set_view(file, 8 + 12 * rank, MPI_INT, blocks, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, data, 12, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 12);
  MPI_File_sync(file);
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == 8 + 48 * size);
  MPI_Offset place;
  MPI_File_get_byte_offset(file, 3, &place);
  CHECK(place == 8 + 12 * rank + 12 * size);
  MPI_File_seek(file, 6, MPI_SEEK_SET);
  MPI_File_read(file, back, 3, MPI_INT, &status);
  CHECK(memcmp(back, data + 6, 12) == 0);
  MPI_File_get_position(file, &place);
  CHECK(place == 9);
  MPI_Request request;
  const int next = (rank + 1) % size;
  MPI_File_set_view(file, 8 + 12 * next, MPI_INT, blocks, "native", MPI_INFO_NULL);
  MPI_File_iread_at(file, 0, back, 12, MPI_INT, &request);
  MPI_Wait(&request, &status);
  for (int i = 0; i < 12; ++i) CHECK(back[i] == 100 * next + i);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_read_at(file, 8 + 48 * size - 4, back, 12, MPI_BYTE, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK(count == 4);
  MPI_File_close(&file);
  if (rank == 0) MPI_File_delete("blocks", MPI_INFO_NULL);
  if (rank == 0) puts("done");
  MPI_Type_free(&blocks);
  MPI_Finalize();
})",
              4);
}

// One pointer for all: in order of ranks, or in any order, nothing is written twice.
TEST(MpiFilesTest, SharesPointers) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File file;
  MPI_Status status;
  MPI_Offset place;
  int value = rank, seen[64], sum = 0;
  MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_write_ordered(file, &value, 1, MPI_INT, &status);
  MPI_File_write_shared(file, &value, 1, MPI_INT, &status);
  MPI_File_sync(file);
  MPI_File_get_position_shared(file, &place);
  CHECK(place == 2 * size);
  MPI_File_read_at_all_begin(file, 0, seen, 2 * size, MPI_INT);
  MPI_File_read_at_all_end(file, seen, &status);
  for (int i = 0; i < size; ++i) CHECK(seen[i] == i);
  for (int i = 0; i < size; ++i) sum += seen[size + i];
  CHECK(sum == size * (size - 1) / 2);
  MPI_File_close(&file);
  CHECK(file == MPI_FILE_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) !=
        MPI_SUCCESS);
  if (rank == 0) puts("done");
  MPI_Finalize();
})",
              4);
}

// In external32 an int of 1 is 00 00 00 01.
TEST(MpiFilesTest, WritesExternal32) {
  const CompiledProgram program(std::string(kPreamble) + R"(
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_Aint extent;
  int data[2] = {1, 0x01020304}, back[2];
  MPI_File_open(MPI_COMM_SELF, "external", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
  MPI_File_get_type_extent(file, MPI_LONG, &extent);
  CHECK(extent == 4);
  MPI_File_write(file, data, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, 0, back, 2, MPI_INT, MPI_STATUS_IGNORE);
  CHECK(memcmp(back, data, sizeof data) == 0);
  MPI_File_close(&file);
  MPI_Finalize();
})");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome outcome = program.run("-n 1");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(file_text(program.folder() + "/external"), std::string("\0\0\0\1\1\2\3\4", 8));
}

// Two ranks write 1 MB each at 1 GB/s: the file system is through after 2 ms, and says so after 1
// ms.
TEST(MpiFilesTest, TakesTime) {
  const CompiledProgram program(std::string(kPreamble) + R"(
int main(int argc, char** argv) {
  static char data[1000000];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "timed", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  double begin = MPI_Wtime();
  MPI_File_write_at(file, rank * 1000000, data, 1000000, MPI_BYTE, MPI_STATUS_IGNORE);
  double time = MPI_Wtime() - begin, longest;
  MPI_Reduce(&time, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.1f ms\n", longest * 1e3);
  MPI_File_close(&file);
  MPI_Finalize();
})");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome outcome = program.run(
      "-n 2 --set host.compute=none --set mpi.io_bandwidth=1GBps --set mpi.io_latency=1ms");
  EXPECT_EQ(outcome.out, "3.0 ms\n") << outcome.err;
}

TEST(MpiFilesTest, ReturnsErrors) {
  expect_done(R"(
static int class_of(int code) {
  int answer;
  MPI_Error_class(code, &answer);
  return answer;
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  int value = 0;
  CHECK(class_of(MPI_File_open(MPI_COMM_WORLD, "none/such", MPI_MODE_RDONLY, MPI_INFO_NULL,
                               &file)) == MPI_ERR_NO_SUCH_FILE);
  CHECK(class_of(MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY | MPI_MODE_RDWR, MPI_INFO_NULL,
                               &file)) == MPI_ERR_AMODE);
  MPI_File_open(MPI_COMM_WORLD, "errors", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  CHECK(class_of(MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_ACCESS);
  CHECK(class_of(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "mine", MPI_INFO_NULL)) ==
        MPI_ERR_UNSUPPORTED_DATAREP);
  MPI_File_close(&file);
  if (rank == 0) puts("done");
  MPI_Finalize();
})",
              2);
}

}  // namespace
}  // namespace heddle::cli
