/* Programs whose limits are known: mpi WHAT SIZE ROUNDS. */
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, bytes, rounds;
static char *a, *b;
static const MPI_Comm w = MPI_COMM_WORLD;

static void send(int to, int n) {
  MPI_Send(a, n, MPI_CHAR, to, 0, w);
}
static void receive(int from, int n) {
  MPI_Recv(b, n, MPI_CHAR, from, 0, w, MPI_STATUS_IGNORE);
}

static void pingpong(void) {
  if (rank > 1) return;
  if (rank == 0)
    send(1, bytes), receive(1, bytes);
  else
    receive(0, bytes), send(0, bytes);
}
/* One message goes round. */
static void ring(void) {
  if (rank == 0)
    send(1, bytes), receive(size - 1, bytes);
  else
    receive(rank - 1, bytes), send((rank + 1) % size, bytes);
}
/* Many messages, of which none is waited for: to the next rank, or all to rank 0. */
static void flood(int to_one) {
  const int n = 100;
  MPI_Request r[100];
  const int to = to_one ? 0 : rank ^ 1;
  if (to_one ? rank > 0 : rank % 2 == 0) {
    for (int i = 0; i < n; i++) MPI_Isend(a, bytes, MPI_CHAR, to, 0, w, &r[i]);
    MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
  } else {
    const int senders = to_one ? size - 1 : 1;
    for (int i = 0; i < n * senders; i++) receive(to_one ? MPI_ANY_SOURCE : rank ^ 1, bytes);
  }
}
static void shift(void) {
  MPI_Sendrecv(a, bytes, MPI_CHAR, (rank + 1) % size, 0, b, bytes, MPI_CHAR,
               (rank + size - 1) % size, 0, w, MPI_STATUS_IGNORE);
}
static void gather(void) {
  if (rank > 0) return send(0, bytes);
  for (int i = 1; i < size; i++) receive(i, bytes);
}
static void puts_(MPI_Win win) {
  MPI_Put(a, bytes, MPI_CHAR, (rank + 1) % size, 0, bytes, MPI_CHAR, win);
  MPI_Win_fence(0, win);
}
static void compute(double us) {
  heddle_compute(us * 1e-6);
}

int main(int c, char** v) {
  MPI_Init(&c, &v);
  MPI_Comm_rank(w, &rank);
  MPI_Comm_size(w, &size);
  const char* what = v[1];
  bytes = atoi(v[2]);
  rounds = atoi(v[3]);
  a = calloc(size, bytes + 8);
  b = calloc(size, bytes + 8);
  MPI_Win win;
  const int windows = !strcmp(what, "puts");
  if (windows) MPI_Win_create(b, bytes, 1, MPI_INFO_NULL, w, &win), MPI_Win_fence(0, win);
  for (int i = 0; i < rounds; i++) {
    if (!strcmp(what, "pingpong")) pingpong();
    if (!strcmp(what, "ring")) ring();
    if (!strcmp(what, "flood")) flood(0);
    if (!strcmp(what, "rate")) flood(1);
    if (!strcmp(what, "shift")) shift();
    if (!strcmp(what, "gather")) gather();
    if (windows) puts_(win);
    if (!strcmp(what, "alltoall")) MPI_Alltoall(a, bytes, MPI_CHAR, b, bytes, MPI_CHAR, w);
    if (!strcmp(what, "allreduce")) MPI_Allreduce(a, b, bytes / 8, MPI_DOUBLE, MPI_SUM, w);
    if (!strcmp(what, "bcast")) MPI_Bcast(a, bytes, MPI_CHAR, 0, w);
    if (!strcmp(what, "barrier")) MPI_Barrier(w);
    /* SIZE is in microseconds: one rank computes thrice as long; the others do, too; one sleeps;
     * ranks compute longer the higher they are, or all as long as on average. */
    if (!strcmp(what, "slow")) compute(rank == 3 ? 3 * bytes : bytes), MPI_Barrier(w);
    if (!strcmp(what, "fast")) compute(bytes), MPI_Barrier(w);
    if (!strcmp(what, "sleep")) usleep(rank == 3 ? bytes : 0), MPI_Barrier(w);
    if (!strcmp(what, "steps")) compute(bytes * (1 + 2.0 * rank / (size - 1))), MPI_Barrier(w);
    if (!strcmp(what, "even")) compute(bytes * 2.0), MPI_Barrier(w);
    if (!strcmp(what, "turns")) {
      for (int r = 0; r < size; r++) {
        if (r == rank) compute(bytes);
        MPI_Barrier(w);
      }
    }
  }
  if (windows) MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
