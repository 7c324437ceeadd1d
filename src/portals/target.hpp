// The target's side: how a request is matched, checked and carried out.
#pragma once

#include <portals4.h>

#include <cstdint>

#include "portals/command.hpp"
#include "portals/data_mover.hpp"
#include "portals/emitter.hpp"
#include "portals/entry_lists.hpp"
#include "portals/interface.hpp"

namespace heddle::portals {

/// What Portals does with lists and memory, with no idea of time: everything happens at once, in
/// the order of the calls.
class Target {
 public:
  Target(Emitter& emitter, EntryLists& lists, bool copy_payload)
      : emitter_(emitter), lists_(lists), mover_(copy_payload) {}

  /// A request has come to an interface of its target process.
  Result deliver(Interface& interface, Command& command);

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

  Emitter& emitter_;
  EntryLists& lists_;
  DataMover mover_;
};

}  // namespace heddle::portals
