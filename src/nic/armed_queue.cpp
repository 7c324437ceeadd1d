#include "nic/armed_queue.hpp"

namespace heddle::nic {

bool ArmedQueue::waits(std::uint32_t place) {
  const Armed& armed = at(place);
  Exchange& exchange = armed.exchange();
  const Context& context = exchange.context(armed.half());
  if (context.state != Context::State::armed || context.place != place) return false;
  // The record may be that of another exchange by now, and the place one of another adapter's.
  const Request& request = exchange.request;
  return adapter_of(armed.half() == Half::request ? request.initiator : request.target) == adapter_;
}

void ArmedQueue::make_room() {
  if (2 * std::size_t{count_} < places_.size()) return close_ranks();
  std::vector<Armed> larger(places_.empty() ? 1 : 2 * places_.size());
  for (std::uint32_t place = begin_; place != end_; ++place) {
    larger[place & (larger.size() - 1)] = at(place);
  }
  places_ = std::move(larger);
}

/// Most have left.
void ArmedQueue::close_ranks() {
  std::uint32_t kept = begin_;
  for (std::uint32_t place = begin_; place != end_; ++place) {
    if (!waits(place)) continue;
    const Armed armed = at(place);
    armed.exchange().context(armed.half()).place = kept;
    at(kept++) = armed;
  }
  end_ = kept;
}

}  // namespace heddle::nic
