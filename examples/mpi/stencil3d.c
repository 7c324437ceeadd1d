/* Weak scaling of a stencil in three dimensions, far beyond what a machine can hold: every rank has
 * the same block of points and exchanges its six faces, and no rank computes or has a block of its
 * own. It is annotated for SMPI, and runs there as well.
 *
 *     heddlecc -O2 stencil3d.c -o stencil3d
 *     heddle run -n 512 --platform torus-512 --payload none ./stencil3d     # 128^3 points each
 *     heddle run -n 1000000 --platform million.yaml --privatize none --payload none ./stencil3d
 *     smpicc -O2 stencil3d.c -o stencil3d && smpirun -np 64 ... ./stencil3d 64 3 */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FACES = 6 };

/* Ranks stand in a periodic grid, the last dimension counting fastest. */
static void find_peers(int rank, const int* dims, int* peer) {
  int i, stride = 1;
  for (i = 2; i >= 0; i--) {
    const int at = rank / stride % dims[i], first = rank - at * stride;
    peer[2 * i] = first + (at + dims[i] - 1) % dims[i] * stride;
    peer[2 * i + 1] = first + (at + 1) % dims[i] * stride;
    stride *= dims[i];
  }
}

int main(int argc, char** argv) {
  const int edge = argc > 1 ? atoi(argv[1]) : 128, steps = argc > 2 ? atoi(argv[2]) : 2;
  const int face = edge * edge;
  const size_t points = (size_t)face * (size_t)edge;
  int dims[3] = {0, 0, 0}, peer[FACES], rank, ranks, i, side, step;
  double *block, *faces, begin, residue = 1;
  MPI_Request requests[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims);
  find_peers(rank, dims, peer);
  block = SMPI_SHARED_MALLOC(points * sizeof *block);
  faces = SMPI_SHARED_MALLOC((size_t)face * 2 * FACES * sizeof *faces);
  if (block == NULL || faces == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  begin = MPI_Wtime();
  for (step = 0; step < steps; step++) {
    /* One dimension after the other, so that edges and corners come along. */
    for (i = 0; i < FACES; i += 2) {
      for (side = i; side < i + 2; side++) {
        MPI_Irecv(faces + (size_t)side * (size_t)face, face, MPI_DOUBLE, peer[side], side,
                  MPI_COMM_WORLD, &requests[side - i]);
        MPI_Isend(faces + (size_t)(FACES + side) * (size_t)face, face, MPI_DOUBLE, peer[side],
                  side ^ 1, MPI_COMM_WORLD, &requests[2 + side - i]);
      }
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    SMPI_SAMPLE_FLOPS(8.0 * (double)points) {
      size_t p;
      for (p = 0; p < points; p++) block[p] *= 0.5;
    }
    MPI_Allreduce(MPI_IN_PLACE, &residue, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  if (rank == 0) {
    printf("%d x %d x %d ranks of %d^3 points: %d steps, %.2f us each\n", dims[0], dims[1], dims[2],
           edge, steps, (MPI_Wtime() - begin) / steps * 1e6);
  }
  SMPI_SHARED_FREE(faces);
  SMPI_SHARED_FREE(block);
  MPI_Finalize();
  return 0;
}
