#include "network/packet/sink.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

/// The first pause begins here, and the sink looks for flits this long after each pause.
constexpr Time kSinkTick = Time::ns(1);

}  // namespace

void Sink::add(const FlitTrain& train) {
  const auto time = [this](std::uint32_t bytes) {  // A flit takes time, if only a picosecond.
    return std::max(Time::ps(1), config_.time_per_byte.time_for(Bytes(bytes)));
  };
  trains_.push_back({train, time(train.flit_bytes), time(train.last_bytes)});
}

bool Sink::in_pause(Time t) const {
  if (!pauses() || t < kSinkTick) return false;
  const Time phase = Time::ps((t - kSinkTick).ps() % period().ps());
  return Time::zero() < phase && phase <= config_.pause;
}

/// The end of the first pause that ends at or after `t`.
Time Sink::pause_end_from(Time t) const {
  const Time first = kSinkTick + config_.pause;
  if (t <= first) return first;
  const std::int64_t periods = ((t - first).ps() + period().ps() - 1) / period().ps();
  return first + period() * periods;
}

/// Of the next flit to be drained.
Sink::Arrival Sink::arrival(const State& state) const {
  const Train& train = trains_[state.train];
  return {train.flits.arrival(state.flit), train.time(state.flit)};
}

/// Of the first flit that arrives after `t`.
Sink::Arrival Sink::arrival_after(Time t, const State& state) const {
  for (std::size_t i = state.train; i < trains_.size(); ++i) {
    const FlitTrain& train = trains_[i].flits;
    if (train.arrival(train.flits - 1) <= t) continue;
    std::uint32_t flit = 0;
    if (train.head <= t) {
      flit = static_cast<std::uint32_t>((t - train.head).ps() / train.spacing.ps()) + 1;
    }
    return {train.arrival(flit), trains_[i].time(flit)};
  }
  return {};
}

/// Sets the next drain of a sink at rest that has or will have flits.
void Sink::arm(State& state) const {
  const Arrival next = arrival(state);
  if (!pauses()) {
    state.pending = next.when + next.length;
    return;
  }
  // The flit that starts the sink is the first to arrive since it is at rest, unless the sink looks
  // for flits before: when flits wait after the next pause, else after one that ends about then.
  const bool waiting = next.when < state.at_rest;
  const Arrival start = waiting ? arrival_after(state.at_rest, state) : next;
  const Time end =
      pause_end_from(waiting ? state.at_rest : std::max(state.at_rest, start.when - kSinkTick));
  const bool looks = end < start.when && (waiting || start.when < end + kSinkTick);
  state.pending = looks ? end + kSinkTick : start.when + start.length;
}

/// The drain that is set takes place; true if it took a flit.
bool Sink::fire(State& state) const {
  const Time now = state.pending;
  const Arrival next = arrival(state);
  if (in_pause(now) || next.when >= now) {
    state.pending = Time::never();
    state.at_rest = now;
    return false;
  }
  state.pending = now + next.length;
  ++state.flit;
  return true;
}

Time Sink::front_drained() const {
  State state = state_;
  for (;;) {
    if (state.pending == Time::never()) arm(state);
    const Time now = state.pending;
    if (fire(state) && state.flit == trains_.front().flits.flits) return now;
  }
}

Time Sink::drained_at(std::size_t account, std::int64_t count) const {
  State state = state_;
  std::int64_t missing = count - drained_[account];
  while (state.train < trains_.size()) {
    if (state.pending == Time::never()) arm(state);
    const Time now = state.pending;
    if (!fire(state)) continue;
    const FlitTrain& train = trains_[state.train].flits;
    if (train.account == account && --missing <= 0) return now;
    if (state.flit < train.flits) continue;
    ++state.train;
    state.flit = 0;
  }
  return Time::never();
}

bool Sink::advance(Time now) {
  while (!trains_.empty()) {
    if (state_.pending == Time::never()) {
      State armed = state_;
      arm(armed);
      // Flits that are yet to arrive may arm it otherwise: nothing is decided before its time.
      if (armed.pending > now) return false;
      state_ = armed;
    }
    if (state_.pending > now) return false;
    if (!fire(state_)) continue;
    ++drained_[front().account];
    if (state_.flit < front().flits) continue;
    trains_.pop_front();
    state_.flit = 0;
    return true;
  }
  return false;
}

}  // namespace heddle::network
