/* What each collective costs: from a moment that all ranks share to the end of the last rank, and
 * the messages that were sent for it. For any MPI whose library counts its messages: Heddle's
 * (messages_sent), Open MPI with pml_monitoring_enable=1, and MPICH linked with
 * tests/mpich/wrapped.c, which also names the algorithms.
 *
 *   collectives TYPE SIZES OPERATION...      such as: collectives double 8,1024 allreduce bcast
 *
 * Sizes are in bytes: of the data of a broadcast or reduction, and of one block elsewhere. Prints a
 * line for each operation and size: its name, the size, nanoseconds, messages, and the algorithms
 * of rank 0 where they are known. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size, element;
static MPI_Datatype type;
static char *out, *in;
static int *counts, *places, *parts;

/* Of each rank, and the sum of those before. */
static void set_counts(int count) {
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    places[i] = i * count;
    parts[i] = count / size + (i < count % size);
  }
}

static void call(const char* name, int n) {
  const MPI_Comm all = MPI_COMM_WORLD;
  if (!strcmp(name, "barrier")) MPI_Barrier(all);
  if (!strcmp(name, "bcast")) MPI_Bcast(out, n, type, 0, all);
  if (!strcmp(name, "gather")) MPI_Gather(out, n, type, in, n, type, 0, all);
  if (!strcmp(name, "gatherv")) MPI_Gatherv(out, n, type, in, counts, places, type, 0, all);
  if (!strcmp(name, "scatter")) MPI_Scatter(out, n, type, in, n, type, 0, all);
  if (!strcmp(name, "scatterv")) MPI_Scatterv(out, counts, places, type, in, n, type, 0, all);
  if (!strcmp(name, "allgather")) MPI_Allgather(out, n, type, in, n, type, all);
  if (!strcmp(name, "allgatherv")) MPI_Allgatherv(out, n, type, in, counts, places, type, all);
  if (!strcmp(name, "alltoall")) MPI_Alltoall(out, n, type, in, n, type, all);
  if (!strcmp(name, "alltoallv"))
    MPI_Alltoallv(out, counts, places, type, in, counts, places, type, all);
  if (!strcmp(name, "reduce")) MPI_Reduce(out, in, n, type, MPI_SUM, 0, all);
  if (!strcmp(name, "allreduce")) MPI_Allreduce(out, in, n, type, MPI_SUM, all);
  if (!strcmp(name, "reduce_scatter")) MPI_Reduce_scatter(out, in, parts, type, MPI_SUM, all);
  if (!strcmp(name, "reduce_scatter_block"))
    MPI_Reduce_scatter_block(out, in, n, type, MPI_SUM, all);
  if (!strcmp(name, "scan")) MPI_Scan(out, in, n, type, MPI_SUM, all);
  if (!strcmp(name, "exscan")) MPI_Exscan(out, in, n, type, MPI_SUM, all);
}

/* How many messages this rank has sent, and the algorithms since the last time: where it is not
 * Heddle's library that says. */
uint64_t wrapped_messages(void) __attribute__((weak));
const char* wrapped_algorithms(void) __attribute__((weak));
static MPI_T_pvar_session session;
static MPI_T_pvar_handle handle;
static int find_counter(void) {
  int provided, index, count;
  if (wrapped_messages) return 1;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_pvar_session_create(&session);
  return MPI_T_pvar_get_index("messages_sent", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS &&
         MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS;
}
static uint64_t sent(void) {
  uint64_t messages = 0;
  if (wrapped_messages) return wrapped_messages();
  MPI_T_pvar_read(session, handle, &messages);
  return messages;
}

/* Simulated time is the same for all: they start together, at a moment that rank 0 names. */
static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}
static int64_t named_start(void) {
  const int64_t turn = 20000000;
  int64_t start = (now() / turn + 2) * turn;
  for (int r = 1; r < size && rank == 0; ++r)
    MPI_Send(&start, 1, MPI_INT64_T, r, 0, MPI_COMM_WORLD);
  if (rank > 0) MPI_Recv(&start, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return start;
}
static void sleep_until(int64_t moment) {
  const struct timespec time = {moment / 1000000000, moment % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void measure(const char* name, int bytes) {
  const int n = bytes / element;
  set_counts(n);
  const int64_t start = named_start();
  const uint64_t before = sent();
  if (wrapped_algorithms) wrapped_algorithms();
  sleep_until(start);
  call(name, n);
  int64_t own[2] = {now() - start, (int64_t)(sent() - before)};
  const char* algorithms = wrapped_algorithms ? wrapped_algorithms() : "";
  if (rank > 0) {
    MPI_Send(own, 2, MPI_INT64_T, 0, 1, MPI_COMM_WORLD);
    return;
  }
  for (int r = 1; r < size; ++r) {
    int64_t other[2];
    MPI_Recv(other, 2, MPI_INT64_T, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (other[0] > own[0]) own[0] = other[0];
    own[1] += other[1];
  }
  printf("%s %d %ld %ld %s\n", name, bytes, (long)own[0], (long)own[1], algorithms);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 4 || !find_counter()) {
    if (rank == 0)
      fprintf(stderr,
              argc < 4 ? "usage: collectives TYPE SIZES OPERATION...\n" : "no count of messages\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  type = !strcmp(argv[1], "char") ? MPI_SIGNED_CHAR : MPI_DOUBLE;
  MPI_Type_size(type, &element);
  int most = 0;
  for (const char* text = argv[2]; text != NULL;
       text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL) {
    if (atoi(text) > most) most = atoi(text);
  }
  out = calloc(size, most);
  in = calloc(size, most);
  counts = calloc(size, sizeof(int));
  places = calloc(size, sizeof(int));
  parts = calloc(size, sizeof(int));
  for (int i = 3; i < argc; ++i) {
    for (const char* text = argv[2]; text != NULL;
         text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL)
      measure(argv[i], atoi(text));
  }
  MPI_Finalize();
  return 0;
}
