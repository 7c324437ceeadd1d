/* Solves a linear system by conjugate gradients, as NAS' benchmark CG does it: ranks stand in a
 * square, each has a block of the matrix, rows of ranks add up products and hand them across the
 * diagonal.
 *
 *     heddlecc -O2 cg.c -o cg
 *     heddle run -n 16 --platform fat-tree-64 ./cg              # 4,096 unknowns, 25 steps
 *     heddle run -n 64 --platform fat-tree-64 ./cg 16384 10
 *
 * The number of ranks must be a square. It is an ordinary MPI program. Only on a simulated machine
 * it says what its computation costs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "costs.h"

enum { BAND = 40 }; /* Every row has an entry at each power of two below, on both sides. */

static int side, row, column, rank;
static MPI_Comm row_of_ranks;
static int n; /* Unknowns of a rank. */

/* An entry of the matrix: symmetric, with a diagonal that outweighs the rest. */
static double entry(long i, long j) {
  const long distance = i > j ? i - j : j - i;
  if (distance == 0) return BAND;
  return (distance & (distance - 1)) == 0 ? -1.0 / (double)(1 + distance % 7) : 0;
}

/* y = A x, of which rank (r, c) has x's part c before and y's part c afterwards. */
static void multiply(const double* x, double* y, double* part) {
  const long first_row = (long)row * n, first_column = (long)column * n;
  const int across = column * side + row;
  int i, power;
  for (i = 0; i < n; i++) {
    double sum = 0;
    for (power = -1; power < 24; power++) {
      const long step = power < 0 ? 0 : 1L << power;
      const long low = first_row + i - step - first_column;
      const long high = first_row + i + step - first_column;
      if (low >= 0 && low < n) sum += entry(first_row + i, low + first_column) * x[low];
      if (step > 0 && high >= 0 && high < n)
        sum += entry(first_row + i, high + first_column) * x[high];
    }
    part[i] = sum;
  }
  COSTS(2.0 * BAND * n);
  MPI_Allreduce(MPI_IN_PLACE, part, n, MPI_DOUBLE, MPI_SUM, row_of_ranks);
  MPI_Sendrecv(part, n, MPI_DOUBLE, across, 1, y, n, MPI_DOUBLE, across, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static double dot(const double* a, const double* b) {
  double sum = 0;
  int i;
  for (i = 0; i < n; i++) sum += a[i] * b[i];
  COSTS(2.0 * n);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, row_of_ranks);
  return sum;
}

int main(int argc, char** argv) {
  int unknowns = argc > 1 ? atoi(argv[1]) : 4096, steps = argc > 2 ? atoi(argv[2]) : 25;
  int ranks, i, step;
  double *x, *r, *p, *q, *part, rho, begin;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (side * side < ranks) side++;
  if (side * side != ranks) {
    if (rank == 0) fprintf(stderr, "cg: %d ranks do not make a square\n", ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  row = rank / side;
  column = rank % side;
  n = unknowns / side;
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &row_of_ranks);
  x = calloc((size_t)n * 5, sizeof *x);
  r = x + n, p = r + n, q = p + n, part = q + n;
  for (i = 0; i < n; i++) r[i] = p[i] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  rho = dot(r, r);
  for (step = 0; step < steps; step++) {
    double alpha, beta, before = rho;
    multiply(p, q, part);
    alpha = rho / dot(p, q);
    for (i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    rho = dot(r, r);
    beta = rho / before;
    for (i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
    COSTS(6.0 * n);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d unknowns on %d ranks: %d steps, %.2f us each, residue %.3e\n", unknowns, ranks,
           steps, (MPI_Wtime() - begin) / steps * 1e6, rho);
  }
  free(x);
  MPI_Comm_free(&row_of_ranks);
  MPI_Finalize();
  return 0;
}
