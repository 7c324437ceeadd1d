// What a packet network is made of: messages, packets, output ports and hosts.
#pragma once

#include <compare>
#include <span>
#include <unordered_map>

#include "core/prefetch.hpp"
#include "network/packet/credits.hpp"
#include "network/packet/divided_packets.hpp"
#include "network/packet/packet_network.hpp"
#include "network/packet/short_list.hpp"
#include "network/packet/sink.hpp"
#include "network/packet/throttle.hpp"

namespace heddle::network {

/// A message being cut into packets and put together again; as an event, its last byte leaving the
/// source.
struct alignas(64) PacketNetwork::Message final : public Event {
  void fire() override { transfer.report(Instant::injected); }

  Transfer transfer;
  std::int64_t unsent = 0;        ///< Payload bytes not yet cut into packets.
  std::int64_t packets_left = 0;  ///< Not yet at the destination.
  Time ready;                     ///< When its own rate has brought the next packet together.
  Time due;                       ///< The same, had nothing held it up.
  bool head_reported = false;
  bool notification = false;  ///< Congestion: for the source's adapter, not for a client.
  Message* next = nullptr;    ///< In the host's queue.
};

/// A packet under way; as an event, its head reaching the buffer at the end of its link. What a hop
/// needs is in two lines of the cache.
struct alignas(64) PacketNetwork::Packet : public Event {
  explicit Packet(PacketNetwork& owner) : network(&owner) {}
  void fire() final { network->arrived(*this); }
  void glimpse() const final { network->glimpse(*this); }
  void foresee() const final { network->foresee(*this); }
  /// Asks for its own memory.
  void foresee_hop() const { prefetch_lines(this, 2); }

  std::uint8_t lane = 0;     ///< On the next link.
  std::uint8_t in_lane = 0;  ///< Of the buffer that holds it.
  bool marked = false;
  bool at_end = false;
  Packet* next = nullptr;  ///< Behind it in its queue.
  Time head;               ///< When its first flit is or was at the arbiter.
  Time spacing;            ///< Between its flits.
  LinkId in = kNoLink;     ///< The link whose far buffer holds it; none: it is still at its source.
  LinkId coming = kNoLink;  ///< Where routes are fixed: the link after `in`; none: its end.
  std::uint32_t flits = 0;
  std::uint32_t last_bytes = 0;
  Port* before = nullptr;  ///< Of the link `in`.

  PacketNetwork* network;  ///< The part of it where the packet is.
  Message* message = nullptr;
  platform::Walk walk;
};

/// One that waits in buffers in no order but its output's.
struct PacketNetwork::PlainPacket final : public Packet {
  using Packet::Packet;
};

/// One that waits in buffers in order.
struct PacketNetwork::OrderedPacket final : public Packet {
  using Packet::Packet;
  Port* output = nullptr;           ///< Where it waits.
  OrderedPacket* behind = nullptr;  ///< The packet that came next.
};

/// One lane of an output: who waits for it, and the credits of the buffer at the far end. What a
/// packet needs that passes is in three lines of the cache, and news of credits is in the third.
struct alignas(64) PacketNetwork::Lane {
  /// The packets of one input that wait for this output, in order.
  struct Queue {
    LinkId input = kNoLink;
    Packet* head = nullptr;
    Packet* tail = nullptr;
  };
  void append(Packet& packet);
  void remove_first(Packet& packet);
  std::size_t turn() const;

  ShortList<Queue, 2> queues;  ///< Of inputs with packets, ascending.

  LinkId last_turn = kNoLink;  ///< The input served last; those behind it have their turn first.
  std::uint32_t waiting_packets = 0;
  std::int64_t waiting_flits = 0;
  std::int64_t max_waiting_flits = 0;
  std::int64_t packets = 0;  ///< That have passed, and their bytes.
  std::int64_t bytes = 0;
  Time stalled_since = Time::never();
  Host* end_host = nullptr;     ///< Where the link ends, if at a host whose sink takes time ...
  std::int64_t sink_freed = 0;  ///< ... and of its drained flits, those counted as credits.

  /// Flits for which no credits were known; of several, the least.
  std::int64_t lacking = 0;
  Credits credits;

  std::uint32_t sink_account = 0;  ///< Under which that host's sink counts flits.
  Time last_lack = Time::ps(-1);   ///< When a packet last had to wait for credits.
  // Of a buffer in order at the far end: the packets to leave it next and last.
  OrderedPacket* oldest = nullptr;
  OrderedPacket* newest = nullptr;
};

/// What many ports have in common: so it is at hand, and takes nothing of theirs.
struct PacketNetwork::PortKind {
  PortKind(PacketNetwork& owner, LinkId link);
  auto operator<=>(const PortKind&) const = default;
  std::int64_t round_trip_flits() const;

