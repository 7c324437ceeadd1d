// Programs with one-sided communication.
#include <gmock/gmock.h>

#include "cli/checked_mpi.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

// Between fences: puts to the right neighbour, gets from the left, sums at rank 0.
TEST(MpiWindowsTest, FencesSeparateEpochs) {
  expect_done(R"(
static int memory[8];
int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int value = rank + 100, got = -1, one = 1;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 2, 1, MPI_INT, win);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 5, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  CHECK(memory[2] == (rank + size - 1) % size + 100);
  if (rank == 0) CHECK(memory[5] == size);
  MPI_Get(&got, 1, MPI_INT, (rank + 1) % size, 2, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  CHECK(got == value);
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL);
  end();
})",
              4);
}

// A counter under an exclusive lock, a fetch-and-add under a shared one: nothing gets lost.
TEST(MpiWindowsTest, LocksExclude) {
  expect_done(R"(
int main(int argc, char** argv) {
  begin(&argc, &argv);
  long* memory;
  MPI_Win win;
  MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < 10; ++i) {
    long value;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Get(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    MPI_Win_flush(1, win);
    ++value;
    MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    MPI_Win_unlock(1, win);
  }
  long one = 1, before, last = -1;
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 10; ++i) {
    MPI_Fetch_and_op(&one, &before, MPI_LONG, 1, 1, MPI_SUM, win);
    MPI_Win_flush(1, win);
    CHECK(before > last);
    last = before;
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) CHECK(memory[0] == 10 * size && memory[1] == 10 * size);
  MPI_Win_free(&win);
  end();
})",
              5);
}

// Post and start, complete and wait; rank 0 exposes its memory to all others.
TEST(MpiWindowsTest, GroupsSynchronise) {
  expect_done(R"(
static double memory[16];
int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Win win;
  MPI_Group world, zero, others;
  int first = 0;
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &first, &zero);
  MPI_Group_excl(world, 1, &first, &others);
  for (int round = 1; round <= 3; ++round) {
    if (rank == 0) {
      MPI_Win_post(others, 0, win);
      if (round == 2) {
        for (int flag = 0; !flag;) MPI_Win_test(win, &flag);
      } else {
        MPI_Win_wait(win);
      }
      for (int i = 1; i < size; ++i) CHECK(memory[i] == i * round);
    } else {
      double value = rank * round;
      MPI_Win_start(zero, 0, win);
      MPI_Put(&value, 1, MPI_DOUBLE, 0, rank * sizeof(double), 1, MPI_DOUBLE, win);
      MPI_Win_complete(win);
    }
  }
  MPI_Group_free(&world); MPI_Group_free(&zero); MPI_Group_free(&others);
  MPI_Win_free(&win);
  end();
})",
              4);
}

// Swaps, requests, derived types at the target, dynamic and shared memory.
TEST(MpiWindowsTest, OffersAllKindsOfOperationsAndMemory) {
  expect_done(R"(
int main(int argc, char** argv) {
  begin(&argc, &argv);
  int* memory;
  MPI_Win win;
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < 64; ++i) memory[i] = i;
  MPI_Barrier(MPI_COMM_WORLD);
  const int next = (rank + 1) % size;
  MPI_Win_lock_all(0, win);
  int old, mine = 1000, expected = 7;
  MPI_Compare_and_swap(&mine, &expected, &old, MPI_INT, next, 7, win);
  MPI_Win_flush(next, win);
  CHECK(old == 7);
  expected = 3;
  MPI_Compare_and_swap(&mine, &expected, &old, MPI_INT, next, 7, win);
  MPI_Win_flush(next, win);
  CHECK(old == 1000);
  MPI_Datatype column;
  MPI_Type_vector(8, 1, 8, MPI_INT, &column);
  MPI_Type_commit(&column);
  int values[8], sums[8], fetched[8];
  for (int i = 0; i < 8; ++i) { values[i] = -i; sums[i] = 10; }
  MPI_Request request[2];
  MPI_Rput(values, 8, MPI_INT, next, 1, 1, column, win, &request[0]);
  MPI_Rget_accumulate(sums, 8, MPI_INT, fetched, 8, MPI_INT, next, 1, 1, column, MPI_SUM, win,
                      &request[1]);
  MPI_Type_free(&column);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 8; ++i) CHECK(fetched[i] == -i);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 8; ++i) CHECK(memory[1 + 8 * i] == 10 - i && memory[7] == 1000);
  MPI_Win_free(&win);

  MPI_Aint place, places[16];
  int attached[4] = {0};
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_attach(win, attached, sizeof attached);
  MPI_Get_address(&attached[2], &place);
  MPI_Allgather(&place, 1, MPI_AINT, places, 1, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, next, places[next], 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(attached[2] == (rank + size - 1) % size);
  MPI_Win_detach(win, attached);
  MPI_Win_free(&win);

  MPI_Comm node;
  int here, of_node, unit;
  int *own, *base;
  MPI_Aint bytes;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &here);
  MPI_Comm_size(node, &of_node);
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &own, &win);
  MPI_Win_fence(0, win);
  *own = 50 + here;
  MPI_Win_fence(0, win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &base);
  CHECK(bytes == sizeof(int) && unit == sizeof(int));
  for (int i = 0; i < of_node; ++i) CHECK(base[i] == 50 + i);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
  end();
})",
              4);
}

/// A program that fails on purpose.
Outcome failing(const std::string& text, int ranks) {
  const CompiledProgram program(std::string(kPreamble) + text);
  EXPECT_EQ(program.compilation().status, 0) << program.compilation().err;
  return program.run("-n " + std::to_string(ranks));
}

TEST(MpiWindowsTest, SaysWhatIsWrong) {
  const Outcome outcome = failing(R"(
int main(int argc, char** argv) {
  begin(&argc, &argv);
  int value = 0, error_class, code;
  MPI_Win win;
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  code = MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Error_class(code, &error_class);
  CHECK(error_class == MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, win);
  code = MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
  MPI_Error_class(code, &error_class);
  CHECK(error_class == MPI_ERR_RMA_RANGE);
  MPI_Win_set_name(win, "halo");
  MPI_Win_set_errhandler(win, MPI_ERRORS_ARE_FATAL);
  MPI_Win_unlock(0, win);
  end();
})",
                                  2);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("MPI_Win_unlock: window 'halo': MPI_Win_unlock of a target "
                                     "that MPI_Win_lock has not locked"));
}

// Rank 1 keeps the lock and waits for rank 0, who wants it.
TEST(MpiWindowsTest, TellsOfDeadlocks) {
  const Outcome outcome = failing(R"(
int main(int argc, char** argv) {
  begin(&argc, &argv);
  int value = 0;
  MPI_Win win;
  MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_name(win, "halo");
  if (rank == 1) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  end();
})",
                                  2);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("rank 0 waits in MPI_Win_lock on window 'halo' for the lock of rank 0"));
}

}  // namespace
}  // namespace heddle::cli
