#include "portals/event_store.hpp"

namespace heddle::portals {

nic::EventToken EventStore::post(EventQueue& queue, Process& process, const ptl_event_t& event) {
  const bool counted = event.type != PTL_EVENT_PT_DISABLED;
  if (counted && !has_room(queue, 1)) {
    queue.dropped = true;
    return kNone;
  }
  const std::uint32_t token = events_.take();
  Record& record = events_[token];
  record = {event, &process, kNone, false, queue.dropped};
  queue.dropped = false;
  queue.used += counted;
  if (queue.last == kNone) {
    queue.first = token;
  } else {
    events_[queue.last].next = token;
  }
  queue.last = token;
  return token;
}

Process* EventStore::make_visible(nic::EventToken token) {
  Record& record = events_[token];
  record.visible = true;
  if (!record.process) events_.give_back(token);
  return record.process;
}

bool EventStore::readable(const EventQueue& queue) {
  return queue.first != kNone && events_[queue.first].visible;
}

int EventStore::read(EventQueue& queue, ptl_event_t& event) {
  if (!readable(queue)) return PTL_EQ_EMPTY;
  const std::uint32_t token = queue.first;
  Record& record = events_[token];
  event = record.event;
  queue.first = record.next;
  if (queue.first == kNone) queue.last = kNone;
  queue.used -= event.type != PTL_EVENT_PT_DISABLED;
  events_.give_back(token);
  return record.after_loss ? PTL_EQ_DROPPED : PTL_OK;
}

void EventStore::clear(EventQueue& queue) {
  for (std::uint32_t token = queue.first; token != kNone;) {
    Record& record = events_[token];
    const std::uint32_t next = record.next;
    record.process = nullptr;
    // One that is still on its way goes when it arrives.
    if (record.visible) events_.give_back(token);
    token = next;
  }
  queue = {};
}

}  // namespace heddle::portals
