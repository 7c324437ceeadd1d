// The sending side of a link.
#pragma once

#include <cstddef>

#include "network/packet/buffer_pool.hpp"
#include "network/packet/credit_news.hpp"
#include "network/packet/output_arbiter.hpp"
#include "network/packet/output_decider.hpp"
#include "network/packet/output_stage.hpp"
#include "network/packet/packet_marker.hpp"
#include "network/packet/port_kind.hpp"
#include "network/packet/port_lanes.hpp"

namespace heddle::network {

/// Lets packets pass. One starts when the far buffer has room for all of it, by what flow-control
/// packets have told; it is never interleaved with another. Parts are in the order of what is
/// needed together.
class alignas(64) OutputPort {
 public:
  static constexpr std::size_t kPassing = 4;  ///< Lines that letting a packet pass needs.

  OutputPort(const PortKind& kind, LinkId link, EventSource source);
  /// The two directions of a cable. Full duplex, each carries the other's credits; half duplex,
  /// they have queues and credits of their own and share the wire's time.
  static void join(OutputPort& one, OutputPort& other, platform::Duplex duplex);

  /// The packet's head will be at the arbiter at `packet.head`, on its lane.
  void enter(Packet& packet);
  /// The same of a packet that has waited elsewhere before.
  void enter_waiting(Packet& packet);
  /// The buffer at the far end of a lane has room for `flits` more from `when` on, which the port
  /// knows when the wire has brought the news.
  void free_at(std::size_t lane, Time when, std::int64_t flits);
  /// The far end wants packets of the lane again.
  void go_on(std::size_t lane);
  /// The arbiter looks at its queues when it hears of enough credits for what the lane lacks; if
  /// nobody knows that yet, whoever frees some will.
  void look_for_credits(std::size_t lane);

  // For those who decide.
  /// Somebody else does, in the arbiter's place.
  void belong_to(OutputDecider& decider) { decider_ = &decider; }
  OutputDecider& decider() const { return *decider_; }
  /// From when a packet that waits here, and before none of its lane, wants to pass.
  Time asks_from(const Packet& packet) const;
  /// From when the packet, which waits here, may pass, but for credits.
  Time may_pass_from(const Packet& packet) const;
  /// Whether the buffer at the other end has room for the packet, by what is known of it at `now`.
  bool has_credits(const Packet& packet, Time now);
  /// There are no credits for a packet that waits here: either it goes by its escape route and
  /// waits here no longer, or, and then it is false, its lane lacks them.
  bool escapes(Packet& packet, Time now);
  /// The packet passes now. The crossbar's input and output are free again at the time returned.
  Time pass(Packet& packet);
  /// One that is the first of its input, `now`.
  void pass_first(Packet& packet, Time now) {
    const std::int64_t waiting = lanes_[packet.lane].queues.flits();
    lanes_.remove_first(packet);
    grant(packet, now, waiting);
  }

  LinkId link() const { return arbiter_.link(); }
  const PortKind& kind() const { return lanes_.kind(); }
  OutputArbiter& arbiter() { return arbiter_; }
  const OutputStage& stage() const { return stage_; }
  PortLanes& lanes() { return lanes_; }
  const PortLanes& lanes() const { return lanes_; }
  const CreditNews& news() const { return news_; }
  const PacketMarker& marker() const { return marker_; }

 private:
  bool passes_unhindered(const Packet& packet);
  void grant(Packet& packet, Time now, std::int64_t waiting);
  void grant_as(Packet& packet, Time now, std::int64_t waiting, bool plain);

  OutputArbiter arbiter_;
  OutputStage stage_;
  // What loads are told of is in this line of the cache and the one before.
  PortLanes lanes_;
  CreditNews news_;
  OutputDecider* decider_ = nullptr;  ///< Of outputs that are allocated.
  PacketMarker marker_;
};

inline bool OutputPort::has_credits(const Packet& packet, Time now) {
  const PortKind& kind = this->kind();
  if (!kind.plain) {
    if (kind.is_control(packet.lane)) return true;
    if (kind.pooled && !lanes_.pool().admits(*this, packet)) return false;
  }
  return lanes_[packet.lane].credits.allow(packet.flits, news_.known(kind, now), now);
}

/// The buffer at the end of the link that the packet came over, where packets leave it in order.
inline FifoBuffer& buffer_of(const Packet& packet) {
  return *packet.before->lanes()[packet.in_lane].buffer;
}

}  // namespace heddle::network
