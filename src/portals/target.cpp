#include "portals/target.hpp"

#include <algorithm>

#include "portals/target_events.hpp"

namespace heddle::portals {
namespace {

/// What a locally managed entry with PTL_ME_MAY_ALIGN aligns its messages to.
constexpr ptl_size_t kAlignment = 8;

ptl_size_t aligned(ptl_size_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

Result failed(ptl_ni_fail_t why) {
  Result result;
  result.fail = why;
  return result;
}

Result dropped(Interface& interface) {
  ++interface.status[PTL_SR_DROP_COUNT];
  return failed(PTL_NI_DROPPED);
}

unsigned int needed_permissions(const Header& header) {
  return (sends(header) ? PTL_ME_OP_PUT : 0U) | (fetches(header) ? PTL_ME_OP_GET : 0U);
}

/// What fits; atomics move whole elements only.
ptl_size_t fitting(const Header& header, ptl_size_t room) {
  const ptl_size_t length = std::min(header.length, room);
  if (header.kind == nic::Operation::put || header.kind == nic::Operation::get) return length;
  return length - length % element_size(header.datatype);
}

bool wants_comm_event(const Entry& entry, ptl_ni_fail_t fail) {
  if (entry.has(PTL_ME_EVENT_COMM_DISABLE)) return false;
  return fail != PTL_NI_OK || !entry.has(PTL_ME_EVENT_SUCCESS_DISABLE);
}

/// Where data at `offset` of the entry lies; null beyond its end.
void* start_of(const Entry& entry, ptl_size_t offset) {
  return offset <= entry.region.length() ? entry.region.address(offset) : nullptr;
}

}  // namespace

Result Target::deliver(Interface& interface, Command& command) {
  const Header& header = command.header;
  Portal* portal = interface.portal(header.pt_index);
  if (!portal) return dropped(interface);
  if (!portal->enabled) return failed(PTL_NI_PT_DISABLED);
  const std::uint32_t place = first_match(interface, *portal, header);
  if (place == kNone) return refuse(interface, *portal, nullptr, header);

  const Entry& entry = interface.entries[place];
  if (const ptl_ni_fail_t violation = check(interface, entry, header)) return failed(violation);
  const Plan what = plan(entry, header);
  const bool too_many = what.keeps_header && !interface.has_room_for_header();
  const bool overrun =
      portal->flow_controlled() && !emitter_.has_room(interface, portal->queue, what.events);
  if (too_many || overrun) return refuse(interface, *portal, &entry, header);
  return accept(interface, place, command, what);
}

std::uint32_t Target::first_match(Interface& interface, const Portal& portal,
                                  const Header& header) const {
  const auto first_of = [&](const MatchList& list) {
    if (!interface.matching()) return list.first();
    return list.first_match(interface.entries, header, interface.logical());
  };
  const std::uint32_t place = first_of(portal.priority);
  return place != kNone ? place : first_of(portal.overflow);
}

ptl_ni_fail_t Target::check(Interface& interface, const Entry& entry, const Header& header) const {
  if (entry.uid != PTL_UID_ANY && entry.uid != header.uid) {
    ++interface.status[PTL_SR_PERMISSION_VIOLATIONS];
    return PTL_NI_PERM_VIOLATION;
  }
  if ((~entry.options & needed_permissions(header)) != 0) {
    ++interface.status[PTL_SR_OPERATION_VIOLATIONS];
    return PTL_NI_OP_VIOLATION;
  }
  return PTL_NI_OK;
}

Target::Plan Target::plan(const Entry& entry, const Header& header) const {
  Plan plan;
  plan.offset = entry.offset_for(header);
  plan.length = fitting(header, entry.room_at(plan.offset));
  plan.unlinks = entry.has(PTL_ME_USE_ONCE);
  if (entry.has(PTL_ME_MANAGE_LOCAL)) {
    plan.next_offset = plan.offset + plan.length;
    if (entry.has(PTL_ME_MAY_ALIGN)) plan.next_offset = aligned(plan.next_offset);
    const ptl_size_t left = entry.room_at(plan.next_offset);
    plan.unlinks = plan.unlinks || (entry.min_free != 0 && left < entry.min_free);
  }
  const bool overflow = entry.list == PTL_OVERFLOW_LIST;
  plan.keeps_header = overflow && !entry.has(PTL_ME_UNEXPECTED_HDR_DISABLE);
  plan.events = wants_comm_event(entry, PTL_NI_OK);
  if (plan.unlinks && !entry.has(PTL_ME_EVENT_UNLINK_DISABLE)) plan.events += overflow ? 2 : 1;
  return plan;
}

/// For want of an entry, of room for events or of room for headers: with flow control the portal
/// closes, without it the request is lost.
Result Target::refuse(Interface& interface, Portal& portal, const Entry* entry,
                      const Header& header) {
  if (!portal.flow_controlled()) return dropped(interface);
  portal.enabled = false;
  if (!entry || !entry->has(PTL_ME_EVENT_FLOWCTRL_DISABLE)) {
    ptl_event_t event{};
    event.type = PTL_EVENT_PT_DISABLED;
    event.pt_index = header.pt_index;
    event.ni_fail_type = PTL_NI_PT_DISABLED;
    emitter_.post(interface, portal.queue, event);
  }
  return failed(PTL_NI_PT_DISABLED);
}

Result Target::accept(Interface& interface, std::uint32_t place, Command& command,
                      const Plan& plan) {
  Entry& entry = interface.entries[place];
  const Place place_in_entry{&interface.memory(), &entry.region, plan.offset};
  const bool moved = mover_.move(place_in_entry, command, plan.length);
  Result result;
  result.fail = moved ? PTL_NI_OK : PTL_NI_SEGV;
  result.length = moved ? plan.length : 0;
  result.offset = plan.offset;
  result.list = entry.list;
  result.silent = moved && entry.has(PTL_ME_ACK_DISABLE);
  if (entry.has(PTL_ME_MANAGE_LOCAL)) entry.local_offset = plan.next_offset;
  if (plan.keeps_header) keep(interface, place, command.header, result);
  report(interface, entry, command.header, result);
  if (plan.unlinks) lists_.unlink_full(interface, place);
  return result;
}

/// The header of a message in the overflow list, for those who will look for it.
void Target::keep(Interface& interface, std::uint32_t place, const Header& header,
                  const Result& result) {
  Entry& entry = interface.entries[place];
  ++entry.headers;
  const std::uint32_t kept = interface.unexpected.add(
      {header, start_of(entry, result.offset), result.length, place, result.fail, {}});
  push_back(interface.unexpected, interface.portal(header.pt_index)->unexpected, kept);
}

/// A request carried out, to the portal's queue and the entry's counter.
void Target::report(Interface& interface, const Entry& entry, const Header& header,
                    const Result& result) {
  if (wants_comm_event(entry, result.fail)) {
    ptl_event_t event = event_from(header);
    event.type = event_of(header.kind);
    event.start = start_of(entry, result.offset);
    event.user_ptr = entry.user_ptr;
    event.mlength = result.length;
    event.ptl_list = entry.list;
    event.ni_fail_type = result.fail;
    emitter_.post(interface, interface.portal(header.pt_index)->queue, event);
  }
  if (!entry.has(PTL_ME_EVENT_CT_COMM)) return;
  emitter_.count(interface, entry.counter, result.fail,
                 entry.has(PTL_ME_EVENT_CT_BYTES) ? result.length : 1);
}

}  // namespace heddle::portals
