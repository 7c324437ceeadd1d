/* Cycles of a Monte Carlo application in the manner of Quicksilver: particles fly through the
 * domains of a periodic grid of ranks, and those that leave one are sent on until all have ended
 * their flight. Before cycle `k` it switches to the second level of --fidelity.
 *
 *     heddle run -n 16 --fidelity "hybrid/queue, portals/packet" ./cycles 5
 *
 * Prints the time of each of ten cycles, in microseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../mpi/costs.h"

enum { CYCLES = 10, SIDES = 6, PARTICLE = 96 };

int main(int argc, char** argv) {
  const int k = argc > 1 ? atoi(argv[1]) : 0, particles = argc > 2 ? atoi(argv[2]) : 10000;
  int dims[3] = {0, 0, 0}, around[3] = {1, 1, 1}, peer[SIDES], count[SIDES], got[SIDES];
  int rank, ranks, cycle, i;
  char *out, *in;
  double begin;
  MPI_Comm grid;
  MPI_Request requests[2 * SIDES];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, around, 0, &grid);
  for (i = 0; i < 3; i++) MPI_Cart_shift(grid, i, 1, &peer[2 * i], &peer[2 * i + 1]);
  out = calloc((size_t)particles + SIDES, PARTICLE);
  in = calloc((size_t)particles + SIDES, PARTICLE * SIDES);
  for (cycle = 0; cycle < CYCLES; cycle++) {
    long flying = particles / ranks, left = 1;
    if (cycle == k) MPI_Pcontrol(1);
    MPI_Barrier(grid);
    begin = MPI_Wtime();
    while (left > 0) {
      long arrived = 0;
      COSTS(200.0 * (double)flying); /* A flight ends in half of all cases, else beyond the rim. */
      for (i = 0; i < SIDES; i++) count[i] = (int)(flying / 2 / SIDES + (rank + cycle + i) % 2);
      if (flying == 0) {
        for (i = 0; i < SIDES; i++) count[i] = 0;
      }
      for (i = 0; i < SIDES; i++) MPI_Irecv(&got[i], 1, MPI_INT, peer[i], i, grid, &requests[i]);
      for (i = 0; i < SIDES; i++)
        MPI_Isend(&count[i], 1, MPI_INT, peer[i], i ^ 1, grid, &requests[SIDES + i]);
      MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
      for (i = 0; i < SIDES; i++) {
        MPI_Irecv(in + (size_t)i * (size_t)particles * PARTICLE, got[i] * PARTICLE, MPI_BYTE,
                  peer[i], SIDES + i, grid, &requests[i]);
      }
      for (i = 0; i < SIDES; i++)
        MPI_Isend(out, count[i] * PARTICLE, MPI_BYTE, peer[i], SIDES + (i ^ 1), grid,
                  &requests[SIDES + i]);
      MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
      for (i = 0; i < SIDES; i++) arrived += got[i];
      flying = arrived > SIDES ? arrived : 0;
      MPI_Allreduce(&flying, &left, 1, MPI_LONG, MPI_SUM, grid);
    }
    if (rank == 0) printf("%d,%.3f\n", cycle, (MPI_Wtime() - begin) * 1e6);
  }
  free(out);
  free(in);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
