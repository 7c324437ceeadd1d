/* Sorts integers: each PE has some, and in the end PE p has the p-th part of all in order.
 *
 *   heddle run -n 16 ./sort [KEYS]
 *
 * Every PE counts how many of its keys go to each other one, asks there for so much room by an
 * atomic addition, puts its keys into it, sorts what it has got after a barrier, and compares sums
 * and neighbours with the others. */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

static long received;             /* Keys that others have put here, or are going to. */
static long counts[2], totals[2]; /* Of keys, and their sum. */
static int highest, below;

static uint32_t next_key(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static int compare(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

/* Gives every PE the keys of its part. */
static void distribute(const int* keys, int n, int* room, int part) {
  const int pes = shmem_n_pes();
  int* ordered = malloc((size_t)n * sizeof *ordered);
  int* ends = calloc((size_t)pes + 1, sizeof *ends);
  for (int i = 0; i < n; ++i) ++ends[keys[i] / part + 1];
  for (int pe = 0; pe < pes; ++pe) ends[pe + 1] += ends[pe];
  int* at = malloc((size_t)pes * sizeof *at);
  for (int pe = 0; pe < pes; ++pe) at[pe] = ends[pe];
  for (int i = 0; i < n; ++i) ordered[at[keys[i] / part]++] = keys[i];
  for (int i = 0; i < pes; ++i) {
    const int pe = (shmem_my_pe() + i) % pes; /* Not all to the same one at once. */
    const int count = ends[pe + 1] - ends[pe];
    if (count == 0) continue;
    const long place = shmem_long_atomic_fetch_add(&received, count, pe);
    shmem_int_put_nbi(room + place, ordered + ends[pe], (size_t)count, pe);
  }
  shmem_barrier_all();
  free(at);
  free(ends);
  free(ordered);
}

/* Whether no key is lost, and all are in order, here and across PEs. */
static int check(const int* room, const int* keys, int n) {
  const int me = shmem_my_pe();
  int good = 1;
  for (long i = 1; i < received; ++i) good &= room[i - 1] <= room[i];
  counts[0] = n - received;
  counts[1] = 0;
  for (int i = 0; i < n; ++i) counts[1] += keys[i];
  for (long i = 0; i < received; ++i) counts[1] -= room[i];
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, totals, counts, 2);
  highest = received > 0 ? room[received - 1] : -1;
  shmem_barrier_all();
  below = me > 0 ? shmem_int_g(&highest, me - 1) : -1;
  return good && totals[0] == 0 && totals[1] == 0 && (received == 0 || below <= room[0]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4096;
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int part = 1 << 20; /* Keys of a PE are below this, or in the same distance. */
  uint64_t state = (uint64_t)me + 1;
  int* keys = malloc((size_t)n * sizeof *keys);
  for (int i = 0; i < n; ++i) keys[i] = (int)(next_key(&state) % (uint32_t)(part * pes));
  int* room = shmem_malloc((size_t)n * 4 * sizeof *room);
  const double begin = now_us();
  distribute(keys, n, room, part);
  qsort(room, (size_t)received, sizeof *room, compare);
  shmem_barrier_all();
  const double time = now_us() - begin;
  static int good, all_good;
  good = check(room, keys, n);
  shmem_int_min_reduce(SHMEM_TEAM_WORLD, &all_good, &good, 1);
  if (me == 0)
    printf("%d keys on %d PEs in %.1f us: %s\n", n * pes, pes, time,
           all_good ? "sorted" : "NOT SORTED");
  free(keys);
  shmem_finalize();
  return !all_good;
}
