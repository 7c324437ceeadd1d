// What a message does to a link of the queue model that may fail.
#include "network/queue/queue_links.hpp"

namespace heddle::network {
/// What waits is held until the link works; what is lost takes the link as long as if it were not,
/// for its sender knows nothing.
QueueLinks::Attempt QueueLinks::try_to_cross(QueueTravel& travel, LinkId link_id, Time now,
                                             Crossings& crossings) {
  const platform::CableHistory* const history = platform_.history(link_id);
  if (history == nullptr) return {cross(travel, link_id, now, crossings)};
  const platform::UnderWay under_way = platform_.failures().under_way;
  const platform::Link& link = platform_.links()[link_id];
  LinkState& state = links_[index(link_id)];
  const Time start = std::max(now, state.free_at);
  const Time busy = crossings.on_link.of(link.bandwidth, travel.size);
  const Bandwidth cap = tighter(tighter(link.bandwidth, link.flow_cap), travel.rate_cap);
  const Time own = cap.is_unlimited() ? busy : cap.time_for(travel.size);
  const Time latency = walk(travel, link_id);
  travel.first_link = false;

  const Time done = history->finish(start, own);
  const Time passed = std::max(travel.tail, done);
  const Time lost = under_way == platform::UnderWay::lost
                        ? history->first_down(start, passed + latency)
                        : (done == Time::never() ? history->down_for_good(start) : Time::never());
  if (lost != Time::never()) {
    state.free_at = start + busy;
    crossings.fingerprint += crossing_hash(state.free_at, link_id);
    const Time left = std::max(travel.tail, start + own);
    return {{left, left}, lost};
  }
  state.free_at = history->finish(start, busy);
  state.bytes += travel.size.count();
  crossings.fingerprint += crossing_hash(state.free_at, link_id);
  travel.tail = passed + latency;
  const bool head_first = config_.forwarding == Forwarding::cut_through && !travel.at_end;
  return {{passed, head_first ? history->up_from(start) + latency : travel.tail}};
}

}  // namespace heddle::network
