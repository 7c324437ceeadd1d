/* The same by Portals alone: a Put into an entry that stays, and the event that it causes. */
#include <heddle.h>
#include <portals4.h>
#include <stdio.h>

enum { kWarmUp = 10, kRounds = 100, kPortal = 5 };

static int is_put(ptl_handle_eq_t events) {
  ptl_event_t event;
  do {
    if (PtlEQWait(events, &event) != PTL_OK) return 0;
  } while (event.type != PTL_EVENT_PUT);
  return event.ni_fail_type == PTL_NI_OK;
}

int main(void) {
  ptl_handle_ni_t ni;
  ptl_handle_eq_t events;
  ptl_handle_md_t md;
  ptl_handle_me_t me;
  ptl_pt_index_t portal;
  static char sent[8], received[8];
  const int rank = heddle_rank();
  const ptl_process_t other = {.rank = (ptl_rank_t)(1 - rank)};
  PtlInit();
  PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
  PtlEQAlloc(ni, 1024, &events);
  PtlPTAlloc(ni, 0, events, kPortal, &portal);
  const ptl_me_t entry = {.start = received,
                          .length = sizeof received,
                          .ct_handle = PTL_CT_NONE,
                          .uid = PTL_UID_ANY,
                          .options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE,
                          .match_id = {.rank = PTL_RANK_ANY}};
  const ptl_md_t memory = {.start = sent,
                           .length = sizeof sent,
                           .options = PTL_MD_EVENT_SEND_DISABLE,
                           .eq_handle = PTL_EQ_NONE,
                           .ct_handle = PTL_CT_NONE};
  PtlMEAppend(ni, portal, &entry, PTL_PRIORITY_LIST, NULL, &me);
  PtlMDBind(ni, &memory, &md);
  heddle_barrier();
  double start = 0;
  for (int i = 0; i < kWarmUp + kRounds; ++i) {
    if (i == kWarmUp) start = heddle_time();
    if (rank == 0) PtlPut(md, 0, 8, PTL_NO_ACK_REQ, other, portal, 0, 0, NULL, 0);
    if (!is_put(events)) return 1;
    if (rank == 1) PtlPut(md, 0, 8, PTL_NO_ACK_REQ, other, portal, 0, 0, NULL, 0);
  }
  if (rank == 0) printf("%.3f\n", (heddle_time() - start) / kRounds / 2 * 1e6);
  heddle_barrier();
  return 0;
}
