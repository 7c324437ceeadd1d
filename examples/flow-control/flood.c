/* A flow of messages, one at a time, beside others that flood the cable it takes.
 *
 * The nodes stand in two equal halves, and node i of the first half sends to node i of the second.
 * One process of node 0 sends one message after the other and times them. Every process of the
 * other nodes of the first half sends as much as it can, until node 0 is done.
 *
 *     flood SIZE WARM_UP MESSAGES PROCESSES_PER_NODE    # prints the mean latency in microseconds
 */
#include <heddle.h>
#include <unistd.h>

#include "../portals/common.h"

enum { kPortal = 1, kData = 1, kStop = 2, kInFlight = 64, kLargest = 64 << 20 };

/* Sends until told to stop, with at most kInFlight messages on their way. */
static void flood(const struct network* net, void* memory, ptl_size_t size, ptl_handle_ct_t stop) {
  const ptl_handle_ct_t acks = new_counter(net);
  const ptl_handle_md_t md = bind_memory(
      net, memory, size, PTL_MD_EVENT_SEND_DISABLE | PTL_MD_EVENT_CT_ACK, PTL_EQ_NONE, acks);
  const ptl_handle_ct_t counters[2] = {stop, acks};
  const ptl_process_t target = rank_id(net->rank + net->size / 2);
  unsigned which = 1;
  for (ptl_size_t sent = 1; which != 0; ++sent) {
    const ptl_size_t tests[2] = {1, sent > kInFlight ? sent - kInFlight : 0};
    ptl_ct_event_t now;
    CHECK(PtlPut(md, 0, size, PTL_CT_ACK_REQ, target, kPortal, kData, 0, NULL, 0));
    CHECK(PtlCTPoll(counters, tests, 2, PTL_TIME_FOREVER, &now, &which));
    if (now.failure > 0) fail("a message was lost");
  }
}

/* The mean time of a message, after `warm_up` others that find their way into the queues. */
static double measure(const struct network* net, void* memory, ptl_size_t size, unsigned warm_up,
                      unsigned messages) {
  const ptl_handle_ct_t acks = new_counter(net);
  const ptl_handle_md_t md = bind_memory(
      net, memory, size, PTL_MD_EVENT_SEND_DISABLE | PTL_MD_EVENT_CT_ACK, PTL_EQ_NONE, acks);
  double start = 0;
  for (unsigned i = 0; i < warm_up + messages; ++i) {
    if (i == warm_up) start = now_us();
    CHECK(PtlPut(md, 0, size, PTL_CT_ACK_REQ, rank_id(net->size / 2), kPortal, kData, 0, NULL, 0));
    wait_for(acks, i + 1);
  }
  return (now_us() - start) / messages;
}

static void stop_all(const struct network* net) {
  const ptl_handle_md_t md =
      bind_memory(net, NULL, 0, PTL_MD_EVENT_SEND_DISABLE, PTL_EQ_NONE, PTL_CT_NONE);
  for (unsigned rank = 1; rank < net->size / 2; ++rank) {
    CHECK(PtlPut(md, 0, 0, PTL_NO_ACK_REQ, rank_id(rank), kPortal, kStop, 0, NULL, 0));
  }
}

int main(int argc, char** argv) {
  if (argc != 5) fail("usage: flood SIZE WARM_UP MESSAGES PROCESSES_PER_NODE");
  const ptl_size_t size = parse_size(argv[1], kLargest);
  const unsigned warm_up = parse_count(argv[2], 100000);
  const unsigned messages = parse_count(argv[3], 100000);
  const unsigned per_node = parse_count(argv[4], 1024);
  const struct network net = open_network();
  void* memory = allocate(size);
  const ptl_handle_ct_t stop = new_counter(&net);
  new_portal(&net, PTL_EQ_NONE, kPortal);
  expose(&net, kPortal, kData, memory, size, PTL_CT_NONE);
  expose(&net, kPortal, kStop, NULL, 0, stop);
  heddle_barrier();

  if (net.rank == 0) {
    printf("%.3f\n", measure(&net, memory, size, warm_up, messages));
    stop_all(&net);
  } else if (net.rank >= per_node && net.rank < net.size / 2) {
    flood(&net, memory, size, stop);
  }
  heddle_barrier();
  close_network(&net);
  free(memory);
  return 0;
}
