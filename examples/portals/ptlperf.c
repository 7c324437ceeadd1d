/* How many messages pass between two processes in a given time.
 *
 *   fast    Puts as fast as possible, nothing is waited for
 *   ack     one Put at a time; its acknowledgement is polled for as a full event
 *   ct      one Put at a time; its acknowledgement is counted
 *   reply   the other side answers each Put with a Put of the same size: half a round trip
 *   match   many Puts in flight, each into an entry of its own that the target posts anew
 *
 * Needs nothing but Portals: the processes find each other by the map of the interface.
 *
 *     heddlecc ptlperf.c -o ptlperf && heddle run -n 2 --platform quito ./ptlperf -m match */
#include <unistd.h>

#include "common.h"

enum { kPortal = 3, kMostSizes = 64, kLargest = 4 << 20, kMostInflight = 4096 };
/* Match bits: orders to the target, and messages. */
enum { kOrders = 1, kMessages = 2 };

enum mode { kFast, kAck, kCt, kReply, kMatch, kModes };
static const char* const kModeNames[kModes] = {"fast", "ack", "ct", "reply", "match"};

struct options {
  enum mode first, last;
  size_t sizes[kMostSizes];
  size_t size_count;
  double microseconds; /* Per size. */
  unsigned inflight;   /* In mode match. */
};

/* What the target is to do next. */
struct order {
  uint32_t mode; /* kModes: leave. */
  uint32_t inflight;
  uint64_t size;
};

/* One side of the test. */
struct side {
  struct network net;
  ptl_handle_eq_t events; /* Of what arrives here and of what was sent from here. */
  ptl_handle_md_t md;     /* Full events. */
  ptl_handle_ct_t acks;
  ptl_handle_md_t counting_md;
  struct order order;
  char* sent;
  char* received;
};

static void usage(void) {
  fprintf(stderr,
          "usage: ptlperf [-m MODE] [-b SIZES] [-t MICROSECONDS] [-i INFLIGHT]\n"
          "  -m MODE          fast, ack, ct, reply or match (default: all)\n"
          "  -b SIZES         such as 8,64,4K,1M (default: powers of 4 up to 1M)\n"
          "  -t MICROSECONDS  for each size (default 2000)\n"
          "  -i INFLIGHT      messages on their way in mode match (default 256)\n");
  exit(2);
}

static void choose_mode(struct options* options, const char* name) {
  for (int mode = 0; mode < kModes; ++mode) {
    if (strcmp(name, kModeNames[mode]) != 0) continue;
    options->first = options->last = (enum mode)mode;
    return;
  }
  usage();
}

static struct options parse(int argc, char** argv) {
  struct options options = {kFast, kMatch, {0}, 0, 2000, 256};
  const char* sizes = "1,4,16,64,256,1K,4K,16K,64K,256K,1M";
  for (int option; (option = getopt(argc, argv, "m:b:t:i:")) != -1;) {
    switch (option) {
      case 'm':
        choose_mode(&options, optarg);
        break;
      case 'b':
        sizes = optarg;
        break;
      case 't':
        options.microseconds = parse_count(optarg, 1000000000);
        break;
      case 'i':
        options.inflight = parse_count(optarg, kMostInflight);
        break;
      default:
        usage();
    }
  }
  if (optind != argc) usage();
  options.size_count = parse_sizes(sizes, options.sizes, kMostSizes, kLargest);
  return options;
}

static struct side open_side(void) {
  struct side side;
  memset(&side, 0, sizeof side);
  side.net = open_network();
  if (side.net.size != 2) fail("needs two ranks");
  side.sent = (char*)allocate(kLargest);
  side.received = (char*)allocate(kLargest);
  side.events = new_events(&side.net, 4 * kMostInflight);
  side.acks = new_counter(&side.net);
  side.md = bind_memory(&side.net, side.sent, kLargest, PTL_MD_EVENT_SEND_DISABLE, side.events,
                        PTL_CT_NONE);
  side.counting_md =
      bind_memory(&side.net, side.sent, kLargest,
                  PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_EVENT_CT_ACK, side.events, side.acks);
  new_portal(&side.net, side.events, kPortal);
  return side;
}

static void close_side(struct side* side) {
  close_network(&side->net);
  free(side->sent);
  free(side->received);
}

/* An entry for `bits`; with PTL_ME_EVENT_COMM_DISABLE its messages go unnoticed. */
static ptl_handle_me_t post(struct side* side, ptl_match_bits_t bits, void* memory,
                            ptl_size_t length, unsigned options) {
  ptl_me_t entry;
  ptl_handle_me_t handle;
  memset(&entry, 0, sizeof entry);
  entry.start = memory;
  entry.length = length;
  entry.ct_handle = PTL_CT_NONE;
  entry.uid = PTL_UID_ANY;
  entry.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE | PTL_ME_EVENT_UNLINK_DISABLE | options;
  entry.match_id = rank_id(PTL_RANK_ANY);
  entry.match_bits = bits;
  CHECK(PtlMEAppend(side->net.ni, kPortal, &entry, PTL_PRIORITY_LIST, NULL, &handle));
  return handle;
}

static ptl_process_t other(const struct side* side) {
  return rank_id(1 - side->net.rank);
}

static void put(struct side* side, ptl_handle_md_t md, ptl_size_t size, ptl_ack_req_t ack,
                ptl_match_bits_t bits) {
  CHECK(PtlPut(md, 0, size, ack, other(side), kPortal, bits, 0, NULL, 0));
}

/* Looks for an event until there is one. */
static ptl_event_t poll_event(struct side* side) {
  ptl_event_t event;
  int status;
  while ((status = PtlEQGet(side->events, &event)) == PTL_EQ_EMPTY) continue;
  CHECK(status);
  return event;
}

