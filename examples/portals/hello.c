/* Every rank writes a greeting into the memory of rank 0, which prints them all.
 *
 *     heddlecc hello.c -o hello && heddle run -n 4 ./hello */
#include <heddle.h>

#include "common.h"

enum { kPortal = 1, kGreetings = 7, kLine = 64 };

static void greet(const struct network* net) {
  char line[kLine];
  snprintf(line, sizeof line, "hello from rank %u of %u", net->rank, net->size);
  const ptl_handle_ct_t sent = new_counter(net);
  const ptl_handle_md_t md =
      bind_memory(net, line, sizeof line, PTL_MD_EVENT_CT_ACK, PTL_EQ_NONE, sent);
  CHECK(PtlPut(md, 0, sizeof line, PTL_CT_ACK_REQ, rank_id(0), kPortal, kGreetings,
               (ptl_size_t)net->rank * kLine, NULL, 0));
  wait_for(sent, 1);
}

int main(void) {
  const struct network net = open_network();
  const ptl_handle_ct_t arrived = new_counter(&net);
  new_portal(&net, PTL_EQ_NONE, kPortal);
  char* lines = NULL;
  if (net.rank == 0) {
    lines = (char*)allocate((size_t)net.size * kLine);
    expose(&net, kPortal, kGreetings, lines, (ptl_size_t)net.size * kLine, arrived);
  }
  heddle_barrier(); /* Rank 0 is ready. */
  greet(&net);
  if (net.rank == 0) {
    wait_for(arrived, net.size);
    for (unsigned rank = 0; rank < net.size; ++rank) puts(lines + (size_t)rank * kLine);
  }
  heddle_barrier(); /* Nobody leaves before its greeting is there. */
  close_network(&net);
  free(lines);
  return 0;
}
