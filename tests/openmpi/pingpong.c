/* Half a round trip of 8 B between two ranks by MPI, in us. */
#include <mpi.h>
#include <stdio.h>

enum { kWarmUp = 10, kRounds = 100 };

int main(int argc, char** argv) {
  int rank;
  char data[8] = "";
  double start = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < kWarmUp + kRounds; ++i) {
    if (i == kWarmUp) start = MPI_Wtime();
    if (rank == 0) MPI_Send(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(data, sizeof data, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%.3f\n", (MPI_Wtime() - start) / kRounds / 2 * 1e6);
  MPI_Finalize();
  return 0;
}
