/* Operations per second that one PE, or all at once, can start: puts of 8 bytes, and atomics.
 *
 *   heddle run -n 8 ./rate [OPERATIONS]
 *
 * Each PE works on the memory of the next one; `all` is the sum over all PEs. */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

enum kind { PUT, ADD, FETCH_ADD, KINDS };
static const char* const names[KINDS] = {"put", "atomic_add", "atomic_fetch_add"};

static long word;
static double rate, total;

static void perform(enum kind kind, int peer) {
  switch (kind) {
    case PUT:
      shmem_long_p(&word, 1, peer);
      break;
    case ADD:
      shmem_long_atomic_add(&word, 1, peer);
      break;
    default:
      (void)shmem_long_atomic_fetch_add(&word, 1, peer);
  }
}

/* Millions per second. */
static double measure(enum kind kind, int peer, int operations) {
  const double begin = now_us();
  for (int i = 0; i < operations; ++i) perform(kind, peer);
  shmem_quiet();
  return operations / (now_us() - begin);
}

int main(int argc, char** argv) {
  const int operations = argc > 1 ? atoi(argv[1]) : 1000;
  shmem_init();
  const int me = shmem_my_pe();
  const int peer = (me + 1) % shmem_n_pes();
  if (me == 0) puts("operation,PEs,one_M_per_s,all_M_per_s");
  for (int kind = 0; kind < KINDS; ++kind) {
    double alone = 0;
    if (me == 0) alone = measure((enum kind)kind, peer, operations);
    shmem_barrier_all();
    rate = measure((enum kind)kind, peer, operations);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &total, &rate, 1);
    if (me == 0) printf("%s,%d,%.3f,%.3f\n", names[kind], shmem_n_pes(), alone, total);
  }
  shmem_finalize();
  return 0;
}
