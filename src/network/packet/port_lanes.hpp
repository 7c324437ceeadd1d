// The virtual lanes of an output.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/prefetch.hpp"
#include "network/packet/lane_arbitration.hpp"
#include "network/packet/port_kind.hpp"
#include "network/packet/port_lane.hpp"

namespace heddle::network {

class BufferPool;

/// Who waits for each, whose turn it is, and which are short of credits. Lanes stand in the order
/// of their numbers; sets of them are words with a bit each.
class alignas(64) PortLanes {
 public:
  /// The kind must outlive them.
  explicit PortLanes(const PortKind& kind);

  const PortKind& kind() const { return *kind_; }
  /// The first is found without a look at the others, which may be far.
  PortLane& operator[](std::size_t i) { return i == 0 ? first_ : further_[i - 1]; }
  const PortLane& operator[](std::size_t i) const { return i == 0 ? first_ : further_[i - 1]; }

  // Packets that wait, each in the queues of its lane.
  void append(Packet& packet) {
    (*this)[packet.lane].queues.append(packet);
    waiting_ |= bit(packet.lane);
    flits_waiting_ += packet.flits;
  }
  void remove(Packet& packet) { take(packet, &InputQueues::remove); }
  /// One that is the first of its input.
  void remove_first(Packet& packet) { take(packet, &InputQueues::remove_first); }
  std::uint64_t waiting() const { return waiting_; }  ///< Lanes that packets wait for.
  bool anyone_waits() const { return waiting_ != 0; }
  /// Somebody waits for another lane than the first.
  bool further_waits() const { return waiting_ > bit(0); }
  std::int64_t flits_waiting() const { return flits_waiting_; }
  /// Calls `use` with every lane that packets wait for.
  template <class Use>
  void for_waiting(Use use) const {
    for (std::uint64_t left = waiting_; left != 0; left &= left - 1) {
      use((*this)[static_cast<std::size_t>(std::countr_zero(left))]);
    }
  }

  /// Which of the lanes `ready` has its turn; none: -1.
  int choose(std::uint64_t ready) const;
  void served(const Packet& packet) {
    if (arbiter_ == nullptr || kind_->is_control(packet.lane)) return;
    arbiter_->served(packet.lane, packet.flits);
  }

  // Credits.
  /// The packet has crossed the link, or is about to.
  void sent(const Packet& packet) {
    if (kind_->is_control(packet.lane)) return;
    (*this)[packet.lane].credits.sent(packet.flits);
    out_ |= bit(packet.lane);
  }
  bool may_lack_credits() const { return out_ != 0; }
  /// Flits beyond the link that are not known to have left the buffer there, as it was at `known`.
  std::int64_t flits_out(Time known) const;
  std::int64_t flits_out(std::size_t lane, Time known) const {
    return kind_->lane_flits - (*this)[lane].credits.available_at(known);
  }
  /// When flits leave that buffer next after `known`; Time::never() if none are known to.
  Time next_freed(Time known) const;
  /// No credits for the lane, until all are given back.
  void pause(std::size_t lane) { (*this)[lane].credits.sent(kUnlimitedFlits); }
  void end_pause(std::size_t lane) { (*this)[lane].credits.sent(-kUnlimitedFlits); }

  /// Lanes share the room at the other end.
  void share(BufferPool& pool) { pool_ = &pool; }
  BufferPool& pool() const { return *pool_; }

  /// Asks for the memory that says where further lanes are.
  void foresee_further() const { prefetch(&further_); }

 private:
  static std::uint64_t bit(std::size_t lane) { return std::uint64_t{1} << lane; }
  void take(Packet& packet, void (InputQueues::*leave)(Packet&)) {
    InputQueues& queues = (*this)[packet.lane].queues;
    (queues.*leave)(packet);
    if (queues.empty()) waiting_ &= ~bit(packet.lane);
    flits_waiting_ -= packet.flits;
  }

  const PortKind* kind_;
  std::uint64_t waiting_ = 0;
  std::int64_t flits_waiting_ = 0;        ///< In all lanes.
  mutable std::uint64_t out_ = 0;         ///< Those that credits may be out of; others have all.
  std::unique_ptr<PortLane[]> further_;   ///< Where there are several.
  std::unique_ptr<LaneArbiter> arbiter_;  ///< Of several lanes for data; null: there is one.
  BufferPool* pool_ = nullptr;            ///< Where lanes share room.
  PortLane first_;                        ///< Begins a line of the cache.
};

}  // namespace heddle::network
