// What is in the lists of a portal table entry.
#pragma once

#include <portals4.h>

#include <cstdint>

#include "portals/command.hpp"
#include "portals/region.hpp"
#include "portals/slot_table.hpp"

namespace heddle::portals {

/// Neighbours in a list, by place in their table.
struct Links {
  std::uint32_t next = kNone;
  std::uint32_t previous = kNone;
};

/// A list of things that are in a SlotTable.
struct List {
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
  std::uint32_t size = 0;
};

template <class T>
void push_back(SlotTable<T>& table, List& list, std::uint32_t place) {
  table[place].links = {kNone, list.last};
  (list.last == kNone ? list.first : table[list.last].links.next) = place;
  list.last = place;
  ++list.size;
}

template <class T>
void take_out(SlotTable<T>& table, List& list, std::uint32_t place) {
  const Links links = table[place].links;
  (links.previous == kNone ? list.first : table[links.previous].links.next) = links.next;
  (links.next == kNone ? list.last : table[links.next].links.previous) = links.previous;
  --list.size;
}

enum class EntryState : std::uint8_t {
  waiting,  ///< For the counter that triggers its being appended.
  linked,
  unlinked,  ///< Out of its list, but unexpected headers refer to it.
};

/// A list entry or match-list entry.
struct Entry {
  Region region;
  ptl_handle_ct_t counter = PTL_CT_NONE;
  ptl_uid_t uid = 0;
  unsigned int options = 0;
  ptl_process_t match_id{};
  ptl_match_bits_t match_bits = 0;
  ptl_match_bits_t ignore_bits = 0;
  ptl_size_t min_free = 0;
  void* user_ptr = nullptr;
  ptl_pt_index_t pt_index = 0;
  ptl_list_t list = PTL_PRIORITY_LIST;
  EntryState state = EntryState::waiting;
  ptl_size_t local_offset = 0;
  std::uint32_t headers = 0;  ///< Unexpected ones that lie in it.
  Links links;
  Links chain;              ///< The index's, while the list is long.
  std::uint64_t order = 0;  ///< The index's: its place among the entries of the list.

  bool has(unsigned int option) const { return (options & option) != 0; }
  /// Where a request's data goes.
  ptl_size_t offset_for(const Header& header) const {
    return has(PTL_ME_MANAGE_LOCAL) ? local_offset : header.remote_offset;
  }
  ptl_size_t room_at(ptl_size_t offset) const {
    return offset < region.length() ? region.length() - offset : 0;
  }
  /// Too little is left of a locally managed entry.
  bool exhausted() const {
    return has(PTL_ME_MANAGE_LOCAL) && min_free != 0 && room_at(local_offset) < min_free;
  }
};

/// The header of a message that lies in an entry of the overflow list.
struct Unexpected {
  Header header;
  void* start = nullptr;
  ptl_size_t length = 0;  ///< Stored.
  std::uint32_t entry = kNone;
  ptl_ni_fail_t fail = PTL_NI_OK;
  Links links;
};

/// Whether a header fits an entry of a matching interface.
bool matches(const Entry& entry, const Header& header, bool logical);

}  // namespace heddle::portals
