// The packets of a flow that have been cut and not been forgotten, by their numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/containers/ring.hpp"
#include "core/time.hpp"
#include "network/packet/message.hpp"
#include "network/packet/repair.hpp"

namespace heddle::network {

/// Knows of each whether it is under way, lost or there, and how many bytes that makes on the wire.
class SentPackets {
 public:
  enum class State : std::uint8_t { under_way, lost, arrived };
  struct Sent {
    Message* message;
    std::uint32_t payload;
    std::uint32_t path;
    State state;
    Time when;  ///< It began to leave; Time::never(): not yet.
  };

  /// The rules must outlive it.
  explicit SentPackets(const FlowRules& rules) : rules_(&rules) {}

  const FlowRules& rules() const { return *rules_; }
  /// The number of the packet that is cut next.
  std::int64_t next() const { return first_ + static_cast<std::int64_t>(packets_.size()); }
  bool has(std::int64_t number) const { return number >= first_ && number < next(); }
  Sent& operator[](std::int64_t number) {
    return packets_[static_cast<std::size_t>(number - first_)];
  }
  const Sent& operator[](std::int64_t number) const {
    return packets_[static_cast<std::size_t>(number - first_)];
  }
  /// The first that has not arrived; all before are forgotten.
  std::int64_t first() const { return first_; }

  /// A new one, under way.
  void add(Message& message, std::uint32_t payload, std::uint32_t path) {
    under_way_ += rules_->on_wire(payload);
    packets_.push_back({&message, payload, path, State::under_way, Time::never()});
  }
  /// The first of those that are lost, of which there is one.
  std::int64_t first_lost() const;
  /// A lost one is under way again.
  void send_again(std::int64_t number, std::uint32_t path);
  void lose(std::int64_t number);
  /// All that is under way, from a packet on, and has left by then.
  void lose_from(std::int64_t number, Time sent_by);
  /// A packet has arrived: what is new of it.
  Bytes arrived(std::int64_t number);
  /// All below have.
  Bytes arrived_below(std::int64_t up_to);
  /// Those before the first that has not arrived.
  void forget_arrived();

  bool any_lost() const { return lost_ > 0; }
  Bytes under_way() const { return under_way_; }
  /// On the wire, of what is to be sent again.
  Bytes lost_bytes() const { return lost_bytes_; }
  /// When the one under way that left first did so; Time::never(): there is none.
  Time oldest() const;
  /// A message all of whose packets have arrived, once; null: no more of them.
  Message* take_finished();

 private:
  const FlowRules* rules_;
  std::int64_t lost_ = 0;  ///< Packets.
  Bytes under_way_;
  Bytes lost_bytes_;
  Ring<Sent, 1> packets_;  ///< From `first_` on.
  std::int64_t first_ = 0;
  std::int64_t again_ = 0;  ///< No lost packet is below.
  Message* finished_ = nullptr;
};

}  // namespace heddle::network
