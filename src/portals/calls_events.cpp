// Event queues and counters.
#include <string>

#include "portals/call.hpp"

namespace heddle::portals {
namespace {

/// The answer of a look that found nothing yet.
constexpr int kNothing = -1;

std::string numbers(const ptl_handle_any_t* handles, unsigned int count) {
  std::string text;
  for (unsigned int i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(static_cast<std::uint32_t>(handles[i]));
  }
  return text;
}

std::string waits_in(const char* name, ptl_time_t timeout) {
  return (timeout == 0 ? "polls with " : "waits in ") + std::string(name);
}

/// Looks at several things in turn, beginning after the one that last had something to say:
/// `look(i)` answers or says kNothing.
template <class Look>
int look_around(Process& process, unsigned int count, unsigned int* which, Look look) {
  for (unsigned int n = 0; n < count; ++n) {
    const unsigned int i = (process.turn + n) % count;
    const int answer = look(i);
    if (answer == kNothing) continue;
    process.turn = i + 1;
    if (which) *which = i;
    return answer;
  }
  return kNothing;
}

/// Waits at most `timeout` until `look()` answers something.
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
int look_until(Process& process, ptl_time_t timeout, Look look, const Describe& describe) {
  Answered<Look> answered(process, look);
  if (answered.holds()) return answered.answer();
  if (timeout == 0) {
    process.idle(describe);
    answered.holds();
  } else {
    process.wait(answered, describe, timeout);
  }
  return answered.answer();
}

// Event queues.

/// Takes an event from one of the queues.
int read_one(Process& process, ptl_handle_eq_t handle, ptl_event_t& event) {
  EventQueue* queue = process.queue(handle);
  if (!queue) return PTL_INTERRUPTED;
  const int answer = process.machine().events().read(*queue, event);
  return answer == PTL_EQ_EMPTY ? kNothing : answer;
}

int poll_queues(Process& process, const ptl_handle_eq_t* handles, unsigned int count,
                ptl_time_t timeout, ptl_event_t* event, unsigned int* which, const char* name) {
  if (!handles || count == 0 || !event) return PTL_ARG_INVALID;
  for (unsigned int i = 0; i < count; ++i) {
    if (!process.queue(handles[i])) return PTL_ARG_INVALID;
  }
  const auto look = [&] {
    return look_around(process, count, which,
                       [&](unsigned int i) { return read_one(process, handles[i], *event); });
  };
  const int answer = look_until(process, timeout, look, [&] {
    return waits_in(name, timeout) + " for an event on EQ " + numbers(handles, count);
  });
  return answer == kNothing ? PTL_EQ_EMPTY : answer;
}

// Counters.

int test_one(Process& process, ptl_handle_ct_t handle, ptl_size_t test, ptl_ct_event_t& event) {
  const std::uint32_t counter = process.counter(handle);
  if (counter == kNone) return PTL_INTERRUPTED;
  event = process.machine().counters()[counter].visible;
  return reached(event, test) ? PTL_OK : kNothing;
}

std::string wait_for_counters(Process& process, const ptl_handle_ct_t* handles,
                              const ptl_size_t* tests, unsigned int count,
                              const std::string& waits) {
  std::string text = waits + " for CT";
  for (unsigned int i = 0; i < count; ++i) {
    const std::uint32_t counter = process.counter(handles[i]);
    const ptl_size_t success =
        counter == kNone ? 0 : process.machine().counters()[counter].visible.success;
    text += (i == 0 ? " " : ", ") + numbers(handles + i, 1) + " to reach " +
            std::to_string(tests[i]) + " (it is at " + std::to_string(success) + ")";
  }
  return text;
}

int poll_counters(Process& process, const ptl_handle_ct_t* handles, const ptl_size_t* tests,
                  unsigned int count, ptl_time_t timeout, ptl_ct_event_t* event,
                  unsigned int* which, const char* name) {
  if (!handles || !tests || count == 0 || !event) return PTL_ARG_INVALID;
  for (unsigned int i = 0; i < count; ++i) {
    if (process.counter(handles[i]) == kNone) return PTL_ARG_INVALID;
  }
  const auto look = [&] {
    return look_around(process, count, which, [&](unsigned int i) {
      return test_one(process, handles[i], tests[i], *event);
    });
  };
  const int answer = look_until(process, timeout, look, [&] {
    return wait_for_counters(process, handles, tests, count, waits_in(name, timeout));
  });
  return answer == kNothing ? PTL_CT_NONE_REACHED : answer;
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

/// Lets a change of a counter wait for another counter.
int trigger(Process& process, Interface& interface, CommandKind kind, ptl_handle_ct_t handle,
            const ptl_ct_event_t& change, ptl_handle_ct_t trigger_handle, ptl_size_t threshold) {
  if (interface.counter(trigger_handle) == kNone) return PTL_ARG_INVALID;
  if (interface.triggered >= static_cast<std::uint32_t>(interface.limits.max_triggered_ops)) {
    return PTL_NO_SPACE;
  }
  Machine& machine = process.machine();
  machine.perform(process);
  const std::uint32_t number = machine.new_command(process, kind);
  Command& command = machine.command(number);
  command.origin = &interface;
  command.object = handle;
  command.change = change;
  command.threshold = threshold;
  machine.submit_triggered(number, interface.counter(trigger_handle));
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
    return poll_queues(process, &eq_handle, 1, 0, event, nullptr, "PtlEQGet");
  });
}

int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t* event) {
  return call([&](Process& process) {
    return poll_queues(process, &eq_handle, 1, PTL_TIME_FOREVER, event, nullptr, "PtlEQWait");
  });
}

int PtlEQPoll(const ptl_handle_eq_t* eq_handles, unsigned int size, ptl_time_t timeout,
              ptl_event_t* event, unsigned int* which) {
  return call([&](Process& process) {
    return poll_queues(process, eq_handles, size, timeout, event, which, "PtlEQPoll");
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
    process.machine().cancel_triggered(interface, interface.counter(ct_handle));
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
    return poll_counters(process, &ct_handle, &test, 1, PTL_TIME_FOREVER, event, nullptr,
                         "PtlCTWait");
  });
}

int PtlCTPoll(const ptl_handle_ct_t* ct_handles, const ptl_size_t* tests, unsigned int size,
              ptl_time_t timeout, ptl_ct_event_t* event, unsigned int* which) {
  return call([&](Process& process) {
    return poll_counters(process, ct_handles, tests, size, timeout, event, which, "PtlCTPoll");
  });
}

int PtlCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct) {
  return call_on(ct_handle, ObjectKind::counter, [&](Process& process, Interface& interface) {
    Machine& machine = process.machine();
    machine.perform(process);
    machine.counters().set(interface.counter(ct_handle), new_ct, CounterStore::By::program);
    machine.settle(process);
    return PTL_OK;
  });
}

int PtlCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment) {
  return call_on(
      ct_handle, ObjectKind::counter, [&](Process& process, Interface& interface) -> int {
        if (!is_increment(increment)) return PTL_ARG_INVALID;
        Machine& machine = process.machine();
        machine.perform(process);
        machine.counters().add(interface.counter(ct_handle), increment, CounterStore::By::program);
        machine.settle(process);
        return PTL_OK;
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
