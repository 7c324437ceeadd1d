// Where everything that happens becomes known: full events and counting events.
#pragma once

#include <portals4.h>

#include <vector>

#include "portals/counter_store.hpp"
#include "portals/event_store.hpp"
#include "portals/interface.hpp"

namespace heddle::portals {

/// Posts events and counts. The events posted since they were last taken are to be written by the
/// adapter; what the counters caused is in CounterStore::changes.
class Emitter {
 public:
  Emitter(EventStore& events, CounterStore& counters) : events_(events), counters_(counters) {}

  /// Nothing happens if `queue` is none, or gone.
  void post(Interface& interface, ptl_handle_eq_t queue, const ptl_event_t& event);
  /// Adds `amount` to the successes, or one to the failures. Nothing happens if `counter` is none.
  void count(Interface& interface, ptl_handle_ct_t counter, ptl_ni_fail_t fail, ptl_size_t amount);
  bool has_room(Interface& interface, ptl_handle_eq_t queue, ptl_size_t events);

  /// The events of one step of an operation: there are never more than fit.
  nic::EventTokens take();
  std::vector<nic::EventToken>& posted() { return posted_; }

 private:
  EventStore& events_;
  CounterStore& counters_;
  std::vector<nic::EventToken> posted_;
};

}  // namespace heddle::portals
