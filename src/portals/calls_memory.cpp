// Portal table entries, memory descriptors, list and match-list entries.
#include "portals/call.hpp"

namespace heddle::portals {
namespace {

/// The index to take; kNone if the table is full.
ptl_pt_index_t free_index(const Interface& interface) {
  const auto indices = static_cast<ptl_pt_index_t>(interface.limits.max_pt_index) + 1;
  ptl_pt_index_t index = 0;
  while (index < indices && interface.portal(index)) ++index;
  return index < indices ? index : kNone;
}

void add_portal(Interface& interface, ptl_pt_index_t index, unsigned int options,
                ptl_handle_eq_t queue) {
  if (index >= interface.portals.size()) interface.portals.resize(index + 1);
  interface.portals[index] = std::make_unique<Portal>();
  Portal& portal = *interface.portals[index];
  portal.options = options;
  portal.enabled = (options & PTL_PT_ALLOC_DISABLED) == 0;
  portal.queue = queue;
}

int allocate_portal(Process& process, Interface& interface, unsigned int options,
                    ptl_handle_eq_t queue, ptl_pt_index_t wanted, ptl_pt_index_t* index) {
  if (!index || (options & ~PTL_PT_ALLOC_OPTIONS_MASK) != 0) return PTL_ARG_INVALID;
  if (!usable_queue(interface, queue)) return PTL_ARG_INVALID;
  if ((options & PTL_PT_FLOWCTRL) != 0 && queue == PTL_EQ_NONE) return PTL_PT_EQ_NEEDED;
  if (wanted == PTL_PT_ANY) {
    wanted = free_index(interface);
    if (wanted == kNone) return PTL_PT_FULL;
  }
  if (wanted > static_cast<ptl_pt_index_t>(interface.limits.max_pt_index)) return PTL_ARG_INVALID;
  if (interface.portal(wanted)) return PTL_PT_IN_USE;
  process.machine().perform(process);
  add_portal(interface, wanted, options, queue);
  *index = wanted;
  return PTL_OK;
}

/// A command on a portal table entry: `change(portal)`.
template <class Change>
int call_on_portal(ptl_handle_ni_t handle, ptl_pt_index_t index, Change change) {
  return call_on(handle, [&](Process& process, Interface& interface) -> int {
    if (!interface.portal(index)) return PTL_ARG_INVALID;
    process.machine().perform(process);
    return change(interface, *interface.portal(index));
  });
}

int bind(Process& process, Interface& interface, const ptl_md_t& md, ptl_handle_md_t* handle) {
  if ((md.options & ~PTL_MD_OPTIONS_MASK) != 0 || !usable_queue(interface, md.eq_handle) ||
      !usable_counter(interface, md.ct_handle) ||
      !usable_memory(interface, md.options, md.start, md.length)) {
    return PTL_ARG_INVALID;
  }
  if (!has_space(interface.descriptors, interface.limits.max_mds)) return PTL_NO_SPACE;
  process.machine().perform(process);
  const std::uint32_t place = interface.descriptors.add(
      {region_of(md.options, md.start, md.length), md.options, md.eq_handle, md.ct_handle, 0});
  *handle = interface.handle(ObjectKind::descriptor, place);
  return PTL_OK;
}

/// A match-list entry that asks for nothing in particular: what a list entry is.
ptl_me_t match_all(const ptl_le_t& le) {
  ptl_me_t me{};
  me.start = le.start;
  me.length = le.length;
  me.ct_handle = le.ct_handle;
  me.uid = le.uid;
  me.options = le.options;
  me.ignore_bits = ~ptl_match_bits_t{0};
  return me;
}

enum class Flavour { list, match };

int check_entry(Interface& interface, ptl_pt_index_t index, const ptl_me_t& me, Flavour flavour) {
  const bool match = flavour == Flavour::match;
  if (interface.matching() != match || !interface.portal(index)) return PTL_ARG_INVALID;
  if ((me.options & ~(match ? PTL_ME_APPEND_OPTIONS_MASK : PTL_LE_APPEND_OPTIONS_MASK)) != 0) {
    return PTL_ARG_INVALID;
  }
  if (!usable_counter(interface, me.ct_handle)) return PTL_ARG_INVALID;
  return usable_memory(interface, me.options, me.start, me.length) ? PTL_OK : PTL_ARG_INVALID;
}

Entry make_entry(ptl_pt_index_t index, const ptl_me_t& me, ptl_list_t list, void* user_ptr) {
  Entry entry;
  entry.region = region_of(me.options, me.start, me.length);
  entry.counter = me.ct_handle;
  entry.uid = me.uid;
  entry.options = me.options;
  entry.match_id = me.match_id;
  entry.match_bits = me.match_bits;
  entry.ignore_bits = me.ignore_bits;
  entry.min_free = me.min_free;
  entry.user_ptr = user_ptr;
  entry.pt_index = index;
  entry.list = list;
  return entry;
}

/// Puts an entry into the interface's table, not yet into its list. PTL_OK, PTL_NO_SPACE,
/// PTL_ARG_INVALID.
int add_entry(Interface& interface, ptl_pt_index_t index, const ptl_me_t& me, Flavour flavour,
              ptl_list_t list, void* user_ptr, ptl_handle_me_t* handle) {
  if (const int wrong = check_entry(interface, index, me, flavour)) return wrong;
  if (!handle || (list != PTL_PRIORITY_LIST && list != PTL_OVERFLOW_LIST)) return PTL_ARG_INVALID;
  if (!has_space(interface.entries, interface.limits.max_entries)) return PTL_NO_SPACE;
  const std::uint32_t place = interface.entries.add(make_entry(index, me, list, user_ptr));
  *handle = interface.handle(ObjectKind::entry, place);
  return PTL_OK;
}

std::uint32_t place_of_entry(ptl_handle_me_t handle) {
  return decode(handle, ObjectKind::entry)->index;
}

int append(Process& process, Interface& interface, ptl_pt_index_t index, const ptl_me_t& me,
           Flavour flavour, ptl_list_t list, void* user_ptr, ptl_handle_me_t* handle) {
  if (const int wrong = add_entry(interface, index, me, flavour, list, user_ptr, handle)) {
    return wrong;
  }
  process.machine().perform(process);
  const int answer = process.machine().lists().append(interface, place_of_entry(*handle));
  process.machine().triggers().settle(process);
  return answer;
}

int search(Process& process, Interface& interface, ptl_pt_index_t index, const ptl_me_t& me,
           Flavour flavour, ptl_search_op_t what, void* user_ptr) {
  if (const int wrong = check_entry(interface, index, me, flavour)) return wrong;
  if (what != PTL_SEARCH_ONLY && what != PTL_SEARCH_DELETE) return PTL_ARG_INVALID;
  process.machine().perform(process);
  process.machine().lists().search(interface, make_entry(index, me, PTL_PRIORITY_LIST, user_ptr),
                                   what);
  process.machine().triggers().settle(process);
  return PTL_OK;
}

int unlink(ptl_handle_me_t handle, Flavour flavour) {
  return call_on(handle, ObjectKind::entry, [&](Process& process, Interface& interface) -> int {
    if (interface.matching() != (flavour == Flavour::match)) return PTL_ARG_INVALID;
    process.machine().perform(process);
    // A message may have used it up on the way.
    if (!interface.entry(handle)) return PTL_ARG_INVALID;
    return process.machine().lists().unlink(interface, place_of_entry(handle));
  });
}

/// Lets a command on an entry wait for a counter.
void trigger(Process& process, Interface& interface, CommandKind kind, ptl_handle_me_t entry,
             ptl_handle_ct_t counter, ptl_size_t threshold) {
  Machine& machine = process.machine();
  machine.perform(process);
  const std::uint32_t number = machine.commands().add(process, kind);
  Command& command = machine.commands()[number];
  command.origin = &interface;
  command.object = entry;
  command.threshold = threshold;
  machine.triggers().submit(number, interface.counter(counter));
}

bool may_trigger(const Interface& interface) {
  return interface.triggered < static_cast<std::uint32_t>(interface.limits.max_triggered_ops);
}

}  // namespace
}  // namespace heddle::portals

