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
 * happens inside of a node. If all are on one node, only that is measured. It takes a few minutes: on
 * slow networks large messages are sent less often, and the largest not at all. */
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
/* A rank's part in streams: the other one (-1: none), the number of their pair, and who sends. */
struct part { int peer, number, sends; };
static int near_pairs;                      /* Of ranks of the first node, */
static struct part near_part = {-1, 0, 0};  /* and the part of this one. */
static char *out, *in;
static double times[kMostTimes];
static double clock_cost;   /* Seconds between two looks at the clock. */
static const double kPatience = 1.0; /* Seconds that a size may take in a test. */

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

/* How often, if one takes so many seconds: less where it takes long, and not at all where even few
 * would. */
static int repetitions(int bytes, double each) {
  int count = bytes <= 8192 ? 200 : bytes <= 262144 ? 50 : 15;
  if (each * 3 > kPatience * 2) return 0;
  if (each * count > kPatience) count = (int)(kPatience / each);
  return count < 3 ? 3 : count;
}

/* Sizes by chance, evenly in logarithms, the same in every run: powers of two hide where protocols
 * change. */
static int sizes[80], size_count;
static double expected[80]; /* Seconds that a message of each size takes; what is not known is 0. */
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

/* One round trip, in seconds. */
static double round_trip(int bytes, int peer, int starts) {
  double begin = MPI_Wtime();
  if (starts) MPI_Send(out, bytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!starts) MPI_Send(out, bytes, MPI_BYTE, peer, kTag, MPI_COMM_WORLD);
  return elapsed(begin);
}

