// A sink that takes flits one by one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "network/packet/sink.hpp"

namespace heddle::network {

/// What a Sink promises, flit by flit: every drain is looked at by itself.
class SlowSink {
 public:
  explicit SlowSink(const SinkConfig& config) : config_(config) {}

  void add(const FlitTrain& train) { trains_.push_back(train); }
  bool empty() const { return trains_.empty(); }
  std::int64_t drained(std::size_t account) const { return drained_[account]; }

  Time front_drained() const {
    State state = state_;
    for (;;) {
      if (state.pending == Time::never()) arm(state);
      const Time now = state.pending;
      if (fire(state) && state.flit == trains_.front().flits) return now;
    }
  }

  Time drained_at(std::size_t account, std::int64_t count) const {
    State state = state_;
    std::int64_t missing = count - drained_[account];
    while (state.train < trains_.size()) {
      if (state.pending == Time::never()) arm(state);
      const Time now = state.pending;
      if (!fire(state)) continue;
      const FlitTrain& train = trains_[state.train];
      if (train.account == account && --missing <= 0) return now;
      if (state.flit < train.flits) continue;
      ++state.train;
      state.flit = 0;
    }
    return Time::never();
  }

  bool advance(Time now) {
    while (!trains_.empty()) {
      State next = state_;
      if (next.pending == Time::never()) arm(next);
      if (next.pending > now) return false;
      const bool taken = fire(next);
      state_ = next;
      if (!taken) continue;
      ++drained_[trains_.front().account];
      if (state_.flit < trains_.front().flits) continue;
      trains_.pop_front();
      state_.flit = 0;
      return true;
    }
    return false;
  }

 private:
  static constexpr Time kTick = Time::ns(1);

  struct State {
    Time pending = Time::never();
    Time at_rest;
    std::size_t train = 0;
    std::uint32_t flit = 0;
  };

  Time period() const { return config_.pause + config_.between; }
  bool pauses() const { return config_.pause > Time::zero(); }
  Time length(const FlitTrain& train, std::uint32_t flit) const {
    const std::uint32_t bytes = flit + 1 == train.flits ? train.last_bytes : train.flit_bytes;
    return std::max(Time::ps(1), config_.time_per_byte.time_for(Bytes(bytes)));
  }
  bool in_pause(Time t) const {
    if (!pauses() || t < kTick) return false;
    const Time phase = Time::ps((t - kTick).ps() % period().ps());
    return Time::zero() < phase && phase <= config_.pause;
  }
  /// The end of the first pause that ends at or after `t`.
  Time pause_end_from(Time t) const {
    Time end = kTick + config_.pause;
    while (end < t) end += period();
    return end;
  }

  void arm(State& state) const {
    const FlitTrain& train = trains_[state.train];
    Time start = train.arrival(state.flit);
    Time time = length(train, state.flit);
    if (!pauses()) {
      state.pending = start + time;
      return;
    }
    const bool waiting = start < state.at_rest;
    if (waiting) find_after(state, start, time);
    const Time end =
        pause_end_from(waiting ? state.at_rest : std::max(state.at_rest, start - kTick));
    const bool looks = end < start && (waiting || start < end + kTick);
    state.pending = looks ? end + kTick : start + time;
  }
  /// The first flit that comes after it is at rest; never if none does.
  void find_after(const State& state, Time& start, Time& time) const {
    for (std::size_t i = state.train; i < trains_.size(); ++i) {
      for (std::uint32_t flit = 0; flit < trains_[i].flits; ++flit) {
        if (trains_[i].arrival(flit) <= state.at_rest) continue;
        start = trains_[i].arrival(flit);
        time = length(trains_[i], flit);
        return;
      }
    }
    start = Time::never();
    time = Time::zero();
  }
  bool fire(State& state) const {
    const Time now = state.pending;
    const FlitTrain& train = trains_[state.train];
    if (in_pause(now) || train.arrival(state.flit) >= now) {
      state.pending = Time::never();
      state.at_rest = now;
      return false;
    }
    state.pending = now + length(train, state.flit);
    ++state.flit;
    return true;
  }

  SinkConfig config_;
  State state_;
  std::deque<FlitTrain> trains_;
  std::array<std::int64_t, 2> drained_{};
};

}  // namespace heddle::network
