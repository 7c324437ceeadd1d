/* What a program that transposes matrices does: all to all, 64 KiB to each.
 *
 *     transpose TIMES     # prints the mean time of one in microseconds
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBytes = 65536 };

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int times = argc > 1 ? atoi(argv[1]) : 10;
  char* out = calloc((size_t)ranks, kBytes);
  char* in = calloc((size_t)ranks, kBytes);
  const double begin = MPI_Wtime();
  for (int i = 0; i < times; ++i)
    MPI_Alltoall(out, kBytes, MPI_BYTE, in, kBytes, MPI_BYTE, MPI_COMM_WORLD);
  if (rank == 0) printf("transpose: %.2f us each\n", (MPI_Wtime() - begin) / times * 1e6);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
