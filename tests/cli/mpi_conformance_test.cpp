// Corners of the standard that MPICH's test suite has found wanting.
#include "cli/checked_mpi.hpp"

namespace heddle::cli {
namespace {

// Every rank's MPI_COMM_SELF is its own: two collective calls on it at each of three ranks do not
// count as calls of one communicator.
TEST(MpiConformance, CollectivesOnSelf) {
  expect_done(R"(
int main(int argc, char** argv) {
  int mine, sum;
  begin(&argc, &argv);
  for (int i = 0; i < 2; ++i) {
    mine = rank + i;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    CHECK(sum == rank + i);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  end();
}
)",
              3);
}

// The groups {2} and {2, 3} make communicators at one time with one tag.
TEST(MpiConformance, GroupsThatShareAMemberDoNotMeet) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Group world, group;
  MPI_Comm comm;
  int members[] = {2, 3}, count;
  begin(&argc, &argv);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int n = 1; n <= 2; ++n) {
    if (rank < 2 || rank >= 2 + n) continue;
    MPI_Group_incl(world, n, members, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm);
    MPI_Comm_size(comm, &count);
    CHECK(count == n);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
  }
  MPI_Group_free(&world);
  end();
}
)",
              4);
}

// A buffered send that is started twice takes its space each time and gives it back.
TEST(MpiConformance, PersistentBufferedSends) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Request request;
  static char space[2 * (sizeof(int) + MPI_BSEND_OVERHEAD)];
  int value = 0, got, bytes;
  void* back;
  begin(&argc, &argv);
  MPI_Buffer_attach(space, sizeof space);
  MPI_Bsend_init(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
  for (value = 1; value <= 2; ++value) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int i = 1; i <= 2; ++i) {
    MPI_Recv(&got, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(got == i);
  }
  MPI_Request_free(&request);
  MPI_Buffer_detach(&back, &bytes);
  CHECK(back == space && bytes == (int)sizeof space);
  end();
}
)",
              1);
}

// Partitioned messages with one tag belong together in the order of their making, whatever the
// order in which they are started; the status has the tag that the program gave.
TEST(MpiConformance, PartitionedMessagesMatchAsTheyWereMade) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int values[2] = {-1, -1};
  begin(&argc, &argv);
  for (int i = 0; i < 2; ++i) {
    if (rank == 0) MPI_Psend_init(&values[i], 1, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
    else MPI_Precv_init(&values[i], 1, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
  }
  for (int n = 0; n < 2; ++n) {
    const int i = rank == 0 ? 1 - n : n;
    MPI_Start(&requests[i]);
    if (rank == 1) continue;
    values[i] = 10 + i;
    MPI_Pready(0, requests[i]);
  }
  MPI_Waitall(2, requests, statuses);
  CHECK(values[0] == 10 && values[1] == 11);
  CHECK(rank == 0 || (statuses[1].MPI_TAG == 9 && statuses[1].MPI_SOURCE == 0));
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
  end();
}
)",
              2);
}

// 72 = 9 x 8 and 1,000 = 10 x 10 x 10, as close to each other as divisors allow; 2^20 in ten
// dimensions is 4 each.
TEST(MpiConformance, DimensionsAreAsEvenAsCanBe) {
  expect_done(R"(
int main(int argc, char** argv) {
  int two[2] = {0, 0}, three[3] = {0, 0, 0}, ten[10] = {0};
  begin(&argc, &argv);
  MPI_Dims_create(72, 2, two);
  CHECK(two[0] == 9 && two[1] == 8);
  MPI_Dims_create(1000, 3, three);
  CHECK(three[0] == 10 && three[1] == 10 && three[2] == 10);
  MPI_Dims_create(1 << 20, 10, ten);
  for (int i = 0; i < 10; ++i) CHECK(ten[i] == 4);
  end();
}
)",
              1);
}

// Info objects and texts of errors are there before MPI_Init and after MPI_Finalize; a session says
// the level of threads that it was asked for.
TEST(MpiConformance, CallsBeforeAndAfterTheWorld) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Info info, used;
  MPI_Session session;
  char value[40];
  int flag;
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", "MPI_THREAD_FUNNELED");
  MPI_Session_init(info, MPI_ERRORS_RETURN, &session);
  MPI_Session_get_info(session, &used);
  MPI_Info_get(used, "thread_level", sizeof value - 1, value, &flag);
  MPI_Info_free(&used);
  MPI_Session_finalize(&session);
  begin(&argc, &argv);
  CHECK(flag && strcmp(value, "MPI_THREAD_FUNNELED") == 0);
  MPI_Finalize();
  MPI_Info_get(info, "thread_level", sizeof value - 1, value, &flag);
  MPI_Info_free(&info);
  if (flag && info == MPI_INFO_NULL) puts("done");
}
)",
              1);
}

// A filetype may not go backwards or, where the file may be written, overlap itself.
TEST(MpiConformance, FileTypesGoForward) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_File file;
  MPI_Datatype type;
  int lengths[] = {1, 1}, back[] = {3, 0}, twice[] = {0, 0};
  begin(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "types.out", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_Type_indexed(2, lengths, back, MPI_INT, &type);
  MPI_Type_commit(&type);
  CHECK(MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL) == MPI_ERR_IO);
  MPI_Type_free(&type);
  MPI_Type_indexed(2, lengths, twice, MPI_INT, &type);
  MPI_Type_commit(&type);
  CHECK(MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL) == MPI_ERR_IO);
  MPI_Type_free(&type);
  CHECK(MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL) == MPI_SUCCESS);
  MPI_File_close(&file);
  end();
}
)",
              1);
}

}  // namespace
}  // namespace heddle::cli
