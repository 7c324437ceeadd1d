#include "portals/emitter.hpp"

namespace heddle::portals {

void Emitter::post(Interface& interface, ptl_handle_eq_t handle, const ptl_event_t& event) {
  EventQueue* queue = interface.queue(handle);
  if (!queue) return;
  const nic::EventToken token = events_.post(*queue, interface.process(), event);
  if (token != kNone) posted_.push_back(token);
}

void Emitter::count(Interface& interface, ptl_handle_ct_t handle, ptl_ni_fail_t fail,
                    ptl_size_t amount) {
  const std::uint32_t counter = interface.counter(handle);
  if (counter == kNone) return;
  counters_.add(counter, fail == PTL_NI_OK ? ptl_ct_event_t{amount, 0} : ptl_ct_event_t{0, 1});
}

bool Emitter::has_room(Interface& interface, ptl_handle_eq_t handle, ptl_size_t events) {
  const EventQueue* queue = interface.queue(handle);
  return !queue || events_.has_room(*queue, events);
}

nic::EventTokens Emitter::take() {
  nic::EventTokens tokens;
  for (const nic::EventToken token : posted_) tokens.add(token);
  posted_.clear();
  return tokens;
}

}  // namespace heddle::portals
