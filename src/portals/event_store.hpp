// The event queues of all processes, and the events in them.
#pragma once

#include <portals4.h>

#include <cstdint>

#include "core/containers/index_pool.hpp"
#include "nic/software.hpp"
#include "portals/handle.hpp"

namespace heddle::portals {

class Process;

/// A queue with room for `capacity` events; the events are in the store.
struct EventQueue {
  ptl_size_t capacity = 0;
  ptl_size_t used = 0;  ///< Without PTL_EVENT_PT_DISABLED, for which there always is room.
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
  bool dropped = false;  ///< An event was lost after the last one in the queue.
};

/// Holds events from when they come about until the program reads them. An event takes its place in
/// its queue at once, and can be read when it has become visible and those before it are read.
class EventStore {
 public:
  bool has_room(const EventQueue& queue, ptl_size_t events) const {
    return queue.used + events <= queue.capacity;
  }
  /// Appends an event for `process` and gives its number; kNone if the queue is full: the event is
  /// lost.
  nic::EventToken post(EventQueue& queue, Process& process, const ptl_event_t& event);
  /// The event can be read from now on. Whose it is; null if its queue is gone.
  Process* make_visible(nic::EventToken token);
  /// Whether an event can be read.
  bool readable(const EventQueue& queue);
  /// Takes the first event out: PTL_OK, PTL_EQ_DROPPED, or PTL_EQ_EMPTY and nothing.
  int read(EventQueue& queue, ptl_event_t& event);
  /// Forgets all events of a queue that goes.
  void clear(EventQueue& queue);
  std::size_t in_use() const { return events_.in_use(); }

 private:
  struct Record {
    ptl_event_t event{};
    Process* process = nullptr;  ///< Null if the queue is gone.
    std::uint32_t next = kNone;
    bool visible = false;
    bool after_loss = false;
  };
  IndexPool<Record> events_;
};

}  // namespace heddle::portals
