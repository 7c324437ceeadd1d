// How entries come into the lists of portals and out of them, and meet messages that came before.
#pragma once

#include <portals4.h>

#include <cstdint>

#include "portals/emitter.hpp"
#include "portals/interface.hpp"

namespace heddle::portals {

/// Everything happens at once, in the order of the calls.
class EntryLists {
 public:
  explicit EntryLists(Emitter& emitter) : emitter_(emitter) {}

  /// Appends the entry at `place` of the interface's table to its list, or lets it take unexpected
  /// messages. Its place is free again if it is not in its list afterwards. PTL_OK,
  /// PTL_LIST_TOO_LONG, PTL_ARG_INVALID (its portal is gone).
  int append(Interface& interface, std::uint32_t place);
  /// Looks for unexpected messages that `wanted` would take. Its portal must exist.
  void search(Interface& interface, const Entry& wanted, ptl_search_op_t what);
  /// PTL_OK, PTL_IN_USE.
  int unlink(Interface& interface, std::uint32_t place);
  /// An entry that has served its purpose leaves its list.
  void unlink_full(Interface& interface, std::uint32_t place);

 private:
  bool consume(Interface& interface, Portal& portal, Entry& entry);
  void post_found(Interface& interface, const Entry& entry, const Unexpected& found,
                  ptl_event_kind_t type);
  void forget(Interface& interface, Portal& portal, std::uint32_t header);
  void post_entry(Interface& interface, const Entry& entry, ptl_event_kind_t type,
                  ptl_ni_fail_t fail = PTL_NI_OK);

  Emitter& emitter_;
};

}  // namespace heddle::portals
