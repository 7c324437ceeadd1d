/* A program for 4 ranks that communicates in many ways and prints what it did, by its own count:
 *
 *   sent RANK DESTINATION MESSAGES BYTES      in ranks of MPI_COMM_WORLD
 *   received RANK MESSAGES BYTES
 *   called RANK FUNCTION BYTES                a collective, with what this rank put in
 *   done RANK
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kRanks = 4, kLargest = 1 << 20 };

static int rank;
static int only_messages;
static char out[kLargest], in[kLargest];
static long messages_to[kRanks], bytes_to[kRanks], messages_received, bytes_received;

static void sent(int to, long bytes) {
  messages_to[to]++;
  bytes_to[to] += bytes;
}

static void received(long bytes) {
  messages_received++;
  bytes_received += bytes;
}

static void called(const char* function, long bytes) {
  printf("called %d %s %ld\n", rank, function, bytes);
}

/* Blocking, in all modes, small and large; the receiver offers more room than it needs. */
static void blocking_messages(void) {
  static double attached[4096];
  void* detached;
  int size;
  if (rank == 0) {
    MPI_Send(out, 100, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Ssend(out, 3, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD);
    MPI_Buffer_attach(attached, sizeof attached);
    MPI_Bsend(out, 11, MPI_CHAR, 1, 9, MPI_COMM_WORLD);
    MPI_Buffer_detach(&detached, &size);
    MPI_Send(out, kLargest, MPI_BYTE, 1, 10, MPI_COMM_WORLD);
    MPI_Send(out, 5, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    sent(1, 400);
    sent(1, 24);
    sent(1, 11);
    sent(1, kLargest);
  } else if (rank == 1) {
    MPI_Status status;
    MPI_Recv(in, 1000, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    MPI_Recv(in, 3, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Probe(0, 9, MPI_COMM_WORLD, &status);
    MPI_Recv(in, 11, MPI_CHAR, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, kLargest, MPI_BYTE, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    received(400);
    received(24);
    received(11);
    received(kLargest);
  }
}

/* Every rank with every other, twice: all waited for at once, then one by one. */
static void nonblocking_messages(void) {
  for (int round = 0; round < 2; ++round) {
    MPI_Request requests[2 * kRanks];
    int n = 0;
    for (int peer = 0; peer < kRanks; ++peer) {
      if (peer == rank) continue;
      MPI_Irecv(in + 4096 * peer, 1000 + peer, MPI_BYTE, peer, 20, MPI_COMM_WORLD, &requests[n++]);
      received(1000 + peer);
    }
    for (int peer = 0; peer < kRanks; ++peer) {
      if (peer == rank) continue;
      MPI_Isend(out, 1000 + rank, MPI_BYTE, peer, 20, MPI_COMM_WORLD, &requests[n++]);
      sent(peer, 1000 + rank);
    }
    if (round == 0) {
      MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
      continue;
    }
    for (int i = 0; i < n; ++i) {
      int which;
      MPI_Waitany(n, requests, &which, MPI_STATUS_IGNORE);
    }
  }
}

/* Around the ring three times with the same requests, then once by MPI_Sendrecv. */
static void ring(void) {
  const int right = (rank + 1) % kRanks, left = (rank + kRanks - 1) % kRanks;
  MPI_Request requests[2];
  MPI_Send_init(out, 50, MPI_FLOAT, right, 30, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 50, MPI_FLOAT, left, 30, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sent(right, 200);
    received(200);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Sendrecv(out, 60 + rank, MPI_BYTE, right, 31, in, 100, MPI_BYTE, left, 31, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  sent(right, 60 + rank);
  received(60 + left);
}

/* Each matched message is taken by MPI_Mrecv, each request polled. */
static void other_receives(void) {
  MPI_Request request;
  MPI_Message message;
  int done = 0;
  if (rank == 2) {
    MPI_Isend(out, 77, MPI_BYTE, 3, 40, MPI_COMM_WORLD, &request);
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    sent(3, 77);
  } else if (rank == 3) {
    MPI_Mprobe(2, 40, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, 100, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    received(77);
  }
}

static void collectives(void) {
  int counts[kRanks], places[kRanks];
  for (int peer = 0; peer < kRanks; ++peer) {
    counts[peer] = 1 + rank + peer; /* The same seen from the other side. */
    places[peer] = 100 * peer;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  called("Barrier", 0);
  MPI_Bcast(out, 250, MPI_INT, 2, MPI_COMM_WORLD);
  called("Bcast", 1000);
  MPI_Allreduce(out, in, 16, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  called("Allreduce", 128);
  MPI_Allreduce(MPI_IN_PLACE, in, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  called("Allreduce", 32);
  MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  called("Alltoallv", 4 * (4 + 4 * rank + 6));
  /* What does not matter away from the root may be anything. */
  MPI_Gatherv(out, 3 + rank, MPI_CHAR, in, rank == 1 ? (int[]){3, 4, 5, 6} : NULL,
              rank == 1 ? places : NULL, rank == 1 ? MPI_CHAR : MPI_DATATYPE_NULL, 1,
              MPI_COMM_WORLD);
  called("Gatherv", 3 + rank);
  MPI_Request request;
  MPI_Iallgather(out, 9, MPI_SHORT, in, 9, MPI_SHORT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  called("Iallgather", 18);
}

/* Even and odd ranks apart, in reverse order, so that ranks of the parts are not those of the
 * world. */
static void parts(void) {
  MPI_Comm half, copy, nobody;
  int own;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &own);
  if (own == 0) {
    MPI_Send(out, 33, MPI_BYTE, 1, 50, half);
    sent(rank - 2, 33);
  } else {
    MPI_Recv(in, 33, MPI_BYTE, 0, 50, half, MPI_STATUS_IGNORE);
    received(33);
  }
  MPI_Comm_dup(half, &copy);
  if (!only_messages) {
    MPI_Reduce(out, in, 10, MPI_INT, MPI_SUM, 1, copy);
    called("Reduce", 40);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank == 3 ? 0 : MPI_UNDEFINED, 0, &nobody);
  if (nobody != MPI_COMM_NULL) MPI_Comm_free(&nobody);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
}

/* What is recorded by name and size only, and communicators of other kinds. */
static void others(void) {
  const int right = (rank + 1) % kRanks, dims[1] = {kRanks}, periods[1] = {1};
  int counts[kRanks], places[kRanks], number, ready;
  MPI_Datatype types[kRanks];
  MPI_Comm circle, copy, half, both, merged;
  MPI_Request request, several[2];
  MPI_Win window;
  for (int peer = 0; peer < kRanks; ++peer) {
    counts[peer] = 2;
    places[peer] = 64 * peer;
    types[peer] = peer == rank ? MPI_DOUBLE : MPI_SHORT;
  }
  MPI_Alltoallw(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &circle);
  MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, circle);
  MPI_Comm_idup(circle, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(copy);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &both);
  MPI_Gather(out, 6, MPI_CHAR, in, 6, MPI_CHAR,
             rank >= 2   ? 0
             : rank == 0 ? MPI_ROOT
                         : MPI_PROC_NULL,
             both);
  MPI_Intercomm_merge(both, rank >= 2, &merged);
  MPI_Barrier(merged);
  MPI_Win_create(in, kLargest, 1, MPI_INFO_NULL, merged, &window);
  MPI_Win_fence(0, window);
  MPI_Put(out, 12, MPI_INT, right, 0, 12, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Irecv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, merged, &several[0]);
  MPI_Isend(out, 8, MPI_BYTE, right, 60, merged, &several[1]);
  for (int left = 2; left > 0; left -= number)
    MPI_Waitsome(2, several, &number, counts, MPI_STATUSES_IGNORE);
  MPI_Testall(2, several, &ready, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != kRanks) MPI_Abort(MPI_COMM_WORLD, 2);
  if (argc > 1 && strcmp(argv[1], "others") == 0) {
    others();
    MPI_Finalize();
    return 0;
  }
  blocking_messages();
  nonblocking_messages();
  ring();
  other_receives();
  only_messages = argc > 1 && strcmp(argv[1], "messages") == 0;
  if (!only_messages) collectives();
  parts();
  if (argc > 1 && strcmp(argv[1], "abort") == 0) { /* Ends as programs do that fail. */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    sleep(30);
  }
  for (int peer = 0; peer < kRanks; ++peer)
    printf("sent %d %d %ld %ld\n", rank, peer, messages_to[peer], bytes_to[peer]);
  printf("received %d %ld %ld\n", rank, messages_received, bytes_received);
  printf("done %d\n", rank);
  MPI_Finalize();
  return 0;
}
