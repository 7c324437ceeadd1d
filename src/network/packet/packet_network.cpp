#include "network/packet/packet_network.hpp"

#include <algorithm>

#include "network/packet/divided_packets.hpp"

namespace heddle::network {

PacketNetwork::PacketNetwork(Simulation& simulation, const platform::Platform& platform,
                             const PacketConfig& config, const Settings& settings)
    : simulation_(simulation),
      plan_(platform, config, settings),
      whole_(std::make_unique<PacketPart>(simulation, plan_)) {}

PacketNetwork::~PacketNetwork() = default;

void PacketNetwork::start(const Transfer& transfer) {
  whole_->start(transfer);
}

// --- Looking on.

/// Those whose sums say what happened: records are taken in one part and given back in another.
std::vector<const PacketPart*> PacketNetwork::parts() const {
  std::vector<const PacketPart*> all = {whole_.get()};
  if (divided_ == nullptr) return all;
  for (std::size_t p = 0; p < divided_->places().parts; ++p) all.push_back(&divided_->network(p));
  return all;
}

const OutputPort* PacketNetwork::port_at(LinkId link) const {
  if (divided_ == nullptr) return whole_->port_at(link);
  return divided_->network(divided_->places().of_link[index(link)]).port_at(link);
}

/// That have been used, by their links.
std::vector<const OutputPort*> PacketNetwork::ports() const {
  std::vector<const OutputPort*> used;
  for (std::uint32_t link = 0; link < plan_.platform.links().ids(); ++link) {
    if (const OutputPort* const port = port_at(LinkId{link})) used.push_back(port);
  }
  return used;
}

std::uint64_t PacketNetwork::fingerprint() const {
  std::uint64_t sum = 0;
  for (const PacketPart* part : parts()) sum += part->fingerprint();
  return sum;
}

Bytes PacketNetwork::delivered() const {
  Bytes sum;
  for (const PacketPart* part : parts()) sum += part->delivered();
  return sum;
}

PacketCounts PacketNetwork::packets_arrived() const {
  PacketCounts sum;
  for (const PacketPart* part : parts()) sum += part->packets_arrived();
  return sum;
}

Losses PacketNetwork::losses() const {
  return whole_->losses();
}

LinkId PacketNetwork::lost_on() const {
  return whole_->lost_on();
}

LinkBytes PacketNetwork::carried() const {
  LinkBytes carried(plan_.platform.links().ids());
  for (const OutputPort* port : ports()) {
    std::int64_t& bytes = carried[index(plan_.platform.links().capacity(port->link()))];
    for (std::size_t i = 0; i < plan_.lanes; ++i) bytes += port->lanes()[i].bytes;
  }
  return carried;
}

std::vector<LinkStatistic> PacketNetwork::link_statistics(LinkId link) const {
  std::int64_t packets = 0;
  std::int64_t most_flits = 0;
  std::int64_t stalls = 0;
  Time stalled;
  std::int64_t marked = 0;
  for (const LinkId direction : {link, reverse(link)}) {
    const OutputPort* port = port_at(direction);
    if (port == nullptr || plan_.platform.links().capacity(direction) != link) continue;
    for (std::size_t i = 0; i < plan_.lanes; ++i) {
      const PortLane& lane = port->lanes()[i];
      packets += lane.packets;
      most_flits = std::max(most_flits, lane.queues.most_flits());
      stalls += lane.credits.stalls();
      stalled += lane.credits.stalled();
    }
    marked += port->marker().marked();
  }
  std::vector<LinkStatistic> all = {{"packets", packets},
                                    {"max_queue_flits", most_flits},
                                    {"credit_stalls", stalls},
                                    {"credit_stalled_ps", stalled.ps()},
                                    {"marked", marked}};
  // Of each direction, as that is what switches tell and lose.
  if (const SwitchBuffers* const buffers = whole_->buffers()) {
    const std::vector<LinkStatistic> more = buffers->link_statistics(link);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<LinkState> PacketNetwork::link_states() const {
  std::vector<LinkState> states(plan_.platform.links().ids());
  for (const OutputPort* port : ports()) states[index(port->link())] = state_of(*port);
  return states;
}

LinkState PacketNetwork::state_of(const OutputPort& port) const {
  LinkState state;
  for (std::size_t i = 0; i < plan_.lanes; ++i) {
    const PortLane& lane = port.lanes()[i];
    state.queued += plan_.config.flit.count() * lane.queues.flits();
    state.carried += lane.bytes;
    if (port.kind().by_credits) state.held_up += lane.credits.stalled_until(simulation_.now());
  }
  state.marked = port.marker().marked();
  if (const SwitchBuffers* const buffers = whole_->buffers()) buffers->add_to(state, port.link());
  return state;
}

std::string PacketNetwork::stuck() const {
  std::size_t messages = 0;
  std::size_t packets = 0;
  for (const PacketPart* part : parts()) {
    messages += part->records().messages();
    packets += part->records().packets();
  }
  if (messages == 0) return "";
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> waiting = waiting_for_credits(false);
  for (std::string& at_source : waiting_for_credits(true)) waiting.push_back(std::move(at_source));
  const std::size_t more = waiting.size() - std::min(waiting.size(), kNamed);
  waiting.resize(waiting.size() - more);
  if (more > 0) waiting.push_back("and at " + std::to_string(more) + " more");
  return "deadlock: " + std::to_string(packets) + " packets of " + std::to_string(messages) +
         " messages wait for each other: " + joined(waiting) +
         "; packet.lane_by=hop with packet.lanes=" + std::to_string(longest_route(platform())) +
         ", as many as the longest route has links, or routes without cycles, avoid it";
}

/// "2 for credits of s0->s1 lane 0" for every lane where packets wait, at hosts or at switches.
std::vector<std::string> PacketNetwork::waiting_for_credits(bool at_hosts) const {
  std::vector<std::string> waiting;
  for (const OutputPort* port : ports()) {
    if (port->kind().from_host != at_hosts) continue;
    for (std::size_t i = 0; i < plan_.lanes; ++i) {
      const std::int64_t packets = port->lanes()[i].queues.packets();
      if (packets == 0) continue;
      waiting.push_back(std::to_string(packets) + " for credits of " +
                        plan_.platform.links().name(port->link()) + " lane " + std::to_string(i));
    }
  }
  return waiting;
}

// --- Several threads.

std::string PacketNetwork::indivisible() const {
  if (plan_.config.flow_control != FlowControl::credits) {
    return "switches without credits (packet.flow_control) are one thread's";
  }
  if (plan_.tracked) {
    return "acknowledgements of packets (packet.congestion, repair.mode) are one thread's";
  }
  if (plan_.in_order) {
    return "buffers that packets leave in order (packet.input_queue) are one thread's";
  }
  if (plan_.links_fail) return "links that fail while packets are under way are one thread's";
  if (plan_.credit_packets) {
    return "credits that travel in packets (packet.credit_period) are one thread's";
  }
  if (plan_.config.buffer_sharing == BufferSharing::everyone) {
    return "buffers that all ports of a switch share (packet.buffer_sharing) are one thread's";
  }
  if (plan_.config.sink.attoseconds() == 0) return "";
  const platform::Topology& topology = plan_.platform.topology();
  for (std::uint32_t l = 0; l < topology.links(); ++l) {
    const platform::LinkEnds ends = topology.ends(LinkId{l});
    if (!topology.is_switch(ends.from) && !topology.is_switch(ends.to)) {
      return "hosts with a packet.sink and cables to other hosts are one thread's";
    }
  }
  return "";
}

DividedPackets& PacketNetwork::divide(const PacketPlaces& places) {
  divided_ = std::make_unique<DividedPackets>(plan_, places);
  return *divided_;
}

PacketNetwork* packet_network_of(Network& network) {
  return dynamic_cast<PacketNetwork*>(&network);
}

}  // namespace heddle::network
