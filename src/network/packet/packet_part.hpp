// A packet network, or one part of it, with a clock.
#pragma once

#include <memory>

#include "network/packet/arrival_counts.hpp"
#include "network/packet/packet_foresight.hpp"
#include "network/packet/packet_records.hpp"
#include "network/packet/part_border.hpp"
#include "network/packet/port_loads.hpp"
#include "network/packet/switch_buffers.hpp"
#include "network/packet/used_hosts.hpp"
#include "network/packet/used_ports.hpp"

namespace heddle::network {

/// Leads packets from port to port and to the host where they end.
///
/// One or two events per packet and hop: its head reaches the next buffer, and the arbiter lets it
/// pass, which needs an event only where others may come first. The flits behind the head, the
/// pauses of sinks and flow-control packets are arithmetic.
///
/// In one instant packets arrive before arbiters have their turn, each in the order of links: what
/// happens does not depend on what was scheduled first.
class PacketPart final : public Network, private PacketSurroundings {
 public:
  /// All of a network. The plan must outlive it.
  PacketPart(Simulation& simulation, const PacketPlan& plan);
  /// The part `me` of a divided one.
  PacketPart(Simulation& simulation, const PacketPlan& plan, const PacketPlaces& places,
             std::uint32_t me);

  void start(const Transfer& transfer) override;
  /// The packet's head is at the end of its link, or the packet at its destination.
  void arrived(Packet& packet);
  const PacketForesight& foresight() const { return foresight_; }

  // Looking on.
  /// The port of a link; null if it has not been used.
  const OutputPort* port_at(LinkId link) const override { return ports_.find(link); }
  const PacketRecords& records() const { return records_; }
  /// Null: as large as credits say.
  const SwitchBuffers* buffers() const { return buffers_.get(); }
  /// A sum over all packets that have been let pass: it does not depend on the order in which
  /// different ports are served.
  std::uint64_t fingerprint() const { return fingerprint_; }
  PacketCounts packets_arrived() const override;

  // Of one that is a part.
  /// Its window is over. The first thing that it is going to do, or has caused elsewhere.
  Time settle();
  /// What another part has sent here in the window before.
  void take_from(const PacketPart& other, std::size_t me);

 private:
  OutputPort* next_output(Packet& packet) override;
  void sent(Packet& packet, OutputPort& port, Time there) override;
  void lost(Packet& packet, OutputPort& port, Time when) override;
  void left_source(Packet& packet, Time begin, Time end) override;
  void escape(Packet& packet, const OutputPort& port) override;
  void left_buffer(const Packet& packet, Time when) override;
  void ended(Packet& packet) override;
  void foresee_source(const Packet& packet) const override { foresight_.foresee_source(packet); }

  LinkId next_link(platform::Walk& walk) const;
  void choose_lane(Packet& packet, LinkId link) const;
  bool is_told_otherwise(const Packet& packet, Time when);
  bool hosts_have_buffers() const;
  bool has_room(Packet& packet, const OutputPort* output);
  void ended_tracked(TrackedPacket& packet);
  void notify_source(const Packet& packet);

  const PacketPlan& plan_;
  Simulation& simulation_;
  PacketRecords records_;
  PacketContext context_;
  UsedPorts ports_;
  UsedHosts hosts_;
  UsedCrossbars crossbars_;
  PortLoads loads_;
  PacketForesight foresight_;
  std::uint64_t fingerprint_ = 0;
  ArrivalCounts arrivals_;
  std::unique_ptr<PartBorder> border_;      ///< Of one that is a part.
  std::unique_ptr<SwitchBuffers> buffers_;  ///< Null: as large as credits say.
};

}  // namespace heddle::network
