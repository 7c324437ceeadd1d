// The packet model: packets of flits through input buffers, arbiters and output buffers, with
// credits per lane.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "network/network.hpp"
#include "network/packet/config.hpp"
#include "network/packet/lane_arbiter.hpp"
#include "network/packet/sink.hpp"
#include "network/pool.hpp"

namespace heddle::network {

/// What happened at the sending side of a link.
struct PortStats {
  LinkId link;
  std::int64_t packets = 0;
  std::int64_t bytes = 0;            ///< On the wire, headers included.
  Time busy;                         ///< The wire carried data.
  std::int64_t max_queue_flits = 0;  ///< Waiting for this output at once.
  std::int64_t credit_stalls = 0;    ///< Times that a packet had to wait for credits.
  Time credit_stalled;               ///< How long, in all.
  std::int64_t marked = 0;           ///< Packets marked for congestion.
};

/// Two events per packet and hop: its head reaches the next buffer, and the arbiter lets it pass.
/// The flits behind the head, the pauses of sinks and idle flow-control packets are arithmetic.
///
/// A packet starts on an output when the far buffer has room for all of it, by what flow-control
/// packets have told; it is never interleaved with another. Its flits follow one another at the
/// speed of the slowest link so far.
class PacketNetwork final : public Network, private platform::LoadView {
 public:
  PacketNetwork(Simulation& simulation, const platform::Platform& platform,
                const PacketConfig& config);
  ~PacketNetwork() override;
  static const ParamTable<PacketConfig>& table() { return packet_table(); }

  void start(const Transfer& transfer) override;

  /// Packets times links that they have crossed.
  std::int64_t packet_hops() const { return packet_hops_; }
  /// Of every link that carried a packet, in order of LinkId.
  std::vector<PortStats> port_stats() const;
  /// Packets that are still under way; with no event left they wait for each other's credits in a
  /// circle.
  std::size_t packets_in_flight() const;

 private:
  struct Message;
  struct Packet;
  struct Lane;
  struct Port;
  struct Host;

  std::int64_t load(LinkId link) const override;
  Port& port(LinkId link);
  Host& host(NodeId node);

  // Sending.
  void offer_next(Host& host, int lane);
  Message* next_message(Host& host, int lane);
  Packet& cut_packet(Message& message);
  void notify_source(const Packet& packet);

  // At a switch or host.
  void arrived(Packet& packet);
  void enter_queue(Packet& packet, Port& output);
  void wake(Port& port, Time when);
  void serve(Port& port);
  Packet* choose(Port& port);
  Packet* choose_in_lane(Port& port, int lane);
  bool has_credits(Port& port, int lane, const Packet& packet);
  void wait_for_credits(Port& port, int lane, const Packet& packet);
  void grant(Port& port, Packet& packet);
  void sent_from_source(Packet& packet, Port& port, Time begin);
  void mark_if_congested(Port& port, Packet& packet);
  Time after_credit_packet(Port& port, Time begin);
  void free_buffer(Packet& packet, Time when);
  Time last_credit_packet(Port& port, Time now);
  Time credit_packet_arrival(Port& port, Time freed);
  Time credit_packet_departure(Port& port, std::int64_t tick);

  // At the end.
  void enter_sink(Host& host, Packet& packet);
  void drain(Host& host, Time until);
  void finish(Packet& packet);

  Simulation& simulation_;
  const platform::Platform& platform_;
  PacketConfig config_;
  std::vector<LaneWeight> high_table_;
  std::vector<LaneWeight> low_table_;
  EventSource source_;
  std::uint32_t next_salt_ = 0;
  std::int64_t packet_hops_ = 0;
  std::vector<std::uint32_t> port_of_link_;  ///< Index into ports_ plus one; 0: not used yet.
  std::vector<std::uint32_t> host_of_node_;
  std::deque<Port> ports_;
  std::deque<Host> hosts_;
  Pool<Message> messages_;
  Pool<Packet> packets_;
};

}  // namespace heddle::network
