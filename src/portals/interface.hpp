// One of the four logical interfaces that a process may have: its tables.
#pragma once

#include <portals4.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "portals/event_store.hpp"
#include "portals/match_list.hpp"
#include "portals/rank_maps.hpp"
#include "portals/slot_table.hpp"

namespace heddle::portals {

class Process;

/// A memory descriptor.
struct Descriptor {
  Region region;
  unsigned int options = 0;
  ptl_handle_eq_t queue = PTL_EQ_NONE;
  ptl_handle_ct_t counter = PTL_CT_NONE;
  std::uint32_t pending = 0;  ///< Requests that use it, and triggered ones that will.

  bool has(unsigned int option) const { return (options & option) != 0; }
};

/// Tables grow as they are used: one that holds nothing takes nothing.
class alignas(64) Interface {
 public:
  /// `slot` is that of slot_of(options).
  Interface(Process& process, std::uint8_t slot, std::uint32_t generation,
            const ptl_ni_limits_t& limits);

  Process& process() const { return process_; }
  /// That of the process.
  AddressSpace& memory() const { return memory_; }
  std::uint8_t slot() const { return slot_; }
  bool matching() const { return (slot_ & 1) != 0; }
  bool logical() const { return (slot_ & 2) != 0; }

  ptl_handle_ni_t handle() const;
  ptl_handle_any_t handle(ObjectKind kind, std::uint32_t index) const;

  // What a handle means; null or kNone if it is none of this interface's, or stale.
  Descriptor* descriptor(ptl_handle_md_t handle) {
    return find(descriptors, handle, ObjectKind::descriptor);
  }
  Entry* entry(ptl_handle_me_t handle) { return find(entries, handle, ObjectKind::entry); }
  EventQueue* queue(ptl_handle_eq_t handle) {
    return find(queues, handle, ObjectKind::event_queue);
  }
  /// Its number in the CounterStore.
  std::uint32_t counter(ptl_handle_ct_t handle) {
    const std::uint32_t* number = find(counters, handle, ObjectKind::counter);
    return number ? *number : kNone;
  }

  /// Null if it is not allocated.
  Portal* portal(ptl_pt_index_t index) const {
    return index < portals.size() ? portals[index].get() : nullptr;
  }
  /// The portal's own queue; null if it has none.
  EventQueue* queue_of(const Portal& portal) { return queue(portal.queue); }

  /// Whether one more unexpected header may be kept.
  bool has_room_for_header() const {
    return unexpected.used() < static_cast<std::uint32_t>(limits.max_unexpected_headers);
  }

 private:
  // What every request needs comes first, two lines of the cache at its target; what few need is
  // last.
  Process& process_;
  AddressSpace& memory_;
  std::uint8_t slot_;
  std::uint32_t generation_;

 public:
  std::vector<std::unique_ptr<Portal>> portals;
  SlotTable<Entry> entries;
  SlotTable<std::uint32_t> counters;
  SlotTable<Descriptor> descriptors;
  SlotTable<EventQueue> queues;
  RankMap map;                     ///< One of the machine's; empty while it is the job's own.
  ptl_rank_t rank = PTL_RANK_ANY;  ///< The process itself, in the map.
  std::uint32_t references = 1;
  std::uint32_t bundles = 0;
  std::uint32_t triggered = 0;  ///< Commands that wait for counters.
  ptl_ni_limits_t limits;
  SlotTable<Unexpected> unexpected;
  std::array<ptl_sr_value_t, PTL_SR_LAST> status{};

 private:
  template <class T>
  T* find(SlotTable<T>& table, ptl_handle_any_t handle, ObjectKind kind) const {
    const auto parts = decode(handle, kind);
    if (!parts || parts->interface != slot_) return nullptr;
    return table.find(parts->index, parts->generation);
  }
};

inline constexpr std::size_t kInterfaces = 4;

/// The slot of an interface with these options; kNone if they do not say what it is.
std::uint32_t slot_of(unsigned int options);

}  // namespace heddle::portals
