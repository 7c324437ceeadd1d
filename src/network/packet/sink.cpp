#include "network/packet/sink.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

/// The first pause begins here, and the sink looks for flits this long after each pause.
constexpr Time kTick = Time::ns(1);

}  // namespace

bool Sink::in_pause(Time t) const {
  if (!pauses() || t < kTick) return false;
  const Time phase = Time::ps((t - kTick).ps() % period().ps());
  return Time::zero() < phase && phase <= config_.pause;
}

/// The end of the first pause that ends at or after `t`.
Time Sink::pause_end_from(Time t) const {
  const Time first = kTick + config_.pause;
  if (t <= first) return first;
  const std::int64_t periods = ((t - first).ps() + period().ps() - 1) / period().ps();
  return first + period() * periods;
}

const FlitTrain* Sink::next_arrival(Time t, const State& state, std::uint32_t& flit) const {
  for (std::size_t i = 0; i < trains_.size(); ++i) {
    const FlitTrain& train = trains_[i];
    flit = i == 0 ? state.flit : 0;
    if (train.arrival(train.flits - 1) <= t) continue;
    if (train.arrival(flit) <= t) {
      flit = static_cast<std::uint32_t>((t - train.head).ps() /
                                        std::max<std::int64_t>(1, train.spacing.ps())) +
             1;
    }
    return &train;
  }
  return nullptr;
}

/// Sets the next drain of a sink at rest that has or will have flits.
void Sink::arm(State& state) const {
  const FlitTrain& front = trains_.front();
  const bool waiting = front.arrival(state.flit) < state.at_rest;
  if (!pauses()) {
    state.pending =
        front.arrival(state.flit) + config_.time_per_byte.time_for(Bytes(front.bytes(state.flit)));
    return;
  }
  // The flit that starts the sink: the first to arrive since it is at rest.
  std::uint32_t flit = state.flit;
  const FlitTrain* train = waiting ? next_arrival(state.at_rest, state, flit) : &front;
  const Time arrival = train == nullptr ? Time::never() : train->arrival(flit);
  // It looks for flits after each pause: with flits waiting after the next, else after one that
  // ends about then.
  const Time end =
      pause_end_from(waiting ? state.at_rest : std::max(state.at_rest, arrival - kTick));
  const bool polled = end < arrival && (waiting || arrival < end + kTick);
  state.pending =
      polled ? end + kTick : arrival + config_.time_per_byte.time_for(Bytes(train->bytes(flit)));
}

/// The drain that is set takes place; true if it took a flit.
bool Sink::fire(State& state) const {
  const Time now = state.pending;
  const FlitTrain& front = trains_.front();
  if (in_pause(now) || front.arrival(state.flit) >= now) {
    state.pending = Time::never();
    state.at_rest = now;
    return false;
  }
  state.pending = now + config_.time_per_byte.time_for(Bytes(front.bytes(state.flit)));
  ++state.flit;
  return true;
}

Time Sink::front_drained() const {
  State state = state_;
  for (;;) {
    if (state.pending == Time::never()) arm(state);
    const Time now = state.pending;
    if (fire(state) && state.flit == trains_.front().flits) return now;
  }
}

bool Sink::advance(Time now) {
  while (!trains_.empty()) {
    if (state_.pending == Time::never()) {
      State armed = state_;
      arm(armed);
      if (armed.pending > now) return false;
      state_ = armed;
    }
    if (state_.pending > now) return false;
    if (!fire(state_)) continue;
    ++drained_[trains_.front().lane];
    if (state_.flit < trains_.front().flits) continue;
    trains_.pop_front();
    state_.flit = 0;
    return true;
  }
  return false;
}

}  // namespace heddle::network