  PacketNetwork* network;
  std::size_t lanes;
  Bandwidth bandwidth;
  Time flit_time;
  bool from_host;
  bool to_host;
  Time wire;        ///< Its latency.
  Time to_arbiter;  ///< From a head's arrival to the arbiter.
  Time to_wire;     ///< From the arbiter to the wire.
  std::int64_t output_flits;
  std::int64_t buffer_flits;  ///< Of the buffer at the far end, per lane.
};

/// What two directions share if the cable is half duplex; of a full-duplex one each has its own.
struct PacketNetwork::Wire {
  Time free;
};

/// What happened at the sending side of a link.
struct PacketNetwork::PortStats {
  std::int64_t credit_stalls = 0;  ///< Times that a packet had to wait for credits.
  Time credit_stalled;             ///< How long, in all.
  std::int64_t marked = 0;         ///< Packets marked for congestion.
};

/// The sending side of a link; as an event, its arbiter's turn. Ordered by what is needed together.
struct alignas(64) PacketNetwork::Port final : public Event {
  Port(const PortKind& own_kind, LinkId own_link);
  void fire() override { kind->network->serve(*this); }
  void glimpse() const override { kind->network->glimpse(*this); }
  void foresee() const override { kind->network->foresee(*this); }
  std::span<Lane> lanes() { return {kind->lanes == 1 ? &only : several.get(), kind->lanes}; }
  std::span<const Lane> lanes() const {
    return {kind->lanes == 1 ? &only : several.get(), kind->lanes};
  }
  std::int64_t waiting_flits() const;
  /// Asks for the memory of the flow-control packets.
  void foresee_clock() const { prefetch_lines(&back, 2); }

  LinkId link;
  const PortKind* kind;
  Time due = Time::never();  ///< When the event is scheduled.
  Time arbiter_free;
  Wire* shared = &own;
  Wire own;  ///< Unused if it is the other direction's that is shared.
  EventSource source;
  Lane only;  ///< Where there is one lane.

  Port* back = nullptr;  ///< The other direction, which carries the credits of this one.
  CreditClock clock;     ///< Of the flow-control packets that this wire carries.
  PortStats stats;
  // Where there are several lanes.
  std::unique_ptr<Lane[]> several;
  std::unique_ptr<LaneArbiter> arbiter;
  std::int64_t marking = 0;  ///< Packets that could have been marked.
};

/// A node's adapter: messages to send, by lane, and the sink. As an event, the end of a packet.
struct alignas(64) PacketNetwork::Host final : public Event {
  Host(PacketNetwork& owner, NodeId node);
  void fire() override { network.drain(*this, network.simulation_.now()); }
  void glimpse() const override { foresee_sink(); }
  void foresee() const override { network.foresee(*this); }
  void expect() const override { network.expect(*this); }

  struct Outbox {
    Message* head = nullptr;
    Message* tail = nullptr;
    Packet* offered = nullptr;
  };
  Outbox& outbox(std::size_t lane) { return lane == 0 ? first : further[lane - 1]; }
  /// Asks for the memory that drains need of the host itself.
  void foresee_sink() const {
    prefetch_whole(sink);
    prefetch(&entrances);
  }
  /// Throttled flows may send again.
  void throttle_over() { network.retry(*this); }

  PacketNetwork& network;
  EventSource source;
  Outbox first;  ///< Of lane 0; others are further.
  Time retry_at = Time::never();
  Sink sink;
  ShortList<Port*, 2> entrances;  ///< The links that have brought packets.
  std::vector<Outbox> further;
  std::unordered_map<std::uint32_t, Throttle> throttles;  ///< By destination; looked up only.
  MemberEvent<Host, &Host::throttle_over> retry{*this};
};

/// That a port has one lane is known without a look at it.
inline PacketNetwork::Lane& PacketNetwork::lane_of(Port& port, std::size_t lane) const {
  return lanes_ == 1 ? port.only : port.several[lane];
}
inline const PacketNetwork::Lane& PacketNetwork::lane_of(const Port& port, std::size_t lane) const {
  return lanes_ == 1 ? port.only : port.several[lane];
}

/// What a part of the network has sent to another.
struct PacketNetwork::Mail {
  /// A packet on a cable: its head will be at the other end.
  struct Arrival {
    Time when;
    Packet* packet;
  };
  /// Room in the buffer at the end of a link.
  struct Freed {
    Time when;
    Time heard;  ///< When its sender knows.
    LinkId link;
    std::uint32_t flits;
    std::uint8_t lane;
  };
  std::vector<Arrival> packets;
  std::vector<Freed> credits;
};

/// What a part knows of the division.
struct PacketNetwork::Share {
  std::uint32_t part_of(const Packet& packet) const;
  Mail& mail_to(std::uint32_t part) { return outgoing[parity ^ 1][part]; }

  PacketPlaces places;
  std::uint32_t me;
  std::vector<Mail> outgoing[2];  ///< By part; others read the ones while new ones are written.
  unsigned parity;                ///< Of those that are complete.
};

}  // namespace heddle::network
