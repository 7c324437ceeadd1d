// Event queues and counters.
#include <string>

#include "portals/call.hpp"

namespace heddle::portals {
namespace {

/// The answer of a look that found nothing yet.
constexpr int kNothing = -1;

std::string waits_in(const char* name, ptl_time_t timeout) {
  return (timeout == 0 ? "polls with " : "waits in ") + std::string(name);
}

/// The number of an object, for people.
std::string number_of(ptl_handle_any_t handle) {
  return std::to_string(static_cast<std::uint32_t>(handle));
}

/// What several calls look at: handles in the program's memory, which can be read only while the
/// rank runs, unless there is one, which is the call's own.
struct Handles {
  const ptl_handle_any_t* first;
  unsigned int count;
};

/// The thing that last had something to say, among several.
struct Turn {
  Process& process;
  unsigned int which = 0;
};

/// Looks at several things by turns: `look(i)` answers or says kNothing.
template <class Look>
int look_around(Turn& turn, unsigned int count, Look look) {
  for (unsigned int n = 0; n < count; ++n) {
    const unsigned int i = (turn.process.turn + n) % count;
    const int answer = look(i);
    if (answer == kNothing) continue;
    turn.process.turn = i + 1;
    turn.which = i;
    return answer;
  }
  return kNothing;
}

/// That `look()` answers something.
template <class Look>
class Answered final : public Condition {
 public:
  Answered(Process& process, Look look) : process_(process), look_(look) {}
  bool holds() override {
    if (answer_ == kNothing) answer_ = process_.aborted ? PTL_ABORTED : look_();
    return answer_ != kNothing;
  }
  int answer() const { return answer_; }

