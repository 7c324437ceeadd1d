// What entries of the plain model take and say, and where they are found.
#pragma once

#include "portals/model/types.hpp"

namespace heddle::portals::model {

inline bool has(const EntrySpec& spec, unsigned int option) {
  return (spec.options & option) != 0;
}
/// Whether a message that lands in the entry is told of.
inline bool tells_messages(const EntrySpec& spec) {
  return !has(spec, PTL_ME_EVENT_COMM_DISABLE) && !has(spec, PTL_ME_EVENT_SUCCESS_DISABLE);
}
inline bool tells_unlink(const EntrySpec& spec) {
  return !has(spec, PTL_ME_EVENT_UNLINK_DISABLE);
}
/// Whether what lands in the entry waits for somebody to ask for it.
inline bool keeps_headers(const Entry& entry) {
  return entry.list == PTL_OVERFLOW_LIST && !has(entry.spec, PTL_ME_UNEXPECTED_HDR_DISABLE);
}

/// The bytes of an entry from `offset` on.
inline std::uint64_t room(const Entry& entry, std::uint64_t offset) {
  const std::uint64_t size = entry.spec.positions.size();
  return offset >= size ? 0 : size - offset;
}
/// Where in the entry the transfer begins.
inline std::uint64_t offset_of(const Entry& entry, const Transfer& t) {
  return has(entry.spec, PTL_ME_MANAGE_LOCAL) ? entry.local_offset : t.offset;
}
/// Where in memory a byte of an entry lies; -1 for what is behind its last byte.
inline std::int64_t position(const Positions& positions, std::uint64_t offset) {
  if (offset < positions.size()) return static_cast<std::int64_t>(positions[offset]);
  return -1;
}
/// Whether less is free from `offset` on than the entry needs to stay.
inline bool short_of_room(const Entry& entry, std::uint64_t offset) {
  return entry.spec.min_free != 0 && room(entry, offset) < entry.spec.min_free;
}

/// On an interface with matching.
inline bool matches(const Entry& entry, const Transfer& t, std::uint32_t initiator) {
  if ((entry.spec.bits | entry.spec.ignore) != (t.bits | entry.spec.ignore)) return false;
  if (entry.spec.from && *entry.spec.from != initiator) return false;
  return !has(entry.spec, PTL_ME_NO_TRUNCATE) || t.length <= room(entry, offset_of(entry, t));
}

template <class T>
void erase_at(std::vector<T>& all, std::size_t i) {
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
}

/// The place of an entry; the list's size if it is not there.
inline std::size_t place_of(const std::vector<Entry>& list, std::size_t id) {
  std::size_t i = 0;
  while (i < list.size() && list[i].id != id) ++i;
  return i;
}

/// What an event says of the transfer that it tells of.
inline Event described(const Transfer& t, std::uint32_t initiator) {
  Event event;
  event.hdr_data = t.hdr_data;
  event.bits = t.bits;
  event.rlength = t.length;
  event.offset = t.offset;
  event.initiator = initiator;
  return event;
}

/// What the target is told of a message that lands.
inline ptl_event_kind_t landing_event(Kind kind) {
  return kind == Kind::put      ? PTL_EVENT_PUT
         : kind == Kind::get    ? PTL_EVENT_GET
         : kind == Kind::atomic ? PTL_EVENT_ATOMIC
                                : PTL_EVENT_FETCH_ATOMIC;
}
/// And of one that landed in the overflow list before it was asked for.
inline ptl_event_kind_t overflow_event(Kind kind) {
  return kind == Kind::put      ? PTL_EVENT_PUT_OVERFLOW
         : kind == Kind::get    ? PTL_EVENT_GET_OVERFLOW
         : kind == Kind::atomic ? PTL_EVENT_ATOMIC_OVERFLOW
                                : PTL_EVENT_FETCH_ATOMIC_OVERFLOW;
}

}  // namespace heddle::portals::model
