// MPI programs whose ranks have several threads that all call MPI.
#include "cli/checked_mpi.hpp"

namespace heddle::cli {
namespace {

/// Starts `threads` threads with their numbers in `work`, and waits for them.
constexpr const char* kThreads = R"(
#include <pthread.h>
enum { threads = 4 };
static void* work(void* number);
static void run(int* argc, char*** argv, void (*before)(void)) {
  pthread_t thread[threads];
  int level;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(level == MPI_THREAD_MULTIPLE);
  if (before) before();
  for (long i = 0; i < threads; ++i) pthread_create(&thread[i], 0, work, (void*)i);
  for (int i = 0; i < threads; ++i) pthread_join(thread[i], 0);
}
)";

void expect_threads_done(const std::string& text, int ranks) {
  expect_done(kThreads + text, ranks);
}

// Threads of the same number form rings of ranks, each with its own tag, short and long messages:
// what has gone round has grown by one in each rank.
TEST(MpiThreads, SendAndReceiveAtTheSameTime) {
  expect_threads_done(R"(
static void* work(void* number) {
  const int tag = (int)(long)number;
  static int buffer[threads][50000];
  int* data = buffer[tag];
  for (int count = 1; count <= 50000; count *= 50) {
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    if (rank == 0) {
      for (int i = 0; i < count; ++i) data[i] = 1000 * tag + i;
      MPI_Send(data, count, MPI_INT, right, tag, MPI_COMM_WORLD);
    }
    MPI_Recv(data, count, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
      for (int i = 0; i < count; ++i) CHECK(data[i] == 1000 * tag + i + size - 1);
    } else {
      for (int i = 0; i < count; ++i) ++data[i];
      MPI_Send(data, count, MPI_INT, right, tag, MPI_COMM_WORLD);
    }
  }
  return 0;
}
int main(int argc, char** argv) {
  run(&argc, &argv, 0);
  end();
})",
                      3);
}

// Each thread makes groups and communicators of all ranks but the last, told apart by the tag, and
// sums over them, while others do the same and free theirs: the ranks' numbers 0 + 1 + 2.
TEST(MpiThreads, MakeCommunicatorsAtTheSameTime) {
  expect_threads_done(R"(
static void* work(void* number) {
  for (int i = 0; i < 20; ++i) {
    MPI_Group all, some;
    MPI_Comm made;
    int range[1][3] = {{0, size - 2, 1}}, sum;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &some);
    if (rank < size - 1) {
      MPI_Comm_create_group(MPI_COMM_WORLD, some, (int)(long)number, &made);
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
      CHECK(sum == 3);
      MPI_Comm_free(&made);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);
  }
  return 0;
}
int main(int argc, char** argv) {
  run(&argc, &argv, 0);
  end();
})",
                      4);
}

// All threads add to a counter of rank 0 in one epoch and flush again and again: nothing gets lost,
// and a flush ends though others begin more.
TEST(MpiThreads, FlushAtTheSameTime) {
  expect_threads_done(R"(
static long* memory;
static MPI_Win window;
static void make(void) {
  MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  *memory = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
}
static void* work(void* number) {
  const long one = 1;
  for (int i = 0; i < 25; ++i) {
    MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, window);
    if (i % 2) MPI_Win_flush(0, window);
    else MPI_Win_flush_all(window);
  }
  return number;
}
int main(int argc, char** argv) {
  run(&argc, &argv, make);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(*memory == 25 * threads * size);
  MPI_Win_free(&window);
  end();
})",
                      3);
}

}  // namespace
}  // namespace heddle::cli
