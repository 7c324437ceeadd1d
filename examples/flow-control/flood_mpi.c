/* flood.c with MPI: a flow of messages, one at a time, beside others that flood the cable it takes.
 *
 * Ranks stand in two equal halves, and rank i of the first half sends to rank i of the second. Rank
 * 0 sends one message after the other and times them. All ranks of the other nodes of the first
 * half send as much as they can, until rank 0 is done.
 *
 *     flood_mpi SIZE WARM_UP MESSAGES PROCESSES_PER_NODE   # prints the mean latency in
 * microseconds
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kData = 1, kEnd = 2, kStop = 3, kInFlight = 64 };

static int parse_size(const char* text) {
  char* end;
  const long number = strtol(text, &end, 10);
  return (int)(number << (*end == 'M' ? 20 : *end == 'K' ? 10 : 0));
}

/* The mean time of a message, after `warm_up` others that find their way into the queues. */
static double measure(const char* memory, int size, int warm_up, int messages, int to) {
  double start = 0;
  for (int i = 0; i < warm_up + messages; ++i) {
    if (i == warm_up) start = MPI_Wtime();
    MPI_Ssend(memory, size, MPI_BYTE, to, kData, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / messages * 1e6;
}

static void take(char* memory, int size, int count, int from) {
  for (int i = 0; i < count; ++i)
    MPI_Recv(memory, size, MPI_BYTE, from, kData, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Sends until told to stop, with at most kInFlight messages on their way. */
static void flood(const char* memory, int size, int to) {
  MPI_Request requests[kInFlight + 1];
  MPI_Irecv(NULL, 0, MPI_BYTE, 0, kStop, MPI_COMM_WORLD, &requests[kInFlight]);
  for (int i = 0; i < kInFlight; ++i)
    MPI_Isend(memory, size, MPI_BYTE, to, kData, MPI_COMM_WORLD, &requests[i]);
  for (;;) {
    int done;
    MPI_Waitany(kInFlight + 1, requests, &done, MPI_STATUS_IGNORE);
    if (done == kInFlight) break;
    MPI_Isend(memory, size, MPI_BYTE, to, kData, MPI_COMM_WORLD, &requests[done]);
  }
  MPI_Waitall(kInFlight, requests, MPI_STATUSES_IGNORE);
  MPI_Send(NULL, 0, MPI_BYTE, to, kEnd, MPI_COMM_WORLD);
}

/* Receives until the sender says that there is no more. */
static void drain(char* memory, int size, int from) {
  MPI_Request requests[kInFlight];
  MPI_Status status;
  int done;
  for (int i = 0; i < kInFlight; ++i)
    MPI_Irecv(memory, size, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  for (;;) {
    MPI_Waitany(kInFlight, requests, &done, &status);
    if (status.MPI_TAG == kEnd) break;
    MPI_Irecv(memory, size, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[done]);
  }
  for (int i = 0; i < kInFlight; ++i) {
    if (requests[i] != MPI_REQUEST_NULL) MPI_Cancel(&requests[i]);
  }
  MPI_Waitall(kInFlight, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  if (argc != 5) {
    fprintf(stderr, "usage: flood_mpi SIZE WARM_UP MESSAGES PROCESSES_PER_NODE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int size = parse_size(argv[1]), warm_up = atoi(argv[2]), messages = atoi(argv[3]);
  const int per_node = atoi(argv[4]);
  char* memory = calloc(1, (size_t)size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int half = ranks / 2, partner = (rank + half) % ranks, place = rank % half;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%.3f\n", measure(memory, size, warm_up, messages, partner));
    for (int i = per_node; i < half; ++i) MPI_Send(NULL, 0, MPI_BYTE, i, kStop, MPI_COMM_WORLD);
  } else if (rank == half) {
    take(memory, size, warm_up + messages, partner);
  } else if (place >= per_node) {
    if (rank < half) {
      flood(memory, size, partner);
    } else {
      drain(memory, size, partner);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  free(memory);
  MPI_Finalize();
  return 0;
}
