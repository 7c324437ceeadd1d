/* Exchanges of messages, for replays of their traces: the first argument says which. */
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static char *out, *in;

/* 8 bytes handed around, then to and fro between neighbours. */
static void chain(void) {
  int i;
  for (i = 0; i < 10; i++) {
    if (rank > 0) MPI_Recv(in, 8, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, 8, MPI_BYTE, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(in, 8, MPI_BYTE, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (i = 0; i < 50; i++) {
    if (rank % 2 == 0) {
      MPI_Send(out, 8, MPI_BYTE, rank + 1, 1, MPI_COMM_WORLD);
      MPI_Recv(in, 8, MPI_BYTE, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in, 8, MPI_BYTE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(out, 8, MPI_BYTE, rank - 1, 1, MPI_COMM_WORLD);
    }
  }
}

static void collectives(void) {
  int i;
  for (i = 0; i < 5; i++) {
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(out, 256, MPI_BYTE, in, 256, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Bcast(in, 40000, MPI_BYTE, i, MPI_COMM_WORLD);
  }
}

static unsigned long state;
static int below(int limit) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((state >> 33) % (unsigned long)limit);
}

/* Rounds of a random permutation each, of sizes from 8 B to 256 KiB, by calls of all kinds. */
static void at_random(int rounds) {
  int* to = malloc((size_t)ranks * sizeof *to);
  int round, k;
  for (round = 0; round < rounds; round++) {
    int from = 0, bytes, kind;
    double work;
    MPI_Request r[2];
    for (k = 0; k < ranks; k++) to[k] = k;
    for (k = ranks - 1; k > 0; k--) {
      const int other = below(k + 1), kept = to[k];
      to[k] = to[other];
      to[other] = kept;
    }
    for (k = 0; k < ranks; k++) {
      if (to[k] == rank) from = k;
    }
    bytes = 8 << below(16);
    kind = below(5);
    work = below(1000) * 1e-9 * (rank % 3);
    switch (kind) {
      case 0:
        MPI_Irecv(in, bytes, MPI_BYTE, from, round, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(out, bytes, MPI_BYTE, to[rank], round, MPI_COMM_WORLD, &r[1]);
        heddle_compute(work);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        break;
      case 1:
        MPI_Sendrecv(out, bytes, MPI_BYTE, to[rank], round, in, bytes, MPI_BYTE, from, round,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
      case 2:
        MPI_Irecv(in, bytes, MPI_BYTE, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &r[0]);
        heddle_compute(work);
        MPI_Send(out, bytes, MPI_BYTE, to[rank], round, MPI_COMM_WORLD);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        break;
      case 3:
        MPI_Isend(out, bytes, MPI_BYTE, to[rank], round, MPI_COMM_WORLD, &r[0]);
        heddle_compute(work);
        MPI_Recv(in, bytes, MPI_BYTE, from, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        break;
      default:
        MPI_Allreduce(out, in, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        heddle_compute(work);
    }
  }
  free(to);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  out = calloc(1, 1 << 20);
  in = calloc(1, 1 << 20);
  if (strcmp(argv[1], "chain") == 0) chain();
  if (strcmp(argv[1], "collectives") == 0) collectives();
  if (strcmp(argv[1], "random") == 0) {
    state = (unsigned long)atol(argv[2]);
    at_random(40);
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
