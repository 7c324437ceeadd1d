/* How long an allreduce takes: from the end of a barrier to the end of its last rank.
 *
 *     heddlecc -O2 allreduce.c -o allreduce
 *     heddle run -n 64 --platform fat-tree-64 ./allreduce 4096 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8;
  const int count = bytes / (int)sizeof(double);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* data = calloc(count > 0 ? count : 1, sizeof *data);
  double* sum = calloc(count > 0 ? count : 1, sizeof *sum);

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  MPI_Allreduce(data, sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double taken = MPI_Wtime() - begin;

  double longest;
  MPI_Reduce(&taken, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d bytes: %.3f us\n", bytes, longest * 1e6);
  free(data);
  free(sum);
  MPI_Finalize();
  return 0;
}
