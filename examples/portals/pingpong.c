/* Ranks 0 and 1 throw a message to and fro: half a round trip for sizes from 1 B to 1 MiB.
 *
 *     heddlecc pingpong.c -o pingpong && heddle run -n 2 --platform bxi-v2 ./pingpong [ROUNDS] */
#include <heddle.h>

#include "common.h"

enum { kPortal = 1, kBall = 1, kLargest = 1 << 20 };

int main(int argc, char** argv) {
  const unsigned rounds = argc > 1 ? parse_count(argv[1], 1000000) : 10;
  const struct network net = open_network();
  if (net.size < 2) fail("needs two ranks");
  char* received = (char*)allocate(kLargest);
  char* sent = (char*)allocate(kLargest);
  const ptl_handle_ct_t arrived = new_counter(&net);
  const ptl_handle_md_t md =
      bind_memory(&net, sent, kLargest, PTL_MD_EVENT_SEND_DISABLE, PTL_EQ_NONE, PTL_CT_NONE);
  new_portal(&net, PTL_EQ_NONE, kPortal);
  expose(&net, kPortal, kBall, received, kLargest, arrived);
  heddle_barrier();

  const ptl_process_t other = rank_id(1 - net.rank);
  ptl_size_t seen = 0;
  if (net.rank == 0) printf("%8s %12s %14s\n", "size_B", "latency_us", "bandwidth_MBps");
  for (ptl_size_t size = 1; size <= kLargest && net.rank < 2; size *= 4) {
    const double start = now_us();
    for (unsigned round = 0; round < rounds; ++round) {
      if (net.rank == 1) wait_for(arrived, ++seen);
      CHECK(PtlPut(md, 0, size, PTL_NO_ACK_REQ, other, kPortal, kBall, 0, NULL, 0));
      if (net.rank == 0) wait_for(arrived, ++seen);
    }
    const double latency = (now_us() - start) / (2.0 * rounds);
    if (net.rank == 0)
      printf("%8llu %12.3f %14.1f\n", (unsigned long long)size, latency, (double)size / latency);
  }
  heddle_barrier();
  close_network(&net);
  free(sent);
  free(received);
  return 0;
}
