#include "portals/entry_lists.hpp"

#include "portals/target_events.hpp"

namespace heddle::portals {
namespace {

bool fits(Interface& interface, const Entry& entry, const Header& header) {
  return !interface.matching() || matches(entry, header, interface.logical());
}

}  // namespace

int EntryLists::append(Interface& interface, std::uint32_t place) {
  Entry& entry = interface.entries[place];
  Portal* portal = interface.portal(entry.pt_index);
  const auto longest = static_cast<std::uint32_t>(interface.limits.max_list_size);
  if (!portal || portal->list(entry.list).size() >= longest) {
    interface.entries.remove(place);
    return portal ? PTL_LIST_TOO_LONG : PTL_ARG_INVALID;
  }
  if (entry.list == PTL_PRIORITY_LIST && consume(interface, *portal, entry)) {
    if (!entry.has(PTL_ME_EVENT_UNLINK_DISABLE)) {
      post_entry(interface, entry, PTL_EVENT_AUTO_UNLINK);
    }
    interface.entries.remove(place);
    return PTL_OK;
  }
  portal->list(entry.list).push_back(interface.entries, place);
  entry.state = EntryState::linked;
  if (!entry.has(PTL_ME_EVENT_LINK_DISABLE)) post_entry(interface, entry, PTL_EVENT_LINK);
  return PTL_OK;
}

/// Lets the entry take the unexpected messages that it matches, in the order of their arrival;
/// whether it is used up by them.
bool EntryLists::consume(Interface& interface, Portal& portal, Entry& entry) {
  for (std::uint32_t h = portal.unexpected.first; h != kNone;) {
    const Unexpected& found = interface.unexpected[h];
    const std::uint32_t next = found.links.next;
    if (fits(interface, entry, found.header)) {
      post_found(interface, entry, found, PTL_EVENT_PUT_OVERFLOW);
      if (entry.has(PTL_ME_LOCAL_INC_UH_RLENGTH)) entry.local_offset += found.header.length;
      forget(interface, portal, h);
      if (entry.has(PTL_ME_USE_ONCE)) return true;
      if (entry.has(PTL_ME_LOCAL_INC_UH_RLENGTH) && entry.exhausted()) return true;
    }
    h = next;
  }
  return false;
}

void EntryLists::post_found(Interface& interface, const Entry& entry, const Unexpected& found,
                            ptl_event_kind_t type) {
  ptl_event_t event = event_from(found.header);
  // The event of an operation in the overflow list is the one after that of the operation itself.
  event.type = type == PTL_EVENT_SEARCH
                   ? type
                   : static_cast<ptl_event_kind_t>(event_of(found.header.kind) + 1);
  event.start = found.start;
  event.user_ptr = entry.user_ptr;
  event.mlength = found.length;
  event.ptl_list = PTL_OVERFLOW_LIST;
  event.ni_fail_type = found.fail;
  const unsigned int disable =
      type == PTL_EVENT_SEARCH ? PTL_ME_EVENT_COMM_DISABLE : PTL_ME_EVENT_OVER_DISABLE;
  const bool quiet = found.fail == PTL_NI_OK && entry.has(PTL_ME_EVENT_SUCCESS_DISABLE);
  if (!entry.has(disable) && !quiet) {
    emitter_.post(interface, interface.portal(entry.pt_index)->queue, event);
  }
  if (entry.has(PTL_ME_EVENT_CT_OVERFLOW)) {
    emitter_.count(interface, entry.counter, found.fail,
                   entry.has(PTL_ME_EVENT_CT_BYTES) ? found.length : 1);
  }
}

void EntryLists::search(Interface& interface, const Entry& wanted, ptl_search_op_t what) {
  Portal& portal = *interface.portal(wanted.pt_index);
  bool any = false;
  for (std::uint32_t h = portal.unexpected.first; h != kNone;) {
    const Unexpected& found = interface.unexpected[h];
    const std::uint32_t next = found.links.next;
    if (fits(interface, wanted, found.header)) {
      any = true;
      post_found(interface, wanted, found,
                 what == PTL_SEARCH_ONLY ? PTL_EVENT_SEARCH : PTL_EVENT_PUT_OVERFLOW);
      if (what == PTL_SEARCH_DELETE) forget(interface, portal, h);
      if (wanted.has(PTL_ME_USE_ONCE)) return;
    }
    h = next;
  }
  if (!any && !wanted.has(PTL_ME_EVENT_COMM_DISABLE)) {
    post_entry(interface, wanted, PTL_EVENT_SEARCH, PTL_NI_NO_MATCH);
  }
  // A counter must show the end of every search: nothing more has been found.
  if (wanted.has(PTL_ME_EVENT_CT_COMM | PTL_ME_EVENT_CT_OVERFLOW)) {
    emitter_.count(interface, wanted.counter, PTL_NI_NO_MATCH, 1);
  }
}

int EntryLists::unlink(Interface& interface, std::uint32_t place) {
  Entry& entry = interface.entries[place];
  if (entry.state == EntryState::unlinked || entry.headers > 0) return PTL_IN_USE;
  if (entry.state == EntryState::linked) {
    interface.portal(entry.pt_index)->list(entry.list).remove(interface.entries, place);
  }
  interface.entries.remove(place);
  return PTL_OK;
}

void EntryLists::unlink_full(Interface& interface, std::uint32_t place) {
  Entry& entry = interface.entries[place];
  interface.portal(entry.pt_index)->list(entry.list).remove(interface.entries, place);
  entry.state = EntryState::unlinked;
  const bool told = !entry.has(PTL_ME_EVENT_UNLINK_DISABLE);
  if (told) post_entry(interface, entry, PTL_EVENT_AUTO_UNLINK);
  if (entry.headers > 0) return;
  if (told && entry.list == PTL_OVERFLOW_LIST) post_entry(interface, entry, PTL_EVENT_AUTO_FREE);
  interface.entries.remove(place);
}

/// An unexpected header has been taken; its entry goes with the last one if it is unlinked.
void EntryLists::forget(Interface& interface, Portal& portal, std::uint32_t header) {
  const std::uint32_t place = interface.unexpected[header].entry;
  take_out(interface.unexpected, portal.unexpected, header);
  interface.unexpected.remove(header);
  Entry& entry = interface.entries[place];
  if (--entry.headers > 0 || entry.state != EntryState::unlinked) return;
  if (!entry.has(PTL_ME_EVENT_UNLINK_DISABLE)) post_entry(interface, entry, PTL_EVENT_AUTO_FREE);
  interface.entries.remove(place);
}

void EntryLists::post_entry(Interface& interface, const Entry& entry, ptl_event_kind_t type,
                            ptl_ni_fail_t fail) {
  ptl_event_t event{};
  event.type = type;
  event.pt_index = entry.pt_index;
  event.user_ptr = entry.user_ptr;
  event.ptl_list = entry.list;
  event.ni_fail_type = fail;
  emitter_.post(interface, interface.portal(entry.pt_index)->queue, event);
}

}  // namespace heddle::portals
