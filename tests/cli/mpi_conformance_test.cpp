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

// What cannot be is answered with a class and does not crash: results that point nowhere, one
// buffer that is both sent and written, MPI_IN_PLACE where it means nothing, and an access after a
// lock has ended the epoch of fences.
TEST(MpiConformance, WrongArgumentsHaveClasses) {
  expect_done(R"(
static int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}
int main(int argc, char** argv) {
  int own = 1, all[8] = {0};
  MPI_Group group;
  MPI_Status status = {.MPI_ERROR = 77};
  MPI_Win win;
  MPI_Comm world = MPI_COMM_WORLD;
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_group(world, &group);
  CHECK(class_of(MPI_Comm_size(world, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Comm_dup(world, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Comm_free(NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Group_union(group, group, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Group_translate_ranks(group, 1, &(int){0}, group, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Type_contiguous(2, MPI_INT, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Isend(&own, 1, MPI_INT, rank, 0, world, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Ibarrier(world, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Win_create(&own, 4, 4, MPI_INFO_NULL, world, NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Allreduce(all, all, 1, MPI_INT, MPI_SUM, world)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Allgather(all + rank, 1, MPI_INT, all, 1, MPI_INT, world)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Alltoall(all, 1, MPI_INT, all, 1, MPI_INT, world)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Scan(all, all, 1, MPI_INT, MPI_SUM, world)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Reduce_local(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM)) == MPI_ERR_BUFFER);
  CHECK(MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, world) == MPI_SUCCESS);
  // An empty status has no error, also in calls that do not set it otherwise.
  MPI_Wait(&(MPI_Request){MPI_REQUEST_NULL}, &status);
  CHECK(status.MPI_ERROR == MPI_SUCCESS && status.MPI_SOURCE == MPI_ANY_SOURCE);
  MPI_Win_create(&own, 4, 4, MPI_INFO_NULL, world, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Win_unlock(0, win);
  CHECK(class_of(MPI_Get(all, 1, MPI_INT, 0, 0, 1, MPI_INT, win)) == MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Group_free(&group);
  end();
}
)",
              3);
}

// Ranks that disagree on how much is broadcast: who expects ten numbers and gets one is told so.
TEST(MpiConformance, TooShortACollectiveMessageIsAnError) {
  expect_done(R"(
int main(int argc, char** argv) {
  int data[10] = {0}, class = 0;
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Bcast(data, rank == 0 ? 1 : 10, MPI_INT, 0, MPI_COMM_WORLD), &class);
  CHECK(class == (rank == 0 ? MPI_SUCCESS : MPI_ERR_COUNT));
  end();
}
)",
              2);
}

}  // namespace
}  // namespace heddle::cli
