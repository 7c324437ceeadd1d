// The ports and hosts of a packet network, or of one part of it, with a clock.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "core/record_store.hpp"
#include "network/packet/buffer_pool.hpp"
#include "network/packet/crossbar.hpp"
#include "network/packet/flow_host.hpp"
#include "network/packet/output_port.hpp"
#include "network/packet/part_border.hpp"
#include "network/packet/receiving_host.hpp"
#include "network/packet/sending_host.hpp"
#include "network/packet/switch_buffers.hpp"
#include "network/pool.hpp"

namespace heddle::network {

/// Makes ports and hosts when they are first used, leads packets from one to the next, and ends
/// them.
///
/// One or two events per packet and hop: its head reaches the next buffer, and the arbiter lets it
/// pass, which needs an event only where others may come first. The flits behind the head, the
/// pauses of sinks and flow-control packets are arithmetic.
///
/// In one instant packets arrive before arbiters have their turn, each in the order of links: what
/// happens does not depend on what was scheduled first.
class PacketPart final : public Network, private platform::LoadView, private PacketSurroundings {
 public:
  /// All of a network. The plan must outlive it.
  PacketPart(Simulation& simulation, const PacketPlan& plan);
  /// The part `me` of a divided one.
  PacketPart(Simulation& simulation, const PacketPlan& plan, const PacketPlaces& places,
             std::uint32_t me);

  void start(const Transfer& transfer) override;
  /// The packet's head is at the end of its link, or the packet at its destination.
  void arrived(Packet& packet);
  // What comes soon asks for the memory that it needs.
  void glimpse(const Packet& packet) const;
  void foresee(const Packet& packet) const;
  void expect(const Packet& packet) const;

  // Looking on.
  /// The port of a link; null if it has not been used.
  const OutputPort* port_at(LinkId link) const override { return port_of_link_[index(link)]; }
  /// A sum over all packets that have been let pass: it does not depend on the order in which
  /// different ports are served.
  std::uint64_t fingerprint() const { return fingerprint_; }
  PacketCounts packets_arrived() const override;
  /// What the buffers of switches know of a link, if they know anything.
  std::vector<LinkStatistic> buffer_statistics(LinkId link) const;
  LinkState state_of(const OutputPort& port) const;
  // In use: taken here, less those given back here, which of one part alone may be less than none.
  std::size_t messages() const { return messages_.in_use(); }
  std::size_t packets() const { return packets_.in_use() + tracked_.in_use(); }

  // Of one that is a part.
  /// Its window is over. The first thing that it is going to do, or has caused elsewhere.
  Time settle();
  /// What another part has sent here in the window before.
  void take_from(const PacketPart& other, std::size_t me);

 private:
  struct Host {
    Host(const PacketContext& context, EventSource own_source);
    ReceivingHost receiving;
    SendingHost sending;
    std::unique_ptr<FlowHost>
        flows;  ///< Where packets are tracked; messages within a node are not.
  };

  OutputPort& port(LinkId link);
  OutputPort& make_port(LinkId link);
  Crossbar& crossbar(VertexId of);
  Host& host(const platform::Endpoint& end);
  LinkId next_link(platform::Walk& walk) const;
  std::int64_t load(LinkId link) const override;
  std::int64_t backlog(LinkId link) const override;
  Time now() const override { return simulation_.now(); }
  platform::RouteNotes* notes() const override { return notes_.get(); }

  Packet& new_packet(const Message& message) override;
  TrackedPacket& new_tracked_packet(const platform::Endpoint& from,
                                    const platform::Endpoint& to) override;
  void acknowledged(Message& message) override { messages_.give_back(message); }
  OutputPort* next_output(Packet& packet) override;
  void choose_lane(Packet& packet, LinkId link) const;
  void sent(Packet& packet, OutputPort& port, Time there) override;
  void lost(Packet& packet, OutputPort& port, Time when) override;
  void left_source(Packet& packet, Time begin, Time end) override;
  void escape(Packet& packet, const OutputPort& port) override;
  void left_buffer(const Packet& packet, Time when) override;
  FifoBuffer& buffer_of(const Packet& packet) override;
  void ended(Packet& packet) override;
  void foresee_source(const Packet& packet) const override;
  void ended_tracked(TrackedPacket& packet);
  void lose(Packet& packet);
  bool hosts_have_buffers() const;
  void give_back(TrackedPacket& packet);
  bool has_room(Packet& packet, const OutputPort* output);
  void report_end(Message& message);
  void notify_source(const Packet& packet);
  void count(const Packet& packet);
  void note_order(const Packet& packet);

  const PacketPlan& plan_;
  Simulation& simulation_;
  PacketContext context_;
  std::vector<EventSource> sources_;  ///< By link, then by adapter, then by vertex where crossbars
                                      ///< are allocated: the order of simultaneous events.
  std::uint32_t next_salt_;
  std::vector<OutputPort*> port_of_link_;  ///< Null: not used yet.
  std::vector<Host*> host_of_adapter_;
  std::vector<std::unique_ptr<Crossbar>> crossbar_of_vertex_;  ///< Where there is an allocation.
  std::set<PortKind> kinds_;
  std::unique_ptr<BufferPools> pools_;  ///< Where lanes share buffers.
  RecordStore<OutputPort, 8> ports_;
  RecordStore<Host, 8> hosts_;
  Pool<Message> messages_;
  Pool<Packet> packets_;
  Pool<TrackedPacket> tracked_;
  Pool<PathNews> paths_;
  std::uint64_t fingerprint_ = 0;
  PacketCounts arrived_;
  std::unique_ptr<platform::RouteNotes> notes_;  ///< Of the routing, if it makes any.
  std::unique_ptr<PartBorder> border_;           ///< Of one that is a part.
  std::unique_ptr<SwitchBuffers> buffers_;       ///< Null: as large as credits say.
};

}  // namespace heddle::network
