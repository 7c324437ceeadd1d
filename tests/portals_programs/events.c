/* Queues of events: several at a time, for so long, events that are not wanted, and a queue that is
 * too short. Rank 1 is the target. */
#include "checked.h"

enum { kMany = 12 };

static unsigned char memory[64], source[64];

static void limits_of_time(const struct Side* side, ptl_handle_eq_t other) {
  const ptl_handle_eq_t queues[2] = {side->events, other};
  ptl_event_t event;
  unsigned which = 9;
  uint64_t before = heddle_time_ps();
  IS(PtlEQGet(other, &event), PTL_EQ_EMPTY);
  IS(PtlEQPoll(queues, 2, 0, &event, &which), PTL_EQ_EMPTY);
  IS((heddle_time_ps() - before) / 1000000000, 0);
  before = heddle_time_ps();
  IS(PtlEQPoll(queues, 2, 12, &event, &which), PTL_EQ_EMPTY);
  IS((heddle_time_ps() - before) / 1000000000, 12);
}

/* Two portals, each with a queue. */
static void target(const struct Side* side, ptl_handle_eq_t other) {
  ptl_pt_index_t portal;
  OK(PtlPTAlloc(side->ni, 0, other, 6, &portal));
  ptl_me_t me = entry_of(memory, sizeof memory, PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE, 1);
  ptl_handle_me_t handle;
  OK(PtlMEAppend(side->ni, side->portal, &me, PTL_PRIORITY_LIST, "first", &handle));
  OK(PtlMEAppend(side->ni, portal, &me, PTL_PRIORITY_LIST, "second", &handle));
  heddle_barrier();
  const ptl_handle_eq_t queues[2] = {side->events, other};
  ptl_event_t event;
  unsigned which;
  for (unsigned i = 0; i < 4; ++i) {
    OK(PtlEQPoll(queues, 2, PTL_TIME_FOREVER, &event, &which));
    IS(which, i % 2);
    IS(event.pt_index, 5 + i % 2);
    IS(event.hdr_data, i);
  }
  heddle_barrier();
  /* Only 4 of 12 events have room: who reads the next is told that others are lost. */
  heddle_barrier();
  for (int i = 0; i < 4; ++i) {
    OK(PtlEQGet(other, &event));
    IS(event.hdr_data, i);
  }
  IS(PtlEQGet(other, &event), PTL_EQ_EMPTY);
  heddle_barrier();
  IS(PtlEQWait(other, &event), PTL_EQ_DROPPED);
  IS(event.hdr_data, kMany);
  OK(PtlEQFree(other));
}

static void put_and_wait(const struct Side* side, ptl_handle_md_t md, ptl_pt_index_t portal,
                         unsigned data) {
  OK(PtlPut(md, 0, 8, PTL_ACK_REQ, rank_id(1), portal, 1, 0, source, data));
  const ptl_event_t ack = next(side, PTL_EVENT_ACK);
  IS(ack.user_ptr == source, 1);
}

static void initiator(const struct Side* side) {
  const ptl_handle_md_t md =
      bind(side, source, sizeof source, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  heddle_barrier();
  for (unsigned i = 0; i < 4; ++i) put_and_wait(side, md, 5 + i % 2, i);
  heddle_barrier();
  for (unsigned i = 0; i < kMany; ++i) put_and_wait(side, md, 6, i);
  /* Of what succeeds, nothing is told. */
  const ptl_handle_md_t silent =
      bind(side, source, sizeof source, PTL_MD_EVENT_SUCCESS_DISABLE, PTL_CT_NONE);
  OK(PtlPut(silent, 0, 8, PTL_ACK_REQ, rank_id(1), 5, 1, 0, NULL, 0));
  OK(PtlPut(silent, 0, 8, PTL_ACK_REQ, rank_id(1), 5, 2, 0, source, 0));
  const ptl_event_t failed = next(side, PTL_EVENT_ACK);
  IS(failed.ni_fail_type, PTL_NI_DROPPED);
  IS(failed.user_ptr == source, 1);
  heddle_barrier();
  heddle_barrier();
  put_and_wait(side, md, 6, kMany);
  no_event(side);
}

int main(void) {
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  ptl_handle_eq_t other;
  OK(PtlEQAlloc(side.ni, 4, &other));
  limits_of_time(&side, other);
  heddle_barrier();
  side.rank == 1 ? target(&side, other) : initiator(&side);
  return finish(&side);
}
