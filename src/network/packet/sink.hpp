// Where packets end: a host drains flits into its memory at the speed of its bus, with pauses.
#pragma once

#include <cstdint>

#include "core/containers/ring.hpp"
#include "core/containers/short_list.hpp"
#include "core/quantity.hpp"

namespace heddle::network {

/// How a host takes flits off the wire.
struct SinkConfig {
  TimePerByte time_per_byte;
  Time pause;  ///< Every `pause + between` the sink takes nothing for `pause`; zero: never.
  Time between;
};

/// The flits of one packet as they arrive: the first at `head`, each further one `spacing` later.
struct FlitTrain {
  Time head;
  Time spacing;
  std::uint32_t flits = 0;
  std::uint32_t flit_bytes = 0;  ///< Of every flit but the last.
  std::uint32_t last_bytes = 0;
  std::uint32_t account = 0;  ///< Under which its flits are counted.
  void* packet = nullptr;     ///< Whose flits these are; the sink only hands it back.

  Time arrival(std::uint32_t flit) const { return head + spacing * flit; }
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
  explicit Sink(const SinkConfig& config) : config_(config) { count_accounts(1); }

  /// Adds a packet; trains must be added in order of arrival, no later than their head.
  void add(const FlitTrain& train);
  bool empty() const { return trains_.empty(); }
  const FlitTrain& front() const { return trains_.front().flits; }

  /// When the front packet's last flit will be drained if nothing more arrives.
  Time front_drained() const;
  /// Drains everything up to and including `now`, but no further than the end of the front packet.
  /// True if the front packet ended: it is removed.
  bool advance(Time now);
  /// Flits are counted under the accounts 0 to count - 1 (at first there is one).
  void count_accounts(std::size_t count) {
    while (drained_.size() < count) drained_.insert(drained_.size(), 0);
  }
  /// Flits of `account` drained so far.
  std::int64_t drained(std::size_t account) const { return drained_[account]; }
  /// When drained(account) will be `count` at the soonest; Time::never() if too few flits are
  /// there.
  Time drained_at(std::size_t account, std::int64_t count) const;

 private:
  struct Train {
    FlitTrain flits;
    Time flit_time;  ///< In which a flit is drained, and the last one.
    Time last_time;
    std::int64_t phase;  ///< ps by which a drain is later in its period than the one before.

    Time time(std::uint32_t flit) const { return flit + 1 == flits.flits ? last_time : flit_time; }
  };
  /// What changes as flits are drained, apart from the queue: small, so that it can be run ahead on
  /// a copy.
  struct State {
    Time pending = Time::never();  ///< The drain that is set, if any.
    Time at_rest;                  ///< Since when none is set.
    std::size_t train = 0;         ///< Of the next flit, from the front.
    std::uint32_t flit = 0;        ///< Next flit of that train.
  };
  struct Arrival {
    Time when = Time::never();
    Time length;  ///< In which the flit is drained.
  };

  bool pauses() const { return config_.pause > Time::zero(); }
  Time period() const { return config_.pause + config_.between; }
  std::int64_t free_in_a_row(Time first, const Train& train, std::int64_t most) const;
  Time pause_end_from(Time t) const;
  void arm(State& state) const;
  static std::uint32_t rest(State& state, std::uint32_t taken, Time since);
  std::uint32_t take(State& state, const Train& train, Time until) const;
  Arrival arrival_after(Time t, const State& state) const;

  SinkConfig config_;
  State state_;
  ShortList<std::int64_t, 2> drained_;  ///< By account.
  Ring<Train, 2> trains_;
};

}  // namespace heddle::network
