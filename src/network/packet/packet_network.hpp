// The packet model: packets of flits through input buffers, arbiters and output buffers, with
// credits per lane.
#pragma once

#include <set>

#include "core/record_store.hpp"
#include "network/network.hpp"
#include "network/packet/config.hpp"
#include "network/packet/credit_clock.hpp"
#include "network/packet/lane_arbiter.hpp"
#include "network/pool.hpp"

namespace heddle::network {

class DividedPackets;
struct PacketPlaces;

/// One or two events per packet and hop: its head reaches the next buffer, and the arbiter lets it
/// pass, which needs an event only where others may come first.
/// The flits behind the head, the pauses of sinks and flow-control packets are arithmetic.
///
/// A packet starts on an output when the far buffer has room for all of it, by what flow-control
/// packets have told; it is never interleaved with another. Its flits follow one another at the
/// speed of the slowest link so far.
///
/// In one instant packets arrive before arbiters have their turn, each in the order of links: what
/// happens does not depend on what was scheduled first.
class PacketNetwork final : public Network, private platform::LoadView {
 public:
  /// Throws InputError where packets do not fit into the buffers, or an arbitration table is wrong.
  PacketNetwork(Simulation& simulation, const platform::Platform& platform,
                const PacketConfig& config);
  /// The part `me` of a divided one.
  PacketNetwork(Simulation& simulation, const PacketNetwork& whole, const PacketPlaces& places,
                std::uint32_t me);
  ~PacketNetwork() override;
  static const ParamTable<PacketConfig>& table() { return packet_table(); }

  void start(const Transfer& transfer) override;
  LinkBytes carried() const override;
  std::vector<LinkStatistic> link_statistics(LinkId link) const override;
  std::string stuck() const override;
  /// A sum over all packets that have been let pass: it does not depend on the order in which
  /// different ports are served.
  std::uint64_t fingerprint() const { return fingerprint_; }

  const platform::Platform& platform() const { return platform_; }

  // Several threads.
  /// Why this network cannot be divided, or "".
  std::string indivisible() const;
  /// This one is left as it is until join(), when it knows what happened in all parts. Once only.
  DividedPackets& divide(const PacketPlaces& places);
  void join();

 private:
  friend class DividedPackets;
  struct Message;
  struct Packet;
  struct PlainPacket;
  struct OrderedPacket;
  struct Lane;
  struct PortKind;
  struct Wire;
  struct PortStats;
  struct Port;
  struct Host;
  struct Mail;
  struct Share;

  // Lanes: packet_lanes.cpp.
  void choose_lanes();
  void check_lane(std::size_t lane, const std::string& user) const;
  int first_lane(const Transfer& transfer) const;
  void climb(Packet& packet) const;
  std::string deadlock_advice() const;

  // The parts of the machine, made when first used.
  void glimpse(const Packet& packet) const;
  void foresee(const Packet& packet) const;
  void glimpse(const Port& port) const;
  void foresee(const Port& port) const;
  void foresee(const Host& host) const;
  void expect(const Host& host) const;
  Port& port(LinkId link);
  Port& make_port(LinkId link);
  Lane& lane_of(Port& port, std::size_t lane) const;
  const Lane& lane_of(const Port& port, std::size_t lane) const;
  Host& host(NodeId node);
  LinkId next_link(platform::Walk& walk) const;
  Port* next_port(Packet& packet);
  std::int64_t load(LinkId link) const override;
  std::vector<std::string> waiting_for_credits(bool at_hosts) const;

  // Sending: packet_injection.cpp.
  std::int64_t max_payload() const { return (config_.max_packet - config_.header).count(); }
  void offer_next(Host& host, int lane);
  void wake(Host& host, Time when);
  void retry(Host& host);
  Message* next_message(Host& host, int lane);
  Time allowed(const Host& host, const Message& message) const;
  Time own_pace(const Message& message) const;
  Packet& cut_packet(Message& message);
  void sent_from_source(Packet& packet, Port& port, Time begin);
  void left_source(Message& message, Time begin, Time end);
  void notify_source(const Packet& packet);

