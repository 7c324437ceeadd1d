// Where packets end: a host drains flits into its memory at the speed of its bus, with pauses.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "core/quantity.hpp"

namespace heddle::network {

/// How a host takes flits off the wire.
struct SinkConfig {
  TimePerByte time_per_byte;  ///< Zero: flits are taken as they come.
  Time pause;  ///< Every `pause + between` the sink takes nothing for `pause`; zero: never.
  Time between;
};

/// The flits of one packet as they arrive: the first at `head`, each further one `spacing` later.
struct FlitTrain {
  Time head;
  Time spacing;
  std::uint32_t flits;
  std::uint32_t flit_bytes;  ///< Of every flit but the last.
  std::uint32_t last_bytes;
  std::uint8_t lane;
  void* packet;  ///< Whose flits these are; the sink only hands it back.

  Time arrival(std::uint32_t flit) const { return head + spacing * flit; }
  std::uint32_t bytes(std::uint32_t flit) const {
    return flit + 1 == flits ? last_bytes : flit_bytes;
  }
};

/// Drains flits in order of arrival. Nothing is simulated between packets: the state is advanced by
/// arithmetic when someone asks.
///
/// A flit that finds the sink at rest is drained after its own length, every further one after the
/// length of the one before. A drain that falls into a pause is lost; 1 ns after the pause the sink
/// looks for flits again, unless a flit that arrived meanwhile has started it. Of things that fall
/// together the one that was set longer ago comes first: a drain before the beginning or the end of
/// a pause, a flit's arrival before the end of a pause, a drain or a look before an arrival.
class Sink {
 public:
  explicit Sink(const SinkConfig& config) : config_(config) {}

  /// Adds a packet; trains must be added in order of arrival, no later than their head.
  void add(const FlitTrain& train) { trains_.push_back(train); }
  bool empty() const { return trains_.empty(); }
  const FlitTrain& front() const { return trains_.front(); }

  /// When the front packet's last flit will be drained if nothing more arrives.
  Time front_drained() const;
  /// Drains everything up to and including `now`, but no further than the end of the front packet.
  /// True if the front packet ended: it is removed.
  bool advance(Time now);
  /// Flits of `lane` drained so far.
  std::int64_t drained(std::size_t lane) const { return drained_[lane]; }

 private:
  /// What changes as flits are drained, apart from the queue: small, so that it can be run ahead on
  /// a copy.
  struct State {
    Time pending = Time::never();  ///< The drain that is set, if any.
    Time at_rest;                  ///< Since when none is set.
    std::uint32_t flit = 0;        ///< Next flit of the front packet.
  };

  bool pauses() const { return config_.pause > Time::zero(); }
  Time period() const { return config_.pause + config_.between; }
  bool in_pause(Time t) const;
  Time pause_end_from(Time t) const;
  void arm(State& state) const;
  bool fire(State& state) const;
  /// The first flit that arrives after `t`, its arrival and length.
  const FlitTrain* next_arrival(Time t, const State& state, std::uint32_t& flit) const;

  SinkConfig config_;
  std::deque<FlitTrain> trains_;
  State state_;
  std::array<std::int64_t, 16> drained_{};
};

}  // namespace heddle::network
