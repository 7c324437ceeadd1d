/* Lists without matching, on a physical interface: the first entry takes every message. Ranks
 * write to and read from each other in a ring. */
#include "checked.h"

static unsigned char own[4096], from[4096], once[64];

static ptl_process_t physical(int rank) {
  ptl_process_t id;
  id.phys.nid = heddle_nid(rank);
  id.phys.pid = heddle_pid(rank);
  return id;
}

static ptl_handle_le_t append_list_entry(const struct Side* side, void* start, size_t length,
                                         unsigned options) {
  const ptl_le_t le = {start, length, PTL_CT_NONE, PTL_UID_ANY, options};
  ptl_handle_le_t handle = PTL_INVALID_HANDLE;
  OK(PtlLEAppend(side->ni, side->portal, &le, PTL_PRIORITY_LIST, start, &handle));
  next(side, PTL_EVENT_LINK);
  return handle;
}

int main(void) {
  const struct Side side = begin(PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL, 0);
  const int after = (side.rank + 1) % side.size, before = (side.rank + side.size - 1) % side.size;
  ptl_process_t id;
  OK(PtlGetId(side.ni, &id));
  IS(id.phys.nid, heddle_nid(side.rank));
  IS(id.phys.pid, heddle_pid(side.rank));
  fill(from, sizeof from, (unsigned)side.rank);
  append_list_entry(&side, once, sizeof once, PTL_LE_OP_PUT | PTL_LE_USE_ONCE);
  const ptl_handle_le_t kept =
      append_list_entry(&side, own, sizeof own, PTL_LE_OP_PUT | PTL_LE_OP_GET);
  const ptl_handle_md_t md = bind(&side, from, sizeof from, 0, PTL_CT_NONE);
  heddle_barrier();

  /* The entry that is used once takes the first, whatever its bits say. */
  OK(PtlPut(md, 0, 48, PTL_NO_ACK_REQ, physical(after), side.portal, 99, 0, NULL, 5));
  int seen[PTL_EVENT_ERROR + 1] = {0};
  for (int i = 0; i < 3; ++i) {
    ptl_event_t event;
    OK(PtlEQWait(side.events, &event));
    ++seen[event.type];
    if (event.type != PTL_EVENT_PUT) continue;
    IS(event.start == once, 1);
    IS(event.initiator.phys.nid, heddle_nid(before));
    IS(event.hdr_data, 5);
    IS(is_filled(once, 48, 0, (unsigned)before), 1);
  }
  IS(seen[PTL_EVENT_SEND] + seen[PTL_EVENT_PUT] + seen[PTL_EVENT_AUTO_UNLINK], 3);
  heddle_barrier();
  OK(PtlPut(md, 100, 1000, PTL_NO_ACK_REQ, physical(after), side.portal, 0, 200, NULL, 0));
  for (int i = 0; i < 2; ++i) {
    ptl_event_t event;
    OK(PtlEQWait(side.events, &event));
    IS(event.type == PTL_EVENT_SEND || event.type == PTL_EVENT_PUT, 1);
  }
  IS(is_filled(own + 200, 1000, 100, (unsigned)before), 1);
  heddle_barrier();
  /* What rank after + 1 has from `after`, read back. */
  OK(PtlGet(md, 2000, 1000, physical(after), side.portal, 0, 200, NULL));
  for (int i = 0; i < 2; ++i) {
    ptl_event_t event;
    OK(PtlEQWait(side.events, &event));
    IS(event.type == PTL_EVENT_REPLY || event.type == PTL_EVENT_GET, 1);
  }
  IS(is_filled(from + 2000, 1000, 100, (unsigned)side.rank), 1);
  heddle_barrier();
  OK(PtlLEUnlink(kept));
  OK(PtlPTFree(side.ni, side.portal));
  return finish(&side);
}
