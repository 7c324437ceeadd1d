/* Latency and bandwidth of puts and gets between the first and the last PE.
 *
 *   heddle run -n 2 ./putget [REPETITIONS]
 *
 * latency_us is that of one operation that is waited for (a put by shmem_quiet), bandwidth_MBps
 * that of a window of them waited for together. */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

#define LARGEST (4 << 20)
#define WINDOW 16

static double put_latency(char* dest, const char* source, size_t size, int peer, int repetitions) {
  const double begin = now_us();
  for (int i = 0; i < repetitions; ++i) {
    shmem_putmem(dest, source, size, peer);
    shmem_quiet();
  }
  return (now_us() - begin) / repetitions;
}

static double get_latency(char* dest, const char* source, size_t size, int peer, int repetitions) {
  const double begin = now_us();
  for (int i = 0; i < repetitions; ++i) shmem_getmem(dest, source, size, peer);
  return (now_us() - begin) / repetitions;
}

/* Bytes per microsecond are megabytes per second. */
static double bandwidth(int get, char* dest, const char* source, size_t size, int peer,
                        int repetitions) {
  const double begin = now_us();
  for (int i = 0; i < repetitions; ++i) {
    for (int k = 0; k < WINDOW; ++k) {
      if (get) {
        shmem_getmem_nbi(dest, source, size, peer);
      } else {
        shmem_putmem_nbi(dest, source, size, peer);
      }
    }
    shmem_quiet();
  }
  return (double)size * WINDOW * repetitions / (now_us() - begin);
}

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? atoi(argv[1]) : 10;
  shmem_init();
  const int last = shmem_n_pes() - 1;
  char* dest = shmem_malloc(LARGEST);
  char* source = shmem_calloc(LARGEST, 1);
  if (shmem_my_pe() == 0) {
    puts("operation,size_B,latency_us,bandwidth_MBps");
    for (size_t size = 8; size <= LARGEST; size *= 8) {
      const double put = put_latency(dest, source, size, last, repetitions);
      printf("put,%zu,%.3f,%.1f\n", size, put, bandwidth(0, dest, source, size, last, repetitions));
      const double get = get_latency(dest, source, size, last, repetitions);
      printf("get,%zu,%.3f,%.1f\n", size, get, bandwidth(1, dest, source, size, last, repetitions));
    }
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
