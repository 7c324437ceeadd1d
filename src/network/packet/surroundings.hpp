// What the ports and hosts of a packet network have around them.
#pragma once

#include <compare>

#include "core/ids.hpp"
#include "core/simulation.hpp"
#include "platform/platform.hpp"

namespace heddle::network {

struct Message;
struct Packet;
struct PacketPlan;
struct TrackedPacket;
class OutputPort;

/// Where packets come from.
class PacketSupply {
 public:
  /// A packet of the message, at the beginning of its route.
  virtual Packet& new_packet(const Message& message) = 0;
  /// One of a flow, or of what flows tell each other, likewise.
  virtual TrackedPacket& new_tracked_packet(const platform::Endpoint& from,
                                            const platform::Endpoint& to) = 0;
  /// All packets of the message have been acknowledged: it may be used for another one.
  virtual void acknowledged(Message& message) = 0;

 protected:
  ~PacketSupply() = default;
};

/// Whom a port or a host hands on to: a part of a network, or a test. Ports and hosts know nothing
/// else of each other but the port before, whose credits they give back.
class PacketSurroundings {
 public:
  /// The output that the packet takes next; null at its end.
  virtual OutputPort* next_output(Packet& packet) = 0;
  /// The packet has passed `port`: its head will be at the other end of the link at `there`.
  virtual void sent(Packet& packet, OutputPort& port, Time there) = 0;
  /// The packet has passed `port`, and is lost on its link at `when`, its last flit having left.
  virtual void lost(Packet& packet, OutputPort& port, Time when) = 0;
  /// The packet, its first link passed, leaves its source from `begin` to `end`.
  virtual void left_source(Packet& packet, Time begin, Time end) = 0;
  /// The packet, which was to take `port` next, goes by its escape route: it enters another port or
  /// another lane of the same.
  virtual void escape(Packet& packet, const OutputPort& port) = 0;
  /// The packet leaves the buffer at the end of the link that it came over at `when`.
  virtual void left_buffer(const Packet& packet, Time when) = 0;
  /// The packet is at its destination, and may be used for another one.
  virtual void ended(Packet& packet) = 0;
  /// The packet is about to leave its source: asks for the memory that it needs there.
  virtual void foresee_source(const Packet& packet) const = 0;
  /// The port of a link, as far as there is one; only to ask for its memory.
  virtual const OutputPort* port_at(LinkId link) const = 0;

 protected:
  ~PacketSurroundings() = default;
};

/// What every port and host of one part works with; outlives them.
struct PacketContext {
  /// Those of one part are the same.
  auto operator<=>(const PacketContext& other) const { return &simulation <=> &other.simulation; }

  const PacketPlan& plan;
  Simulation& simulation;
  PacketSurroundings& around;
  PacketSupply& supply;
};

}  // namespace heddle::network
