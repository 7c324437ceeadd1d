#include "network/fluid/link_changes.hpp"

#include <algorithm>

namespace heddle::network {

LinkChanges::LinkChanges(const platform::Platform& platform)
    : platform_(platform), next_(Time::never()) {
  const platform::LinkProfiles& all = platform.profiles();
  for (const platform::LinkProfile& link : all.links) {
    const platform::Profile& profile = all.profiles[link.profile];
    tracks_.push_back({&link, &profile, profile.points().front().at});
    next_ = std::min(next_, tracks_.back().next);
    states_.try_emplace(index(link.link));
  }
  for (const std::uint32_t cable : platform.outages().cables()) {
    const platform::CableHistory& history = *platform.outages().of(cable);
    for (const LinkId link : {LinkId{2 * cable}, LinkId{2 * cable + 1}}) {
      if (platform.links().capacity(link) != link) continue;
      failing_.push_back({link, &history, history.next_change(Time::ps(-1))});
      next_ = std::min(next_, failing_.back().next);
      states_.try_emplace(index(link));
    }
  }
}

std::span<const LinkChanges::Change> LinkChanges::advance(Time now) {
  for (const Change& change : changes_) states_.at(index(change.link)).change = SIZE_MAX;
  changes_.clear();
  next_ = Time::never();
  for (Track& track : tracks_) {
    if (track.next <= now) follow(track, now);
    next_ = std::min(next_, track.next);
  }
  for (Failing& failing : failing_) {
    if (failing.next <= now) follow(failing, now);
    next_ = std::min(next_, failing.next);
  }
  return changes_;
}

LinkChanges::Change& LinkChanges::change_of(LinkId link, State& state) {
  if (state.change == SIZE_MAX) {
    state.change = changes_.size();
    changes_.push_back({link, false, Time::zero()});
  }
  return changes_[state.change];
}

void LinkChanges::follow(Track& track, Time now) {
  track.next = track.profile->next_after(now);
  const double value = *track.profile->at(now);
  State& state = states_.at(index(track.link->link));
  Change& change = change_of(track.link->link, state);
  if (track.link->quantity == platform::LinkQuantity::bandwidth) {
    change.bandwidth = true;
    state.bandwidth = value * 1e-12;
  } else {
    const Time wire = platform_.links()[track.link->link].latency;
    const Time more = Time::whole_ps(value * 1e12 + 0.5) - wire;
    change.more_latency = more - state.more_latency;
    state.more_latency = more;
  }
}

void LinkChanges::follow(Failing& failing, Time now) {
  failing.next = failing.history->next_change(now);
  State& state = states_.at(index(failing.link));
  change_of(failing.link, state).bandwidth = true;
  state.share = static_cast<double>(failing.history->share(now)) / platform::CableHistory::kWhole;
}

double LinkChanges::bandwidth(LinkId link, double plain) const {
  const auto found = states_.find(index(link));
  if (found == states_.end()) return plain;
  const State& state = found->second;
  return (state.bandwidth < 0 ? plain : state.bandwidth) * state.share;
}

Time LinkChanges::more_latency(LinkId link) const {
  const auto state = states_.find(index(link));
  return state == states_.end() ? Time::zero() : state->second.more_latency;
}

}  // namespace heddle::network
