/* The same of OpenSHMEM: shmem WHAT SIZE ROUNDS. */
#include <heddle.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int c, char** v) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  const char* what = v[1];
  const int bytes = atoi(v[2]), rounds = c > 3 ? atoi(v[3]) : 0;
  char* memory = shmem_malloc(bytes + 8);
  char* data = calloc(bytes + 8, 1);
  long* flag = shmem_malloc(sizeof(long));
  long* sum = shmem_malloc(sizeof(long));
  *flag = *sum = 0;
  shmem_barrier_all();
  for (int i = 1; i <= rounds; i++) {
    /* Of one PE alone, the others wait. */
    if (!strncmp(what, "one-", 4) && me > 0) break;
    if (!strcmp(what, "one-puts")) shmem_putmem(memory, data, bytes, n / 2), shmem_quiet();
    if (!strcmp(what, "one-gets")) shmem_getmem(data, memory, bytes, n / 2);
    if (!strcmp(what, "one-atomics")) shmem_long_atomic_fetch_add(flag, 1, n / 2);
    if (!strcmp(what, "puts")) {
      shmem_putmem(memory, data, bytes, (me + 1) % n);
      shmem_quiet();
    }
    if (!strcmp(what, "flood")) shmem_putmem_nbi(memory, data, bytes, (me + 1) % n);
    if (!strcmp(what, "gets")) shmem_getmem(data, memory, bytes, (me + 1) % n);
    if (!strcmp(what, "barriers")) shmem_barrier_all();
    if (!strcmp(what, "atomics")) shmem_long_atomic_fetch_add(flag, 1, (me + 1) % n);
    if (!strcmp(what, "sums")) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum, flag, 1);
    if (!strcmp(what, "flags") && me < 2) {
      if (me == 0) shmem_long_p(flag, i, 1);
      shmem_long_wait_until(flag, SHMEM_CMP_GE, i);
      if (me == 1) shmem_long_p(flag, i, 0);
    }
    if (!strcmp(what, "slow"))
      heddle_compute(bytes * 1e-6 * (me == 3 ? 10 : 1)), shmem_barrier_all();
    if (!strcmp(what, "fast")) heddle_compute(bytes * 1e-6), shmem_barrier_all();
    if (!strcmp(what, "sleep")) usleep(me == 3 ? bytes : 0), shmem_barrier_all();
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
