/* Who is who: a map of ranks of the program's own, the one there is without, physical and logical
 * interfaces side by side, and several portals and interfaces in one process. */
#include "checked.h"

enum { kMost = 16 };

static int64_t word[4], given;

static void send_to_all(const struct Side* side, int kind) {
  given = 100 * kind + side->rank;
  const ptl_handle_md_t md =
      bind(side, &given, sizeof given, PTL_MD_EVENT_SEND_DISABLE, PTL_CT_NONE);
  heddle_barrier();
  /* With the map turned round, rank r is r places from the end. */
  const int to = side->size - 1 - (side->rank + 1) % side->size;
  OK(PtlPut(md, 0, 8, PTL_ACK_REQ, rank_id(to), side->portal, 0, 0, NULL, 0));
  int seen = 0;
  for (int i = 0; i < 2; ++i) {
    ptl_event_t event;
    OK(PtlEQWait(side->events, &event));
    seen += event.type == PTL_EVENT_ACK ? 1 : 10;
    const int before = (side->rank + side->size - 1) % side->size;
    if (event.type == PTL_EVENT_PUT) IS(event.initiator.rank, side->size - 1 - before);
  }
  IS(seen, 11);
}

int main(void) {
  struct Side side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  ptl_process_t map[kMost], found[kMost], id;
  ptl_size_t size = 0;
  IS(side.size <= kMost, 1);
  OK(PtlGetMap(side.ni, kMost, found, &size));
  IS(size, side.size);
  for (int r = 0; r < side.size; ++r) {
    IS(found[r].phys.nid, heddle_nid(r));
    IS(found[r].phys.pid, heddle_pid(r));
    map[side.size - 1 - r] = found[r];
  }
  OK(PtlGetId(side.ni, &id));
  IS(id.rank, side.rank);
  OK(PtlSetMap(side.ni, (ptl_size_t)side.size, map));
  OK(PtlGetMap(side.ni, kMost, found, &size));
  IS(size, side.size);
  IS(memcmp(map, found, (size_t)side.size * sizeof *map), 0);
  OK(PtlGetId(side.ni, &id));
  IS(id.rank, side.size - 1 - side.rank);
  OK(PtlGetPhysId(side.ni, &id));
  IS(id.phys.pid, heddle_pid(side.rank));
  append(&side, entry_of(&word[0], 8, PTL_ME_OP_PUT, 0), NULL);
  send_to_all(&side, 1);
  IS(word[0], 100 + (side.rank + side.size - 1) % side.size);
  heddle_barrier();

  /* The same interface a second time is the same; the physical one is another. */
  ptl_handle_ni_t same, other, of;
  ptl_ni_limits_t limits;
  OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, &limits,
               &same));
  IS(PtlHandleIsEqual(same, side.ni), 1);
  OK(PtlNIFini(same));
  IS(limits.max_pt_index > 0 && limits.max_msg_size > 0, 1);
  OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_PHYSICAL, PTL_PID_ANY, NULL, NULL,
               &other));
  OK(PtlNIHandle(side.events, &of));
  IS(of == side.ni && of != other, 1);
  OK(PtlGetId(other, &id));
  IS(id.phys.nid, heddle_nid(side.rank));
  ptl_uid_t user;
  OK(PtlGetUid(other, &user));
  IS(user != PTL_UID_ANY, 1);
  OK(PtlNIFini(other));
  IS(PtlNIFini(other), PTL_ARG_INVALID);
  return finish(&side);
}
