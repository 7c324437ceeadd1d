/* A portal with flow control, to which more comes than it has entries for: it is disabled, who
 * sends is told and sends again when it is enabled. Rank 0 is the target of all others. */
#include "checked.h"

enum { kRoom = 3, kEach = 4 };

static int64_t memory[64], word;

static void target(const struct Side* side) {
  ptl_me_t me = entry_of(
      memory, sizeof(int64_t),
      PTL_ME_OP_PUT | PTL_ME_USE_ONCE | PTL_ME_EVENT_LINK_DISABLE | PTL_ME_EVENT_UNLINK_DISABLE, 1);
  ptl_handle_me_t handle;
  int appended = 0, arrived = 0, disabled = 0;
  const int all = kEach * (side->size - 1);
  for (; appended < kRoom; ++appended) {
    me.start = &memory[appended];
    OK(PtlMEAppend(side->ni, side->portal, &me, PTL_PRIORITY_LIST, NULL, &handle));
  }
  heddle_barrier();
  while (arrived < all) {
    ptl_event_t event;
    OK(PtlEQWait(side->events, &event));
    if (event.type == PTL_EVENT_PUT) {
      ++arrived;
      continue;
    }
    IS(event.type, PTL_EVENT_PT_DISABLED);
    ++disabled;
    for (int i = 0; i < kRoom && appended < all; ++i, ++appended) {
      me.start = &memory[appended];
      OK(PtlMEAppend(side->ni, side->portal, &me, PTL_PRIORITY_LIST, NULL, &handle));
    }
    OK(PtlPTEnable(side->ni, side->portal));
  }
  int64_t sum = 0;
  for (int i = 0; i < all; ++i) sum += memory[i];
  IS(sum, kEach * side->size * (side->size - 1) / 2);
  IS(disabled > 0, 1);
}

static void initiator(const struct Side* side) {
  word = side->rank;
  const ptl_handle_md_t md = bind(side, &word, sizeof word, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  heddle_barrier();
  int again = 0;
  for (int i = 0; i < kEach;) {
    OK(PtlPut(md, 0, 8, PTL_ACK_REQ, rank_id(0), side->portal, 1, 0, NULL, 0));
    const ptl_event_t ack = next(side, PTL_EVENT_ACK);
    i += ack.ni_fail_type == PTL_NI_OK;
    if (ack.ni_fail_type == PTL_NI_OK) continue;
    IS(ack.ni_fail_type, PTL_NI_PT_DISABLED);
    ++again;
    heddle_compute(1e-6 * side->rank);
  }
  printf("rank %d sent %d of them again\n", side->rank, again);
  fflush(stdout);
}

/* A portal that its owner disables refuses, too, and says nothing of it to the owner. */
static void by_hand(const struct Side* side) {
  heddle_barrier();
  if (side->rank == 0) OK(PtlPTDisable(side->ni, side->portal));
  heddle_barrier();
  if (side->rank == 1) {
    const ptl_handle_md_t md =
        bind(side, &word, sizeof word, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
    OK(PtlPut(md, 0, 8, PTL_ACK_REQ, rank_id(0), side->portal, 1, 0, NULL, 0));
    IS(next(side, PTL_EVENT_ACK).ni_fail_type, PTL_NI_PT_DISABLED);
  }
  heddle_barrier();
  no_event(side);
}

int main(void) {
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PT_FLOWCTRL);
  side.rank == 0 ? target(&side) : initiator(&side);
  by_hand(&side);
  return finish(&side);
}
