/* Sorts integers as NAS' benchmark IS does: ranks agree on who gets which values, exchange them all
 * at once and sort what they got.
 *
 *     heddlecc -O2 sort.c -o sort
 *     heddle run -n 16 --platform fat-tree-64 ./sort            # 16,384 keys a rank, 10 rounds
 *     heddle run -n 16 --platform fat-tree-64 ./sort 65536 3
 *
 * It is an ordinary MPI program. Only on a simulated machine it says what its computation costs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "costs.h"

enum { BUCKETS = 1024, LARGEST = 1 << 20, WIDTH = LARGEST / BUCKETS };

static int ranks, rank;

/* Four uniform numbers make one of a bell curve, as in the benchmark. */
static int next_key(unsigned long* state) {
  long sum = 0;
  int i;
  for (i = 0; i < 4; i++) {
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    sum += (long)(*state >> 44);
  }
  return (int)(sum / 4);
}

/* How many of all ranks' keys a rank gets: whole buckets, as even as they can be. */
static void divide(const long* all, long total, int* owner) {
  long before = 0;
  int bucket;
  for (bucket = 0; bucket < BUCKETS; bucket++) {
    owner[bucket] = (int)(before * ranks / total);
    before += all[bucket];
  }
}

static int by_value(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

/* Sorts `keys` of all ranks; answers how many this one has afterwards. */
static int sort(const int* keys, int n, int** sorted) {
  static long mine[BUCKETS], all[BUCKETS];
  static int owner[BUCKETS];
  int *to = calloc((size_t)ranks * 4, sizeof *to), *from = to + ranks, *place = from + ranks,
      *start = place + ranks;
  int *ordered = malloc((size_t)n * sizeof *ordered), *next = malloc((size_t)ranks * sizeof *next);
  int i, got = 0;
  long total = 0;
  memset(mine, 0, sizeof mine);
  for (i = 0; i < n; i++) mine[keys[i] / WIDTH]++;
  COSTS(2.0 * n);
  MPI_Allreduce(mine, all, BUCKETS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < BUCKETS; i++) total += all[i];
  divide(all, total, owner);
  for (i = 0; i < BUCKETS; i++) to[owner[i]] += (int)mine[i];
  MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  for (i = 0; i < ranks; i++) {
    place[i] = i == 0 ? 0 : place[i - 1] + to[i - 1];
    start[i] = got;
    got += from[i];
    next[i] = place[i];
  }
  for (i = 0; i < n; i++) ordered[next[owner[keys[i] / WIDTH]]++] = keys[i];
  COSTS(4.0 * n);
  *sorted = malloc((size_t)(got > 0 ? got : 1) * sizeof **sorted);
  MPI_Alltoallv(ordered, to, place, MPI_INT, *sorted, from, start, MPI_INT, MPI_COMM_WORLD);
  qsort(*sorted, (size_t)got, sizeof **sorted, by_value);
  COSTS(20.0 * got);
  free(next);
  free(ordered);
  free(to);
  return got;
}

/* Whether every rank's largest key is at most the next one's smallest. */
static int in_order(const int* sorted, int n) {
  const int last = n > 0 ? sorted[n - 1] : 0;
  int before = 0, good = 1, all;
  MPI_Sendrecv(&last, 1, MPI_INT, rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, 0, &before, 1,
               MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (n > 0) good = before <= sorted[0];
  MPI_Reduce(&good, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  return rank == 0 ? all : 1;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 16384, rounds = argc > 2 ? atoi(argv[2]) : 10;
  int i, round, got, good = 1, *keys, *sorted;
  unsigned long state;
  double begin;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  keys = malloc((size_t)n * sizeof *keys);
  state = (unsigned long)rank + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  for (round = 0; round < rounds; round++) {
    for (i = 0; i < n; i++) keys[i] = next_key(&state);
    got = sort(keys, n, &sorted);
    good &= in_order(sorted, got);
    free(sorted);
  }
  if (rank == 0) {
    printf("%d keys on %d ranks: %d rounds, %.2f us each, %s\n", n * ranks, ranks, rounds,
           (MPI_Wtime() - begin) / rounds * 1e6, good ? "in order" : "NOT IN ORDER");
  }
  free(keys);
  MPI_Finalize();
  return !good;
}
