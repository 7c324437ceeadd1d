/* Point-to-point, all collectives and windows of an MPI library, with data whose values are known;
 * says which part is wrong, if any is. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, wrong = 0;

static void expect(int is, const char* what) {
  if (is) return;
  ++wrong;
  fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
}

/* Bytes that tell who sent them, for messages on both sides of every protocol's limit. */
static void point_to_point(void) {
  const int sizes[] = {0, 1, 900, 1000, 1500, 2048, 2049, 65536, 1 << 20};
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    char* out = malloc(sizes[i] + 1);
    char* in = malloc(sizes[i] + 1);
    memset(out, rank + 1, sizes[i] + 1);
    memset(in, 0, sizes[i] + 1);
    MPI_Sendrecv(out, sizes[i], MPI_CHAR, next, 1, in, sizes[i], MPI_CHAR, previous, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int good = in[sizes[i]] == 0;
    for (int b = 0; b < sizes[i]; ++b) good &= in[b] == (char)(previous + 1);
    expect(good, "MPI_Sendrecv");
    /* Unexpected: the receiver comes late. */
    MPI_Request request;
    MPI_Isend(out, sizes[i], MPI_CHAR, next, 2, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Status status;
    int count;
    MPI_Probe(previous, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    expect(count == sizes[i], "MPI_Probe");
    MPI_Recv(in, sizes[i], MPI_CHAR, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    good = 1;
    for (int b = 0; b < sizes[i]; ++b) good &= in[b] == (char)(previous + 1);
    expect(good, "a message that came before its MPI_Recv");
    free(out);
    free(in);
  }
}

static int64_t sum_of_ranks(void) {
  return (int64_t)size * (size - 1) / 2;
}

static void rooted(int count) {
  int64_t* mine = malloc(count * sizeof(int64_t));
  int64_t* all = malloc((size_t)count * size * sizeof(int64_t));
  const int root = size - 1;
  for (int i = 0; i < count; ++i) mine[i] = rank == root ? i + 7 : -1;
  MPI_Bcast(mine, count, MPI_INT64_T, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(mine[i] == i + 7, "MPI_Bcast");
  for (int i = 0; i < count; ++i) mine[i] = (int64_t)rank * count + i;
  MPI_Gather(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, root, MPI_COMM_WORLD);
  for (int i = 0; rank == root && i < count * size; ++i) expect(all[i] == i, "MPI_Gather");
  memset(mine, 0, count * sizeof(int64_t));
  MPI_Scatter(all, count, MPI_INT64_T, mine, count, MPI_INT64_T, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(mine[i] == (int64_t)rank * count + i, "MPI_Scatter");
  for (int i = 0; i < count; ++i) mine[i] = rank + i;
  MPI_Reduce(mine, all, count, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < count; ++i)
    expect(all[i] == sum_of_ranks() + (int64_t)i * size, "MPI_Reduce");
  free(mine);
  free(all);
}

static void of_all(int count) {
  int64_t* mine = malloc((size_t)count * size * sizeof(int64_t));
  int64_t* all = malloc((size_t)count * size * sizeof(int64_t));
  for (int i = 0; i < count; ++i) mine[i] = rank + i;
  MPI_Allreduce(mine, all, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    expect(all[i] == sum_of_ranks() + (int64_t)i * size, "MPI_Allreduce");
  MPI_Scan(mine, all, count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(all[i] == rank + i, "MPI_Scan");
  for (int i = 0; i < count; ++i) mine[i] = (int64_t)rank * count + i;
  MPI_Allgather(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, MPI_COMM_WORLD);
  for (int i = 0; i < count * size; ++i) expect(all[i] == i, "MPI_Allgather");
  for (int i = 0; i < count * size; ++i) mine[i] = (int64_t)rank * 1000000 + i / count;
  MPI_Alltoall(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, MPI_COMM_WORLD);
  for (int i = 0; i < count * size; ++i)
    expect(all[i] == (int64_t)(i / count) * 1000000 + rank, "MPI_Alltoall");
  for (int i = 0; i < count * size; ++i) mine[i] = i / count;
  MPI_Reduce_scatter_block(mine, all, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    expect(all[i] == (int64_t)rank * size, "MPI_Reduce_scatter_block");
  MPI_Request request;
  for (int i = 0; i < count; ++i) mine[i] = 1;
  MPI_Iallreduce(mine, all, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) expect(all[i] == size, "MPI_Iallreduce");
  free(mine);
  free(all);
}

static void windows(void) {
  int64_t* memory;
  MPI_Win window;
  const int next = (rank + 1) % size;
  MPI_Win_allocate(4 * sizeof(int64_t), sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &window);
  memset(memory, 0, 4 * sizeof(int64_t));
  MPI_Win_fence(0, window);
  const int64_t mine = rank + 1;
  MPI_Put(&mine, 1, MPI_INT64_T, next, 0, 1, MPI_INT64_T, window);
  MPI_Accumulate(&mine, 1, MPI_INT64_T, 0, 1, 1, MPI_INT64_T, MPI_SUM, window);
  MPI_Win_fence(0, window);
  expect(memory[0] == (rank + size - 1) % size + 1, "MPI_Put");
  if (rank == 0) expect(memory[1] == sum_of_ranks() + size, "MPI_Accumulate");
  int64_t found = -1;
  MPI_Get(&found, 1, MPI_INT64_T, next, 0, 1, MPI_INT64_T, window);
  MPI_Win_fence(0, window);
  expect(found == rank + 1, "MPI_Get");
  const int64_t one = 1;
  MPI_Win_lock_all(0, window);
  MPI_Fetch_and_op(&one, &found, MPI_INT64_T, 0, 2, MPI_SUM, window);
  MPI_Win_flush(0, window);
  expect(found >= 0 && found < size, "MPI_Fetch_and_op");
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Get(&found, 1, MPI_INT64_T, 0, 2, 1, MPI_INT64_T, window);
  MPI_Win_unlock(0, window);
  expect(found == size, "what MPI_Fetch_and_op has left");
  MPI_Win_free(&window);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* parts = argc > 1 ? argv[1] : "pcw";
  if (strchr(parts, 'p')) point_to_point();
  const int counts[] = {1, 100, 3000};
  for (int i = 0; strchr(parts, 'c') && i < 3; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    rooted(counts[i]);
    of_all(counts[i]);
  }
  if (strchr(parts, 'w')) windows();
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks: %s\n", size, all == 0 ? "all right" : "not right");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
