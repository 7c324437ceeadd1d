/* How long a barrier and a reduction take on so many PEs.
 *
 *   heddle run -n 64 ./meet [REPETITIONS]
 *
 * `run` draws that against the number of PEs. */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

static double source[1024], dest[1024];

static void together(int what) {
  if (what == 0) {
    shmem_barrier_all();
  } else {
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, dest, source, what == 1 ? 1 : 1024);
  }
}

int main(int argc, char** argv) {
  static const char* const names[] = {"barrier_all", "sum_reduce of 8 B", "sum_reduce of 8 KiB"};
  const int repetitions = argc > 1 ? atoi(argv[1]) : 10;
  shmem_init();
  if (shmem_my_pe() == 0) puts("operation,PEs,time_us");
  for (int what = 0; what < 3; ++what) {
    shmem_barrier_all();
    const double begin = now_us();
    for (int i = 0; i < repetitions; ++i) together(what);
    const double each = (now_us() - begin) / repetitions;
    if (shmem_my_pe() == 0) printf("%s,%d,%.3f\n", names[what], shmem_n_pes(), each);
  }
  shmem_finalize();
  return 0;
}
