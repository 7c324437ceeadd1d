/* Triggered operations of every kind: they wait for their counter, come in the order of their
 * thresholds, and can be taken back. A word goes round a ring of adapters while the ranks compute;
 * then rank 0 has everything else done to rank 1's memory. */
#include "checked.h"

static int64_t word, ours[8], theirs[8];

static void ring(const struct Side* side) {
  const ptl_handle_ct_t arrived = counter_of(side), sent = counter_of(side);
  ptl_me_t me = entry_of(&word, sizeof word,
                         PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM | PTL_ME_EVENT_COMM_DISABLE, 1);
  me.ct_handle = arrived;
  append(side, me, NULL);
  const ptl_handle_md_t md =
      bind(side, &word, sizeof word, PTL_MD_EVENT_CT_SEND | PTL_MD_EVENT_SUCCESS_DISABLE, sent);
  const ptl_process_t after = rank_id((side->rank + 1) % side->size);
  if (side->rank != 0)
    OK(PtlTriggeredPut(md, 0, 8, PTL_NO_ACK_REQ, after, side->portal, 1, 0, NULL, 0, arrived, 1));
  heddle_barrier();
  if (side->rank == 0) {
    word = 4711;
    OK(PtlPut(md, 0, 8, PTL_NO_ACK_REQ, after, side->portal, 1, 0, NULL, 0));
  }
  heddle_compute(1e-3);
  IS(reached(arrived, 1).success, 1);
  IS(word, 4711);
  heddle_barrier();
}

static void wait_and_expect(ptl_handle_ct_t done, ptl_size_t count) {
  const ptl_ct_event_t now = reached(done, count);
  IS(now.failure, 0);
}

static void operations(const struct Side* side) {
  const ptl_handle_ct_t trigger = counter_of(side), done = counter_of(side);
  const unsigned counts =
      PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_SUCCESS_DISABLE;
  const ptl_handle_md_t md = bind(side, ours, sizeof ours, counts, done);
  const ptl_process_t other = rank_id(1);
  const ptl_pt_index_t pt = side->portal;
  const int64_t operand = 30;
  for (int i = 0; i < 8; ++i) ours[i] = 10 * i;
  /* theirs is {0, 1, 2, ...}. Higher thresholds first, which makes no difference. */
  OK(PtlTriggeredSwap(md, 56, md, 40, 8, other, pt, 2, 24, NULL, 0, &operand, PTL_CSWAP,
                      PTL_INT64_T, trigger, 5));
  OK(PtlTriggeredFetchAtomic(md, 48, md, 24, 8, other, pt, 2, 16, NULL, 0, PTL_SUM, PTL_INT64_T,
                             trigger, 4));
  OK(PtlTriggeredAtomic(md, 16, 8, PTL_CT_ACK_REQ, other, pt, 2, 8, NULL, 0, PTL_SUM, PTL_INT64_T,
                        trigger, 3));
  OK(PtlTriggeredGet(md, 0, 8, other, pt, 2, 32, NULL, trigger, 2));
  OK(PtlTriggeredPut(md, 24, 8, PTL_CT_ACK_REQ, other, pt, 2, 24, NULL, 0, trigger, 1));
  ptl_ct_event_t value;
  OK(PtlCTGet(done, &value));
  IS(value.success, 0);
  const ptl_ct_event_t one = {1, 0};
  for (ptl_size_t step = 1; step <= 5; ++step) {
    OK(PtlCTInc(trigger, one));
    wait_and_expect(done, step);
  }
  IS(ours[0], 4);  /* got */
  IS(ours[6], 2);  /* was there before 30 was added, */
  IS(ours[7], 30); /* and before it was exchanged for 50 */
  /* Counters that others move, at once where their time has come. */
  const ptl_handle_ct_t moved = counter_of(side);
  const ptl_ct_event_t seven = {7, 0};
  OK(PtlTriggeredCTInc(moved, seven, trigger, 5));
  wait_and_expect(moved, 7);
  OK(PtlTriggeredCTSet(moved, one, trigger, 6));
  OK(PtlTriggeredPut(md, 0, 8, PTL_CT_ACK_REQ, other, pt, 2, 0, NULL, 0, moved, 100));
  OK(PtlCTInc(trigger, one));
  heddle_compute(1e-4);
  OK(PtlCTGet(moved, &value));
  IS(value.success, 1);
  OK(PtlCTCancelTriggered(moved));
  const ptl_ct_event_t enough = {100, 0};
  OK(PtlCTSet(moved, enough));
  heddle_compute(1e-4);
  OK(PtlCTGet(done, &value));
  IS(value.success, 5); /* The last put was taken back. */
}

/* An entry that is linked, and another that is unlinked, when a message has come. */
static void entries(const struct Side* side) {
  static char first[8], second[8];
  const ptl_handle_ct_t arrived = counter_of(side);
  ptl_me_t me = entry_of(first, sizeof first, PTL_ME_OP_PUT | PTL_ME_EVENT_CT_COMM, 3);
  me.ct_handle = arrived;
  const ptl_handle_me_t handle = append(side, me, first);
  me = entry_of(second, sizeof second, PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE, 3);
  ptl_handle_me_t later;
  OK(PtlTriggeredMEUnlink(handle, arrived, 1));
  OK(PtlTriggeredMEAppend(side->ni, side->portal, &me, PTL_PRIORITY_LIST, second, &later, arrived,
                          1));
  heddle_barrier();
  IS(next(side, PTL_EVENT_PUT).user_ptr == first, 1);
  IS(next(side, PTL_EVENT_PUT).user_ptr == second, 1);
  OK(PtlMEUnlink(later));
}

int main(void) {
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  for (int i = 0; i < 8; ++i) theirs[i] = i;
  append(
      &side,
      entry_of(theirs, sizeof theirs, PTL_ME_OP_PUT | PTL_ME_OP_GET | PTL_ME_EVENT_COMM_DISABLE, 2),
      NULL);
  ring(&side);
  if (side.rank == 0) operations(&side);
  heddle_barrier();
  if (side.rank == 1) {
    IS(theirs[0], 0);
    IS(theirs[1], 21);
    IS(theirs[2], 32);
    IS(theirs[3], 50);
    entries(&side);
  } else {
    const ptl_handle_md_t md = bind(&side, ours, 8, 0, PTL_CT_NONE);
    heddle_barrier();
    for (int i = 0; side.rank == 0 && i < 2; ++i) {
      OK(PtlPut(md, 0, 8, PTL_ACK_REQ, rank_id(1), side.portal, 3, 0, NULL, 0));
      next(&side, PTL_EVENT_SEND);
      next(&side, PTL_EVENT_ACK);
      heddle_compute(1e-5);
    }
  }
  return finish(&side);
}
