/* What the examples share: checked calls, start-up, memory that others may reach, and arguments. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <portals4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Ends the program if a call of Portals fails. */
#define CHECK(call) check_ok(call, #call, __FILE__, __LINE__)

static inline void check_ok(int status, const char* call, const char* file, int line) {
  if (status == PTL_OK) return;
  fprintf(stderr, "%s:%d: %s answers %d\n", file, line, call, status);
  exit(1);
}

static inline void fail(const char* problem) {
  fprintf(stderr, "error: %s\n", problem);
  exit(2);
}

static inline void* allocate(size_t bytes) {
  void* memory = calloc(bytes > 0 ? bytes : 1, 1);
  if (memory == NULL) fail("not enough memory");
  return memory;
}

/* This process on a matching interface that calls processes by their ranks. */
struct network {
  ptl_handle_ni_t ni;
  unsigned rank;
  unsigned size; /* How many ranks there are. */
};

static inline struct network open_network(void) {
  struct network net;
  ptl_process_t id;
  ptl_size_t size;
  CHECK(PtlInit());
  CHECK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL,
                  &net.ni));
  CHECK(PtlGetId(net.ni, &id));
  CHECK(PtlGetMap(net.ni, 0, NULL, &size));
  net.rank = id.rank;
  net.size = (unsigned)size;
  return net;
}

static inline void close_network(const struct network* net) {
  CHECK(PtlNIFini(net->ni));
  PtlFini();
}

static inline ptl_process_t rank_id(unsigned rank) {
  ptl_process_t id;
  id.rank = rank;
  return id;
}

static inline ptl_handle_ct_t new_counter(const struct network* net) {
  ptl_handle_ct_t counter;
  CHECK(PtlCTAlloc(net->ni, &counter));
  return counter;
}

static inline ptl_handle_eq_t new_events(const struct network* net, ptl_size_t room) {
  ptl_handle_eq_t events;
  CHECK(PtlEQAlloc(net->ni, room, &events));
  return events;
}

/* Waits for a counter; a failed operation ends the program. */
static inline void wait_for(ptl_handle_ct_t counter, ptl_size_t value) {
  ptl_ct_event_t now;
  CHECK(PtlCTWait(counter, value, &now));
  if (now.failure > 0) fail("an operation failed");
}

/* The next event; one of a failed operation ends the program. */
static inline ptl_event_t next_event(ptl_handle_eq_t events) {
  ptl_event_t event;
  CHECK(PtlEQWait(events, &event));
  if (event.ni_fail_type != PTL_NI_OK) fail("an operation failed");
  return event;
}

static inline ptl_pt_index_t new_portal(const struct network* net, ptl_handle_eq_t events,
                                        ptl_pt_index_t wanted) {
  ptl_pt_index_t index;
  CHECK(PtlPTAlloc(net->ni, 0, events, wanted, &index));
  return index;
}

/* Lets every rank write to and read from `memory` under these match bits, for good. A counter
 * counts what came, and no events are written for it. */
static inline void expose(const struct network* net, ptl_pt_index_t portal, ptl_match_bits_t bits,
                          void* memory, ptl_size_t length, ptl_handle_ct_t counter) {
  ptl_me_t entry;
  ptl_handle_me_t handle;
  memset(&entry, 0, sizeof entry);
  entry.start = memory;
  entry.length = length;
  entry.ct_handle = counter;
  entry.uid = PTL_UID_ANY;
  entry.options = PTL_ME_OP_PUT | PTL_ME_OP_GET | PTL_ME_EVENT_COMM_DISABLE |
                  PTL_ME_EVENT_LINK_DISABLE | (counter == PTL_CT_NONE ? 0 : PTL_ME_EVENT_CT_COMM);
  entry.match_id = rank_id(PTL_RANK_ANY);
  entry.match_bits = bits;
  CHECK(PtlMEAppend(net->ni, portal, &entry, PTL_PRIORITY_LIST, NULL, &handle));
}

/* Memory to put from and get into. */
static inline ptl_handle_md_t bind_memory(const struct network* net, void* memory,
                                          ptl_size_t length, unsigned options,
                                          ptl_handle_eq_t events, ptl_handle_ct_t counter) {
  ptl_md_t md = {memory, length, options, events, counter};
  ptl_handle_md_t handle;
  CHECK(PtlMDBind(net->ni, &md, &handle));
  return handle;
}

/* Microseconds since some instant. */
static inline double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* "64", "4K" or "1M" (powers of 1024), up to `most`; anything else ends the program. */
static inline size_t parse_size(const char* text, size_t most) {
  char* end;
  unsigned long long value = strtoull(text, &end, 10);
  if (*end == 'K')
    value <<= 10, ++end;
  else if (*end == 'M')
    value <<= 20, ++end;
  if (end == text || *end != '\0' || *text == '-' || value > most) {
    fprintf(stderr, "error: '%s' is not a size: accepted is 64, 4K or 1M, at most %zu\n", text,
            most);
    exit(2);
  }
  return (size_t)value;
}

/* A whole number from 1 to `most`; anything else ends the program. */
static inline unsigned parse_count(const char* text, unsigned most) {
  char* end;
  const unsigned long value = strtoul(text, &end, 10);
  if (end == text || *end != '\0' || *text == '-' || value < 1 || value > most) {
    fprintf(stderr, "error: '%s' is not a number from 1 to %u\n", text, most);
    exit(2);
  }
  return (unsigned)value;
}

/* The sizes of a list such as "8,64K,1M"; answers how many. */
static inline size_t parse_sizes(const char* list, size_t* sizes, size_t room, size_t most) {
  char text[1024];
  size_t count = 0;
  if (strlen(list) >= sizeof text) fail("the list of sizes is too long");
  strcpy(text, list);
  for (char* part = strtok(text, ","); part != NULL; part = strtok(NULL, ",")) {
    if (count == room) fail("too many sizes");
    sizes[count++] = parse_size(part, most);
  }
  if (count == 0) fail("no sizes");
  return count;
}

#endif
