/* A dissemination barrier made of empty Puts: in round k every rank tells the one 2^k further on,
 * and waits for the one 2^k before it. After ceil(log2 n) rounds everybody has heard of everybody.
 *
 *     heddlecc barrier.c -o barrier && heddle run -n 64 ./barrier [BARRIERS]
 *
 * More ranks than nodes share them: heddle run -n 65536 --ranks-per-node 1024 ./barrier */
#include <heddle.h>

#include "common.h"

enum { kPortal = 1, kMostRounds = 32 };

struct barrier {
  const struct network* net;
  ptl_handle_md_t empty;
  ptl_handle_ct_t told[kMostRounds]; /* How often, in each round. */
  unsigned rounds;
  ptl_size_t passed;
};

static struct barrier new_barrier(const struct network* net) {
  struct barrier barrier;
  memset(&barrier, 0, sizeof barrier);
  barrier.net = net;
  barrier.empty = bind_memory(net, NULL, 0, PTL_MD_EVENT_SEND_DISABLE, PTL_EQ_NONE, PTL_CT_NONE);
  while ((uint64_t)1 << barrier.rounds < net->size) {
    barrier.told[barrier.rounds] = new_counter(net);
    expose(net, kPortal, barrier.rounds, NULL, 0, barrier.told[barrier.rounds]);
    ++barrier.rounds;
  }
  return barrier;
}

/* A rank may be told of the next barrier already while it waits in this one: the counters go on. */
static void pass(struct barrier* barrier) {
  const unsigned size = barrier->net->size;
  ++barrier->passed;
  for (unsigned round = 0; round < barrier->rounds; ++round) {
    const unsigned next = (unsigned)((barrier->net->rank + ((uint64_t)1 << round)) % size);
    CHECK(PtlPut(barrier->empty, 0, 0, PTL_NO_ACK_REQ, rank_id(next), kPortal, round, 0, NULL, 0));
    wait_for(barrier->told[round], barrier->passed);
  }
}

int main(int argc, char** argv) {
  const unsigned count = argc > 1 ? parse_count(argv[1], 1000000) : 1;
  const struct network net = open_network();
  new_portal(&net, PTL_EQ_NONE, kPortal);
  struct barrier barrier = new_barrier(&net);
  heddle_barrier(); /* Everybody listens. */

  const double start = now_us();
  for (unsigned i = 0; i < count; ++i) pass(&barrier);
  const double mean = (now_us() - start) / count;
  if (net.rank == 0) {
    printf("%8s %8s %12s\n%8u %8u %12.3f\n", "ranks", "rounds", "barrier_us", net.size,
           barrier.rounds, mean);
  }
  heddle_barrier();
  close_network(&net);
  return 0;
}
