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
  const Time flit = time(train.flit_bytes);
  const std::int64_t phase = pauses() ? flit.ps() % period().ps() : 0;
  trains_.push_back({train, flit, time(train.last_bytes), phase});
}

/// How many drains, the first at `first` and each further one after the time of a flit, come before
/// one that falls into a pause; `most` or less.
inline std::int64_t Sink::free_in_a_row(Time first, const Train& train, std::int64_t most) const {
  if (!pauses()) return most;
  const std::int64_t pause = config_.pause.ps();
  const std::int64_t period = this->period().ps();
  // From 1, in a pause at first, to `period`.
  std::int64_t phase = (first - kSinkTick).ps() % period;
  if (phase == 0) phase = period;
  const Time last = Time::ps(phase) + train.flit_time * (most - 1);
  if (phase > pause && last <= this->period()) return most;
  std::int64_t free = 0;
  for (; phase > pause && free < most; ++free) {
    phase += train.phase;
    if (phase > period) phase -= period;
  }
  return free;
}

/// The end of the first pause that ends at or after `t`.
inline Time Sink::pause_end_from(Time t) const {
  const Time first = kSinkTick + config_.pause;
  if (t <= first) return first;
  const std::int64_t periods = ((t - first).ps() + period().ps() - 1) / period().ps();
  return first + period() * periods;
}

/// Of the first flit that arrives after `t`.
inline Sink::Arrival Sink::arrival_after(Time t, const State& state) const {
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
inline void Sink::arm(State& state) const {
  const Train& train = trains_[state.train];
  const Arrival next{train.flits.arrival(state.flit), train.time(state.flit)};
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

/// After so many flits.
inline std::uint32_t Sink::rest(State& state, std::uint32_t taken, Time since) {
  state.flit += taken;
  state.at_rest = since;
  state.pending = Time::never();
  return taken;
}

/// The drain that is set takes place, and those that follow it until `until`, which is not before
/// that, one flit behind another. Answers how many flits; where a drain takes none, the sink is at
/// rest.
inline std::uint32_t Sink::take(State& state, const Train& train, Time until) const {
  const Time first = state.pending;
  const Time waited = first - train.flits.arrival(state.flit);
  if (waited <= Time::zero()) return rest(state, 0, first);
  const std::int64_t left = train.flits.flits - state.flit;
  std::int64_t count = left;
  const Time span = until - first;
  if (train.flit_time * (count - 1) > span) count = span.ps() / train.flit_time.ps() + 1;
  // Each of them has waited so much less than the one before.
  const Time less = train.flits.spacing - train.flit_time;
  if (less * (count - 1) >= waited) count = (waited.ps() - 1) / less.ps() + 1;
  if (first < kSinkTick) count = 1;  // No pause has begun.
  const std::int64_t free = first < kSinkTick ? count : free_in_a_row(first, train, count);
  const auto taken = static_cast<std::uint32_t>(free);
  if (free < count) return rest(state, taken, first + train.flit_time * free);
  state.flit += taken;
  state.pending =
      first + train.flit_time * (count - 1) + (count == left ? train.last_time : train.flit_time);
  return taken;
}

Time Sink::front_drained() const {
  State state = state_;
  const Train& front = trains_.front();
  for (;;) {
    if (state.pending == Time::never()) arm(state);
    take(state, front, Time::never());
    if (state.flit == front.flits.flits) return state.pending - front.last_time;
  }
}

Time Sink::drained_at(std::size_t account, std::int64_t count) const {
  State state = state_;
  std::int64_t missing = std::max<std::int64_t>(1, count - drained_[account]);
  while (state.train < trains_.size()) {
    if (state.pending == Time::never()) arm(state);
    const Time first = state.pending;
    const Train& train = trains_[state.train];
    const std::uint32_t taken = take(state, train, Time::never());
    if (train.flits.account == account) {
      if (taken >= missing) return first + train.flit_time * (missing - 1);
      missing -= taken;
    }
    if (state.flit < train.flits.flits) continue;
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
    const Train& front = trains_.front();
    drained_[front.flits.account] += take(state_, front, now);
    if (state_.flit < front.flits.flits) continue;
    trains_.pop_front();
    state_.flit = 0;
    return true;
  }
  return false;
}

}  // namespace heddle::network
