// What a source knows of the packets of one flow.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "network/packet/congestion_control.hpp"
#include "network/packet/message.hpp"
#include "network/packet/path_choice.hpp"
#include "network/packet/repair.hpp"
#include "network/packet/sent_packets.hpp"

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
      : sent_(rules),
        point_(point == nullptr ? std::make_unique<ReactionPoint>() : std::move(point)),
        chooser_(std::move(chooser)),
        timeout_(rules.timeout) {}

  /// Behind the others.
  void add(Message& message);
  bool has_something() const { return sent_.any_lost() || head_ != nullptr; }
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
  Message* take_finished() { return sent_.take_finished(); }
  /// Asks for the memory that news need besides that of the flow itself.
  void foresee_news() const;

  /// On the wire, of all packets that are to be sent and have been sent since the beginning.
  Bytes wanted() const { return sent_bytes_ + waiting_ + sent_.lost_bytes(); }
  bool lacks_credit() const { return point_->credit() <= Bytes(0); }
  Bytes unacknowledged() const { return sent_.under_way(); }
  const Counts& counts() const { return counts_; }

 private:
  Bytes next_bytes() const;
  std::uint32_t next_path() { return chooser_ == nullptr ? 0 : chooser_->next(); }
  void tell_path(std::int64_t number, PathFate fate, Time now);
  void look_for_gaps(const Ack& ack, Time now);

  // In three lines of the cache, as a flow has it.
  SentPackets sent_;
  std::unique_ptr<ReactionPoint> point_;
  std::unique_ptr<PathChooser> chooser_;
  Message* head_ = nullptr;  ///< Messages of which something is yet to be sent.
  Message* tail_ = nullptr;
  Bytes waiting_;     ///< On the wire, of what is to be sent for the first time.
  Bytes sent_bytes_;  ///< On the wire, of what has been cut, lost packets as often as they were.
  std::int64_t looked_ = 0;  ///< Below, gaps have been looked for.
  Time timeout_;
  Counts counts_;
};

}  // namespace heddle::network
