// What a source knows of the packets of one flow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "network/packet/congestion_control.hpp"
#include "network/packet/message.hpp"
#include "network/packet/path_choice.hpp"
#include "network/packet/repair.hpp"
#include "network/packet/ring.hpp"

namespace heddle::network {

/// Cuts messages into numbered packets, and keeps the packets until they are acknowledged. Has no
/// clock: it is told.
class SendingFlow {
 public:
  /// A packet to be sent.
  struct Piece {
    Message* message;
    std::int64_t number;
    std::uint32_t payload;
    std::uint32_t path;  ///< Its way, if the flow chooses ways.
    bool again;
  };
  /// What has become of flows, for statistics.
  struct Counts {
    std::uint64_t again = 0;  ///< Packets that were sent again.
    std::uint64_t timeouts = 0;
  };

  /// The rules must outlive it; without a reaction point nothing but losses holds it up. Without a
  /// chooser it chooses no ways.
  SendingFlow(const FlowRules& rules, std::unique_ptr<ReactionPoint> point,
              std::unique_ptr<PathChooser> chooser = nullptr)
      : rules_(&rules),
        point_(point == nullptr ? std::make_unique<ReactionPoint>() : std::move(point)),
        chooser_(std::move(chooser)),
        timeout_(rules.timeout) {}

  /// Behind the others.
  void add(Message& message);
  bool has_something() const { return lost_ > 0 || head_ != nullptr; }
  /// From when the next packet may leave, if there is one; Time::never(): not before news comes.
  Time may_send() const;
  /// That packet.
  Piece cut();
  /// A packet leaves; told of those that cut() has given, in order.
  void left(std::int64_t number, const Departure& departure);

  // News. `now` is when it comes.
  struct Ack {
    std::int64_t number;
    std::int64_t up_to;
    Time sent;
    bool marked;
    std::uint32_t hops;
    std::span<const HopNews> path;
  };
  void acknowledged(const Ack& ack, Time now);
  /// All below `up_to` have arrived; `number` has not, or its header only.
  void missed(std::int64_t number, std::int64_t up_to, bool trimmed, bool at_last_hop, Time now);
  void notified(Time now) { point_->notified(now); }
  void granted(Time now, Bytes bytes) { point_->granted(now, bytes); }

  /// When the source gives up waiting for news of the packet that it has waited for longest;
  /// Time::never(): it waits for none.
  Time deadline() const;
  /// That time has come.
  void expire(Time now);

  /// A message all of whose packets have been acknowledged, once; null: no more of them.
  Message* take_finished();
  /// Asks for the memory that news need besides that of the flow itself.
  void foresee_news() const;

  /// On the wire, of all packets that are to be sent and have been sent since the beginning.
  Bytes wanted() const { return sent_bytes_ + waiting_; }
  bool lacks_credit() const { return point_->credit() <= Bytes(0); }
  Bytes unacknowledged() const { return under_way_; }
  const Counts& counts() const { return counts_; }

 private:
  enum class State : std::uint8_t { under_way, lost, arrived };
  struct Sent {
    Message* message;
    std::uint32_t payload;
    std::uint32_t path;
    State state;
    Time when;  ///< It began to leave; Time::never(): not yet.
  };

  Sent& sent(std::int64_t number) { return sent_[static_cast<std::size_t>(number - first_)]; }
  std::int64_t next() const { return first_ + static_cast<std::int64_t>(sent_.size()); }
  Bytes on_wire(std::int64_t payload) const {
    return std::max(Bytes(1), rules_->header + Bytes(payload));
  }
  Bytes next_bytes() const;
  std::uint32_t next_path() { return chooser_ == nullptr ? 0 : chooser_->next(); }
  void tell_path(std::int64_t number, PathFate fate, Time now);
  Bytes arrived(std::int64_t number);
  Bytes arrived_below(std::int64_t up_to);
  void forget_arrived();
  void lose(std::int64_t number);
  void lose_from(std::int64_t number, Time sent_by);
  void look_for_gaps(const Ack& ack, Time now);

  // In three lines of the cache, as a flow has it.
  const FlowRules* rules_;
  std::unique_ptr<ReactionPoint> point_;
  std::unique_ptr<PathChooser> chooser_;
  Message* head_ = nullptr;  ///< Messages of which something is yet to be sent.
  Message* tail_ = nullptr;
  std::int64_t lost_ = 0;  ///< Packets that are lost and not yet sent again.
  Bytes under_way_;
  Bytes waiting_;           ///< On the wire, of what is to be sent.
  Ring<Sent, 1> sent_;      ///< From `first_` on.
  std::int64_t first_ = 0;  ///< The first that has not arrived.
  Bytes sent_bytes_;  ///< On the wire, of what has been cut, lost packets as often as they were.
  std::int64_t again_ = 0;   ///< No lost packet is below.
  std::int64_t looked_ = 0;  ///< Below, gaps have been looked for.
  Message* finished_ = nullptr;
  Time timeout_;
  Counts counts_;
};

}  // namespace heddle::network
