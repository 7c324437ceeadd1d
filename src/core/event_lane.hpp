// Events of the current instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/event.hpp"

namespace heddle {

/// Those that were scheduled for the instant in which that was done, first in, first out.
class EventLane {
 public:
  struct Entry {
    std::uint64_t order;
    Event* event;  ///< Null if it was cancelled.
  };

  bool empty() const { return begin_ == end_; }
  /// Some of them were cancelled, perhaps.
  std::size_t size() const { return end_ - begin_; }

  // A part of who schedules, and of who lets events fire.

  [[gnu::always_inline]] void push(Event& event, std::uint64_t order) {
    if (size() == ring_.size()) return push_in_full(event, order);
    event.slot_ = Event::kInLane | index(end_);
    ring_[index(end_++)] = {order, &event};
  }
  /// Takes out the first, which has an event.
  [[gnu::always_inline]] Entry pop() {
    const Entry entry = ring_[index(begin_++)];
    drop_cancelled();
    return entry;
  }
  /// One that is here.
  void cancel(const Event& event) {
    ring_[event.slot_ & ~Event::kInLane].event = nullptr;
    drop_cancelled();
  }

 private:
  std::uint32_t index(std::uint32_t place) const {
    return place & static_cast<std::uint32_t>(ring_.size() - 1);
  }
  void drop_cancelled() {
    while (!empty() && ring_[index(begin_)].event == nullptr) ++begin_;
  }
  void push_in_full(Event& event, std::uint64_t order);
  void grow();

  std::vector<Entry> ring_;  ///< Its size is a power of two; the first entry is never cancelled.
  std::uint32_t begin_ = 0;  ///< Places count on; the ring's index is their low part.
  std::uint32_t end_ = 0;
};

}  // namespace heddle
