/* What the examples share: the clock of the simulated node. */
#ifndef SHMEM_EXAMPLE_COMMON_H
#define SHMEM_EXAMPLE_COMMON_H

#include <time.h>

/* Microseconds since some moment in the past. */
static inline double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

#endif
