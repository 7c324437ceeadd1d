// Events of coming instants, by time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bucket_queue.hpp"

namespace heddle {

class Event;

/// Numbers what is in the queue: entries that move in it touch nothing else, however many events
/// there are. What is cancelled stays until it would come next, or too much of it piles up.
class QueuedEvents {
 public:
  using Entry = BucketQueue::Entry;  ///< With an event's number.

  /// The number of the event's entry.
  std::uint32_t push(std::int64_t time, std::uint64_t order, Event& event);
  /// The next entry, which has an event, or null.
  const Entry* first() { return queue_.first(); }
  /// Takes out the first; whether those ahead() have come nearer.
  bool pop(std::uint32_t number);
  void cancel(std::uint32_t number);

  /// Null if it was cancelled.
  Event* event(const Entry& entry) const { return events_[entry.what]; }
  /// The entry that comes `n` after the one popped last, as far as is known; or null.
  const Entry* ahead(std::size_t n) const { return queue_.ahead(n); }
  bool empty() const { return queue_.size() == 0; }
  /// How many were not cancelled.
  std::size_t size() const { return queue_.size() - cancelled_; }

 private:
  [[gnu::noinline]] void drop_cancelled_first();
  void drop_all_cancelled();

  static constexpr std::int64_t kFirstSlice = 16'384;  ///< ps.

  BucketQueue queue_{kFirstSlice};  ///< Its first entry is never cancelled.
  std::vector<Event*> events_;      ///< By number: null if it was cancelled.
  std::vector<std::uint32_t> free_numbers_;
  std::size_t cancelled_ = 0;  ///< Entries of the queue without an event.
};

inline std::uint32_t QueuedEvents::push(std::int64_t time, std::uint64_t order, Event& event) {
  std::uint32_t number = 0;
  if (free_numbers_.empty()) {
    number = static_cast<std::uint32_t>(events_.size());
    events_.push_back(&event);
  } else {
    number = free_numbers_.back();
    free_numbers_.pop_back();
    events_[number] = &event;
  }
  queue_.push(time, order, number);
  return number;
}

inline bool QueuedEvents::pop(std::uint32_t number) {
  const bool nearer = queue_.pop_first();
  free_numbers_.push_back(number);
  if (cancelled_ > 0) drop_cancelled_first();
  return nearer;
}

}  // namespace heddle
