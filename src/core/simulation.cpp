#include "core/simulation.hpp"

#include <bit>
#include <cassert>

namespace heddle {
namespace {

constexpr std::size_t kArity = 4;
constexpr unsigned kSourceBits = 26;

std::uint64_t mix(std::uint64_t hash, std::uint64_t time, std::uint64_t order) {
  hash = std::rotl(hash ^ (time * 0x9e3779b97f4a7c15ULL), 29);
  return (hash ^ order) * 0xd6e8feb86659fd93ULL;
}

}  // namespace

void Simulation::schedule(Event& event, Time when, EventSource& source, EventKind kind) {
  assert(!event.scheduled() && "an event is scheduled at most once");
  assert(when >= now_ && "no event lies in the past");
  assert(source.id_ < (1U << kSourceBits));
  const std::uint64_t order = static_cast<std::uint64_t>(kind) << (kSourceBits + 32) |
                              static_cast<std::uint64_t>(source.id_) << 32 | source.next_++;
  const Entry entry{when, order, &event};
  if (when == now_) {
    event.slot_ = Event::kInLane | static_cast<std::uint32_t>(lane_.size());
    lane_.push_back(entry);
  } else {
    heap_.push_back(entry);
    sift_up(heap_.size() - 1, entry);
  }
}

void Simulation::cancel(Event& event) {
  if (!event.scheduled()) return;
  if (event.slot_ & Event::kInLane) {
    lane_[event.slot_ & ~Event::kInLane].event = nullptr;
  } else {
    remove_from_heap(event.slot_);
  }
  event.slot_ = Event::kIdle;
}

bool Simulation::step() {
  if (!heap_.empty() && heap_.front().time == now_) {
    const Entry entry = heap_.front();
    remove_from_heap(0);
    fire(*entry.event, entry.order);
    return true;
  }
  while (lane_head_ < lane_.size()) {
    const Entry entry = lane_[lane_head_++];
    if (lane_head_ == lane_.size()) {
      lane_.clear();
      lane_head_ = 0;
    }
    if (entry.event == nullptr) continue;
    fire(*entry.event, entry.order);
    return true;
  }
  if (heap_.empty()) return false;
  now_ = heap_.front().time;
  return step();
}

void Simulation::run_until(Time end) {
  while (next_time() <= end && step()) {
  }
  if (now_ < end) now_ = end;
}

Time Simulation::next_time() const {
  for (std::size_t i = lane_head_; i < lane_.size(); ++i) {
    if (lane_[i].event != nullptr) return now_;
  }
  return heap_.empty() ? Time::never() : heap_.front().time;
}

void Simulation::fire(Event& event, std::uint64_t order) {
  event.slot_ = Event::kIdle;
  ++fired_;
  fingerprint_ = mix(fingerprint_, static_cast<std::uint64_t>(now_.ps()), order);
  event.fire();
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