 private:
  Process& process_;
  Look look_;
  int answer_ = kNothing;
};

/// The answer of `look()` once it has one, or kNothing when the time is over; a look that may not
/// wait costs some time if it is in vain.
template <class Look, class Describe>
int look_until(Process& process, const Handles& handles, ptl_time_t timeout, Look look,
               const Describe& describe, const CounterGoal& goal = {}) {
  Answered<Look> answered(process, look);
  if (answered.holds()) return answered.answer();
  if (timeout == 0) {
    process.idle(describe);
    answered.holds();
  } else {
    process.wait(answered, handles.count == 1 ? Process::Asked::at_once : Process::Asked::by_rank,
                 describe, timeout, goal);
  }
  return answered.answer();
}

// Event queues.

/// Takes an event from a queue.
int read_one(Process& process, ptl_handle_eq_t handle, ptl_event_t& event) {
  EventQueue* queue = process.queue(handle);
  if (!queue) return PTL_INTERRUPTED;
  const int answer = process.machine().events().read(*queue, event);
  return answer == PTL_EQ_EMPTY ? kNothing : answer;
}

bool are_queues(Process& process, const Handles& handles) {
  if (!handles.first || handles.count == 0) return false;
  for (unsigned int i = 0; i < handles.count; ++i) {
    if (!process.queue(handles.first[i])) return false;
  }
  return true;
}

int poll_queues(Process& process, const Handles& handles, ptl_time_t timeout, ptl_event_t* event,
                unsigned int* which, const char* name) {
  if (!event || !are_queues(process, handles)) return PTL_ARG_INVALID;
  ptl_event_t found{};
  Turn turn{process};
  const auto look = [&] {
    return look_around(turn, handles.count,
                       [&](unsigned int i) { return read_one(process, handles.first[i], found); });
  };
  const int answer = look_until(process, handles, timeout, look, [&] {
    return waits_in(name, timeout) + " for an event on " +
           (handles.count == 1 ? "EQ " + number_of(*handles.first)
                               : "one of " + std::to_string(handles.count) + " EQs");
  });
  if (answer == kNothing) return PTL_EQ_EMPTY;
  if (answer != PTL_OK && answer != PTL_EQ_DROPPED) return answer;
  *event = found;
  if (which) *which = turn.which;
  return answer;
}

// Counters.

int test_one(Process& process, ptl_handle_ct_t handle, ptl_size_t test, ptl_ct_event_t& event) {
  const std::uint32_t counter = process.counter(handle);
  if (counter == kNone) return PTL_INTERRUPTED;
  event = process.machine().counters()[counter].visible;
  return reached(event, test) ? PTL_OK : kNothing;
}

bool are_counters(Process& process, const Handles& handles) {
  if (!handles.first || handles.count == 0) return false;
  for (unsigned int i = 0; i < handles.count; ++i) {
    if (process.counter(handles.first[i]) == kNone) return false;
  }
  return true;
}

std::string wait_for_counter(Process& process, ptl_handle_ct_t handle, ptl_size_t test) {
  const std::uint32_t counter = process.counter(handle);
  const ptl_size_t success =
      counter == kNone ? 0 : process.machine().counters()[counter].visible.success;
  return "CT " + number_of(handle) + " to reach " + std::to_string(test) + " (it is at " +
         std::to_string(success) + ")";
}

int poll_counters(Process& process, const Handles& handles, const ptl_size_t* tests,
                  ptl_time_t timeout, ptl_ct_event_t* event, unsigned int* which,
                  const char* name) {
  if (!tests || !event || !are_counters(process, handles)) return PTL_ARG_INVALID;
  ptl_ct_event_t value{};
  Turn turn{process};
  const auto look = [&] {
    return look_around(turn, handles.count, [&](unsigned int i) {
      return test_one(process, handles.first[i], tests[i], value);
    });
  };
  const auto describe = [&] {
    return waits_in(name, timeout) + " for " +
           (handles.count == 1 ? wait_for_counter(process, *handles.first, *tests)
                               : "one of " + std::to_string(handles.count) + " CTs");
  };
  CounterGoal goal;
  if (handles.count == 1) goal = {process.counter(*handles.first), *tests};
  const int answer = look_until(process, handles, timeout, look, describe, goal);
  if (answer == kNothing) return PTL_CT_NONE_REACHED;
  if (answer != PTL_OK) return answer;
  *event = value;
  if (which) *which = turn.which;
  return PTL_OK;
}

bool same(const ptl_ct_event_t& a, const ptl_ct_event_t& b) {
  return a.success == b.success && a.failure == b.failure;
}

bool is_increment(const ptl_ct_event_t& change) {
  return change.success == 0 || change.failure == 0;
}

/// The counter's value; to see the same value again takes time, or a loop that waits for another
/// would never end.
ptl_ct_event_t look(Process& process, std::uint32_t number) {
  Counter& counter = process.machine().counters()[number];
  if (counter.looked && same(counter.polled, counter.visible)) {
    process.idle("polls with PtlCTGet");
  }
  counter.looked = true;
  counter.polled = counter.visible;
  return counter.visible;
}

/// A thread has changed a counter itself, which others may wait for.
int tell(Process& process, std::uint32_t counter) {
  Machine& machine = process.machine();
  machine.triggers().settle(process);
  if (process.rank().has_threads()) {
    process.poke(counter, machine.counters()[counter].visible);
  }
  return PTL_OK;
}

/// Lets a change of a counter wait for another counter.
int trigger(Process& process, Interface& interface, CommandKind kind, ptl_handle_ct_t handle,
            const ptl_ct_event_t& change, ptl_handle_ct_t trigger_handle, ptl_size_t threshold) {
  if (interface.counter(trigger_handle) == kNone) return PTL_ARG_INVALID;
  if (interface.triggered >= static_cast<std::uint32_t>(interface.limits.max_triggered_ops)) {
    return PTL_NO_SPACE;
  }
  Machine& machine = process.machine();
  machine.perform(process);
  const std::uint32_t number = machine.commands().add(process, kind);
  Command& command = machine.commands()[number];
  command.origin = &interface;
  command.object = handle;
  command.change = change;
  command.threshold = threshold;
  machine.triggers().submit(number, interface.counter(trigger_handle));
  return PTL_OK;
}

}  // namespace
}  // namespace heddle::portals

using namespace heddle::portals;

int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count, ptl_handle_eq_t* eq_handle) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!eq_handle || count == 0) return PTL_ARG_INVALID;
    if (!has_space(interface.queues, interface.limits.max_eqs)) return PTL_NO_SPACE;
    process.machine().perform(process);
    EventQueue queue;
    queue.capacity = count;
    *eq_handle = interface.handle(ObjectKind::event_queue, interface.queues.add(queue));
    return PTL_OK;
  });
}

int PtlEQFree(ptl_handle_eq_t eq_handle) {
  return call_on(eq_handle, ObjectKind::event_queue, [&](Process& process, Interface& interface) {
    process.machine().perform(process);
    process.machine().free_queue(interface, eq_handle);
    process.poke();
    return PTL_OK;
  });
}

