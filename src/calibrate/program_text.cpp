#include "calibrate/program_text.hpp"

namespace heddle::calibrate {

std::string_view program_text() {
  static constexpr std::string_view kText =
      R"program(/* Measures what messages of MPI cost on two nodes, for `heddle calibrate`.
 *
 *   mpicc -O2 measure.c -o measure
 *   mpirun -n 16 --map-by ppr:8:node ./measure > measure.txt     (8 ranks on each of two nodes)
 *   heddle calibrate measure.txt -o mine.yaml
 *
 * Two ranks on different nodes suffice; more on each tell the message rate of the adapter and what
 * happens inside of a node. It takes a few minutes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTag = 7, kLargest = 4 << 20, kWindow = 64, kMostTimes = 1000, kMostWindow = 64 };

static int rank, ranks;
static int partner = -1;    /* Of this rank on the other node; -1 if it has none. */
static int neighbour = -1;  /* On the same node, of the first two; -1 for others. */
static int first;           /* This rank is on the first node. */
static int pairs;           /* Ranks of the first node that have partners. */
static int number;          /* Of this rank's pair. */
static char *out, *in;
static double times[kMostTimes];
static double clock_cost;   /* Seconds between two looks at the clock. */

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}
static double median(int count) {
  qsort(times, count, sizeof times[0], compare);
  return times[count / 2];
}

static void find_clock_cost(void) {
  int i;
  for (i = 0; i < 100; ++i) {
    double begin = MPI_Wtime();
    times[i] = MPI_Wtime() - begin;
  }
  clock_cost = median(100);
}
static double elapsed(double begin) {
  double time = MPI_Wtime() - begin - clock_cost;
  return time > 0 ? time : 0;
}

/* How often: less where it takes long. Both sides come to the same result. */
static int repetitions(int bytes) {
  return bytes <= 8192 ? 200 : bytes <= 262144 ? 50 : 15;
}

/* Sizes by chance, evenly in logarithms, the same in every run: powers of two hide where protocols
 * change. */
static int sizes[80], size_count;
static void choose_sizes(void) {
  unsigned long state = 12345;
  int exponent, i;
  sizes[size_count++] = 0;
  sizes[size_count++] = 1;
  for (exponent = 1; exponent < 22; ++exponent) {
    sizes[size_count++] = 1 << exponent;
    for (i = 0; i < (exponent >= 6 ? 2 : 0); ++i) {
      state = (state * 1103515245 + 12345) % 2147483648UL;
      sizes[size_count++] = (1 << exponent) + 1 + (int)(state >> 8) % ((1 << exponent) - 1);
    }
  }
  sizes[size_count++] = kLargest;
}

static void title(const char* test, int of_pairs, int inside) {
  if (rank == 0) {
    printf("# test %s pairs=%d window=%d inside=%d\n", test, of_pairs, kWindow, inside);
  }
}
static void row(int bytes, double value) {
  if (rank == 0) {
    printf("%d %.6g\n", bytes, value);
    fflush(stdout);
  }
}

