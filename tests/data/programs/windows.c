/* One-sided communication in all kinds of epochs, for replays of their traces: the first argument
 * says which, the second how many numbers an operation has. */
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, right, left, count;
static double *mine, *base;
static MPI_Win win;

static void put(int target) {
  MPI_Put(mine, count, MPI_DOUBLE, target, (MPI_Aint)rank * count, count, MPI_DOUBLE, win);
}
static void get(int target) {
  MPI_Get(mine, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, win);
}

static void fences(void) {
  int i;
  MPI_Win_fence(0, win);
  for (i = 0; i < 5; i++) {
    put(right);
    heddle_compute(3e-7);
    get(left);
    MPI_Win_fence(0, win);
  }
}

static void locks(void) {
  int i;
  for (i = 0; i < 5; i++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    put(0);
    MPI_Win_unlock(0, win);
    heddle_compute(1e-6);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    get(right);
    MPI_Win_flush(right, win);
    MPI_Accumulate(mine, count, MPI_DOUBLE, right, 0, count, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_unlock(right, win);
  }
}

static void groups(void) {
  MPI_Group all, to, from;
  int i;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &right, &to);
  MPI_Group_incl(all, 1, &left, &from);
  for (i = 0; i < 5; i++) {
    heddle_compute(rank % 2 * 1e-6);
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    put(right);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
  }
  MPI_Group_free(&to);
  MPI_Group_free(&from);
  MPI_Group_free(&all);
}

static void requests(void) {
  int i;
  MPI_Win_lock_all(0, win);
  for (i = 0; i < 5; i++) {
    double one = 1, before;
    MPI_Request r;
    MPI_Fetch_and_op(&one, &before, MPI_DOUBLE, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Rput(mine, count, MPI_DOUBLE, right, (MPI_Aint)rank * count, count, MPI_DOUBLE, win, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    heddle_compute(5e-7);
    MPI_Rget(mine, count, MPI_DOUBLE, left, 0, count, MPI_DOUBLE, win, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Win_unlock_all(win);
}

/* Locks as the first thing of all, by operations on every rank. */
static void atomics(void) {
  double one = 1, before;
  int i, target;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (i = 0; i < 3; i++) {
    for (target = 0; target < ranks; target++) {
      MPI_Fetch_and_op(&one, &before, MPI_DOUBLE, target, 0, MPI_SUM, win);
      MPI_Get_accumulate(mine, count, MPI_DOUBLE, mine, count, MPI_DOUBLE, target, 0, count,
                         MPI_DOUBLE, MPI_SUM, win);
    }
    get(right);
    MPI_Win_flush_all(win);
  }
  MPI_Win_unlock_all(win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  count = atoi(argv[2]);
  mine = calloc((size_t)count, sizeof *mine);
  MPI_Win_allocate((MPI_Aint)sizeof(double) * count * ranks, sizeof(double), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &base, &win);
  if (strcmp(argv[1], "fences") == 0) fences();
  if (strcmp(argv[1], "locks") == 0) locks();
  if (strcmp(argv[1], "groups") == 0) groups();
  if (strcmp(argv[1], "requests") == 0) requests();
  if (strcmp(argv[1], "atomics") == 0) atomics();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  free(mine);
  MPI_Finalize();
  return 0;
}
