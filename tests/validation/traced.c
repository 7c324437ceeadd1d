/* What tracing libraries are compared by: messages of all usual kinds, collectives with sizes that
   differ, communicators whose ranks are the other way round. No MPI_Sendrecv, of which EZTrace 2.0
   writes down nothing but the time. */
#include <mpi.h>

enum { most = 1 << 17, most_ranks = 64 };
static char out[most], in[most * 16];

static void ring(MPI_Comm comm, int rounds) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[4];
    MPI_Irecv(in, most, MPI_CHAR, left, 10 + round, comm, &requests[0]);
    MPI_Irecv(in + most, most, MPI_CHAR, right, 50 + round, comm, &requests[1]);
    MPI_Isend(out, 1000 * (round + 1), MPI_CHAR, right, 10 + round, comm, &requests[2]);
    MPI_Isend(out, 100 * (round + 1) + rank, MPI_CHAR, left, 50 + round, comm, &requests[3]);
    MPI_Status statuses[4];
    MPI_Waitall(4, requests, statuses);
  }
}

static void chain(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (rank > 0) MPI_Recv(in, most, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
  if (rank + 1 < size) MPI_Send(out, 20 + rank, MPI_INT, rank + 1, 7, comm);
  if (rank > 0) MPI_Ssend(out, 3, MPI_DOUBLE, rank - 1, 8, comm);
  if (rank + 1 < size) MPI_Recv(in, 3, MPI_DOUBLE, rank + 1, 8, comm, MPI_STATUS_IGNORE);
}

static void collectives(MPI_Comm comm) {
  int rank, size, counts[most_ranks], places[most_ranks];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int r = 0; r < size; ++r) {
    counts[r] = r + 1;
    places[r] = 100 * r;
  }
  MPI_Barrier(comm);
  MPI_Bcast(out, 300, MPI_INT, 1, comm);
  MPI_Reduce(out, in, 200, MPI_FLOAT, MPI_SUM, size - 1, comm);
  MPI_Allreduce(out, in, 50, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Gather(out, 40, MPI_INT, in, 40, MPI_INT, 0, comm);
  MPI_Scatter(out, 30, MPI_INT, in, 30, MPI_INT, 0, comm);
  MPI_Allgather(out, 20, MPI_INT, in, 20, MPI_INT, comm);
  MPI_Alltoall(out, 10, MPI_INT, in, 10, MPI_INT, comm);
  MPI_Gatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, 0, comm);
  MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ring(MPI_COMM_WORLD, 5);
  chain(MPI_COMM_WORLD);
  collectives(MPI_COMM_WORLD);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  ring(half, 3);
  chain(half);
  collectives(half);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