/* The target ------------------------------------------------------------------------------------
 */

/* Answers or replaces messages until there is an order. */
static void serve(struct side* side) {
  const struct order now = side->order;
  const int use_once = now.mode == kMatch;
  const int silent = now.mode != kReply && !use_once;
  const unsigned entries = use_once ? 2 * now.inflight : 1;
  const unsigned options =
      (use_once ? PTL_ME_USE_ONCE : 0) | (silent ? PTL_ME_EVENT_COMM_DISABLE : 0);
  ptl_handle_me_t* entry = (ptl_handle_me_t*)allocate(entries * sizeof *entry);
  unsigned oldest = 0;
  for (unsigned i = 0; i < entries; ++i) {
    entry[i] = post(side, kMessages, side->received, now.size, options);
  }
  put(side, side->md, 0, PTL_NO_ACK_REQ, kOrders); /* Ready. */
  for (;;) {
    const ptl_event_t event = next_event(side->events);
    if (event.match_bits == kOrders) break;
    if (now.mode == kReply) put(side, side->md, now.size, PTL_NO_ACK_REQ, kMessages);
    if (!use_once) continue;
    entry[oldest] = post(side, kMessages, side->received, now.size, options);
    oldest = (oldest + 1) % entries;
  }
  for (unsigned i = 0; i < entries; ++i) CHECK(PtlMEUnlink(entry[i]));
  free(entry);
}

static void run_target(struct side* side) {
  post(side, kOrders, &side->order, sizeof side->order, 0);
  next_event(side->events);
  while (side->order.mode != kModes) serve(side);
}

/* The initiator ----------------------------------------------------------------------------------
 */

/* Until the target has an entry for it, an order is dropped, which its acknowledgement says. */
static void give_order(struct side* side, struct order order) {
  ptl_event_t event;
  do {
    memcpy(side->sent, &order, sizeof order);
    put(side, side->md, sizeof order, PTL_ACK_REQ, kOrders);
    CHECK(PtlEQWait(side->events, &event));
    if (event.ni_fail_type != PTL_NI_OK) usleep(1);
  } while (event.ni_fail_type != PTL_NI_OK);
  if (order.mode != kModes) next_event(side->events); /* Ready. */
}

struct result {
  uint64_t messages;
  double microseconds;
};

static void send_one(struct side* side, enum mode mode, ptl_size_t size, uint64_t sent,
                     unsigned inflight) {
  switch (mode) {
    case kFast:
      put(side, side->counting_md, size, PTL_NO_ACK_REQ, kMessages);
      break;
    case kAck:
      put(side, side->md, size, PTL_ACK_REQ, kMessages);
      poll_event(side);
      break;
    case kCt:
      put(side, side->counting_md, size, PTL_CT_ACK_REQ, kMessages);
      wait_for(side->acks, sent);
      break;
    case kReply:
      put(side, side->md, size, PTL_NO_ACK_REQ, kMessages);
      poll_event(side);
      break;
    default:
      put(side, side->md, size, PTL_ACK_REQ, kMessages);
      if (sent > inflight) poll_event(side);
  }
}

/* Waits for what is still on its way. */
static uint64_t finish(struct side* side, enum mode mode, ptl_size_t size, uint64_t sent,
                       unsigned inflight) {
  if (mode == kFast) { /* In order: when the last one is there, all are. */
    put(side, side->md, size, PTL_ACK_REQ, kMessages);
    poll_event(side);
    return sent + 1;
  }
  if (mode == kMatch) {
    for (uint64_t i = 0; i < sent && i < inflight; ++i) poll_event(side);
  }
  return sent;
}

static struct result send_all(struct side* side, enum mode mode, ptl_size_t size,
                              const struct options* options) {
  const double start = now_us();
  const double end = start + options->microseconds;
  uint64_t sent = 0;
  CHECK(PtlCTSet(side->acks, (ptl_ct_event_t){0, 0}));
  do {
    send_one(side, mode, size, ++sent, options->inflight);
  } while (now_us() < end);
  sent = finish(side, mode, size, sent, options->inflight);
  return (struct result){sent, now_us() - start};
}

static void measure(struct side* side, enum mode mode, ptl_size_t size,
                    const struct options* options) {
  give_order(side, (struct order){mode, options->inflight, size});
  ptl_handle_me_t answers = PTL_INVALID_HANDLE;
  if (mode == kReply) answers = post(side, kMessages, side->received, size, 0);
  const struct result result = send_all(side, mode, size, options);
  if (mode == kReply) CHECK(PtlMEUnlink(answers));
  const double latency = result.microseconds / (double)result.messages / (mode == kReply ? 2 : 1);
  printf("%-5s %8llu %10llu %12.4f %14.2f %12.0f\n", kModeNames[mode], (unsigned long long)size,
         (unsigned long long)result.messages, latency, (double)size / latency, 1e6 / latency);
}

static void run_initiator(struct side* side, const struct options* options) {
  post(side, kOrders, NULL, 0, 0);
  printf("%-5s %8s %10s %12s %14s %12s\n", "mode", "size_B", "messages", "latency_us",
         "bandwidth_MBps", "rate_per_s");
  for (int mode = options->first; mode <= (int)options->last; ++mode) {
    for (size_t i = 0; i < options->size_count; ++i) {
      measure(side, (enum mode)mode, options->sizes[i], options);
    }
  }
  give_order(side, (struct order){kModes, 0, 0});
}

int main(int argc, char** argv) {
  const struct options options = parse(argc, argv);
  struct side side = open_side();
  if (side.net.rank == 0) run_initiator(&side, &options);
  if (side.net.rank == 1) run_target(&side);
  close_side(&side);
  return 0;
}
