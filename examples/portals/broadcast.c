/* A broadcast down a binomial tree, twice: forwarded by the adapters, and by the processes.
 *
 * With triggered Puts a rank says beforehand where the message goes on to; its adapter forwards it
 * as soon as it is there, though the process is busy with something else. In the other broadcast
 * the process itself forwards the message, when it next looks.
 *
 *     heddlecc broadcast.c -o broadcast && heddle run -n 64 ./broadcast [SIZE [BUSY_US]] */
#include <heddle.h>
#include <unistd.h>

#include "common.h"

enum { kPortal = 1, kData = 1, kDone = 2, kLargest = 1 << 20 };

struct broadcast {
  const struct network* net;
  ptl_size_t size;
  ptl_handle_md_t data;
  ptl_handle_ct_t arrived; /* Messages that have come from the parent. */
  ptl_handle_ct_t done;    /* At the root: ranks that have the message. */
};

typedef void send_function(const struct broadcast* b, ptl_process_t to, ptl_match_bits_t bits,
                           ptl_size_t length, ptl_size_t count);

static void send_now(const struct broadcast* b, ptl_process_t to, ptl_match_bits_t bits,
                     ptl_size_t length, ptl_size_t count) {
  (void)count;
  CHECK(PtlPut(b->data, 0, length, PTL_NO_ACK_REQ, to, kPortal, bits, 0, NULL, 0));
}

static void send_on_arrival(const struct broadcast* b, ptl_process_t to, ptl_match_bits_t bits,
                            ptl_size_t length, ptl_size_t count) {
  CHECK(PtlTriggeredPut(b->data, 0, length, PTL_NO_ACK_REQ, to, kPortal, bits, 0, NULL, 0,
                        b->arrived, count));
}

/* To the children of this rank, the one with the largest subtree first; then the root is told. The
 * children of r are r + 2^k for every 2^k below its lowest set bit (below n for the root). */
static void forward(const struct broadcast* b, send_function* send, ptl_size_t count) {
  const unsigned rank = b->net->rank;
  unsigned step = 1;
  while (step < b->net->size && (rank & step) == 0) step *= 2;
  for (step /= 2; step > 0; step /= 2) {
    if (rank + step < b->net->size) send(b, rank_id(rank + step), kData, b->size, count);
  }
  if (rank != 0) send(b, rank_id(0), kDone, 0, count);
}

/* Computes for `busy_us` at a time, and looks in between whether the message has come. */
static void work_until_arrival(const struct broadcast* b, ptl_size_t count, unsigned busy_us) {
  ptl_ct_event_t now;
  do {
    usleep(busy_us);
    CHECK(PtlCTGet(b->arrived, &now));
  } while (now.success < count);
}

/* The root's time until every rank has message number `count`. */
static double run(const struct broadcast* b, int triggered, ptl_size_t count, unsigned busy_us) {
  if (triggered && b->net->rank != 0) forward(b, send_on_arrival, count);
  heddle_barrier();
  const double start = now_us();
  if (b->net->rank == 0) {
    forward(b, send_now, count);
    wait_for(b->done, count * (b->net->size - 1));
  } else {
    work_until_arrival(b, count, busy_us);
    if (!triggered) forward(b, send_now, count);
  }
  const double elapsed = now_us() - start;
  heddle_barrier();
  return elapsed;
}

int main(int argc, char** argv) {
  struct network net = open_network();
  struct broadcast b = {&net, argc > 1 ? parse_size(argv[1], kLargest) : 4096, 0, 0, 0};
  const unsigned busy_us = argc > 2 ? parse_count(argv[2], 1000000) : 20;
  void* memory = allocate(b.size);
  b.arrived = new_counter(&net);
  b.done = new_counter(&net);
  b.data = bind_memory(&net, memory, b.size, PTL_MD_EVENT_SEND_DISABLE, PTL_EQ_NONE, PTL_CT_NONE);
  new_portal(&net, PTL_EQ_NONE, kPortal);
  expose(&net, kPortal, kData, memory, b.size, b.arrived);
  expose(&net, kPortal, kDone, NULL, 0, b.done);
  heddle_barrier();

  const double by_adapters = run(&b, 1, 1, busy_us);
  const double by_processes = run(&b, 0, 2, busy_us);
  if (net.rank == 0) {
    printf("%8s %8s %8s %12s %12s\n%8u %8llu %8u %12.3f %12.3f\n", "ranks", "size_B", "busy_us",
           "triggered_us", "software_us", net.size, (unsigned long long)b.size, busy_us,
           by_adapters, by_processes);
  }
  close_network(&net);
  free(memory);
  return 0;
}