int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t* event) {
  return call([&](Process& process) {
    return poll_queues(process, {&eq_handle, 1}, 0, event, nullptr, "PtlEQGet");
  });
}

int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t* event) {
  return call([&](Process& process) {
    return poll_queues(process, {&eq_handle, 1}, PTL_TIME_FOREVER, event, nullptr, "PtlEQWait");
  });
}

int PtlEQPoll(const ptl_handle_eq_t* eq_handles, unsigned int size, ptl_time_t timeout,
              ptl_event_t* event, unsigned int* which) {
  return call([&](Process& process) {
    return poll_queues(process, {eq_handles, size}, timeout, event, which, "PtlEQPoll");
  });
}

int PtlCTAlloc(ptl_handle_ni_t ni_handle, ptl_handle_ct_t* ct_handle) {
  return call_on(ni_handle, [&](Process& process, Interface& interface) -> int {
    if (!ct_handle) return PTL_ARG_INVALID;
    if (!has_space(interface.counters, interface.limits.max_cts)) return PTL_NO_SPACE;
    process.machine().perform(process);
    const std::uint32_t counter = process.machine().counters().allocate(process);
    *ct_handle = interface.handle(ObjectKind::counter, interface.counters.add(counter));
    return PTL_OK;
  });
}

int PtlCTFree(ptl_handle_ct_t ct_handle) {
  return call_on(ct_handle, ObjectKind::counter, [&](Process& process, Interface& interface) {
    process.machine().perform(process);
    process.machine().free_counter(interface, ct_handle);
    process.poke();
    return PTL_OK;
  });
}

int PtlCTCancelTriggered(ptl_handle_ct_t ct_handle) {
  return call_on(ct_handle, ObjectKind::counter, [&](Process& process, Interface& interface) {
    process.machine().perform(process);
    process.machine().triggers().cancel(interface, interface.counter(ct_handle));
    return PTL_OK;
  });
}

int PtlCTGet(ptl_handle_ct_t ct_handle, ptl_ct_event_t* event) {
  return call_on(ct_handle, ObjectKind::counter,
                 [&](Process& process, Interface& interface) -> int {
                   if (!event) return PTL_ARG_INVALID;
                   *event = look(process, interface.counter(ct_handle));
                   return PTL_OK;
                 });
}

int PtlCTWait(ptl_handle_ct_t ct_handle, ptl_size_t test, ptl_ct_event_t* event) {
  return call([&](Process& process) {
    return poll_counters(process, {&ct_handle, 1}, &test, PTL_TIME_FOREVER, event, nullptr,
                         "PtlCTWait");
  });
}

int PtlCTPoll(const ptl_handle_ct_t* ct_handles, const ptl_size_t* tests, unsigned int size,
              ptl_time_t timeout, ptl_ct_event_t* event, unsigned int* which) {
  return call([&](Process& process) {
    return poll_counters(process, {ct_handles, size}, tests, timeout, event, which, "PtlCTPoll");
  });
}

int PtlCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct) {
  return call_on(ct_handle, ObjectKind::counter, [&](Process& process, Interface& interface) {
    process.machine().perform(process);
    const std::uint32_t counter = interface.counter(ct_handle);
    process.machine().counters().set(counter, new_ct, CounterStore::By::program);
    return tell(process, counter);
  });
}

int PtlCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment) {
  return call_on(ct_handle, ObjectKind::counter,
                 [&](Process& process, Interface& interface) -> int {
                   if (!is_increment(increment)) return PTL_ARG_INVALID;
                   process.machine().perform(process);
                   const std::uint32_t counter = interface.counter(ct_handle);
                   process.machine().counters().add(counter, increment, CounterStore::By::program);
                   return tell(process, counter);
                 });
}

int PtlTriggeredCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_on(ct_handle, ObjectKind::counter,
                 [&](Process& process, Interface& interface) -> int {
                   if (!is_increment(increment)) return PTL_ARG_INVALID;
                   return trigger(process, interface, CommandKind::increment, ct_handle, increment,
                                  trig_ct_handle, threshold);
                 });
}

int PtlTriggeredCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_on(ct_handle, ObjectKind::counter, [&](Process& process, Interface& interface) {
    return trigger(process, interface, CommandKind::set, ct_handle, new_ct, trig_ct_handle,
                   threshold);
  });
}
