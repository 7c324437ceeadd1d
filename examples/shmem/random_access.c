/* Random updates of a table that is spread over all PEs.
 *
 *   heddle run -n 16 ./random_access [WORDS [UPDATES]]
 *
 * Each PE combines random words of the whole table with random numbers by exclusive or, atomically,
 * then does the same again: every word must be what it was. */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

static uint64_t next_random(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void update(uint64_t* table, uint64_t words, int updates) {
  const uint64_t pes = (uint64_t)shmem_n_pes();
  uint64_t state = 0x9e3779b97f4a7c15u * ((uint64_t)shmem_my_pe() + 1);
  for (int i = 0; i < updates; ++i) {
    const uint64_t value = next_random(&state);
    const uint64_t place = value % (words * pes);
    shmem_uint64_atomic_xor(table + place % words, value, (int)(place / words));
  }
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  const uint64_t words = argc > 1 ? strtoull(argv[1], NULL, 10) : 1024;
  const int updates = argc > 2 ? atoi(argv[2]) : 1000;
  static long wrong, all_wrong;
  shmem_init();
  uint64_t* table = shmem_malloc(words * sizeof *table);
  for (uint64_t i = 0; i < words; ++i) table[i] = i;
  shmem_barrier_all();
  const double begin = now_us();
  update(table, words, updates);
  const double time = now_us() - begin;
  update(table, words, updates);
  for (uint64_t i = 0; i < words; ++i) wrong += table[i] != i;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all_wrong, &wrong, 1);
  if (shmem_my_pe() == 0) {
    printf("%d updates of %llu words on %d PEs: %.3f million per second, %ld words wrong\n",
           updates * shmem_n_pes(), (unsigned long long)(words * (uint64_t)shmem_n_pes()),
           shmem_n_pes(), updates * shmem_n_pes() / time, all_wrong);
  }
  shmem_finalize();
  return all_wrong != 0;
}
