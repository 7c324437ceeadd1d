#include "portals/process.hpp"

#include <utility>

#include "portals/counter_store.hpp"

namespace heddle::portals {

Process* Process::make(host::Rank& rank) {
  auto* const maker = static_cast<ProcessMaker*>(rank.job().extensions().at(slot));
  return maker == nullptr ? nullptr : &maker->make_process(rank);
}

ptl_process_t Process::physical_id() const {
  ptl_process_t id;
  id.phys = {static_cast<ptl_nid_t>(id_.node), id_.pid};
  return id;
}

Interface* Process::interface(ptl_handle_ni_t handle) const {
  return kind_of(handle) == ObjectKind::interface ? owner(handle) : nullptr;
}

Interface* Process::owner(ptl_handle_any_t handle) const {
  Interface* interface = named(handle);
  if (!interface) return nullptr;
  switch (kind_of(handle)) {
    case ObjectKind::interface:
      return handle == interface->handle() ? interface : nullptr;
    case ObjectKind::descriptor:
      return interface->descriptor(handle) ? interface : nullptr;
    case ObjectKind::entry:
      return interface->entry(handle) ? interface : nullptr;
    case ObjectKind::event_queue:
      return interface->queue(handle) ? interface : nullptr;
    case ObjectKind::counter:
      return interface->counter(handle) != kNone ? interface : nullptr;
  }
  return nullptr;
}

bool Process::has_interface() const {
  for (const auto& interface : interfaces_) {
    if (interface) return true;
  }
  return false;
}

Interface& Process::open(std::uint8_t slot, const ptl_ni_limits_t& limits) {
  interfaces_[slot] = std::make_unique<Interface>(*this, slot, generations_[slot], limits);
  return *interfaces_[slot];
}

void Process::forget(std::uint8_t slot) {
  interfaces_[slot] = nullptr;
  generations_[slot] = (generations_[slot] + 1) % kGenerations;
}

/// What the process waits for, for as long as this lives: a signal handler may wait inside a call
/// that waits, or throw an exception out of it.
class Process::Waiting {
 public:
  Waiting(Process& process, Condition* condition, const CounterGoal& goal)
      : process_(process),
        outer_(std::exchange(process.waiting_, condition)),
        outer_goal_(std::exchange(process.goal_, goal)) {}
  ~Waiting() {
    process_.waiting_ = outer_;
    process_.goal_ = outer_goal_;
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Process& process_;
  Condition* outer_;
  CounterGoal outer_goal_;
};

void Process::wait(Condition& condition, Asked asked, const WaitReason& reason, ptl_time_t timeout,
                   const CounterGoal& goal) {
  const Time end = timeout == PTL_TIME_FOREVER ? Time::never() : rank_.now() + Time::ms(timeout);
  // Of several threads that wait, each asks for itself.
  const bool at_once = asked == Asked::at_once && !rank_.has_threads();
  const Waiting waiting(*this, at_once ? &condition : nullptr, goal);
  do {
    rank_.thread().waits().wait(reason, end == Time::never() ? end : end - rank_.now());
  } while (!condition.holds() && rank_.now() < end);
}

void Process::poke() {
  if (!waiting_ || waiting_->holds()) rank_.threads().ring();
}

void Process::poke(std::uint32_t counter, const ptl_ct_event_t& value) {
  if (waiting_ && goal_.counter != kNone &&
      (goal_.counter != counter || !reached(value, goal_.success))) {
    return;
  }
  poke();
}

Place place_of(Interface& interface, const Buffer& buffer) {
  return {&interface.memory(), &interface.descriptors[buffer.descriptor].region, buffer.offset};
}

}  // namespace heddle::portals
