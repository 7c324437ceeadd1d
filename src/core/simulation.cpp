#include "core/simulation.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "core/error.hpp"

namespace heddle {
namespace {

constexpr std::size_t kArity = 4;
constexpr unsigned kSourceBits = 26;

std::uint64_t mix(std::uint64_t hash, std::uint64_t time, std::uint64_t order) {
  hash = std::rotl(hash ^ (time * 0x9e3779b97f4a7c15ULL), 29);
  return (hash ^ order) * 0xd6e8feb86659fd93ULL;
}

}  // namespace

/// The place of the source's next event among those of one instant.
std::uint64_t Simulation::order_of(EventSource& source, EventKind kind) {
  assert(static_cast<unsigned>(kind) < (1U << (32 - kSourceBits)));
  assert(source.id_ < (1U << kSourceBits));
  return static_cast<std::uint64_t>(kind) << (kSourceBits + 32) |
         static_cast<std::uint64_t>(source.id_) << 32 | source.next_++;
}

void Simulation::schedule(Event& event, Time when, EventSource& source, EventKind kind) {
  assert(!event.scheduled() && "an event is scheduled at most once");
  assert(when >= now_ && "no event lies in the past");
  const std::uint64_t order = order_of(source, kind);
  if (when == now_) {
    push_lane({order, &event});
  } else {
    push({when, order, &event});
  }
}

void Simulation::cancel(Event& event) {
  if (!event.scheduled()) return;
  if (event.slot_ == Event::kNext) {
    next_.event = nullptr;
  } else if (event.slot_ & Event::kInLane) {
    lane_[event.slot_ & ~Event::kInLane].event = nullptr;
    drop_cancelled();
  } else {
    remove_from_heap(event.slot_);
  }
  event.slot_ = Event::kIdle;
}

/// Of those that are not in the lane, or null.
const Simulation::Entry* Simulation::first() const {
  if (next_.event != nullptr) return &next_;
  return heap_.empty() ? nullptr : &heap_.front();
}

bool Simulation::advance(Time delay, EventSource& source, EventKind kind) {
  const Time when = now_ + delay;
  const Entry* const first = this->first();
  if (!lane_empty() || (first != nullptr && first->time <= when) || when == Time::never()) {
    return false;
  }
  now_ = when;
  note(order_of(source, kind));
  return true;
}

bool Simulation::step() {
  const Entry* const first = this->first();
  if (first != nullptr && first->time == now_) {
    fire_first(*first);
  } else if (!lane_empty()) {
    fire_from_lane();
  } else if (first != nullptr) {
    now_ = first->time;
    fire_first(*first);
  } else {
    return false;
  }
  return true;
}

void Simulation::run() {
  while (step()) {
  }
}

void Simulation::run_until(Time end) {
  while (next_time() <= end && step()) {
  }
  if (now_ < end) now_ = end;
}

Time Simulation::next_time() const {
  if (!lane_empty()) return now_;
  const Entry* const first = this->first();
  return first != nullptr ? first->time : Time::never();
}

void Simulation::push_lane(const LaneEntry& entry) {
  if (lane_end_ - lane_begin_ == lane_.size()) grow_lane();
  entry.event->slot_ = Event::kInLane | (lane_end_ & static_cast<std::uint32_t>(lane_.size() - 1));
  lane_at(lane_end_++) = entry;
}

void Simulation::fire_from_lane() {
  const LaneEntry entry = lane_at(lane_begin_++);
  drop_cancelled();
  fire(*entry.event, entry.order);
}

void Simulation::drop_cancelled() {
  while (!lane_empty() && lane_at(lane_begin_).event == nullptr) ++lane_begin_;
}

void Simulation::grow_lane() {
  std::vector<LaneEntry> old(std::max<std::size_t>(16, 2 * lane_.size()));
  old.swap(lane_);
  const std::uint32_t begin = lane_begin_;
  lane_begin_ = lane_end_ = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const LaneEntry& entry = old[(begin + i) & (old.size() - 1)];
    if (entry.event != nullptr) push_lane(entry);
  }
}

/// Events often cause the very next one, which then stays out of the heap.
void Simulation::push(const Entry& entry) {
  if (entry.time == Time::never()) throw RunError("simulated time goes beyond 106 days");
  const Entry* const first = this->first();
  if (first != nullptr && !entry.before(*first)) return push_heap(entry);
  if (next_.event != nullptr) push_heap(next_);
  next_ = entry;
  entry.event->slot_ = Event::kNext;
}

void Simulation::push_heap(const Entry& entry) {
  heap_.push_back(entry);
  sift_up(heap_.size() - 1, entry);
}

void Simulation::fire_first(const Entry& first) {
  const Entry entry = first;
  if (next_.event != nullptr) {
    next_.event = nullptr;
  } else {
    remove_from_heap(0);
  }
  fire(*entry.event, entry.order);
}

void Simulation::fire(Event& event, std::uint64_t order) {
  event.slot_ = Event::kIdle;
  note(order);
  event.fire();
}

void Simulation::note(std::uint64_t order) {
  ++fired_;
  fingerprint_ = mix(fingerprint_, static_cast<std::uint64_t>(now_.ps()), order);
}

void Simulation::place(std::size_t slot, const Entry& entry) {
  heap_[slot] = entry;
  entry.event->slot_ = static_cast<std::uint32_t>(slot);
}

void Simulation::sift_up(std::size_t slot, const Entry& entry) {
  while (slot > 0) {
    const std::size_t parent = (slot - 1) / kArity;
    if (!entry.before(heap_[parent])) break;
    place(slot, heap_[parent]);
    slot = parent;
  }
  place(slot, entry);
}

void Simulation::sift_down(std::size_t slot, const Entry& entry) {
  for (;;) {
    const std::size_t first = slot * kArity + 1;
    if (first >= heap_.size()) break;
    const std::size_t last = std::min(first + kArity, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < last; ++child) {
      if (heap_[child].before(heap_[least])) least = child;
    }
    if (!heap_[least].before(entry)) break;
    place(slot, heap_[least]);
    slot = least;
  }
  place(slot, entry);
}

void Simulation::remove_from_heap(std::size_t slot) {
  const Entry last = heap_.back();
  heap_.pop_back();
  if (slot == heap_.size()) return;
  if (slot > 0 && last.before(heap_[(slot - 1) / kArity])) {
    sift_up(slot, last);
  } else {
    sift_down(slot, last);
  }
}

}  // namespace heddle
