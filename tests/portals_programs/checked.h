/* What the programs of this folder share. Each is complete, runs on two ranks or more, checks what
 * Portals does, and says at its end how many checks there were and when it ended, in simulated
 * time; a check that fails is named and makes the program fail. */
#ifndef CHECKED_H
#define CHECKED_H

#include <heddle.h>
#include <portals4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks = 0, wrong = 0;

#define OK(call) check_is(call, PTL_OK, #call, __LINE__)
#define IS(value, expected) check_is((long long)(value), (long long)(expected), #value, __LINE__)

static inline void check_is(long long value, long long expected, const char* what, int line) {
  ++checks;
  if (value == expected) return;
  ++wrong;
  fprintf(stderr, "rank %d, line %d: %s is %lld, not %lld\n", heddle_rank(), line, what, value,
          expected);
}

/* One rank's side of a program: an interface, and on it a queue of events and a portal. */
struct Side {
  ptl_handle_ni_t ni;
  ptl_handle_eq_t events;
  ptl_pt_index_t portal;
  int rank, size;
};

static inline struct Side begin(unsigned interface_options, unsigned portal_options) {
  struct Side side;
  side.rank = heddle_rank();
  side.size = heddle_size();
  OK(PtlInit());
  OK(PtlNIInit(PTL_IFACE_DEFAULT, interface_options, PTL_PID_ANY, NULL, NULL, &side.ni));
  OK(PtlEQAlloc(side.ni, 64, &side.events));
  OK(PtlPTAlloc(side.ni, portal_options, side.events, 5, &side.portal));
  IS(side.portal, 5);
  return side;
}

/* Answers the status of the program. */
static inline int finish(const struct Side* side) {
  heddle_barrier();
  OK(PtlNIFini(side->ni));
  PtlFini();
  printf("rank %d: %d checks, %d wrong, %llu ps\n", side->rank, checks, wrong,
         (unsigned long long)heddle_time_ps());
  return wrong == 0 ? 0 : 1;
}

static inline ptl_process_t rank_id(int rank) {
  ptl_process_t id;
  memset(&id, 0, sizeof id);
  id.rank = (ptl_rank_t)rank;
  return id;
}

static inline ptl_me_t entry_of(void* start, size_t length, unsigned options, uint64_t bits) {
  ptl_me_t me;
  memset(&me, 0, sizeof me);
  me.start = start;
  me.length = length;
  me.ct_handle = PTL_CT_NONE;
  me.uid = PTL_UID_ANY;
  me.options = options;
  me.match_id = rank_id((int)PTL_RANK_ANY);
  me.match_bits = bits;
  return me;
}

/* Appends to the priority list and waits until the entry is linked. */
static inline ptl_handle_me_t append(const struct Side* side, ptl_me_t me, void* user) {
  ptl_handle_me_t handle = PTL_INVALID_HANDLE;
  ptl_event_t event;
  OK(PtlMEAppend(side->ni, side->portal, &me, PTL_PRIORITY_LIST, user, &handle));
  OK(PtlEQWait(side->events, &event));
  IS(event.type, PTL_EVENT_LINK);
  IS(event.user_ptr == user, 1);
  return handle;
}

static inline ptl_handle_md_t bind(const struct Side* side, void* start, size_t length,
                                   unsigned options, ptl_handle_ct_t counter) {
  const ptl_md_t md = {start, length, options, side->events, counter};
  ptl_handle_md_t handle = PTL_INVALID_HANDLE;
  OK(PtlMDBind(side->ni, &md, &handle));
  return handle;
}

static inline ptl_handle_ct_t counter_of(const struct Side* side) {
  ptl_handle_ct_t counter = PTL_INVALID_HANDLE;
  OK(PtlCTAlloc(side->ni, &counter));
  return counter;
}

/* The next event, which has to be of this kind. */
static inline ptl_event_t next(const struct Side* side, ptl_event_kind_t type) {
  ptl_event_t event;
  memset(&event, 0, sizeof event);
  OK(PtlEQWait(side->events, &event));
  IS(event.type, type);
  return event;
}

static inline void no_event(const struct Side* side) {
  ptl_event_t event;
  unsigned which;
  IS(PtlEQPoll(&side->events, 1, 1, &event, &which), PTL_EQ_EMPTY);
}

static inline ptl_ct_event_t reached(ptl_handle_ct_t counter, ptl_size_t value) {
  ptl_ct_event_t now = {0, 0};
  OK(PtlCTWait(counter, value, &now));
  return now;
}

/* Bytes that tell where they come from. */
static inline void fill(unsigned char* bytes, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; ++i) bytes[i] = (unsigned char)(i * 7 + i / 251 + seed);
}

static inline int is_filled(const unsigned char* bytes, size_t size, size_t from, unsigned seed) {
  for (size_t i = 0; i < size; ++i) {
    const size_t place = from + i;
    if (bytes[i] != (unsigned char)(place * 7 + place / 251 + seed)) return 0;
  }
  return 1;
}

#endif