  // Queues, arbiters, credits: packet_arbitration.cpp.
  void arrived(Packet& packet);
  void enter_queue(Packet& packet, Port& output);
  void enter_buffer(OrderedPacket& packet, Port& output);
  void leave_buffer(const OrderedPacket& packet, Time passed);
  bool held_up(const Packet& packet) const;
  void wake(Port& port, Time when);
  void serve(Port& port);
  Packet* choose(Port& port);
  Packet* choose_in_lane(Port& port, int lane);
  bool passes_unhindered(Port& port, const Packet& packet) const;
  static Time room_at(const Port& port, const Packet& packet);
  void grant(Port& port, Packet& packet, Time now, std::int64_t waiting);
  Time begin_on_wire(Port& port, Time passes);
  void count(const Port& port, Lane& lane, const Packet& packet);
  const CreditClock& credits_of(const Port& port) const;
  bool has_credits(Port& port, int lane, const Packet& packet);
  void lacks_credits(Port& port, int lane, const Packet& packet);
  void look_for_credits(Port& port, std::size_t lane);
  Time enough_freed(const Port& port, std::size_t lane) const;
  void free_buffer(const Packet& packet, Time when);
  void take_credits(Port& port, std::size_t lane, Time when, std::int64_t flits);
  void mark_if_congested(Port& port, Packet& packet, std::int64_t waiting);

  // Parts of a network: packet_division.cpp.
  void send(Packet& packet, Port& port, Time there);
  void take(const Mail& mail);
  Time settle();
  const Mail& sent_to(std::size_t part) const;
  struct UnderWay {
    std::size_t messages;
    std::size_t packets;
  };
  UnderWay under_way() const;

  // At the end: packet_delivery.cpp.
  void enter_sink(Host& host, Packet& packet);
  Time last_flit_time(const Port& last, const Packet& packet) const;
  void report_head(Message& message);
  static void enter_host(Port& port, Host& host);
  void drain(Host& host, Time until);
  bool drain_and_credit(Host& host, Time until);
  Bytes payload(const Packet& packet) const;
  void finish(Packet& packet);

  Simulation& simulation_;
  const platform::Platform& platform_;
  PacketConfig config_;
  bool fixed_routes_;
  bool credit_packets_;  ///< There are some.
  bool by_hop_ = false;
  bool in_order_ = false;  ///< Packets leave an input buffer in the order they came.
  bool foreseeable_;  ///< A packet alone at an arbiter may be let pass when it is on its way there.
  std::size_t lanes_ = 1;
  Time crossbar_flit_;  ///< In which a flit passes from input to output.
  std::vector<LaneWeight> high_table_;
  std::vector<LaneWeight> low_table_;
  std::vector<bool> served_;          ///< By lane: whether a table names it.
  CreditClock idle_clock_;            ///< Of a wire that carries no data.
  std::vector<EventSource> sources_;  ///< By link, then by node: the order of simultaneous events.
  std::uint32_t next_salt_;
  std::vector<Port*> port_of_link_;  ///< Null: not used yet.
  std::vector<Host*> host_of_node_;
  std::set<PortKind> kinds_;
  RecordStore<Port, 8> ports_;
  RecordStore<Host, 8> hosts_;
  Pool<Message> messages_;
  Pool<PlainPacket> packets_;
  Pool<OrderedPacket> ordered_packets_;  ///< Those of a network where buffers are in order.
  std::uint64_t fingerprint_ = 0;
  std::unique_ptr<Share> share_;             ///< Of one that is a part.
  std::unique_ptr<DividedPackets> divided_;  ///< Of a whole.
};

/// The network as one of this model, or null.
PacketNetwork* packet_network_of(Network& network);

}  // namespace heddle::network