using namespace heddle::portals;

int PtlPTAlloc(ptl_handle_ni_t ni_handle, unsigned int options, ptl_handle_eq_t eq_handle,
               ptl_pt_index_t pt_index_req, ptl_pt_index_t* pt_index) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) {
    return allocate_portal(process, interface, options, eq_handle, pt_index_req, pt_index);
  });
}

int PtlPTFree(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  return call_on_portal(ni_handle, pt_index, [&](Interface& interface, Portal& portal) -> int {
    if (!portal.empty()) return PTL_IN_USE;
    interface.portals[pt_index] = nullptr;
    return PTL_OK;
  });
}

int PtlPTDisable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  return call_on_portal(ni_handle, pt_index, [](Interface&, Portal& portal) {
    portal.enabled = false;
    return PTL_OK;
  });
}

int PtlPTEnable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  return call_on_portal(ni_handle, pt_index, [](Interface&, Portal& portal) {
    portal.enabled = true;
    return PTL_OK;
  });
}

int PtlMDBind(ptl_handle_ni_t ni_handle, const ptl_md_t* md, ptl_handle_md_t* md_handle) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    return md && md_handle ? bind(process, interface, *md, md_handle) : PTL_ARG_INVALID;
  });
}

int PtlMDRelease(ptl_handle_md_t md_handle) {
  return call_on(md_handle, ObjectKind::descriptor,
                 [&](Process& process, Interface& interface) -> int {
                   process.machine().perform(process);
                   if (interface.descriptor(md_handle)->pending > 0) return PTL_IN_USE;
                   interface.descriptors.remove(decode(md_handle, ObjectKind::descriptor)->index);
                   return PTL_OK;
                 });
}

int PtlLEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_le_t* le,
                ptl_list_t ptl_list, void* user_ptr, ptl_handle_le_t* le_handle) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!le) return PTL_ARG_INVALID;
    return append(process, interface, pt_index, match_all(*le), Flavour::list, ptl_list, user_ptr,
                  le_handle);
  });
}

int PtlLEUnlink(ptl_handle_le_t le_handle) {
  return heddle::portals::unlink(le_handle, Flavour::list);
}

int PtlLESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_le_t* le,
                ptl_search_op_t ptl_search_op, void* user_ptr) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!le) return PTL_ARG_INVALID;
    return search(process, interface, pt_index, match_all(*le), Flavour::list, ptl_search_op,
                  user_ptr);
  });
}

int PtlMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                ptl_list_t ptl_list, void* user_ptr, ptl_handle_me_t* me_handle) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!me) return PTL_ARG_INVALID;
    return append(process, interface, pt_index, *me, Flavour::match, ptl_list, user_ptr, me_handle);
  });
}

int PtlMEUnlink(ptl_handle_me_t me_handle) {
  return heddle::portals::unlink(me_handle, Flavour::match);
}

int PtlMESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                ptl_search_op_t ptl_search_op, void* user_ptr) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!me) return PTL_ARG_INVALID;
    return search(process, interface, pt_index, *me, Flavour::match, ptl_search_op, user_ptr);
  });
}

int PtlTriggeredMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                         ptl_list_t ptl_list, void* user_ptr, ptl_handle_me_t* me_handle,
                         ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!me || interface.counter(trig_ct_handle) == kNone) return PTL_ARG_INVALID;
    if (!may_trigger(interface)) return PTL_NO_SPACE;
    if (const int wrong =
            add_entry(interface, pt_index, *me, Flavour::match, ptl_list, user_ptr, me_handle)) {
      return wrong;
    }
    trigger(process, interface, CommandKind::append, *me_handle, trig_ct_handle, threshold);
    return PTL_OK;
  });
}

int PtlTriggeredMEUnlink(ptl_handle_me_t me_handle, ptl_handle_ct_t trig_ct_handle,
                         ptl_size_t threshold) {
  return call_on(me_handle, ObjectKind::entry, [&](Process& process, Interface& interface) -> int {
    if (!interface.matching() || interface.counter(trig_ct_handle) == kNone) return PTL_ARG_INVALID;
    if (!may_trigger(interface)) return PTL_NO_SPACE;
    trigger(process, interface, CommandKind::unlink, me_handle, trig_ct_handle, threshold);
    return PTL_OK;
  });
}
