/* What an iterative solver does between its computations: exchanges 8 KiB with both neighbours on a
 * ring, and agrees on a sum.
 *
 *     solver ITERATIONS      # prints the mean time of one in microseconds
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBytes = 8192 };

int main(int argc, char** argv) {
  static char out[2][kBytes], in[2][kBytes];
  double residue = 1, sum;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  const double begin = MPI_Wtime();
  for (int i = 0; i < iterations; ++i) {
    MPI_Request requests[4];
    MPI_Irecv(in[0], kBytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in[1], kBytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out[0], kBytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out[1], kBytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&residue, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0)
    printf("solver: %.2f us per iteration\n", (MPI_Wtime() - begin) / iterations * 1e6);
  MPI_Finalize();
  return 0;
}
