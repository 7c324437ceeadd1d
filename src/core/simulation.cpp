#include "core/simulation.hpp"

#include <bit>
#include <cassert>
#include <utility>

#include "core/error.hpp"
#include "core/prefetch.hpp"

namespace heddle {
namespace {

constexpr unsigned kSourceBits = 26;

std::uint64_t mix(std::uint64_t hash, std::uint64_t time, std::uint64_t order) {
  hash = std::rotl(hash ^ (time * 0x9e3779b97f4a7c15ULL), 29);
  return (hash ^ order) * 0xd6e8feb86659fd93ULL;
}

}  // namespace

inline std::uint64_t EventSource::next_order(EventKind kind) {
  assert(static_cast<unsigned>(kind) < (1U << (32 - kSourceBits)));
  assert(id_ < (1U << kSourceBits));
  return static_cast<std::uint64_t>(kind) << (kSourceBits + 32) |
         static_cast<std::uint64_t>(id_) << 32 | next_++;
}

// What every event passes through does without a stack frame where nothing is in its way: what may
// call something is a function of its own.

/// Nothing comes before it but the lane.
[[gnu::always_inline]] inline void Simulation::put_first(Event& event, Time when,
                                                         std::uint64_t order) {
  next_ = {when.ps(), order, 0};
  next_event_ = &event;
  event.slot_ = Event::kNext;
}

/// Events often cause the very next one, which then stays out of the queue.
void Simulation::schedule(Event& event, Time when, EventSource& source, EventKind kind) {
  assert(!event.scheduled() && "an event is scheduled at most once");
  assert(when >= now_ && "no event lies in the past");
  const std::uint64_t order = source.next_order(kind);
  if (when == now_) return lane_.push(event, order);
  if (next_event_ != nullptr || !queue_.empty() || when == Time::never()) {
    return schedule_among_others(event, when, order);
  }
  put_first(event, when, order);
}

void Simulation::schedule_among_others(Event& event, Time when, std::uint64_t order) {
  if (when == Time::never()) {
    throw RunError("simulated time goes beyond 106 days, where it ends (2^63 ps)");
  }
  const Entry* const first = this->first();
  if (first != nullptr && !Entry(when.ps(), order, 0).before(*first)) {
    event.slot_ = queue_.push(when.ps(), order, event);
    return;
  }
  if (next_event_ != nullptr) {
    next_event_->slot_ = queue_.push(next_.time, next_.sequence, *next_event_);
  }
  put_first(event, when, order);
}

void Simulation::cancel(Event& event) {
  if (!event.scheduled()) return;
  if (event.slot_ == Event::kNext) {
    next_event_ = nullptr;
  } else if (event.slot_ & Event::kInLane) {
    lane_.cancel(event);
  } else {
    queue_.cancel(event.slot_);
  }
  event.slot_ = Event::kIdle;
}

/// Of those that are not in the lane, or null.
const Simulation::Entry* Simulation::first() {
  return next_event_ != nullptr ? &next_ : queue_.first();
}

inline void Simulation::note(std::uint64_t order) {
  ++fired_;
  fingerprint_ = mix(fingerprint_, static_cast<std::uint64_t>(now_.ps()), order);
}

inline void Simulation::fire(Event& event, std::uint64_t order) {
  event.slot_ = Event::kIdle;
  note(order);
  event.fire();
}

[[gnu::always_inline]] inline void Simulation::fire_from_queue(const Entry& first) {
  const std::uint64_t order = first.sequence;
  Event& event = *queue_.event(first);
  if (queue_.pop(static_cast<std::uint32_t>(first.what))) prefetch();
  fire(event, order);
}

[[gnu::always_inline]] inline bool Simulation::fire_from_lane() {
  const EventLane::Entry entry = lane_.pop();
  fire(*entry.event, entry.order);
  return true;
}

/// A part of the loop that calls it.
[[gnu::always_inline]] inline bool Simulation::fire_next() {
  if (next_event_ != nullptr) {
    if (next_.time != now_.ps() && !lane_.empty()) return fire_from_lane();
    now_ = Time::ps(next_.time);
    fire(*std::exchange(next_event_, nullptr), next_.sequence);
    return true;
  }
  const Entry* const first = queue_.first();
  if (first == nullptr || first->time != now_.ps()) {
    if (!lane_.empty()) return fire_from_lane();
    if (first == nullptr) return false;
    now_ = Time::ps(first->time);
  }
  fire_from_queue(*first);
  return true;
}

bool Simulation::advance(Time delay, EventSource& source, EventKind kind) {
  const Time when = now_ + delay;
  const Entry* const first = this->first();
  if (!lane_.empty() || (first != nullptr && first->time <= when.ps()) || when == Time::never()) {
    return false;
  }
  now_ = when;
  note(source.next_order(kind));
  return true;
}

bool Simulation::step() {
  return fire_next();
}

void Simulation::run() {
  while (fire_next()) {
  }
}

void Simulation::run_until(Time end) {
  while (next_time() <= end && step()) {
  }
  if (now_ < end) now_ = end;
}

Time Simulation::next_time() {
  if (!lane_.empty()) return now_;
  const Entry* const first = this->first();
  return first != nullptr ? Time::ps(first->time) : Time::never();
}

/// Events are spread over all of memory: the coming ones are asked for before their turn, and then
/// what they are going to need.
void Simulation::prefetch() const {
  constexpr std::size_t kNext = 2;
  constexpr std::size_t kNear = 5;
  constexpr std::size_t kFar = 8;
  constexpr std::size_t kAhead = 11;
  const Entry* const next = queue_.ahead(kNext);
  if (next == nullptr) return;
  if (const Event* const event = queue_.event(*next)) event->expect();
  const Entry* const near = queue_.ahead(kNear);
  if (near == nullptr) return;
  if (const Event* const event = queue_.event(*near)) event->foresee();
  const Entry* const far = queue_.ahead(kFar);
  if (far == nullptr) return;
  if (const Event* const event = queue_.event(*far)) event->glimpse();
  const Entry* const ahead = queue_.ahead(kAhead);
  if (ahead == nullptr) return;
  prefetch_lines(queue_.event(*ahead), 3);
}

}  // namespace heddle
