/* Counters: of messages and of bytes, at both ends; failures; waiting for one of several, with and
 * without success, for so long. Rank 1 is the target. */
#include "checked.h"

static unsigned char memory[4096], source[4096];

static void limits_of_time(const struct Side* side) {
  ptl_handle_ct_t counters[3];
  const ptl_size_t tests[3] = {1, 5, 2};
  ptl_ct_event_t value;
  unsigned which = 9;
  for (int i = 0; i < 3; ++i) counters[i] = counter_of(side);
  const uint64_t before = heddle_time_ps();
  IS(PtlCTPoll(counters, tests, 3, 7, &value, &which), PTL_CT_NONE_REACHED);
  IS((heddle_time_ps() - before) / 1000000000, 7);
  const ptl_ct_event_t four = {4, 0}, two = {2, 0}, fault = {0, 1}, both = {1, 1};
  OK(PtlCTSet(counters[1], four));
  OK(PtlCTInc(counters[2], two));
  OK(PtlCTPoll(counters, tests, 3, PTL_TIME_FOREVER, &value, &which));
  IS(which, 2);
  IS(value.success, 2);
  IS(PtlCTInc(counters[0], both), PTL_ARG_INVALID);
  OK(PtlCTInc(counters[1], fault));
  OK(PtlCTWait(counters[1], 1000, &value)); /* A failure ends it. */
  IS(value.success, 4);
  IS(value.failure, 1);
  for (int i = 0; i < 3; ++i) OK(PtlCTFree(counters[i]));
  IS(PtlCTGet(counters[0], &value), PTL_ARG_INVALID);
}

static void target(const struct Side* side) {
  const unsigned silent = PTL_ME_OP_PUT | PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_CT_COMM;
  const ptl_handle_ct_t messages = counter_of(side), bytes = counter_of(side);
  ptl_me_t me = entry_of(memory, 1000, silent, 1);
  me.ct_handle = messages;
  append(side, me, NULL);
  me = entry_of(memory + 1000, 1000, silent | PTL_ME_EVENT_CT_BYTES, 2);
  me.ct_handle = bytes;
  append(side, me, NULL);
  heddle_barrier();
  IS(reached(messages, 5).success, 5);
  IS(reached(bytes, 1234).success, 1234);
  heddle_barrier();
  no_event(side);
}

static void initiator(const struct Side* side) {
  const unsigned silent = PTL_MD_EVENT_SUCCESS_DISABLE;
  const ptl_handle_ct_t acks = counter_of(side), bytes = counter_of(side);
  const ptl_handle_md_t counted =
      bind(side, source, sizeof source, silent | PTL_MD_EVENT_CT_ACK, acks);
  const ptl_handle_md_t measured = bind(
      side, source, sizeof source, silent | PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_CT_BYTES, bytes);
  heddle_barrier();
  for (int i = 0; i < 5; ++i)
    OK(PtlPut(counted, 0, 10, PTL_CT_ACK_REQ, rank_id(1), side->portal, 1, 0, NULL, 0));
  IS(reached(acks, 5).success, 5);
  OK(PtlPut(measured, 0, 1000, PTL_CT_ACK_REQ, rank_id(1), side->portal, 2, 0, NULL, 0));
  OK(PtlPut(measured, 0, 500, PTL_CT_ACK_REQ, rank_id(1), side->portal, 2, 766, NULL, 0));
  IS(reached(bytes, 1234).success, 1234); /* 766 + 234 = 1000 */
  /* Nobody has an entry for these bits. */
  OK(PtlPut(counted, 0, 10, PTL_CT_ACK_REQ, rank_id(1), side->portal, 3, 0, NULL, 0));
  const ptl_ct_event_t value = reached(acks, 6);
  IS(value.success, 5);
  IS(value.failure, 1);
  heddle_barrier();
}

int main(void) {
  const struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  limits_of_time(&side);
  heddle_barrier();
  side.rank == 1 ? target(&side) : initiator(&side);
  return finish(&side);
}
