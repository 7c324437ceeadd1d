// The library itself, interfaces, identities and maps.
#include <algorithm>
#include <cstring>

#include "portals/call.hpp"

namespace heddle::portals {
namespace {

bool same(const ptl_process_t& a, const ptl_process_t& b) {
  return physical_pair(a) == physical_pair(b);
}

/// Whether a map says what is so anyway; then it need not be kept.
bool is_own_map(const Machine& machine, RankMap map) {
  if (map.size() != machine.directory().ranks()) return false;
  for (std::uint32_t r = 0; r < map.size(); ++r) {
    if (!same(map[r], machine.directory().physical(r))) return false;
  }
  return true;
}

void set_map(Interface& interface, RankMap map) {
  Process& process = interface.process();
  if (is_own_map(process.machine(), map)) {
    interface.map = {};
    interface.rank = static_cast<ptl_rank_t>(process.rank().id());
    return;
  }
  interface.map = process.machine().directory().maps().keep(map);
  const ptl_process_t self = process.physical_id();
  const auto place = std::ranges::find_if(map, [&](const auto& id) { return same(id, self); });
  interface.rank = place == map.end() ? PTL_RANK_ANY : static_cast<ptl_rank_t>(place - map.begin());
}

int open(Process& process, std::uint8_t slot, ptl_pid_t pid, const ptl_ni_limits_t* desired) {
  Machine& machine = process.machine();
  if (const int refused = machine.directory().claim(process, pid)) return refused;
  machine.perform(process);
  const ptl_ni_limits_t limits = clamped(desired, machine.limits());
  Interface& interface = process.open(slot, limits);
  interface.rank = static_cast<ptl_rank_t>(process.rank().id());
  machine.opened(interface);
  return PTL_OK;
}

int init(Process& process, unsigned int options, ptl_pid_t pid, const ptl_ni_limits_t* desired,
         ptl_ni_limits_t* actual, ptl_handle_ni_t* handle) {
  const std::uint32_t slot = slot_of(options);
  if (slot == kNone || !handle) return PTL_ARG_INVALID;
  if (Interface* interface = process.interface(slot)) {
    ++interface->references;
  } else if (const int refused = open(process, static_cast<std::uint8_t>(slot), pid, desired)) {
    return refused;
  }
  if (actual) *actual = process.interface(slot)->limits;
  *handle = process.interface(slot)->handle();
  return PTL_OK;
}

void close_all(Process& process) {
  for (std::uint32_t slot = 0; slot < kInterfaces; ++slot) {
    if (Interface* interface = process.interface(slot)) process.machine().close(*interface);
  }
}

}  // namespace
}  // namespace heddle::portals

using namespace heddle::portals;

int PtlInit(void) {
  heddle::host::Rank* rank = heddle::host::current_rank();
  if (!rank) return PTL_FAIL;
  heddle::host::Call mark(*rank);
  Process* process = Process::of(*rank);
  if (!process) return PTL_FAIL;
  ++process->references;
  return PTL_OK;
}

void PtlFini(void) {
  call([](Process& process) {
    if (--process.references > 0) return PTL_OK;
    close_all(process);
    process.aborted = false;
    return PTL_OK;
  });
}

void PtlAbort(void) {
  call([](Process& process) {
    process.aborted = true;
    process.poke();
    return PTL_OK;
  });
}

int PtlNIInit(ptl_interface_t iface, unsigned int options, ptl_pid_t pid,
              const ptl_ni_limits_t* desired, ptl_ni_limits_t* actual, ptl_handle_ni_t* ni_handle) {
  return call([&](Process& process) -> int {
    if (iface != PTL_IFACE_DEFAULT && iface != 0) return PTL_ARG_INVALID;
    process.rank().extensions().others_write();
    return init(process, options, pid, desired, actual, ni_handle);
  });
}

int PtlNIFini(ptl_handle_ni_t ni_handle) {
  return call_on(ni_handle, [](Process& process, Interface& interface) {
    if (--interface.references > 0) return PTL_OK;
    process.machine().perform(process);
    process.machine().close(interface);
    return PTL_OK;
  });
}

int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register, ptl_sr_value_t* status) {
  return call_on(ni_handle, [&](Process&, Interface& interface) -> int {
    if (!status || status_register < 0 || status_register >= PTL_SR_LAST) return PTL_ARG_INVALID;
    *status = interface.status[status_register];
    return PTL_OK;
  });
}

int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t* ni_handle) {
  return call([&](Process& process) -> int {
    const Interface* interface = process.owner(handle);
    if (!interface || !ni_handle) return PTL_ARG_INVALID;
    *ni_handle = interface->handle();
    return PTL_OK;
  });
}

int PtlSetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size, const ptl_process_t* mapping) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!interface.logical() || !mapping || map_size == 0) return PTL_ARG_INVALID;
    process.machine().perform(process);
    set_map(interface, {mapping, map_size});
    return PTL_OK;
  });
}

int PtlGetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size, ptl_process_t* mapping,
              ptl_size_t* actual_map_size) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!interface.logical() || (!mapping && map_size > 0)) return PTL_ARG_INVALID;
    const Machine& machine = process.machine();
    const ptl_size_t size =
        interface.map.empty() ? machine.directory().ranks() : interface.map.size();
    if (actual_map_size) *actual_map_size = size;
    for (std::uint32_t r = 0; r < std::min(map_size, size); ++r) {
      mapping[r] = interface.map.empty() ? machine.directory().physical(r) : interface.map[r];
    }
    return PTL_OK;
  });
}

int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t* uid) {
  return call_on(ni_handle, [&](Process& process, Interface&) -> int {
    if (!uid) return PTL_ARG_INVALID;
    *uid = static_cast<ptl_uid_t>(process.machine().config().uid);
    return PTL_OK;
  });
}

int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_t* id) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!id) return PTL_ARG_INVALID;
    *id = process.physical_id();
    if (interface.logical()) {
      std::memset(id, 0, sizeof *id);
      id->rank = interface.rank;
    }
    return PTL_OK;
  });
}

int PtlGetPhysId(ptl_handle_ni_t ni_handle, ptl_process_t* id) {
  return call_on(ni_handle, [&](Process& process, Interface&) -> int {
    if (!id) return PTL_ARG_INVALID;
    *id = process.physical_id();
    return PTL_OK;
  });
}

int PtlStartBundle(ptl_handle_ni_t ni_handle) {
  return call_on(ni_handle, [](Process&, Interface& interface) {
    ++interface.bundles;
    return PTL_OK;
  });
}

int PtlEndBundle(ptl_handle_ni_t ni_handle) {
  return call_on(ni_handle, [](Process&, Interface& interface) -> int {
    if (interface.bundles == 0) return PTL_ARG_INVALID;
    --interface.bundles;
    return PTL_OK;
  });
}

bool PtlHandleIsEqual(ptl_handle_any_t handle1, ptl_handle_any_t handle2) {
  return handle1 == handle2;
}
