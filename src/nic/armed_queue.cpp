#include "nic/armed_queue.hpp"

namespace heddle::nic {

/// One message that is not acknowledged for long may leave many empty places behind it.
void ArmedQueue::make_room() {
  if (2 * std::size_t{count_} < places_.size()) return close_ranks();
  std::vector<Armed> larger(places_.empty() ? 1 : 2 * places_.size());
  for (std::uint32_t place = begin_; place != end_; ++place) {
    larger[place & (larger.size() - 1)] = at(place);
  }
  places_ = std::move(larger);
}

void ArmedQueue::close_ranks() {
  std::uint32_t kept = begin_;
  for (std::uint32_t place = begin_; place != end_; ++place) {
    const Armed armed = at(place);
    if (!armed.exchange) continue;
    armed.exchange->context(armed.half).place = kept;
    at(kept++) = armed;
  }
  end_ = kept;
}

}  // namespace heddle::nic
