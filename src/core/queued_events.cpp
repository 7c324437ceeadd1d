#include "core/queued_events.hpp"

namespace heddle {
namespace {

constexpr std::size_t kFew = 64;  ///< Cancelled entries that are not worth a thought.

}  // namespace

void QueuedEvents::cancel(std::uint32_t number) {
  events_[number] = nullptr;
  ++cancelled_;
  drop_cancelled_first();
  if (2 * cancelled_ > queue_.size() + kFew) drop_all_cancelled();
}

void QueuedEvents::drop_cancelled_first() {
  while (cancelled_ > 0) {
    const Entry* const first = queue_.first();
    if (first == nullptr || events_[first->what] != nullptr) return;
    free_numbers_.push_back(static_cast<std::uint32_t>(first->what));
    queue_.pop_first();
    --cancelled_;
  }
}

/// Cancelled entries whose time is far off would pile up.
void QueuedEvents::drop_all_cancelled() {
  queue_.remove_if([this](const Entry& entry) {
    if (events_[entry.what] != nullptr) return false;
    free_numbers_.push_back(static_cast<std::uint32_t>(entry.what));
    return true;
  });
  cancelled_ = 0;
}

}  // namespace heddle
