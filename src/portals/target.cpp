// How a request is matched, checked and carried out.
#include <algorithm>

#include "portals/process.hpp"
#include "portals/target.hpp"

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

ptl_event_kind_t event_of(nic::Operation kind) {
  switch (kind) {
    case nic::Operation::put:
      return PTL_EVENT_PUT;
    case nic::Operation::get:
      return PTL_EVENT_GET;
    case nic::Operation::atomic:
      return PTL_EVENT_ATOMIC;
    case nic::Operation::fetch_atomic:
      return PTL_EVENT_FETCH_ATOMIC;
  }
  return PTL_EVENT_ERROR;
}

bool wants_comm_event(const Entry& entry, ptl_ni_fail_t fail) {
  if (entry.has(PTL_ME_EVENT_COMM_DISABLE)) return false;
  return fail != PTL_NI_OK || !entry.has(PTL_ME_EVENT_SUCCESS_DISABLE);
}

/// Where data at `offset` of the entry lies; null beyond its end.
void* start_of(const Entry& entry, ptl_size_t offset) {
  return offset <= entry.region.length() ? entry.region.address(offset) : nullptr;
}

ptl_event_t event_from(const Header& header) {
  ptl_event_t event{};
  event.hdr_data = header.hdr_data;
  event.match_bits = header.match_bits;
  event.rlength = header.length;
  event.remote_offset = header.remote_offset;
  event.initiator = header.initiator;
  event.uid = header.uid;
  event.pt_index = header.pt_index;
  event.atomic_operation = header.operation;
  event.atomic_type = header.datatype;
  return event;
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
  const bool moved = move(interface, entry, command, plan);
  Result result;
  result.fail = moved ? PTL_NI_OK : PTL_NI_SEGV;
  result.length = moved ? plan.length : 0;
  result.offset = plan.offset;
  result.list = entry.list;
  result.silent = moved && entry.has(PTL_ME_ACK_DISABLE);
  if (entry.has(PTL_ME_MANAGE_LOCAL)) entry.local_offset = plan.next_offset;
  if (plan.keeps_header) keep(interface, place, command.header, result);
  report(interface, entry, command.header, result);
  if (plan.unlinks) unlink_full(interface, place);
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

void Target::post_found(Interface& interface, const Entry& entry, const Unexpected& found,
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

bool Target::move(Interface& interface, const Entry& entry, Command& command, const Plan& plan) {
  if (plan.length == 0) return true;
  const Place place{&interface.memory(), &entry.region, plan.offset};
  switch (command.header.kind) {
    case nic::Operation::put:
      return !copy_payload_ || put(place, command, plan.length);
    case nic::Operation::get:
      return !copy_payload_ || get(place, command, plan.length);
    case nic::Operation::atomic:
    case nic::Operation::fetch_atomic:
      return combine(place, command, plan.length);
  }
  return false;
}

bool Target::put(const Place& to, Command& command, ptl_size_t size) {
  if (command.staged) return write(to, command.payload.data(), size);
  return command.origin && copy(to, place_of(*command.origin, command.out), size);
}

/// A process that has ended meanwhile no longer cares.
bool Target::get(const Place& from, Command& command, ptl_size_t size) {
  return !command.origin || copy(place_of(*command.origin, command.in), from, size);
}

bool Target::combine(const Place& at, Command& command, ptl_size_t size) {
  source_.resize(size);
  target_.resize(size);
  if (command.staged) {
    std::copy_n(command.payload.begin(), size, source_.begin());
  } else if (!command.origin ||
             !read(place_of(*command.origin, command.out), source_.data(), size)) {
    return false;
  }
  if (!read(at, target_.data(), size)) return false;
  if (fetches(command.header) && command.origin &&
      !write(place_of(*command.origin, command.in), target_.data(), size)) {
    return false;
  }
  apply(command.header.operation, command.header.datatype, target_.data(), source_.data(),
        command.operand.data(), size);
  return write(at, target_.data(), size);
}

}  // namespace heddle::portals
