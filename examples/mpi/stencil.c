/* Heat on a square plate: each rank has a block of it and exchanges edges with its four neighbours.
 *
 *     heddlecc -O2 stencil.c -o stencil
 *     heddle run -n 64 --platform fat-tree-64 ./stencil          # 1024 x 1024 points, 50 steps
 *     heddle run -n 64 --platform fat-tree-64 ./stencil 4096 10
 *
 * It is an ordinary MPI program, and runs under any other MPI as well. Only on a simulated machine
 * it says what a step of its computation costs there, so that results are the same on every machine
 * that simulates it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "costs.h"

/* A rank's block, with an edge of its neighbours' points around it. */
struct block {
  MPI_Comm grid;
  int peer[4]; /* Above, below, left, right; MPI_PROC_NULL at the rim of the plate. */
  int rows, columns;
  double *now, *next;
  MPI_Datatype column;
};

static double* at(const struct block* b, double* values, int row, int column) {
  return values + (size_t)row * (size_t)(b->columns + 2) + (size_t)column;
}

static void set_up(struct block* b, int points) {
  int dims[2] = {0, 0}, around[2] = {0, 0}, where[2], ranks, rank, row;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, around, 1, &b->grid);
  MPI_Comm_rank(b->grid, &rank);
  MPI_Cart_coords(b->grid, rank, 2, where);
  MPI_Cart_shift(b->grid, 0, 1, &b->peer[0], &b->peer[1]);
  MPI_Cart_shift(b->grid, 1, 1, &b->peer[2], &b->peer[3]);
  b->rows = points / dims[0] + (where[0] < points % dims[0]);
  b->columns = points / dims[1] + (where[1] < points % dims[1]);
  b->now = calloc((size_t)(b->rows + 2) * (size_t)(b->columns + 2), sizeof(double));
  b->next = calloc((size_t)(b->rows + 2) * (size_t)(b->columns + 2), sizeof(double));
  if (b->now == NULL || b->next == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Type_vector(b->rows, 1, b->columns + 2, MPI_DOUBLE, &b->column);
  MPI_Type_commit(&b->column);
  if (where[1] == 0) { /* The left rim is hot. */
    for (row = 0; row < b->rows + 2; row++) *at(b, b->now, row, 0) = *at(b, b->next, row, 0) = 1;
  }
}

static void exchange_edges(const struct block* b) {
  MPI_Request requests[8];
  const int m = b->rows, n = b->columns;
  MPI_Irecv(at(b, b->now, 0, 1), n, MPI_DOUBLE, b->peer[0], 0, b->grid, &requests[0]);
  MPI_Irecv(at(b, b->now, m + 1, 1), n, MPI_DOUBLE, b->peer[1], 1, b->grid, &requests[1]);
  MPI_Irecv(at(b, b->now, 1, 0), 1, b->column, b->peer[2], 2, b->grid, &requests[2]);
  MPI_Irecv(at(b, b->now, 1, n + 1), 1, b->column, b->peer[3], 3, b->grid, &requests[3]);
  MPI_Isend(at(b, b->now, 1, 1), n, MPI_DOUBLE, b->peer[0], 1, b->grid, &requests[4]);
  MPI_Isend(at(b, b->now, m, 1), n, MPI_DOUBLE, b->peer[1], 0, b->grid, &requests[5]);
  MPI_Isend(at(b, b->now, 1, 1), 1, b->column, b->peer[2], 3, b->grid, &requests[6]);
  MPI_Isend(at(b, b->now, 1, n), 1, b->column, b->peer[3], 2, b->grid, &requests[7]);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

/* One step; answers the largest change of a point. */
static double step(struct block* b) {
  double largest = 0, *swap;
  int row, column;
  for (row = 1; row <= b->rows; row++) {
    for (column = 1; column <= b->columns; column++) {
      const double *p = at(b, b->now, row, column), *above = p - b->columns - 2,
                   *below = p + b->columns + 2;
      const double value = 0.25 * (*above + *below + p[-1] + p[1]);
      const double change = value > *p ? value - *p : *p - value;
      if (change > largest) largest = change;
      *at(b, b->next, row, column) = value;
    }
  }
  COSTS(7.0 * b->rows * b->columns);
  swap = b->now;
  b->now = b->next;
  b->next = swap;
  return largest;
}

int main(int argc, char** argv) {
  struct block b;
  double change = 0, begin, seconds;
  int points, steps, i, rank, ranks;
  MPI_Init(&argc, &argv);
  points = argc > 1 ? atoi(argv[1]) : 1024;
  steps = argc > 2 ? atoi(argv[2]) : 50;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  set_up(&b, points);
  MPI_Barrier(b.grid);
  begin = MPI_Wtime();
  for (i = 0; i < steps; i++) {
    exchange_edges(&b);
    change = step(&b);
    MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, b.grid);
  }
  seconds = MPI_Wtime() - begin;
  if (rank == 0) {
    printf("%d x %d points on %d ranks: %d steps, %.2f us each, last change %.6f\n", points, points,
           ranks, steps, seconds / steps * 1e6, change);
  }
  MPI_Type_free(&b.column);
  MPI_Comm_free(&b.grid);
  free(b.now);
  free(b.next);
  MPI_Finalize();
  return 0;
}
