/* What calls answer when they are wrong, and what becomes of operations that their target refuses,
 * has no place for, or that have no target. Rank 1 is the target. */
#include "checked.h"

static unsigned char memory[64], source[64];

static void arguments(const struct Side* side) {
  ptl_handle_eq_t queue;
  ptl_handle_ct_t counter;
  ptl_handle_md_t md;
  ptl_handle_me_t entry;
  ptl_pt_index_t portal;
  ptl_event_t event;
  ptl_ct_event_t value;
  IS(PtlPTAlloc(side->ni, 0, PTL_EQ_NONE, side->portal, &portal), PTL_PT_IN_USE);
  IS(PtlPTAlloc(side->ni, PTL_PT_FLOWCTRL, PTL_EQ_NONE, PTL_PT_ANY, &portal), PTL_PT_EQ_NEEDED);
  IS(PtlPTAlloc(side->ni, 1U << 20, PTL_EQ_NONE, PTL_PT_ANY, &portal), PTL_ARG_INVALID);
  IS(PtlPTFree(side->ni, 77), PTL_ARG_INVALID);
  IS(PtlEQAlloc(PTL_INVALID_HANDLE, 4, &queue), PTL_ARG_INVALID);
  IS(PtlEQAlloc(side->ni, 4, NULL), PTL_ARG_INVALID);
  IS(PtlEQGet(side->ni, &event), PTL_ARG_INVALID);
  IS(PtlCTAlloc(side->ni, NULL), PTL_ARG_INVALID);
  IS(PtlCTGet(PTL_CT_NONE, &value), PTL_ARG_INVALID);
  IS(PtlMDBind(side->ni, NULL, &md), PTL_ARG_INVALID);
  const ptl_md_t strange = {source, sizeof source, 1U << 30, side->events, PTL_CT_NONE};
  IS(PtlMDBind(side->ni, &strange, &md), PTL_ARG_INVALID);
  ptl_me_t me = entry_of(memory, sizeof memory, PTL_ME_OP_PUT, 0);
  IS(PtlMEAppend(side->ni, 77, &me, PTL_PRIORITY_LIST, NULL, &entry), PTL_ARG_INVALID);
  IS(PtlMEAppend(side->ni, side->portal, &me, 9, NULL, &entry), PTL_ARG_INVALID);
  IS(PtlSetMap(side->ni, 0, NULL), PTL_ARG_INVALID);
  md = bind(side, source, sizeof source, 0, PTL_CT_NONE);
  IS(PtlPut(md, 60, 8, PTL_NO_ACK_REQ, rank_id(1), side->portal, 0, 0, NULL, 0), PTL_ARG_INVALID);
  IS(PtlPut(md, 0, 8, 17, rank_id(1), side->portal, 0, 0, NULL, 0), PTL_ARG_INVALID);
  IS(PtlAtomic(md, 0, 8, PTL_NO_ACK_REQ, rank_id(1), side->portal, 0, 0, NULL, 0, PTL_CSWAP,
               PTL_INT64_T),
     PTL_ARG_INVALID);
  OK(PtlCTAlloc(side->ni, &counter));
  OK(PtlCTFree(counter));
  IS(PtlCTFree(counter), PTL_ARG_INVALID);
  OK(PtlMDRelease(md));
}

/* Answers what went wrong, as the acknowledgement says. */
static ptl_ni_fail_t put(const struct Side* side, ptl_handle_md_t md, int to, ptl_pt_index_t portal,
                         uint64_t bits) {
  OK(PtlPut(md, 0, 8, PTL_ACK_REQ, rank_id(to), portal, bits, 0, NULL, 0));
  return next(side, PTL_EVENT_ACK).ni_fail_type;
}

static void initiator(const struct Side* side) {
  const ptl_handle_md_t md =
      bind(side, source, sizeof source, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  heddle_barrier();
  IS(put(side, md, 1, side->portal, 1), PTL_NI_OK);
  IS(put(side, md, 1, side->portal, 2), PTL_NI_PERM_VIOLATION);
  IS(put(side, md, 1, side->portal, 3), PTL_NI_OP_VIOLATION);
  IS(put(side, md, 1, side->portal, 4), PTL_NI_DROPPED);
  IS(put(side, md, 1, 50, 1), PTL_NI_DROPPED);
  OK(PtlGet(md, 0, 8, rank_id(1), side->portal, 1, 0, NULL));
  IS(next(side, PTL_EVENT_REPLY).ni_fail_type, PTL_NI_OP_VIOLATION);
  heddle_barrier();
}

static void target(const struct Side* side) {
  ptl_me_t me = entry_of(memory, 64, PTL_ME_OP_PUT | PTL_ME_EVENT_COMM_DISABLE, 1);
  append(side, me, NULL);
  me.match_bits = 2;
  me.uid = 4242; /* Nobody's. */
  append(side, me, NULL);
  append(side, entry_of(memory, 64, PTL_ME_OP_GET | PTL_ME_EVENT_COMM_DISABLE, 3), NULL);
  heddle_barrier();
  heddle_barrier();
  ptl_sr_value_t value;
  OK(PtlNIStatus(side->ni, PTL_SR_PERMISSION_VIOLATIONS, &value));
  IS(value, 1);
  OK(PtlNIStatus(side->ni, PTL_SR_OPERATION_VIOLATIONS, &value));
  IS(value, 2);
  OK(PtlNIStatus(side->ni, PTL_SR_DROP_COUNT, &value));
  IS(value, 2);
  IS(PtlNIStatus(side->ni, PTL_SR_LAST, &value), PTL_ARG_INVALID);
}

int main(void) {
  ptl_handle_ni_t none;
  IS(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &none),
     PTL_NO_INIT);
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  arguments(&side);
  heddle_barrier();
  side.rank == 1 ? target(&side) : initiator(&side);
  return finish(&side);
}
