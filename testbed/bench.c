/* What messages of MPI take between hosts: the same loops on a real network and on a simulated one.
 *
 *     bench BLOCKS TEST,TEST,... BYTES,BYTES,...
 *
 * prints a line `test,ranks,bytes,least_us,median_us` for each test and size. A block is some
 * rounds of the test between barriers, and its time that of the slowest rank for a round. Of
 * `outcast` it prints one for each message of a round, outcast-1 for that which is through first.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWindow = 8, kMost = 64, kTag = 3 };

static int rank, ranks;
static char *out, *in;

static void send_window(int to, int bytes) {
  MPI_Request requests[kWindow];
  int i;
  for (i = 0; i < kWindow; i++) {
    MPI_Isend(out, bytes, MPI_BYTE, to, kTag, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
  MPI_Recv(in, 4, MPI_BYTE, to, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive_window(int from, int bytes) {
  MPI_Request requests[kWindow];
  int i;
  for (i = 0; i < kWindow; i++) {
    MPI_Irecv(in, bytes, MPI_BYTE, from, kTag, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
  MPI_Send(out, 4, MPI_BYTE, from, kTag, MPI_COMM_WORLD);
}

/* A round trip; half of it is told. */
static void lat(int bytes) {
  if (rank == 0) {
    MPI_Send(out, bytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(in, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
  }
}

static void bw(int bytes) {
  if (rank == 0) send_window(1, bytes);
  if (rank == 1) receive_window(0, bytes);
}

/* Both directions at once. */
static void bibw(int bytes) {
  MPI_Request requests[2 * kWindow];
  int i, peer = 1 - rank;
  if (rank > 1) return;
  for (i = 0; i < kWindow; i++) {
    MPI_Irecv(in, bytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &requests[i]);
  }
  for (i = 0; i < kWindow; i++) {
    MPI_Isend(out, bytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &requests[kWindow + i]);
  }
  MPI_Waitall(2 * kWindow, requests, MPI_STATUSES_IGNORE);
}

/* Each rank of the first half to one of the second. */
static void pairs(int bytes) {
  if (rank < ranks / 2) send_window(rank + ranks / 2, bytes);
  if (rank >= ranks / 2) receive_window(rank - ranks / 2, bytes);
}

/* All to rank 0. */
static void incast(int bytes) {
  MPI_Request requests[kMost];
  int i;
  if (rank > 0) {
    MPI_Send(out, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
    MPI_Recv(in, 0, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (i = 1; i < ranks; i++) {
    MPI_Irecv(in, bytes, MPI_BYTE, i, kTag, MPI_COMM_WORLD, &requests[i - 1]);
  }
  MPI_Waitall(ranks - 1, requests, MPI_STATUSES_IGNORE);
  for (i = 1; i < ranks; i++) MPI_Send(out, 0, MPI_BYTE, i, kTag, MPI_COMM_WORLD);
}

static void shift(int bytes, int by) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + by) % ranks, kTag, in, bytes, MPI_BYTE,
               (rank + ranks - by) % ranks, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void ring(int bytes) {
  shift(bytes, 1);
}
static void exchange(int bytes) {
  shift(bytes, ranks / 2);
}

/* Neighbours at distances 1 and 2 on both sides, and a sum. */
static void halo(int bytes) {
  static const int kSteps[] = {1, -1, 2, -2};
  MPI_Request requests[8];
  double sum = 1;
  int i;
  for (i = 0; i < 4; i++) {
    MPI_Irecv(in, bytes, MPI_BYTE, (rank + kSteps[i] + ranks) % ranks, kTag, MPI_COMM_WORLD,
              &requests[i]);
  }
  for (i = 0; i < 4; i++) {
    MPI_Isend(out, bytes, MPI_BYTE, (rank + kSteps[i] + ranks) % ranks, kTag, MPI_COMM_WORLD,
              &requests[4 + i]);
  }
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(int bytes) {
  MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static void allgather(int bytes) {
  MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static void allreduce(int bytes) {
  MPI_Allreduce(out, in, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
static void bcast(int bytes) {
  MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* One rank to all others at once: when each of them has its message, by its answer; first to last.
 */
static void outcast(int from, int bytes, double* ends) {
  MPI_Request sends[kMost], answers[kMost];
  double begin;
  int i, which;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != from) {
    MPI_Recv(in, bytes, MPI_BYTE, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, 0, MPI_BYTE, from, kTag, MPI_COMM_WORLD);
    return;
  }
  for (i = 0; i < ranks - 1; i++) {
    MPI_Irecv(in, 0, MPI_BYTE, (rank + 1 + i) % ranks, kTag, MPI_COMM_WORLD, &answers[i]);
  }
  begin = MPI_Wtime();
  for (i = 0; i < ranks - 1; i++) {
    MPI_Isend(out, bytes, MPI_BYTE, (rank + 1 + i) % ranks, kTag, MPI_COMM_WORLD, &sends[i]);
  }
  for (i = 0; i < ranks - 1; i++) {
    MPI_Waitany(ranks - 1, answers, &which, MPI_STATUS_IGNORE);
    ends[i] = (MPI_Wtime() - begin) * 1e6;
  }
  MPI_Waitall(ranks - 1, sends, MPI_STATUSES_IGNORE);
}

static const struct {
  const char* name;
  void (*round)(int bytes);
} kTests[] = {{"lat", lat},
              {"bw", bw},
              {"bibw", bibw},
              {"pairs", pairs},
              {"incast", incast},
              {"ring", ring},
              {"exchange", exchange},
              {"halo", halo},
              {"alltoall", alltoall},
              {"allgather", allgather},
              {"allreduce", allreduce},
              {"bcast", bcast}};

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static void measure(const char* name, void (*round)(int), int bytes, int blocks) {
  const int rounds = bytes <= 4096 ? 20 : bytes <= 32768 ? 6 : bytes <= 131072 ? 2 : 1;
  double times[100], mine, begin;
  int block, i;
  round(bytes);
  for (block = 0; block < blocks; block++) {
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (i = 0; i < rounds; i++) round(bytes);
    mine = (MPI_Wtime() - begin) / rounds * 1e6;
    if (round == lat) mine /= 2;
    MPI_Allreduce(&mine, &times[block], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  qsort(times, (size_t)blocks, sizeof times[0], compare);
  if (rank == 0) {
    printf("%s,%d,%d,%.3f,%.3f\n", name, ranks, bytes, times[0], times[blocks / 2]);
    fflush(stdout);
  }
}

/* All ranks in turn send to the others, half as often as there are blocks. */
static void measure_outcasts(int bytes, int blocks) {
  static double ends[kMost][100 * kMost];
  double found[kMost];
  int block, from, i, rounds = 0;
  for (block = -1; block < (blocks + 1) / 2; block++) {
    for (from = 0; from < ranks; from++) {
      outcast(from, bytes, found);
      MPI_Bcast(found, ranks - 1, MPI_DOUBLE, from, MPI_COMM_WORLD);
      for (i = 0; i < ranks - 1 && block >= 0; i++) ends[i][rounds] = found[i];
      rounds += block >= 0;
    }
  }
  for (i = 0; i < ranks - 1 && rank == 0; i++) {
    qsort(ends[i], (size_t)rounds, sizeof ends[i][0], compare);
    printf("outcast-%d,%d,%d,%.3f,%.3f\n", i + 1, ranks, bytes, ends[i][0], ends[i][rounds / 2]);
    fflush(stdout);
  }
}

/* A test of that name, at all sizes. */
static void measure_all(const char* test, const char* sizes, int blocks) {
  char *left = strdup(sizes), *size, *rest;
  int i;
  for (size = strtok_r(left, ",", &rest); size; size = strtok_r(NULL, ",", &rest)) {
    if (strcmp(test, "outcast") == 0) measure_outcasts(atoi(size), blocks);
    for (i = 0; i < (int)(sizeof kTests / sizeof kTests[0]); i++) {
      if (strcmp(kTests[i].name, test) == 0) measure(test, kTests[i].round, atoi(size), blocks);
    }
  }
  free(left);
}

int main(int argc, char** argv) {
  int blocks;
  char *test, *rest;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  blocks = argc > 3 ? atoi(argv[1]) : 0;
  if (blocks < 1 || blocks > 100 || ranks < 2 || ranks > kMost) {
    if (rank == 0)
      fprintf(stderr, "accepted is: bench BLOCKS TEST,... BYTES,..., with 2 to 64 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  out = calloc((size_t)ranks, 1 << 20);
  in = calloc((size_t)ranks, 1 << 20);
  for (test = strtok_r(argv[2], ",", &rest); test; test = strtok_r(NULL, ",", &rest)) {
    measure_all(test, argv[3], blocks);
  }
  MPI_Finalize();
  return 0;
}
