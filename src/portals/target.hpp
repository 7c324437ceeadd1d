// The target's side: lists, matching, and moving data.
#pragma once

#include <portals4.h>

#include <cstddef>
#include <vector>

#include "portals/command.hpp"
#include "portals/emitter.hpp"
#include "portals/interface.hpp"

namespace heddle::portals {

/// What Portals does with lists and memory, with no idea of time: everything happens at once, in
/// the order of the calls.
class Target {
 public:
  Target(Emitter& emitter, bool copy_payload) : emitter_(emitter), copy_payload_(copy_payload) {}

  /// A request has come to an interface of its target process.
  Result deliver(Interface& interface, Command& command);

  /// Appends the entry at `place` of the interface's table to its list, or lets it take unexpected
  /// messages. Its place is free again if it is not in its list afterwards. PTL_OK,
  /// PTL_LIST_TOO_LONG, PTL_ARG_INVALID (its portal is gone).
  int append(Interface& interface, std::uint32_t place);
  /// Looks for unexpected messages that `wanted` would take. Its portal must exist.
  void search(Interface& interface, const Entry& wanted, ptl_search_op_t what);
  /// PTL_OK, PTL_IN_USE.
  int unlink(Interface& interface, std::uint32_t place);

 private:
  /// What a matched request will do.
  struct Plan {
    ptl_size_t offset = 0;
    ptl_size_t length = 0;
    ptl_size_t next_offset = 0;  ///< Of a locally managed entry.
    bool unlinks = false;
    bool keeps_header = false;
    ptl_size_t events = 0;
  };

  std::uint32_t first_match(Interface& interface, const Portal& portal, const Header& header) const;
  ptl_ni_fail_t check(Interface& interface, const Entry& entry, const Header& header) const;
  Plan plan(const Entry& entry, const Header& header) const;
  Result refuse(Interface& interface, Portal& portal, const Entry* entry, const Header& header);
  Result accept(Interface& interface, std::uint32_t place, Command& command, const Plan& plan);
  void keep(Interface& interface, std::uint32_t place, const Header& header, const Result& result);
  void report(Interface& interface, const Entry& entry, const Header& header, const Result& result);

  bool move(Interface& interface, const Entry& entry, Command& command, const Plan& plan);
  bool put(const Place& to, Command& command, ptl_size_t size);
  bool get(const Place& from, Command& command, ptl_size_t size);
  bool combine(const Place& at, Command& command, ptl_size_t size);

  void unlink_full(Interface& interface, std::uint32_t place);
  bool consume(Interface& interface, Portal& portal, Entry& entry);
  void post_found(Interface& interface, const Entry& entry, const Unexpected& found,
                  ptl_event_kind_t type);
  void forget(Interface& interface, Portal& portal, std::uint32_t header);
  void post_entry(Interface& interface, const Entry& entry, ptl_event_kind_t type,
                  ptl_ni_fail_t fail = PTL_NI_OK);

  Emitter& emitter_;
  bool copy_payload_;
  std::vector<std::byte> source_;  ///< For atomics.
  std::vector<std::byte> target_;
};

}  // namespace heddle::portals
