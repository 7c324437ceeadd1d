/* Which entry takes a message, and how much of it: bits and what is ignored of them, who may send,
 * truncation, offsets, entries that are used once, stay, or manage their offset themselves; all
 * kinds of acknowledgement, and bundles. Rank 1 is the target. */
#include "checked.h"

enum { kPut = PTL_ME_OP_PUT, kOnce = PTL_ME_OP_PUT | PTL_ME_USE_ONCE };

static unsigned char memory[8][256], source[256];

static void target(const struct Side* side) {
  ptl_me_t me = entry_of(memory[0], 64, kOnce, 0x10);
  append(side, me, memory[0]);
  me = entry_of(memory[1], 64, kOnce, 0x20);
  me.ignore_bits = 0xf;
  append(side, me, memory[1]);
  me = entry_of(memory[2], 16, kPut | PTL_ME_NO_TRUNCATE, 0x30);
  append(side, me, memory[2]);
  me = entry_of(memory[3], 64, kPut, 0x30);
  append(side, me, memory[3]);
  me = entry_of(memory[4], 64, kPut | PTL_ME_MANAGE_LOCAL, 0x40);
  me.min_free = 24;
  append(side, me, memory[4]);
  me = entry_of(memory[5], 64, kPut, 0x50);
  me.match_id = rank_id(1);
  append(side, me, memory[5]);
  me = entry_of(memory[6], 128, kPut | PTL_ME_OP_GET, 0x50);
  const ptl_handle_me_t kept = append(side, me, memory[6]);
  heddle_barrier();

  ptl_event_t event = next(side, PTL_EVENT_PUT);
  IS(event.user_ptr == memory[0], 1);
  IS(event.match_bits, 0x10);
  IS(event.hdr_data, 77);
  IS(event.initiator.rank, 0);
  IS(event.ptl_list, PTL_PRIORITY_LIST);
  IS(is_filled(memory[0], 32, 8, 0), 1);
  next(side, PTL_EVENT_AUTO_UNLINK);
  event = next(side, PTL_EVENT_PUT); /* 0x2a: four bits do not count; 100 B into 64. */
  IS(event.user_ptr == memory[1], 1);
  IS(event.rlength, 100);
  IS(event.mlength, 64);
  next(side, PTL_EVENT_AUTO_UNLINK);
  event = next(side, PTL_EVENT_PUT); /* 16 B fit the entry that truncates nothing, */
  IS(event.user_ptr == memory[2], 1);
  event = next(side, PTL_EVENT_PUT); /* 17 B take the next. */
  IS(event.user_ptr == memory[3], 1);
  IS(event.mlength, 17);
  for (int i = 0; i < 3; ++i) { /* One behind the other, until less than 24 B are free. */
    event = next(side, PTL_EVENT_PUT);
    IS(event.start == memory[4] + 16 * i, 1);
  }
  next(side, PTL_EVENT_AUTO_UNLINK);
  event = next(side, PTL_EVENT_PUT); /* The entry for rank 1 alone is passed over. */
  IS(event.user_ptr == memory[6], 1);
  IS(event.remote_offset, 30);
  IS(is_filled(memory[6] + 30, 20, 0, 0), 1);
  event = next(side, PTL_EVENT_GET);
  IS(event.mlength, 20);
  for (int i = 0; i < 4; ++i) next(side, PTL_EVENT_PUT);
  heddle_barrier();
  OK(PtlMEUnlink(kept));
  IS(PtlMEUnlink(kept), PTL_ARG_INVALID);
  no_event(side);
}

static void put(ptl_handle_md_t md, const struct Side* side, size_t from, size_t length,
                uint64_t bits, size_t offset, size_t taken) {
  OK(PtlPut(md, from, length, PTL_ACK_REQ, rank_id(1), side->portal, bits, offset, NULL, 77));
  next(side, PTL_EVENT_SEND);
  const ptl_event_t ack = next(side, PTL_EVENT_ACK);
  IS(ack.mlength, taken);
  IS(ack.ni_fail_type, PTL_NI_OK);
}

static void initiator(const struct Side* side) {
  fill(source, sizeof source, 0);
  const ptl_handle_md_t md = bind(side, source, sizeof source, 0, PTL_CT_NONE);
  heddle_barrier();
  put(md, side, 8, 32, 0x10, 0, 32);
  put(md, side, 0, 100, 0x2a, 0, 64);
  put(md, side, 0, 16, 0x30, 0, 16);
  put(md, side, 0, 17, 0x30, 0, 17);
  for (int i = 0; i < 3; ++i) put(md, side, 0, 16, 0x40, 0, 16);
  put(md, side, 0, 20, 0x50, 30, 20);
  static unsigned char back[64];
  const ptl_handle_md_t into = bind(side, back, sizeof back, 0, PTL_CT_NONE);
  OK(PtlGet(into, 4, 20, rank_id(1), side->portal, 0x50, 30, back));
  const ptl_event_t reply = next(side, PTL_EVENT_REPLY);
  IS(reply.mlength, 20);
  IS(reply.user_ptr == back, 1);
  IS(is_filled(back + 4, 20, 0, 0), 1);
  /* Acknowledgements that are only counted, or none, in a bundle. */
  const ptl_handle_ct_t counter = counter_of(side);
  const ptl_handle_md_t counted =
      bind(side, source, sizeof source, PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_SEND_DISABLE, counter);
  OK(PtlStartBundle(side->ni));
  const ptl_ack_req_t ways[] = {PTL_CT_ACK_REQ, PTL_OC_ACK_REQ, PTL_ACK_REQ, PTL_NO_ACK_REQ};
  for (int i = 0; i < 4; ++i)
    OK(PtlPut(counted, 0, 8, ways[i], rank_id(1), side->portal, 0x50, 0, NULL, 0));
  OK(PtlEndBundle(side->ni));
  IS(reached(counter, 3).success, 3);
  next(side, PTL_EVENT_ACK);
  heddle_barrier();
  no_event(side);
  OK(PtlMDRelease(md));
  IS(PtlMDRelease(md), PTL_ARG_INVALID);
}

int main(void) {
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  side.rank == 1 ? target(&side) : initiator(&side);
  return finish(&side);
}
