/* Loops over one operation each, as the OSU micro-benchmarks have them: 10 rounds to warm up and
 * 100 that are measured. They begin with the first level of --fidelity and switch to the second
 * before round `k`: MPI_Pcontrol does nothing elsewhere.
 *
 *     heddle run -n 16 --fidelity "hybrid/queue, portals/packet" ./loops 50
 *
 * Prints the time of a round of each operation, in microseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP = 10, MEASURED = 100, SIZE = 4096 };

static char *out, *in;
static int rank, ranks;

static void exchange(void) {
  MPI_Sendrecv(out, SIZE, MPI_BYTE, rank ^ 1, 0, in, SIZE, MPI_BYTE, rank ^ 1, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}
static void ping_pong(void) {
  if (rank % 2 == 0) {
    MPI_Send(out, SIZE, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Recv(in, SIZE, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(in, SIZE, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, SIZE, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD);
  }
}
static void barrier(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast(void) {
  MPI_Bcast(out, SIZE, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void allreduce(void) {
  MPI_Allreduce(out, in, SIZE / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void allgather(void) {
  MPI_Allgather(out, SIZE, MPI_BYTE, in, SIZE, MPI_BYTE, MPI_COMM_WORLD);
}
static void alltoall(void) {
  MPI_Alltoall(out, SIZE, MPI_BYTE, in, SIZE, MPI_BYTE, MPI_COMM_WORLD);
}

static const struct {
  const char* name;
  void (*run)(void);
} operations[] = {{"exchange", exchange}, {"pingpong", ping_pong},  {"barrier", barrier},
                  {"bcast", bcast},       {"allreduce", allreduce}, {"allgather", allgather},
                  {"alltoall", alltoall}};

int main(int argc, char** argv) {
  const int k = argc > 1 ? atoi(argv[1]) : 0;
  size_t o;
  int i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  out = calloc((size_t)ranks, SIZE);
  in = calloc((size_t)ranks, SIZE);
  for (o = 0; o < sizeof operations / sizeof *operations; o++) {
    double begin = 0;
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (i = 0; i < WARM_UP + MEASURED; i++) {
      if (i == k) MPI_Pcontrol(1);
      if (i == WARM_UP) begin = MPI_Wtime();
      operations[o].run();
    }
    if (rank == 0) {
      printf("%s,%.4f\n", operations[o].name, (MPI_Wtime() - begin) / MEASURED * 1e6);
      fflush(stdout);
    }
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
