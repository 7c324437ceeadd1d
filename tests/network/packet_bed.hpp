// What tests of single ports and hosts share: a plan, a clock, and surroundings that note what is
// handed to them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "network/packet/output_port.hpp"
#include "network/packet/sending_host.hpp"
#include "network/packet/tracked_packet.hpp"
#include "network/support.hpp"

namespace heddle::network {

/// Stands for everything around one port or host.
class NotingSurroundings final : public PacketSurroundings, public PacketSupply {
 public:
  explicit NotingSurroundings(const Simulation& simulation) : simulation_(simulation) {}

  struct Sent {
    const Packet* packet;
    Time there;
  };
  struct Left {
    const Packet* packet;
    Time begin;
    Time end;
  };
  struct Note {
    const Packet* packet;
    Time when;
  };

  Packet& new_packet(const Message&) override { return packets.emplace_back(); }
  TrackedPacket& new_tracked_packet(const platform::Endpoint&, const platform::Endpoint&) override {
    return tracked.emplace_back(nullptr);
  }
  void acknowledged(Message&) override {}
  OutputPort* next_output(Packet&) override { return output; }
  void sent(Packet& packet, OutputPort&, Time there) override {
    sent_packets.push_back({&packet, there});
  }
  void left_source(Packet& packet, Time begin, Time end) override {
    left.push_back({&packet, begin, end});
    if (sender != nullptr) sender->left(packet, begin, end);
  }
  void lost(Packet&, OutputPort&, Time) override {}
  void escape(Packet&, const OutputPort&) override {}
  void left_buffer(const Packet& packet, Time when) override { freed.push_back({&packet, when}); }
  void ended(Packet& packet) override { ends.push_back({&packet, simulation_.now()}); }
  void foresee_source(const Packet&) const override {}
  const OutputPort* port_at(LinkId) const override { return nullptr; }

  OutputPort* output = nullptr;   ///< The next one of every packet.
  SendingHost* sender = nullptr;  ///< Who is told that packets have left.
  std::deque<Packet> packets;     ///< That were made.
  std::deque<TrackedPacket> tracked;
  std::vector<Sent> sent_packets;
  std::vector<Left> left;
  std::vector<Note> freed;
  std::vector<Note> ends;

 private:
  const Simulation& simulation_;
};

inline PacketConfig packet_config(const std::vector<std::string>& assignments) {
  Settings settings({&packet_table()});
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  return settings.get(packet_table());
}

/// Three nodes on one switch: cables of 100 Gb/s, 80 ps per byte and 5.12 ns per flit of 64 B, and
/// 100 ns, a switch of 50 ns, half of which is before its arbiters.
struct PacketBed {
  explicit PacketBed(const std::vector<std::string>& assignments = {})
      : plan(platform, packet_config(assignments)) {}

  /// Of the link from or to a node.
  OutputPort& port(std::uint32_t node, bool from_node) {
    LinkId link{0};
    const auto end = [&] {
      const platform::LinkEnds ends = platform.links().ends(link);
      return from_node ? ends.from : ends.to;
    };
    while (end() != VertexId{node}) link = LinkId{static_cast<std::uint32_t>(index(link) + 1)};
    return ports.emplace_back(kinds.emplace_back(context, link), link, simulation.new_source());
  }
  /// A packet of `bytes` that has come to its arbiter over `before`.
  Packet& packet(std::int64_t bytes, OutputPort* before = nullptr) {
    Packet& made = around.packets.emplace_back();
    made.message = &message;
    made.flits = static_cast<std::uint32_t>((bytes + 63) / 64);
    made.last_bytes = static_cast<std::uint32_t>(bytes - 64 * (made.flits - 1));
    made.head = simulation.now();
    made.before = before;
    if (before != nullptr) made.in = before->link();
    return made;
  }

  platform::Platform platform = star(3);
  PacketPlan plan;
  Simulation simulation;
  NotingSurroundings around{simulation};
  PacketContext context{plan, simulation, around, around};
  Message message;
  std::deque<PortKind> kinds;
  std::deque<OutputPort> ports;
};

}  // namespace heddle::network
