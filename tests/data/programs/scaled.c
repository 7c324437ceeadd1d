/* Programs whose traces on few ranks say what many do, and one whose traces do not: the argument
 * says which. */
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static double *a, *b;

/* Sums up 2^15 numbers by hand: ranks - 1 rounds of scattering, as many of gathering. */
static void ring(void) {
  const int part = (1 << 15) / ranks, right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int i;
  for (i = 0; i < 2 * (ranks - 1); i++) {
    MPI_Request r[2];
    MPI_Irecv(b, part, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(a, part, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    heddle_compute(1e-10 * part);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Rows of a square of ranks add up what they have, round by round, and hand it to the rank beside
 * the diagonal, as in NAS' CG. */
static void butterflies(void) {
  int side[2] = {0, 0}, distance, column, i;
  MPI_Dims_create(ranks, 2, side);
  column = rank % side[1];
  for (i = 0; i < 3; i++) {
    for (distance = 1; distance < side[1]; distance *= 2) {
      const int peer = rank - column + (column ^ distance);
      MPI_Sendrecv(a, 1024, MPI_DOUBLE, peer, 2, b, 1024, MPI_DOUBLE, peer, 2, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      heddle_compute(1e-6);
    }
    MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* A matrix is transposed, as in FT. */
static void transposes(void) {
  const int part = (1 << 18) / ranks / ranks;
  int i;
  for (i = 0; i < 3; i++) {
    heddle_compute(1e-4 / ranks);
    MPI_Alltoall(a, part, MPI_DOUBLE, b, part, MPI_DOUBLE, MPI_COMM_WORLD);
  }
}

/* Wavefronts through a plane of ranks, there and back, as in LU. */
static void sweeps(void) {
  int side[2] = {0, 0}, around[2] = {0, 0}, up, down, left, right, i, k;
  MPI_Comm plane;
  MPI_Dims_create(ranks, 2, side);
  MPI_Cart_create(MPI_COMM_WORLD, 2, side, around, 0, &plane);
  MPI_Cart_shift(plane, 0, 1, &up, &down);
  MPI_Cart_shift(plane, 1, 1, &left, &right);
  for (i = 0; i < 2; i++) {
    for (k = 0; k < 5; k++) {
      MPI_Recv(a, 128, MPI_DOUBLE, up, 3, plane, MPI_STATUS_IGNORE);
      MPI_Recv(b, 128, MPI_DOUBLE, left, 4, plane, MPI_STATUS_IGNORE);
      heddle_compute(2e-6);
      MPI_Send(a, 128, MPI_DOUBLE, down, 3, plane);
      MPI_Send(b, 128, MPI_DOUBLE, right, 4, plane);
    }
    MPI_Allreduce(a, b, 5, MPI_DOUBLE, MPI_SUM, plane);
  }
  MPI_Comm_free(&plane);
}

/* Planes of 128 x 128 points with 5 numbers each, which come from one corner of the ranks and go
 * back from the other, as in NAS' LU: ranks are numbered along the longer side first. */
static void pipelines(void) {
  int side[2] = {0, 0}, i, k;
  MPI_Dims_create(ranks, 2, side);
  const int rows = side[0], columns = side[1], row = rank % rows, column = rank / rows;
  const int north = row > 0 ? rank - 1 : -1, south = row + 1 < rows ? rank + 1 : -1;
  const int west = column > 0 ? rank - rows : -1, east = column + 1 < columns ? rank + rows : -1;
  const int wide = 5 * 128 / columns, high = 5 * 128 / rows;
  for (i = 0; i < 2; i++) {
    for (k = 0; k < 6; k++) {
      if (north >= 0) MPI_Recv(a, wide, MPI_DOUBLE, north, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (west >= 0) MPI_Recv(b, high, MPI_DOUBLE, west, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      heddle_compute(1e-4 / ranks);
      if (south >= 0) MPI_Send(a, wide, MPI_DOUBLE, south, 7, MPI_COMM_WORLD);
      if (east >= 0) MPI_Send(b, high, MPI_DOUBLE, east, 7, MPI_COMM_WORLD);
    }
    for (k = 0; k < 6; k++) {
      if (south >= 0) MPI_Recv(a, wide, MPI_DOUBLE, south, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (east >= 0) MPI_Recv(b, high, MPI_DOUBLE, east, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      heddle_compute(1e-4 / ranks);
      if (north >= 0) MPI_Send(a, wide, MPI_DOUBLE, north, 8, MPI_COMM_WORLD);
      if (west >= 0) MPI_Send(b, high, MPI_DOUBLE, west, 8, MPI_COMM_WORLD);
    }
    MPI_Allreduce(a, b, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* Rank 0 hands out work to whoever asks: who does what is chance. */
static void workers(void) {
  int i, done = 0;
  MPI_Status s;
  if (rank == 0) {
    for (i = 0; i < 40 + ranks - 1; i++) {
      MPI_Recv(b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &s);
      a[0] = i < 40;
      MPI_Send(a, 1, MPI_DOUBLE, s.MPI_SOURCE, 6, MPI_COMM_WORLD);
    }
    return;
  }
  while (!done) {
    MPI_Send(a, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    MPI_Recv(b, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    done = b[0] == 0;
    heddle_compute(1e-6 * (1 + rank % 3));
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  a = calloc(1 << 18, sizeof *a);
  b = calloc(1 << 18, sizeof *b);
  if (strcmp(argv[1], "ring") == 0) ring();
  if (strcmp(argv[1], "butterflies") == 0) butterflies();
  if (strcmp(argv[1], "transposes") == 0) transposes();
  if (strcmp(argv[1], "sweeps") == 0) sweeps();
  if (strcmp(argv[1], "pipelines") == 0) pipelines();
  if (strcmp(argv[1], "workers") == 0) workers();
  free(a);
  free(b);
  MPI_Finalize();
  return 0;
}
