/* Kernels of other kinds than those of the examples, for computation that is counted:
 *
 *     kernels particles|dense|sparse SIZE ROUNDS
 *
 * particles: forces between all pairs, and steps in time; dense: a product of square matrices, by
 * blocks; sparse: a matrix of 27 diagonals in compressed rows times a vector. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double* numbers(int count, unsigned seed) {
  double* all = malloc((size_t)count * sizeof *all);
  int i;
  for (i = 0; i < count; i++) all[i] = (double)((seed = seed * 1103515245u + 12345u) >> 16) / 65536;
  return all;
}

struct particles {
  double *x, *y, *vx, *vy;
};

static double particles_round(struct particles* p, int n) {
  double energy = 0;
  int i, j;
  for (i = 0; i < n; i++) {
    double fx = 0, fy = 0;
    for (j = 0; j < n; j++) {
      const double dx = p->x[j] - p->x[i], dy = p->y[j] - p->y[i];
      const double square = dx * dx + dy * dy + 1e-6, inverse = 1 / (square * sqrt(square));
      fx += dx * inverse;
      fy += dy * inverse;
    }
    p->vx[i] += 1e-9 * fx;
    p->vy[i] += 1e-9 * fy;
  }
  for (i = 0; i < n; i++) {
    p->x[i] += p->vx[i];
    p->y[i] += p->vy[i];
    energy += p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i];
  }
  return energy;
}

static double dense_round(const double* a, const double* b, double* c, int n) {
  enum { kBlock = 32 };
  int i, j, k, ii, kk;
  memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
  for (ii = 0; ii < n; ii += kBlock) {
    for (kk = 0; kk < n; kk += kBlock) {
      for (i = ii; i < n && i < ii + kBlock; i++) {
        for (k = kk; k < n && k < kk + kBlock; k++) {
          const double factor = a[i * n + k];
          for (j = 0; j < n; j++) c[i * n + j] += factor * b[k * n + j];
        }
      }
    }
  }
  return c[n + 1];
}

struct sparse {
  int *start, *column;
  double* value;
};

static struct sparse sparse_matrix(int n) {
  struct sparse m = {malloc(((size_t)n + 1) * sizeof(int)), malloc((size_t)n * 27 * sizeof(int)),
                     numbers(n * 27, 7)};
  int row, d, at = 0;
  for (row = 0; row < n; row++) {
    m.start[row] = at;
    for (d = -13; d <= 13; d++) {
      const long column = row + (long)d * (d % 3 == 0 ? 41 : 1);
      if (column >= 0 && column < n) m.column[at++] = (int)column;
    }
  }
  m.start[n] = at;
  return m;
}

static double sparse_round(const struct sparse* m, const double* x, double* y, int n) {
  int row, i;
  for (row = 0; row < n; row++) {
    double sum = 0;
    for (i = m->start[row]; i < m->start[row + 1]; i++) sum += m->value[i] * x[m->column[i]];
    y[row] = sum;
  }
  return y[n / 2];
}

int main(int argc, char** argv) {
  double begin = 0, result = 0;
  int n, rounds, i, round;
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  n = atoi(argv[2]);
  rounds = atoi(argv[3]);
  {
    const int all = strcmp(argv[1], "dense") == 0 ? n * n : n;
    double *a = numbers(all, 1), *b = numbers(all, 2), *c = numbers(all, 3), *d = numbers(all, 4);
    struct particles p = {a, b, c, d};
    struct sparse m = sparse_matrix(strcmp(argv[1], "sparse") == 0 ? n : 1);
    for (i = 0; i < n && strcmp(argv[1], "particles") == 0; i++) c[i] = d[i] = 0;
    for (round = -1; round < rounds; round++) {
      if (round == 0) begin = MPI_Wtime();
      if (strcmp(argv[1], "particles") == 0) result += particles_round(&p, n);
      if (strcmp(argv[1], "dense") == 0) result += dense_round(a, b, c, n);
      if (strcmp(argv[1], "sparse") == 0) result += sparse_round(&m, a, b, n);
    }
  }
  printf("%s of %d: %d rounds, %.2f us each, %g\n", argv[1], n, rounds,
         (MPI_Wtime() - begin) / rounds * 1e6, result);
  MPI_Finalize();
  return 0;
}
