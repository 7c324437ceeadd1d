#include "network/packet/packet_network.hpp"

#include <algorithm>

#include "core/prefetch.hpp"
#include "network/packet/packet_parts.hpp"

namespace heddle::network {
namespace {

constexpr std::int64_t kUsualBuffer = 200;
constexpr std::int64_t kUnlimited = INT64_MAX / 4;

std::int64_t flits_of(Bytes size, const PacketConfig& config) {
  return (size.count() + config.flit.count() - 1) / config.flit.count();
}

void check(const PacketConfig& config, const platform::Platform& platform) {
  if (platform.topology().has_distances()) {
    throw InputError({"network"},
                     "packet knows the latencies of links only, and the peers of this machine are "
                     "at a distance besides: accepted are fluid, queue and loggops");
  }
  if (config.max_packet <= config.header) {
    throw InputError({"packet.max_packet"}, "accepted is more than packet.header");
  }
  const std::int64_t flits = flits_of(config.max_packet, config);
  if (flits > config.buffer.value_or(flits) || flits >= config.switch_output ||
      flits >= config.host_output) {
    throw InputError({"packet.max_packet"},
                     "a packet of " + std::to_string(flits) +
                         " flits does not fit: packet.buffer must hold it, packet.switch_output "
                         "and packet.host_output must hold more");
  }
  if (config.cct_min > config.cct_limit) {
    throw InputError({"packet.cct_min"}, "accepted is at most packet.cct_limit");
  }
  if (config.sink_pause > Time::zero() && config.sink_between <= Time::ns(1)) {
    throw InputError({"packet.sink_between"}, "accepted with pauses is more than 1ns");
  }
}

}  // namespace

PacketNetwork::PacketNetwork(Simulation& simulation, const platform::Platform& platform,
                             const PacketConfig& config)
    : simulation_(simulation),
      platform_(platform),
      config_(config),
      fixed_routes_(platform.routing().choice() == platform::RouteChoice::fixed),
      credit_packets_(config.credit_period > Time::zero()),
      in_order_(config.input_queue == InputQueue::fifo),
      foreseeable_(fixed_routes_ && !credit_packets_ && !in_order_),
      crossbar_flit_(config.crossbar.time_for(config.flit)),
      idle_clock_(config.credit_period, Time::zero()),
      next_salt_(first_salt(simulation)),
      port_of_link_(platform.link_ids()),
      host_of_node_(platform.nodes()) {
  check(config, platform);
  choose_lanes();
  sources_.reserve(std::size_t{platform.link_ids()} + platform.nodes());
  while (sources_.size() < sources_.capacity()) sources_.push_back(simulation.new_source());
}

PacketNetwork::~PacketNetwork() = default;

// --- The parts of the machine.

PacketNetwork::PortKind::PortKind(PacketNetwork& owner, LinkId link)
    : network(&owner),
      lanes(owner.lanes_),
      bandwidth(tighter(owner.platform_.link(link).bandwidth, owner.platform_.link(link).flow_cap)),
      flit_time(bandwidth.time_for(owner.config_.flit)) {
  const PacketConfig& config = owner.config_;
  const auto is_host = [&owner](VertexId v) {
    return v == kNoVertex || !owner.platform_.topology().is_switch(v);
  };
  from_host = is_host(owner.platform_.ends(link).from);
  to_host = is_host(owner.platform_.ends(link).to);
  const Time delay = from_host ? Time::zero() : owner.platform_.switches().latency;
  wire = owner.platform_.link(link).latency - delay;
  to_arbiter = delay / 2;
  to_wire = delay - to_arbiter;
  output_flits = from_host ? config.host_output : config.switch_output;
  buffer_flits = owner.platform_.is_loopback(link) ? kUnlimited
                 : config.buffer                   ? *config.buffer
                                                   : std::max(kUsualBuffer, round_trip_flits());
}

/// What passes the wire, packet behind packet, from the grant of one to the news that it has left
/// the far buffer; and two packets, as both ends of that time may fall into one.
std::int64_t PacketNetwork::PortKind::round_trip_flits() const {
  if (flit_time == Time::zero()) return kUnlimited;
  const PacketConfig& config = network->config_;
  const std::int64_t packet = flits_of(config.max_packet, config);
  const Time far_arbiter = to_host ? Time::zero() : network->platform_.switches().latency / 2;
  Time trip = to_wire + wire * 2 + far_arbiter + flit_time * packet;
  if (config.credit_period > Time::zero()) trip += config.credit_period + flit_time * packet;
  return 2 * packet + (trip.ps() + flit_time.ps() - 1) / flit_time.ps();
}

PacketNetwork::Port::Port(const PortKind& own_kind, LinkId own_link)
    : link(own_link),
      kind(&own_kind),
      source(own_kind.network->sources_[index(own_link)]),
      clock(own_kind.network->config_.credit_period,
            own_kind.bandwidth.time_for(own_kind.network->config_.credit_packet)) {
  if (kind->lanes > 1) {
    const PacketNetwork& owner = *kind->network;
    several = std::make_unique<Lane[]>(kind->lanes);
    arbiter = std::make_unique<LaneArbiter>(owner.high_table_, owner.low_table_,
                                            owner.config_.high_limit);
  }
  for (Lane& lane : lanes()) lane.credits = Credits(kind->buffer_flits);
}

PacketNetwork::Host::Host(PacketNetwork& owner, NodeId node)
    : network(owner),
      source(owner.sources_[owner.port_of_link_.size() + index(node)]),
      sink({owner.config_.sink, owner.config_.sink_pause, owner.config_.sink_between}),
      further(owner.lanes_ - 1) {}

// What comes soon asks for the memory that it needs, as if there were one lane.

void PacketNetwork::glimpse(const Packet& packet) const {
  if (packet.before != nullptr) prefetch(&packet.before->only.lacking);
  if (packet.at_end || packet.coming == kNoLink) {
    prefetch_whole(*packet.message);
    if (packet.before != nullptr) prefetch(&packet.before->only.last_turn);
  } else {
    prefetch(&port_of_link_[index(packet.coming)]);
  }
}

void PacketNetwork::foresee(const Packet& packet) const {
  if (packet.at_end || packet.coming == kNoLink) {
    if (packet.before == nullptr || packet.before->only.end_host == nullptr) return;
    prefetch(packet.before->only.end_host);
    return packet.before->only.end_host->foresee_sink();
  }
  constexpr std::size_t kPassing = 4;  ///< Lines of a port that letting a packet pass needs.
  if (const Port* const port = port_of_link_[index(packet.coming)]) prefetch_lines(port, kPassing);
}

/// Of an arbiter's turn: its credits, and who waits; at a source that is one ...
void PacketNetwork::glimpse(const Port& port) const {
  const Lane& lane = port.only;
  prefetch(&lane.lacking);
  if (credit_packets_) port.foresee_clock();
  if (lane.queues.is_out()) return lane.queues.foresee();
  if (!lane.queues.empty() && lane.queues[0].input == kNoLink) lane.queues[0].head->foresee_hop();
}

/// ... then what tells it of credits, the packet that it is likely to let pass, and whose buffer
/// that leaves.
void PacketNetwork::foresee(const Port& port) const {
  const Lane& lane = port.only;
  if (credit_packets_ && port.back != nullptr) port.back->foresee_clock();
  lane.credits.foresee();
  if (lane.end_host != nullptr) lane.end_host->foresee_sink();
  if (lane.queues.empty()) return;
  const Lane::Queue& queue = lane.queues[lane.turn()];
  if (queue.input == kNoLink) return prefetch_whole(*queue.head->message);
  queue.head->foresee_hop();
  if (const Port* const before = port_of_link_[index(queue.input)]) prefetch(&before->only.lacking);
}

/// Of the end of a packet at a sink: the packet, and the credits of those who sent.
void PacketNetwork::foresee(const Host& host) const {
  for (const Port* entrance : host.entrances) {
    prefetch(&entrance->only.last_turn);
    prefetch(&entrance->only.lacking);
    if (credit_packets_) prefetch(&entrance->back);
  }
  if (host.sink.empty()) return;
  static_cast<const Packet*>(host.sink.front().packet)->foresee_hop();
}

void PacketNetwork::expect(const Host& host) const {
  for (const Port* entrance : host.entrances) {
    entrance->only.credits.foresee();
    if (credit_packets_ && entrance->back != nullptr) entrance->back->foresee_clock();
  }
  if (!host.sink.empty())
    prefetch_whole(*static_cast<const Packet*>(host.sink.front().packet)->message);
}

PacketNetwork::Port& PacketNetwork::port(LinkId link) {
  Port* known = port_of_link_[index(link)];
  return known != nullptr ? *known : make_port(link);
}

/// Both directions of a cable are made together. Full duplex, each carries the other's credits;
/// half duplex, they have queues and credits of their own and share the wire's time.
PacketNetwork::Port& PacketNetwork::make_port(LinkId link) {
  const LinkId other = reverse(link);
  const bool half = platform_.link(link).duplex == platform::Duplex::half;
  const auto make = [this](LinkId made) -> Port& {
    return *(port_of_link_[index(made)] = &ports_.add(*kinds_.emplace(*this, made).first, made));
  };
  Port& made = make(link);
  Port& back = make(other);
  if (half) {
    back.shared = made.shared;
    return made;
  }
  made.back = &back;
  back.back = &made;
  return made;
}

LinkId PacketNetwork::next_link(platform::Walk& walk) const {
  const LinkId taken = platform_.next(walk, *this);
  return taken == kNoLink ? kNoLink : platform::Platform::direction(walk, taken);
}

/// The output that the packet takes next; null at its end.
PacketNetwork::Port* PacketNetwork::next_port(Packet& packet) {
  const LinkId next =
      fixed_routes_ && packet.before != nullptr ? packet.coming : next_link(packet.walk);
  return next == kNoLink ? nullptr : &port(next);
}

PacketNetwork::Host& PacketNetwork::host(NodeId node) {
  Host*& known = host_of_node_[index(node)];
  if (known == nullptr) known = &hosts_.add(*this, node);
  return *known;
}

std::int64_t PacketNetwork::load(LinkId link) const {
  const Port* port = port_of_link_[index(link)];
  if (port == nullptr) return 0;
  std::int64_t waiting = port->waiting_flits();
  if (const Port* other = port_of_link_[index(reverse(link))]; other->shared == port->shared)
    waiting += other->waiting_flits();
  const Time backlog = std::max(Time::zero(), port->shared->free - simulation_.now());
  return (backlog + port->kind->flit_time * waiting).ps();
}

std::int64_t PacketNetwork::Port::waiting_flits() const {
  std::int64_t waiting = 0;
  for (const Lane& lane : lanes()) waiting += lane.waiting_flits;
  return waiting;
}

// --- Looking on.

LinkBytes PacketNetwork::carried() const {
  LinkBytes carried(port_of_link_.size());
  for (const Port* port : port_of_link_) {
    if (port == nullptr) continue;
    for (const Lane& lane : port->lanes())
      carried[index(platform_.capacity(port->link))] += lane.bytes;
  }
  return carried;
}

std::vector<LinkStatistic> PacketNetwork::link_statistics(LinkId link) const {
  PortStats stats;
  std::int64_t packets = 0;
  std::int64_t max_waiting_flits = 0;
  for (const LinkId direction : {link, reverse(link)}) {
    const Port* port = port_of_link_[index(direction)];
    if (port == nullptr || platform_.capacity(direction) != link) continue;
    for (const Lane& lane : port->lanes()) {
      packets += lane.packets;
      max_waiting_flits = std::max(max_waiting_flits, lane.max_waiting_flits);
    }
    stats.credit_stalls += port->stats.credit_stalls;
    stats.credit_stalled += port->stats.credit_stalled;
    stats.marked += port->stats.marked;
  }
  return {{"packets", packets},
          {"max_queue_flits", max_waiting_flits},
          {"credit_stalls", stats.credit_stalls},
          {"credit_stalled_ps", stats.credit_stalled.ps()},
          {"marked", stats.marked}};
}

std::string PacketNetwork::stuck() const {
  const UnderWay held = under_way();
  if (held.messages == 0) return "";
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> waiting = waiting_for_credits(false);
  for (std::string& at_source : waiting_for_credits(true)) waiting.push_back(std::move(at_source));
  const std::size_t more = waiting.size() - std::min(waiting.size(), kNamed);
  waiting.resize(waiting.size() - more);
  if (more > 0) waiting.push_back("and at " + std::to_string(more) + " more");
  return "deadlock: " + std::to_string(held.packets) + " packets of " +
         std::to_string(held.messages) + " messages wait for each other: " + joined(waiting) +
         "; " + deadlock_advice();
}

/// "2 for credits of s0->s1 lane 0" for every lane where packets wait, at hosts or at switches.
std::vector<std::string> PacketNetwork::waiting_for_credits(bool at_hosts) const {
  std::vector<std::string> waiting;
  for (const Port* port : port_of_link_) {
    if (port == nullptr || port->kind->from_host != at_hosts) continue;
    for (std::size_t lane = 0; lane < port->lanes().size(); ++lane) {
      const std::int64_t packets = port->lanes()[lane].waiting_packets;
      if (packets == 0) continue;
      waiting.push_back(std::to_string(packets) + " for credits of " +
                        platform_.link_name(port->link) + " lane " + std::to_string(lane));
    }
  }
  return waiting;
}

}  // namespace heddle::network
