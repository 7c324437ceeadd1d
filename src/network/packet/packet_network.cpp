#include "network/packet/packet_network.hpp"

#include <algorithm>

#include "network/packet/packet_parts.hpp"

namespace heddle::network {
namespace {

void check(const PacketConfig& config) {
  if (config.max_packet <= config.header) {
    throw InputError({"packet.max_packet"}, "accepted is more than packet.header");
  }
  const std::int64_t flits =
      (config.max_packet.count() + config.flit.count() - 1) / config.flit.count();
  if (flits > config.buffer || flits >= config.switch_output || flits >= config.host_output) {
    throw InputError({"packet.max_packet"},
                     "a packet of " + std::to_string(flits) +
                         " flits does not fit: packet.buffer must hold it, packet.switch_output "
                         "and packet.host_output must hold more");
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
      crossbar_flit_(config.crossbar.time_for(config.flit)),
      high_table_(parse_lane_table(config.high_table, config.lanes, {"packet.high_table"})),
      low_table_(parse_lane_table(config.low_table, config.lanes, {"packet.low_table"})),
      idle_clock_(config.credit_period, Time::zero()),
      source_(simulation.new_source()),
      port_of_link_(platform.link_ids()),
      host_of_node_(platform.nodes()) {
  check(config);
  link_bytes_.resize(platform.link_ids());
}

PacketNetwork::~PacketNetwork() = default;

// --- The parts of the machine.

PacketNetwork::Port::Port(PacketNetwork& owner, LinkId link)
    : network(owner),
      bandwidth(tighter(owner.platform_.link(link).bandwidth, owner.platform_.link(link).flow_cap)),
      flit_time(bandwidth.time_for(owner.config_.flit)),
      clock(owner.config_.credit_period, bandwidth.time_for(owner.config_.credit_packet)),
      arbiter(owner.high_table_, owner.low_table_, owner.config_.high_limit) {
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
  stats.link = link;
  lanes.reserve(static_cast<std::size_t>(config.lanes));
  for (std::int64_t lane = 0; lane < config.lanes; ++lane) lanes.emplace_back(config.buffer);
}

PacketNetwork::Host::Host(PacketNetwork& owner)
    : network(owner),
      sink({owner.config_.sink, owner.config_.sink_pause, owner.config_.sink_between}),
      outboxes(static_cast<std::size_t>(owner.config_.lanes)) {}

PacketNetwork::Port& PacketNetwork::port(LinkId link) {
  Port* known = port_of_link_[index(link)];
  return known != nullptr ? *known : make_port(link);
}

/// Both directions of a full-duplex cable are made together: each carries the other's credits.
PacketNetwork::Port& PacketNetwork::make_port(LinkId link) {
  Port& made = *(port_of_link_[index(link)] = &ports_.emplace_back(*this, link));
  if (platform_.link(link).duplex == platform::Duplex::half) return made;
  const LinkId other = reverse(link);
  made.back = port_of_link_[index(other)] = &ports_.emplace_back(*this, other);
  made.back->back = &made;
  return made;
}

PacketNetwork::Host& PacketNetwork::host(NodeId node) {
  Host*& known = host_of_node_[index(node)];
  if (known == nullptr) known = &hosts_.emplace_back(*this);
  return *known;
}

std::int64_t PacketNetwork::load(LinkId link) const {
  const Port* port = port_of_link_[index(platform_.capacity(link))];
  if (port == nullptr) return 0;
  std::int64_t waiting = 0;
  for (const Lane& lane : port->lanes) waiting += lane.waiting_flits;
  const Time backlog = std::max(Time::zero(), port->wire_free - simulation_.now());
  return (backlog + port->flit_time * waiting).ps();
}

// --- Looking on.

std::vector<PortStats> PacketNetwork::port_stats() const {
  std::vector<PortStats> all;
  for (const Port* port : port_of_link_) {
    if (port != nullptr && port->stats.packets > 0) all.push_back(port->stats);
  }
  return all;
}

std::vector<LinkStatistic> PacketNetwork::link_statistics(LinkId link) const {
  const Port* port = port_of_link_[index(link)];
  const PortStats stats = port == nullptr ? PortStats{} : port->stats;
  return {{"packets", stats.packets},
          {"max_queue_flits", stats.max_queue_flits},
          {"credit_stalls", stats.credit_stalls},
          {"credit_stalled_ns", stats.credit_stalled.ps() / 1000},
          {"marked", stats.marked}};
}

std::size_t PacketNetwork::packets_in_flight() const {
  return packets_.in_use();
}

std::string PacketNetwork::stuck() const {
  if (packets_in_flight() == 0) return "";
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> waiting = waiting_for_credits(false);
  for (std::string& at_source : waiting_for_credits(true)) waiting.push_back(std::move(at_source));
  const std::size_t more = waiting.size() - std::min(waiting.size(), kNamed);
  waiting.resize(waiting.size() - more);
  if (more > 0) waiting.push_back("and at " + std::to_string(more) + " more");
  return "deadlock: " + std::to_string(packets_in_flight()) +
         " packets wait for each other: " + joined(waiting) +
         "; packet.lane_by=hop with more packet.lanes, or routes without cycles, avoid it";
}

/// "2 for credits of s0->s1 lane 0" for every lane where packets wait, at hosts or at switches.
std::vector<std::string> PacketNetwork::waiting_for_credits(bool at_hosts) const {
  std::vector<std::string> waiting;
  for (const Port* port : port_of_link_) {
    if (port == nullptr || port->from_host != at_hosts) continue;
    for (std::size_t lane = 0; lane < port->lanes.size(); ++lane) {
      const std::int64_t packets = port->lanes[lane].waiting_packets;
      if (packets == 0) continue;
      waiting.push_back(std::to_string(packets) + " for credits of " +
                        platform_.link_name(port->stats.link) + " lane " + std::to_string(lane));
    }
  }
  return waiting;
}

}  // namespace heddle::network