static void ping_pongs(int peer, int starts, int inside) {
  int i, r;
  if (peer >= 0) title("ping_pong", 1, inside);
  for (i = 0; i < size_count && peer >= 0; ++i) {
    int count = repetitions(sizes[i]);
    for (r = -5; r < count; ++r) {
      double begin = MPI_Wtime();
      if (starts) MPI_Send(out, sizes[i], MPI_BYTE, peer, kTag, MPI_COMM_WORLD);
      MPI_Recv(in, sizes[i], MPI_BYTE, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!starts) MPI_Send(out, sizes[i], MPI_BYTE, peer, kTag, MPI_COMM_WORLD);
      if (r >= 0) times[r] = elapsed(begin);
    }
    row(sizes[i], median(count) / 2 * 1e6);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Windows of sends of the first `active` pairs: MB/s of all of them. */
static double stream(int bytes, int active) {
  MPI_Request requests[kMostWindow];
  int count = repetitions(bytes) / 5, r, i;
  double mine = 0, sum = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (partner >= 0 && number < active) {
    for (r = -2; r < count; ++r) {
      double begin = MPI_Wtime();
      for (i = 0; i < kWindow; ++i) {
        if (first) MPI_Isend(out, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, &requests[i]);
        else MPI_Irecv(in, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, &requests[i]);
      }
      MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
      if (first) MPI_Recv(in, 4, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else MPI_Send(out, 4, MPI_BYTE, partner, kTag, MPI_COMM_WORLD);
      if (r >= 0) times[r] = elapsed(begin);
    }
    if (first) mine = (double)bytes * kWindow / median(count) / 1e6;
  }
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return sum;
}

static void streams(void) {
  int i, active;
  title("stream", 1, 0);
  for (i = 1; i < size_count; ++i) row(sizes[i], stream(sizes[i], 1));
  for (active = 2; active <= pairs; active *= 2) {
    static const int kSizes[] = {1, 8, 64, 512, 4096, 32768, 262144};
    title("stream", active, 0);
    for (i = 0; i < 7; ++i) row(kSizes[i], stream(kSizes[i], active));
  }
}

/* Whether a send of so many bytes ends although nobody receives it. */
static int ends_alone(int bytes) {
  MPI_Request request;
  int ended = 0;
  if (rank == 0) {
    double begin = MPI_Wtime();
    MPI_Isend(out, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, &request);
    while (!ended && MPI_Wtime() - begin < 0.01) MPI_Test(&request, &ended, MPI_STATUS_IGNORE);
    MPI_Send(out, 0, MPI_BYTE, partner, kTag + 1, MPI_COMM_WORLD);
    if (!ended) MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (partner == 0) {
    MPI_Recv(in, 0, MPI_BYTE, 0, kTag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(&ended, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return ended;
}

static int find_eager_limit(void) {
  int low = 0, high = kLargest;
  if (ends_alone(kLargest)) return kLargest + 1;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (ends_alone(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/* The time of one call whose message has all the time it needs. */
static double call_time(const char* test, int bytes) {
  int count = 50, r;
  for (r = -3; r < count; ++r) {
    double begin, spent = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    int receives = test[0] == 'r';
    MPI_Barrier(MPI_COMM_WORLD);
    if (partner < 0 || number > 0) continue;
    if (first == !receives) {
      /* What was sent before another message of its size is there when that is. */
      if (receives) {
        MPI_Recv(in, bytes, MPI_BYTE, partner, kTag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      begin = MPI_Wtime();
      if (receives) MPI_Recv(in, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else if (test[0] == 'i') MPI_Isend(out, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, &request);
      else MPI_Send(out, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD);
      spent = elapsed(begin);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (receives) {
      MPI_Send(out, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD);
      MPI_Send(out, bytes, MPI_BYTE, partner, kTag + 1, MPI_COMM_WORLD);
    } else {
      MPI_Recv(in, bytes, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (r >= 0) times[r] = spent;
  }
  return median(count);
}

static void calls(const char* test, int limit) {
  int i;
  title(test, 1, 0);
  for (i = 0; i < size_count && sizes[i] < limit; ++i) {
    double mine = call_time(test, sizes[i]) * 1e6, it = 0;
    /* The receiver is on the second node. */
    if (test[0] == 'r') {
      if (!(partner >= 0 && number == 0 && !first)) mine = 0;
      MPI_Reduce(&mine, &it, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
      mine = it;
    }
    row(sizes[i], mine);
  }
}

static void puts_and_gets(void) {
  MPI_Win window;
  int i, r, kind;
  MPI_Win_create(in, kLargest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (kind = 0; kind < 2; ++kind) {
    title(kind == 0 ? "put" : "get", 1, 0);
    if (partner >= 0 && number == 0 && first) MPI_Win_lock(MPI_LOCK_SHARED, partner, 0, window);
    for (i = 1; i < size_count && partner >= 0 && number == 0 && first; i += 4) {
      int count = repetitions(sizes[i]) / 3;
      for (r = -2; r < count; ++r) {
        double begin = MPI_Wtime();
        if (kind == 0) MPI_Put(out, sizes[i], MPI_BYTE, partner, 0, sizes[i], MPI_BYTE, window);
        else MPI_Get(out, sizes[i], MPI_BYTE, partner, 0, sizes[i], MPI_BYTE, window);
        MPI_Win_flush(partner, window);
        if (r >= 0) times[r] = elapsed(begin);
      }
      row(sizes[i], median(count) * 1e6);
    }
    if (partner >= 0 && number == 0 && first) MPI_Win_unlock(partner, window);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_free(&window);
}

static void reductions(void) {
  int bytes, r;
  title("reduce_local", 1, 1);
  memset(in, 0, kLargest);
  memset(out, 0, kLargest);
  for (bytes = 1024; bytes <= kLargest; bytes *= 8) {
    for (r = 0; r < 20; ++r) {
      double begin = MPI_Wtime();
      MPI_Reduce_local(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM);
      times[r] = elapsed(begin);
    }
    row(bytes, median(20) * 1e6);
  }
}

/* Who is where: ranks of rank 0's node are paired, one by one, with those of the next node. */
static int find_partners(void) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  char* names = malloc((size_t)ranks * MPI_MAX_PROCESSOR_NAME);
  int length, i, near_count = 0, far_count = 0;
  int *near_ranks = malloc((size_t)ranks * sizeof(int)), *far_ranks = malloc((size_t)ranks * sizeof(int));
  const char* far_name = NULL;
  MPI_Get_processor_name(name, &length);
  MPI_Allgather(name, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names, MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
                MPI_COMM_WORLD);
  for (i = 0; i < ranks; ++i) {
    const char* its = names + (size_t)i * MPI_MAX_PROCESSOR_NAME;
    if (strcmp(its, names) == 0) near_ranks[near_count++] = i;
    else if (far_name == NULL || strcmp(its, far_name) == 0) {
      far_name = its;
      far_ranks[far_count++] = i;
    }
  }
  pairs = near_count < far_count ? near_count : far_count;
  for (i = 0; i < pairs; ++i) {
    if (near_ranks[i] != rank && far_ranks[i] != rank) continue;
    first = near_ranks[i] == rank;
    partner = first ? far_ranks[i] : near_ranks[i];
    number = i;
  }
  for (i = 0; i < 2 && near_count > 1; ++i) {
    if (near_ranks[i] == rank) neighbour = near_ranks[1 - i];
  }
  free(names);
  free(near_ranks);
  free(far_ranks);
  return pairs > 0;
}

int main(int argc, char** argv) {
  int limit;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  out = calloc(kLargest, 1);
  in = calloc(kLargest, 1);
  if (!find_partners()) {
    if (rank == 0) fprintf(stderr, "all ranks are on one node: start them on two\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  find_clock_cost();
  choose_sizes();
  if (rank == 0) printf("# heddle measurements 1, %d ranks, %d pairs\n", ranks, pairs);
  ping_pongs(number == 0 ? partner : -1, first, 0);
  streams();
  limit = find_eager_limit();
  if (rank == 0) printf("# eager limit: %d\n", limit);
  calls("send_call", limit);
  calls("isend_call", limit);
  calls("receive_call", limit);
  ping_pongs(neighbour, rank == 0, 1);
  puts_and_gets();
  reductions();
  MPI_Finalize();
  return 0;
}
)program";
  return kText;
}

}  // namespace heddle::calibrate
