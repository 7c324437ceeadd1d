// What a packet network is made of: messages, packets, output ports and hosts.
#pragma once

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
struct PacketNetwork::Message final : public Event {
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
struct alignas(64) PacketNetwork::Packet final : public Event {
  explicit Packet(PacketNetwork& owner) : network(&owner) {}
  void fire() override { network->arrived(*this); }
  void foresee() const override { network->foresee(*this); }

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

  // Of a buffer in order.
  Port* output = nullptr;    ///< Where it waits.
  Packet* behind = nullptr;  ///< The packet that came next.
};

/// One lane of an output: who waits for it, and the credits of the buffer at the far end.
struct alignas(64) PacketNetwork::Lane {
  /// The packets of one input that wait for this output, in order.
  struct Queue {
    LinkId input = kNoLink;
    Packet* head = nullptr;
    Packet* tail = nullptr;
  };
  void append(Packet& packet);
  void remove_first(Packet& packet);
  /// Asks for the memory that news of credits needs.
  void foresee_credits() const {
    const auto* const news = reinterpret_cast<const char*>(&lacking);
    prefetch(news);
    prefetch(news + 64);
  }

  ShortList<Queue, 2> queues;  ///< Of inputs with packets, ascending.

  LinkId last_turn = kNoLink;  ///< The input served last; those behind it have their turn first.
  std::uint32_t waiting_packets = 0;
  std::int64_t waiting_flits = 0;
  Time stalled_since = Time::never();
  Time last_lack = Time::ps(-1);  ///< When a packet last had to wait for credits.
  std::int64_t sink_freed = 0;    ///< Of the far host's drained flits, those counted as credits.
  // Of a buffer in order at the far end: the packets to leave it next and last.
  Packet* oldest = nullptr;
  Packet* newest = nullptr;
  /// Flits for which no credits were known; of several, the least.
  alignas(64) std::int64_t lacking = 0;
  Credits credits;
};

/// The lanes of an output.
class PacketNetwork::Lanes {
 public:
  Lanes(Lane* first, std::size_t count) : first_(first), size_(count) {}
  std::size_t size() const { return size_; }
  Lane& operator[](std::size_t lane) { return first_[lane]; }
  const Lane& operator[](std::size_t lane) const { return first_[lane]; }
  Lane* begin() { return first_; }
  Lane* end() { return first_ + size_; }
  const Lane* begin() const { return first_; }
  const Lane* end() const { return first_ + size_; }

 private:
  Lane* first_;
  std::size_t size_;
};

/// What two directions share if the cable is half duplex; of a full-duplex one each has its own.
struct PacketNetwork::Wire {
  Time free;
};

/// What happened at the sending side of a link.
struct PacketNetwork::PortStats {
  std::int64_t packets = 0;
  std::int64_t max_queue_flits = 0;  ///< Waiting for this output at once, in one lane.
  std::int64_t credit_stalls = 0;    ///< Times that a packet had to wait for credits.
  Time credit_stalled;               ///< How long, in all.
  std::int64_t marked = 0;           ///< Packets marked for congestion.

  /// Counts what happened at another one as well.
  void add(const PortStats& other);
};

/// The sending side of a link; as an event, its arbiter's turn. Ordered by what is needed together.
struct alignas(64) PacketNetwork::Port final : public Event {
  Port(PacketNetwork& owner, LinkId own_link);
  void fire() override { network.serve(*this); }
  void foresee() const override { network.foresee(*this); }
  std::int64_t waiting_flits() const;
  std::int64_t round_trip_flits() const;
  /// Under which number the host's sink counts the flits of a lane of this link.
  std::size_t sink_account(std::size_t lane) const { return entrance * lanes.size() + lane; }

  LinkId link;
  PacketNetwork& network;
  Time due = Time::never();  ///< When the event is scheduled.
  Time arbiter_free;
  Time to_arbiter;  ///< From a head's arrival to the arbiter.
  Lanes lanes;
  Lane only;  ///< Where there is one lane.

  Wire* shared = &own;
  Wire own;  ///< Unused if it is the other direction's that is shared.
  Bandwidth bandwidth;
  Time flit_time;
  Time wire;     ///< Its latency.
  Time to_wire;  ///< From the arbiter to the wire.
  std::int64_t output_flits = 0;
  EventSource source;

  PortStats stats;
  Host* end_host = nullptr;    ///< Where the link ends, if at a host whose sink takes time ...
  std::uint32_t entrance = 0;  ///< ... and as which of the host's entrances.
  std::uint32_t capacity = 0;  ///< Under which its bytes are counted.
  bool from_host = false;
  bool to_host = false;

  std::unique_ptr<Lane[]> several;  ///< Where there are more.
  std::int64_t buffer_flits = 0;    ///< Of the buffer at the far end, per lane.
  std::int64_t marking = 0;         ///< Packets that could have been marked.
  Port* back = nullptr;             ///< The other direction, which carries the credits of this one.
  CreditClock clock;                ///< Of the flow-control packets that this wire carries.
  LaneArbiter arbiter;
};

/// A node's adapter: messages to send, by lane, and the sink. As an event, the end of a packet.
struct PacketNetwork::Host final : public Event {
  Host(PacketNetwork& owner, NodeId node);
  void fire() override { network.drain(*this, network.simulation_.now()); }

  struct Outbox {
    Message* head = nullptr;
    Message* tail = nullptr;
    Packet* offered = nullptr;
  };
  /// Throttled flows may send again.
  void throttle_over() { network.retry(*this); }

  PacketNetwork& network;
  EventSource source;
  Sink sink;
  std::vector<Port*> entrances;  ///< The links that have brought packets.
  std::vector<Outbox> outboxes;
  std::unordered_map<std::uint32_t, Throttle> throttles;  ///< By destination; looked up only.
  MemberEvent<Host, &Host::throttle_over> retry{*this};
  Time retry_at = Time::never();
};

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
