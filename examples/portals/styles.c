/* How long a Put or Get takes, by the way the initiator waits for it.
 *
 *   put-wait-ack     one Put at a time, each acknowledged before the next
 *   put-wait-send    one Put at a time, its buffer free before the next
 *   put-no-wait      Puts as fast as possible, acknowledgements collected at the end
 *   get-wait-reply   one Get at a time
 *   get-no-wait      Gets as fast as possible, replies collected at the end
 *
 *     heddlecc styles.c -o styles
 *     heddle run -n 2 --platform quito ./styles > styles.txt
 *     heddle plot styles.txt --x size_B --y latency_us,bandwidth_MBps --by style \
 *         --x-scale log2 --y-scale log -o styles.svg
 */
#include <heddle.h>
#include <unistd.h>

#include "common.h"

enum { kPortal = 1, kWindow = 1, kMostSizes = 256, kLargest = 4 << 20, kMostOperations = 100000 };

enum operation { kPut, kGet };

struct style {
  const char* name;
  enum operation operation;
  ptl_ack_req_t ack;      /* Of a Put. */
  ptl_event_kind_t until; /* The event that ends an operation. */
  int wait_for_each;
};

static const struct style kStyles[] = {
    {"put-wait-ack", kPut, PTL_ACK_REQ, PTL_EVENT_ACK, 1},
    {"put-wait-send", kPut, PTL_NO_ACK_REQ, PTL_EVENT_SEND, 1},
    {"put-no-wait", kPut, PTL_ACK_REQ, PTL_EVENT_ACK, 0},
    {"get-wait-reply", kGet, PTL_NO_ACK_REQ, PTL_EVENT_REPLY, 1},
    {"get-no-wait", kGet, PTL_NO_ACK_REQ, PTL_EVENT_REPLY, 0},
};
enum { kStyleCount = sizeof kStyles / sizeof kStyles[0] };

struct options {
  const char* style; /* Only this one; NULL for all. */
  size_t sizes[kMostSizes];
  size_t size_count;
  unsigned operations;
  int buffered;
};

static void usage(void) {
  fprintf(
      stderr,
      "usage: styles [-s STYLE] [-b SIZES] [-r COUNT] [-x SEED] [-n OPERATIONS] [-v]\n"
      "  -s STYLE       only put-wait-ack, put-wait-send, put-no-wait, get-wait-reply or "
      "get-no-wait\n"
      "  -b SIZES       such as 8,64,4K,1M (default: where the adapter changes its ways, to 4M)\n"
      "  -r COUNT       so many random sizes besides, as many in every octave up to 4M\n"
      "  -x SEED        of the random sizes (default 1)\n"
      "  -n OPERATIONS  per size (default 100)\n"
      "  -v             a volatile buffer: small payloads are taken when the call is made\n");
  exit(2);
}

/* Marsaglia's xorshift: the same sizes everywhere. */
static uint64_t next_random(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void add_random_sizes(struct options* options, unsigned count, uint64_t seed) {
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (unsigned i = 0; i < count; ++i) {
    if (options->size_count == kMostSizes) fail("too many sizes");
    const size_t octave = (size_t)1 << (next_random(&state) >> 32) % 22;
    options->sizes[options->size_count++] = octave + (size_t)(next_random(&state) >> 32) % octave;
  }
}

static int by_size(const void* a, const void* b) {
  const size_t x = *(const size_t*)a;
  const size_t y = *(const size_t*)b;
  return x < y ? -1 : x > y;
}

static struct options parse(int argc, char** argv) {
  struct options options = {NULL, {0}, 0, 100, 0};
  const char* sizes =
      "1,2,4,8,9,16,32,64,65,128,256,408,409,512,1K,2K,4K,8K,16K,32K,64K,128K,256K,512K,1M,2M,4M";
  unsigned random_count = 0;
  unsigned seed = 1;
  for (int option; (option = getopt(argc, argv, "s:b:r:x:n:v")) != -1;) {
    switch (option) {
      case 's':
        options.style = optarg;
        break;
      case 'b':
        sizes = optarg;
        break;
      case 'r':
        random_count = parse_count(optarg, kMostSizes);
        break;
      case 'x':
        seed = parse_count(optarg, 1000000);
        break;
      case 'n':
        options.operations = parse_count(optarg, kMostOperations);
        break;
      case 'v':
        options.buffered = 1;
        break;
      default:
        usage();
    }
  }
  if (optind != argc) usage();
  options.size_count = parse_sizes(sizes, options.sizes, kMostSizes, kLargest);
  add_random_sizes(&options, random_count, seed);
  qsort(options.sizes, options.size_count, sizeof options.sizes[0], by_size);
  return options;
}

static void start(const struct style* style, ptl_handle_md_t md, ptl_size_t size) {
  if (style->operation == kPut) {
    CHECK(PtlPut(md, 0, size, style->ack, rank_id(1), kPortal, kWindow, 0, NULL, 0));
  } else {
    CHECK(PtlGet(md, 0, size, rank_id(1), kPortal, kWindow, 0, NULL));
  }
}

/* Microseconds for `operations` of them. */
static double run(const struct style* style, ptl_handle_md_t md, ptl_handle_eq_t events,
                  ptl_size_t size, unsigned operations) {
  const double begin = now_us();
  for (unsigned i = 0; i < operations; ++i) {
    start(style, md, size);
    if (style->wait_for_each) next_event(events);
  }
  for (unsigned i = 0; i < operations && !style->wait_for_each; ++i) next_event(events);
  return now_us() - begin;
}

static void measure(const struct network* net, const struct style* style,
                    const struct options* options, void* memory) {
  const ptl_handle_eq_t events = new_events(net, options->operations + 1);
  const unsigned wanted = style->until == PTL_EVENT_SEND ? 0 : PTL_MD_EVENT_SEND_DISABLE;
  const ptl_handle_md_t md =
      bind_memory(net, memory, kLargest, wanted | (options->buffered ? PTL_MD_VOLATILE : 0), events,
                  PTL_CT_NONE);
  for (size_t i = 0; i < options->size_count; ++i) {
    const ptl_size_t size = options->sizes[i];
    const double latency = run(style, md, events, size, options->operations) / options->operations;
    printf("%-14s %8llu %12.4f %14.2f %12.0f\n", style->name, (unsigned long long)size, latency,
           (double)size / latency, 1e6 / latency);
  }
  CHECK(PtlMDRelease(md));
  CHECK(PtlEQFree(events));
}

static void initiate(const struct network* net, const struct options* options, void* memory) {
  int known = 0;
  printf("%-14s %8s %12s %14s %12s\n", "style", "size_B", "latency_us", "bandwidth_MBps",
         "rate_per_s");
  for (int i = 0; i < kStyleCount; ++i) {
    if (options->style != NULL && strcmp(options->style, kStyles[i].name) != 0) continue;
    measure(net, &kStyles[i], options, memory);
    known = 1;
  }
  if (!known) usage();
}

int main(int argc, char** argv) {
  const struct options options = parse(argc, argv);
  const struct network net = open_network();
  if (net.size != 2) fail("needs two ranks");
  void* memory = allocate(kLargest);
  new_portal(&net, PTL_EQ_NONE, kPortal);
  if (net.rank == 1) expose(&net, kPortal, kWindow, memory, kLargest, PTL_CT_NONE);
  heddle_barrier();
  if (net.rank == 0) initiate(&net, &options, memory);
  heddle_barrier();
  close_network(&net);
  free(memory);
  return 0;
}