/* Who starts says how often; the other is told. */
static int agreed(int count, int peer, int starts) {
  if (starts) MPI_Send(&count, 1, MPI_INT, peer, kTag + 2, MPI_COMM_WORLD);
  else MPI_Recv(&count, 1, MPI_INT, peer, kTag + 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return count;
}

static void ping_pongs(int peer, int starts, int inside) {
  double each = 0;
  int i, r;
  if (peer >= 0) title("ping_pong", 1, inside);
  for (i = 0; i < size_count && peer >= 0; ++i) {
    /* A message that is twice as long takes twice as long, or less. */
    int count = agreed(repetitions(sizes[i], i < 2 ? 0 : each * sizes[i] / sizes[i - 1]), peer, starts);
    if (count == 0) break;
    for (r = count >= 15 ? -5 : -1; r < 0; ++r) round_trip(sizes[i], peer, starts);
    for (r = 0; r < count; ++r) times[r] = round_trip(sizes[i], peer, starts);
    each = median(count);
    if (!inside) expected[i] = each / 2;
    /* With the least of them: how far they vary. */
    if (rank == 0) printf("%d %.6g %.6g\n", sizes[i], each / 2 * 1e6, times[0] / 2 * 1e6);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Windows of sends of the first `active` pairs: MB/s of all of them; 0 if that would take too long,
 * by what a message alone takes in seconds. */
static double stream(int bytes, int active, double alone, struct part part) {
  MPI_Request requests[kMostWindow];
  int count = repetitions(bytes, alone * kWindow), r, i;
  double mine = 0, sum = 0;
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (count == 0) return 0;
  count = count >= 15 ? count / 5 : 3;
  MPI_Barrier(MPI_COMM_WORLD);
  if (part.peer >= 0 && part.number < active) {
    for (r = count > 3 ? -2 : -1; r < count; ++r) {
      double begin = MPI_Wtime();
      for (i = 0; i < kWindow; ++i) {
        if (part.sends) MPI_Isend(out, bytes, MPI_BYTE, part.peer, kTag, MPI_COMM_WORLD, &requests[i]);
        else MPI_Irecv(in, bytes, MPI_BYTE, part.peer, kTag, MPI_COMM_WORLD, &requests[i]);
      }
      MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
      if (part.sends) MPI_Recv(in, 4, MPI_BYTE, part.peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else MPI_Send(out, 4, MPI_BYTE, part.peer, kTag, MPI_COMM_WORLD);
      if (r >= 0) times[r] = elapsed(begin);
    }
    if (part.sends) mine = (double)bytes * kWindow / median(count) / 1e6;
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* What one message of so many bytes takes, in seconds, by the ping-pongs of sizes near it. */
static double alone(int bytes) {
  int i = 0;
  while (i + 1 < size_count && sizes[i] < bytes) ++i;
  /* Where a ping-pong took too long, nothing larger is sent either. */
  return i > 0 && expected[i] == 0 ? kPatience : expected[i];
}

static void streams(void) {
  struct part part = {partner, number, first};
  double rate = 1;
  int i, active;
  title("stream", 1, 0);
  for (i = 1; i < size_count && rate > 0; ++i) {
    rate = stream(sizes[i], 1, alone(sizes[i]), part);
    if (rate > 0) row(sizes[i], rate);
  }
  for (active = 2; active <= pairs; active *= 2) {
    static const int kSizes[] = {1, 8, 64, 512, 4096, 32768, 262144};
    title("stream", active, 0);
    for (i = 0; i < 7; ++i) {
      rate = stream(kSizes[i], active, alone(kSizes[i]) * active, part);
      if (rate > 0) row(kSizes[i], rate);
    }
  }
}

/* The same between neighbours on the first node. */
static void near_streams(void) {
  int i, active;
  if (near_pairs == 0) return;
  title("stream", 1, 1);
  for (i = 1; i < size_count; i += 2) row(sizes[i], stream(sizes[i], 1, 0, near_part));
  for (active = 2; active <= near_pairs; active *= 2) {
    title("stream", active, 1);
    for (i = 4096; i <= 1 << 20; i *= 16) row(i, stream(i, active, 0, near_part));
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
  int low = 0, high = 1, i;
  for (i = 0; i < size_count && (i == 0 || expected[i] > 0); ++i) high = sizes[i];
  if (ends_alone(high)) return high + 1;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (ends_alone(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/* The time of one call whose message has all the time it needs. */
static double call_time(const char* test, int bytes, int count) {
  int r;
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
    double mine, it = 0;
    int count = repetitions(sizes[i], 4 * alone(sizes[i]));
    if (count > 50) count = 50;
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (count == 0) break;
    mine = call_time(test, sizes[i], count) * 1e6;
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
  int i, r, kind, good, all;
  /* Not every MPI has windows on every network. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  good = MPI_Win_create(in, kLargest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window) == MPI_SUCCESS;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (!all) {
    if (rank == 0) fprintf(stderr, "this MPI makes no windows here: puts and gets are left out\n");
    return;
  }
  for (kind = 0; kind < 2; ++kind) {
    title(kind == 0 ? "put" : "get", 1, 0);
    if (partner >= 0 && number == 0 && first) MPI_Win_lock(MPI_LOCK_SHARED, partner, 0, window);
    for (i = 1; i < size_count && partner >= 0 && number == 0 && first; i += 4) {
      int count = repetitions(sizes[i], 2 * alone(sizes[i]));
      if (count == 0) break;
      count = count >= 15 ? count / 3 : 3;
      for (r = -1; r < count; ++r) {
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

/* What a processor needs to combine two vectors, and to copy one. */
static void data_costs(int combines) {
  int bytes, r;
  title(combines ? "reduce_local" : "copy", 1, 1);
  memset(in, 0, kLargest);
  memset(out, 0, kLargest);
  for (bytes = 1024; bytes <= kLargest; bytes *= 4) {
    for (r = 0; r < 20; ++r) {
      double begin = MPI_Wtime();
      if (combines) MPI_Reduce_local(in, out, bytes / 8, MPI_DOUBLE, MPI_SUM);
      else memcpy(out, in, bytes);
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
  near_pairs = near_count / 2;
  for (i = 0; i < 2 * near_pairs; ++i) {
    if (near_ranks[i] != rank) continue;
    near_part.peer = near_ranks[i ^ 1];
    near_part.number = i / 2;
    near_part.sends = i % 2 == 0;
  }
  free(names);
  free(near_ranks);
  free(far_ranks);
  return pairs > 0;
}

static void between_nodes(void) {
  int limit;
  ping_pongs(number == 0 ? partner : -1, first, 0);
  MPI_Bcast(expected, size_count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  streams();
  limit = find_eager_limit();
  if (rank == 0) printf("# eager limit: %d\n", limit);
  calls("send_call", limit);
  calls("isend_call", limit);
  calls("receive_call", limit);
}

int main(int argc, char** argv) {
  int both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  out = calloc(kLargest, 1);
  in = calloc(kLargest, 1);
  both = find_partners();
  find_clock_cost();
  choose_sizes();
  if (rank == 0) printf("# heddle measurements 1, %d ranks, %d pairs\n", ranks, pairs);
  if (both) between_nodes();
  else if (rank == 0) fprintf(stderr, "all ranks are on one node: what is between nodes is left out\n");
  ping_pongs(neighbour, rank == 0, 1);
  near_streams();
  if (both) puts_and_gets();
  data_costs(1);
  data_costs(0);
  MPI_Finalize();
  return 0;
}
)program";
  return kText;
}

}  // namespace heddle::calibrate
