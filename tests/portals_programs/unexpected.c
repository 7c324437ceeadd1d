/* Messages that nobody has asked for yet: the overflow list keeps them, whoever appends an entry or
 * searches finds them in their order, and the memory they lie in is given back when all are gone.
 * Rank 1 is the target. */
#include "checked.h"

static unsigned char overflow[64], source[64], memory[64];

static void keep(const struct Side* side, void* start, size_t length, uint64_t bits) {
  ptl_me_t me = entry_of(start, length,
                         PTL_ME_OP_PUT | PTL_ME_MANAGE_LOCAL | PTL_ME_EVENT_COMM_DISABLE, bits);
  me.ignore_bits = 0xff;
  me.min_free = 16;
  ptl_handle_me_t handle;
  OK(PtlMEAppend(side->ni, side->portal, &me, PTL_OVERFLOW_LIST, start, &handle));
  next(side, PTL_EVENT_LINK);
}

static void take(const struct Side* side, uint64_t bits, unsigned data) {
  ptl_me_t me = entry_of(
      memory, sizeof memory,
      PTL_ME_OP_PUT | PTL_ME_USE_ONCE | PTL_ME_EVENT_LINK_DISABLE | PTL_ME_EVENT_UNLINK_DISABLE,
      bits);
  ptl_handle_me_t handle;
  OK(PtlMEAppend(side->ni, side->portal, &me, PTL_PRIORITY_LIST, memory, &handle));
  const ptl_event_t event = next(side, PTL_EVENT_PUT_OVERFLOW);
  IS(event.user_ptr == memory, 1);
  IS(event.hdr_data, data);
  IS(event.match_bits, bits);
  IS(is_filled(event.start, event.mlength, 0, 3), 1);
}

static void search(const struct Side* side, uint64_t bits, ptl_search_op_t what, ptl_ni_fail_t is,
                   unsigned data) {
  ptl_me_t me = entry_of(NULL, 0, PTL_ME_OP_PUT | PTL_ME_USE_ONCE, bits);
  OK(PtlMESearch(side->ni, side->portal, &me, what, memory));
  const ptl_event_t event =
      next(side, is == PTL_NI_OK && what == PTL_SEARCH_DELETE ? PTL_EVENT_PUT_OVERFLOW
                                                              : PTL_EVENT_SEARCH);
  IS(event.ni_fail_type, is);
  IS(event.user_ptr == memory, 1);
  if (is == PTL_NI_OK) IS(event.hdr_data, data);
}

static void target(const struct Side* side) {
  keep(side, overflow, sizeof overflow, 0x100);
  heddle_barrier();
  heddle_barrier(); /* Three of 17 B have come, which leaves less than 16 B free. */
  IS(next(side, PTL_EVENT_AUTO_UNLINK).user_ptr == overflow, 1);
  search(side, 0x1aa, PTL_SEARCH_ONLY, PTL_NI_NO_MATCH, 0);
  search(side, 0x101, PTL_SEARCH_ONLY, PTL_NI_OK, 0);
  search(side, 0x102, PTL_SEARCH_DELETE, PTL_NI_OK, 1);
  search(side, 0x102, PTL_SEARCH_ONLY, PTL_NI_NO_MATCH, 0);
  take(side, 0x101, 0);
  take(side, 0x101, 2);
  IS(next(side, PTL_EVENT_AUTO_FREE).user_ptr == overflow, 1);
  no_event(side);
  /* What comes when an entry is there takes it. */
  ptl_me_t me = entry_of(memory, sizeof memory, PTL_ME_OP_PUT | PTL_ME_USE_ONCE, 0x101);
  append(side, me, memory);
  heddle_barrier();
  IS(next(side, PTL_EVENT_PUT).mlength, 17);
  next(side, PTL_EVENT_AUTO_UNLINK);
}

static void put(const struct Side* side, ptl_handle_md_t md, uint64_t bits, unsigned data,
                ptl_list_t list) {
  OK(PtlPut(md, 0, 17, PTL_ACK_REQ, rank_id(1), side->portal, bits, 0, NULL, data));
  const ptl_event_t ack = next(side, PTL_EVENT_ACK);
  IS(ack.ni_fail_type, PTL_NI_OK);
  IS(ack.ptl_list, list);
}

static void initiator(const struct Side* side) {
  fill(source, sizeof source, 3);
  const ptl_handle_md_t md =
      bind(side, source, sizeof source, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  heddle_barrier();
  put(side, md, 0x101, 0, PTL_OVERFLOW_LIST);
  put(side, md, 0x102, 1, PTL_OVERFLOW_LIST);
  put(side, md, 0x101, 2, PTL_OVERFLOW_LIST);
  heddle_barrier();
  heddle_barrier();
  put(side, md, 0x101, 3, PTL_PRIORITY_LIST);
}

int main(void) {
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  side.rank == 1 ? target(&side) : initiator(&side);
  return finish(&side);
}
