// What the extern "C" functions have in common.
#pragma once

#include <portals4.h>

#include "host/rank/rank.hpp"
#include "portals/machine.hpp"
#include "portals/process.hpp"

namespace heddle::portals {

/// One call of the running rank: `body(process)` answers it.
template <class Body>
int call(Body body) {
  host::Rank* rank = host::current_rank();
  if (!rank) return PTL_NO_INIT;
  host::Call mark(*rank);
  Process* process = Process::of(*rank);
  if (!process || !process->initialised()) return PTL_NO_INIT;
  return body(*process);
}

/// A call on an interface: `body(process, interface)` answers it.
template <class Body>
int call_on(ptl_handle_ni_t handle, Body body) {
  return call([&](Process& process) -> int {
    Interface* interface = process.interface(handle);
    return interface ? body(process, *interface) : PTL_ARG_INVALID;
  });
}

/// A call on an object of a kind: `body(process, its interface)` answers it.
template <class Body>
int call_on(ptl_handle_any_t handle, ObjectKind kind, Body body) {
  return call([&](Process& process) -> int {
    Interface* interface = kind_of(handle) == kind ? process.owner(handle) : nullptr;
    return interface ? body(process, *interface) : PTL_ARG_INVALID;
  });
}

/// Whether a queue or counter may be named on this interface.
inline bool usable_queue(Interface& interface, ptl_handle_eq_t handle) {
  return handle == PTL_EQ_NONE || interface.queue(handle);
}
inline bool usable_counter(Interface& interface, ptl_handle_ct_t handle) {
  return handle == PTL_CT_NONE || interface.counter(handle) != kNone;
}

/// Whether `start` and `length` name memory, by pieces if the options say so.
inline bool usable_memory(const Interface& interface, unsigned int options, const void* start,
                          ptl_size_t length) {
  if ((options & PTL_IOVEC) == 0) return true;
  return length <= static_cast<ptl_size_t>(interface.limits.max_iovecs) &&
         (start != nullptr || length == 0);
}
inline Region region_of(unsigned int options, void* start, ptl_size_t length) {
  if ((options & PTL_IOVEC) != 0) return {static_cast<const ptl_iovec_t*>(start), length};
  return {start, length};
}

/// Whether a table with a limit takes one more.
template <class Table>
bool has_space(const Table& table, int limit) {
  return table.used() < static_cast<std::uint32_t>(limit);
}

}  // namespace heddle::portals
