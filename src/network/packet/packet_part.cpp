#include "network/packet/packet_part.hpp"

#include <algorithm>

#include "network/crossing_hash.hpp"

namespace heddle::network {
namespace {

/// What the packet carries of its message.
Bytes payload(const Packet& packet, const PacketConfig& config) {
  return std::min(packet.size(config.flit) - config.header, packet.message->transfer.size);
}

}  // namespace

PacketPart::PacketPart(Simulation& simulation, const PacketPlan& plan)
    : plan_(plan),
      simulation_(simulation),
      context_{plan, simulation, *this},
      next_salt_(first_salt(simulation)),
      port_of_link_(plan.platform.links().ids()),
      host_of_adapter_(std::size_t{plan.platform.nodes()} * plan.platform.adapters()),
      notes_(plan.platform.routing().new_notes()),
      buffers_(new_switch_buffers(context_)) {
  if (plan.config.buffer_sharing != BufferSharing::none) {
    pools_ = std::make_unique<BufferPools>(context_);
  }
  if (plan.allocation != nullptr) {
    crossbar_of_vertex_.resize(plan.platform.topology().vertices());
  }
  sources_.reserve(port_of_link_.size() + host_of_adapter_.size() + crossbar_of_vertex_.size());
  while (sources_.size() < sources_.capacity()) sources_.push_back(simulation.new_source());
}

PacketPart::PacketPart(Simulation& simulation, const PacketPlan& plan, const PacketPlaces& places,
                       std::uint32_t me)
    : PacketPart(simulation, plan) {
  border_ = std::make_unique<PartBorder>(places, me);
}

// --- Ports and hosts, made when first used.

PacketPart::Host::Host(const PacketContext& context, EventSource own_source)
    : receiving(context, own_source), sending(context, receiving.source()) {
  if (context.plan.tracked) flows = std::make_unique<FlowHost>(context, receiving.source());
}

OutputPort& PacketPart::port(LinkId link) {
  OutputPort* known = port_of_link_[index(link)];
  return known != nullptr ? *known : make_port(link);
}

/// Both directions of a cable are made together.
OutputPort& PacketPart::make_port(LinkId link) {
  const auto make = [this](LinkId made) -> OutputPort& {
    const PortKind& kind = *kinds_.emplace(context_, made).first;
    OutputPort& added = ports_.add(kind, made, sources_[index(made)]);
    if (kind.pooled) pools_->add(added);
    if (kind.allocated) added.belong_to(crossbar(plan_.platform.links().ends(made).from));
    return *(port_of_link_[index(made)] = &added);
  };
  OutputPort& made = make(link);
  OutputPort::join(made, make(reverse(link)), plan_.platform.links()[link].duplex);
  return made;
}

Crossbar& PacketPart::crossbar(VertexId of) {
  std::unique_ptr<Crossbar>& known = crossbar_of_vertex_[index(of)];
  if (known == nullptr) {
    const std::size_t source = port_of_link_.size() + host_of_adapter_.size() + index(of);
    known = std::make_unique<Crossbar>(context_, of, sources_[source]);
  }
  return *known;
}

PacketPart::Host& PacketPart::host(const platform::Endpoint& end) {
  const std::size_t adapter = plan_.platform.adapter_index(end);
  Host*& known = host_of_adapter_[adapter];
  if (known == nullptr) known = &hosts_.add(context_, sources_[port_of_link_.size() + adapter]);
  return *known;
}

LinkId PacketPart::next_link(platform::Walk& walk) const {
  const LinkId taken = plan_.platform.routes().next(walk, *this);
  return taken == kNoLink ? kNoLink : walk.direction(taken);
}

std::int64_t PacketPart::load(LinkId link) const {
  const OutputPort* port = port_at(link);
  if (port == nullptr) return 0;
  std::int64_t waiting = port->flits_waiting();
  if (port->kind().half_duplex) waiting += port_at(reverse(link))->flits_waiting();
  const Time backlog = std::max(Time::zero(), port->wire().free() - simulation_.now());
  return (backlog + port->kind().flit_time * waiting).ps();
}

std::int64_t PacketPart::backlog(LinkId link) const {
  const OutputPort* port = port_at(link);
  if (port == nullptr) return 0;
  return load(link) + (port->kind().flit_time * port->flits_beyond()).ps();
}

PacketCounts PacketPart::packets_arrived() const {
  PacketCounts counts = arrived_;
  for (const OutputPort* const port : port_of_link_) {
    if (port != nullptr) counts.marked += static_cast<std::uint64_t>(port->marked());
  }
  for (const Host* const host : host_of_adapter_) {
    if (host == nullptr || host->flows == nullptr) continue;
    const SendingFlow::Counts flows = host->flows->counts();
    counts.sent_again += flows.again;
    counts.timeouts += flows.timeouts;
  }
  if (buffers_ != nullptr) buffers_->add_to(counts);
  return counts;
}

std::vector<LinkStatistic> PacketPart::buffer_statistics(LinkId link) const {
  return buffers_ == nullptr ? std::vector<LinkStatistic>() : buffers_->link_statistics(link);
}

LinkState PacketPart::state_of(const OutputPort& port) const {
  LinkState state;
  for (std::size_t i = 0; i < port.kind().lanes; ++i) {
    const PortLane& lane = port.lane(i);
    state.queued += plan_.config.flit.count() * lane.queues.flits();
    state.carried += lane.bytes;
    if (port.kind().by_credits) state.held_up += lane.credits.stalled_until(simulation_.now());
  }
  state.marked = port.marked();
  if (buffers_ != nullptr) buffers_->add_to(state, port.link());
  return state;
}

// --- What comes soon, and what comes.

void Packet::fire() {
  part->arrived(*this);
}

void Packet::glimpse() const {
  part->glimpse(*this);
}

void Packet::foresee() const {
  part->foresee(*this);
}

void Packet::expect() const {
  part->expect(*this);
}

// --- The way of a message.

void PacketPart::start(const Transfer& transfer) {
  Message& message = messages_.take();
  message.transfer = transfer;
  message.unsent = transfer.size.count();
  // Of an empty message, one.
  message.packets_left = (message.unsent - 1) / plan_.max_payload() + 1;
  message.ready = message.due = simulation_.now() + message.own_pace(plan_.max_payload());
  message.head_reported = false;
  message.lost_on = kNoLink;
  message.notification = false;
  message.unacknowledged = 0;
  const std::size_t lane = plan_.first_lane(transfer);
  Host& source = host(transfer.source);
  if (source.flows != nullptr && transfer.source.node != transfer.destination.node) {
    return source.flows->send(message, lane);
  }
  source.sending.send(message, lane);
}

Packet& PacketPart::new_packet(const Message& message) {
  Packet& packet = packets_.take(this);
  packet.lost = false;
  packet.told = message.notification;
  const Transfer& transfer = message.transfer;
  packet.walk = plan_.platform.routes().walk(transfer.source, transfer.destination, next_salt_++);
  return packet;
}

TrackedPacket& PacketPart::new_tracked_packet(const platform::Endpoint& from,
                                              const platform::Endpoint& to) {
  TrackedPacket& packet = tracked_.take(this);
  packet.reset();
  packet.order = next_salt_++;
  packet.walk = plan_.platform.routes().walk(from, to, packet.order);
  if (plan_.congestion != nullptr && plan_.congestion->measures_paths()) {
    packet.path = &paths_.take();
    packet.path->count = 0;
  }
  return packet;
}

OutputPort* PacketPart::next_output(Packet& packet) {
  const LinkId next = packet.ahead ? packet.coming : next_link(packet.walk);
  return next == kNoLink ? nullptr : &port(next);
}

void PacketPart::arrived(Packet& packet) {
  if (packet.at_end) return ended(packet);
  OutputPort* output = next_output(packet);
  if (!packet.ahead && output != nullptr) choose_lane(packet, output->link());
  if (buffers_ != nullptr && !has_room(packet, output)) {
    return lose(packet);
  }
  if (output == nullptr) return host(packet.walk.destination).receiving.enter(packet);
  packet.head = simulation_.now() + output->kind().to_arbiter;
  output->enter(packet);
}

/// In which it takes the link that its walk has come to.
inline void PacketPart::choose_lane(Packet& packet, LinkId link) const {
  if (!plan_.lanes_change || packet.in_lane == plan_.control_lane) return;
  packet.lane = static_cast<std::uint8_t>(plan_.lane_rule->next(packet, link));
}

void PacketPart::sent(Packet& packet, OutputPort& port, Time there) {
  fingerprint_ += crossing_hash(port.wire().free(), port.link());
  packet.ahead = plan_.fixed_routes || plan_.platform.routes().is_settled(packet.walk);
  if (packet.ahead) {
    packet.coming = next_link(packet.walk);
    if (packet.coming != kNoLink) choose_lane(packet, packet.coming);
  }
  if (border_ != nullptr && border_->takes(packet, there)) return;
  simulation_.schedule(packet, there, port.source());
}

/// Its message is told of it, later than of its leaving.
void PacketPart::lost(Packet& packet, OutputPort& port, Time when) {
  fingerprint_ += crossing_hash(port.wire().free(), port.link());
  packet.lost = packet.at_end = true;
  simulation_.schedule(packet, when + Time::ps(1), port.source());
}

void PacketPart::left_source(Packet& packet, Time begin, Time end) {
  Host& source = host(packet.walk.source);
  if (packet.tracked) return source.flows->left(static_cast<TrackedPacket&>(packet), begin, end);
  source.sending.left(packet, begin, end);
}

void PacketPart::escape(Packet& packet, const OutputPort& port) {
  const platform::Topology& topology = plan_.platform.topology();
  platform::Hop hop = packet.walk.hop;
  hop.at = topology.ends(port.link()).from;
  --hop.step;
  const LinkId link = topology.output(hop);
  packet.walk.hop.at = topology.after(hop, link);
  packet.walk.backward = index(link) % 2 != 0;
  packet.lane = static_cast<std::uint8_t>(plan_.lane_rule->escape(packet, link));
  this->port(link).enter_waiting(packet);
}

/// Of what flows tell there is always room.
void PacketPart::left_buffer(const Packet& packet, Time when) {
  if (packet.in_lane == plan_.control_lane && plan_.by_credits(packet.in)) return;
  if (border_ != nullptr && border_->takes_room(packet, when)) return;
  if (buffers_ != nullptr && !plan_.by_credits(packet.in)) {
    if (!packet.before->kind().to_host) buffers_->left(packet);
    return;
  }
  packet.before->free_at(packet.in_lane, when, packet.flits);
}

/// It is kept here, at the link's end: by the port that this part has of it, whoever sends.
FifoBuffer& PacketPart::buffer_of(const Packet& packet) {
  return *port(packet.in).lane(packet.in_lane).buffer;
}

/// Whether the buffer that the packet has come to takes it.
bool PacketPart::has_room(Packet& packet, const OutputPort* output) {
  if (plan_.by_credits(packet.in)) return true;
  if (packet.before->kind().to_host && !(output == nullptr && hosts_have_buffers())) return true;
  return buffers_->take(packet, output);
}

/// Whether hosts drain packets slowly, and say so.
bool PacketPart::hosts_have_buffers() const {
  return plan_.config.sink.attoseconds() > 0 && buffers_->at_hosts();
}

void PacketPart::ended(Packet& packet) {
  if (buffers_ != nullptr && packet.before != nullptr && !packet.lost &&
      !plan_.by_credits(packet.in) && hosts_have_buffers()) {
    buffers_->left(packet);
  }
  if (packet.tracked) return ended_tracked(static_cast<TrackedPacket&>(packet));
  Message& message = *packet.message;
  if (packet.lost) [[unlikely]] {
    message.lost_on = packet.in;
    packet.marked = false;
  }
  if (packet.marked && host(packet.walk.destination).receiving.notifies(packet)) {
    notify_source(packet);
  }
  if (!message.notification && !packet.lost) count(packet);
  packets_.give_back(packet);
  if (--message.packets_left > 0) return;
  const Transfer transfer = message.transfer;
  if (message.lost_on != kNoLink) [[unlikely]] {
    messages_.give_back(message);
    return message.notification ? void() : Network::lose(transfer, message.lost_on);
  }
  message.report_head();  // Of a message that crossed no link.
  if (message.notification) host(transfer.destination).sending.notified(transfer.source.node);
  messages_.give_back(message);
  transfer.report(Instant::tail);
}

/// The message is given back when its source has heard of all packets.
void PacketPart::ended_tracked(TrackedPacket& packet) {
  if (packet.sort == TrackedPacket::Sort::data) note_order(packet);
  const bool taken = host(packet.walk.destination).flows->ended(packet);
  Message& message = *packet.message;
  if (taken) {
    delivered_ += Bytes(packet.payload);
    ++arrived_.arrived;
  }
  give_back(packet);
  if (!taken || --message.packets_left > 0) return;
  message.report_head();
  message.transfer.report(Instant::tail);
}

/// There is no room for the packet.
void PacketPart::lose(Packet& packet) {
  if (packet.tracked) return give_back(static_cast<TrackedPacket&>(packet));
  packets_.give_back(packet);
}

void PacketPart::give_back(TrackedPacket& packet) {
  if (packet.path != nullptr) paths_.give_back(*packet.path);
  packet.path = nullptr;
  tracked_.give_back(packet);
}

void PacketPart::count(const Packet& packet) {
  delivered_ += payload(packet, plan_.config);
  ++arrived_.arrived;
  note_order(packet);
}

/// Where routes are fixed, packets stay in order.
void PacketPart::note_order(const Packet& packet) {
  if (plan_.fixed_routes) return;
  ReceivingHost& receiving = host(packet.walk.destination).receiving;
  const std::uint32_t number =
      packet.tracked ? static_cast<const TrackedPacket&>(packet).order : packet.walk.hop.salt;
  if (receiving.is_overtaken(packet, number)) ++arrived_.out_of_order;
}

void PacketPart::notify_source(const Packet& packet) {
  Message& message = messages_.take();
  message.transfer = {};
  message.transfer.source = {packet.walk.destination.node, platform::Port::nic,
                             packet.walk.destination.adapter};
  message.transfer.destination = {packet.walk.source.node, platform::Port::nic,
                                  packet.walk.source.adapter};
  message.transfer.wants = 0;
  message.unsent = 0;
  message.packets_left = 1;
  message.ready = Time::zero();
  message.head_reported = true;
  message.lost_on = kNoLink;
  message.notification = true;
  host(message.transfer.source).sending.notify(message);
}

// --- What comes soon asks for the memory that it needs.

/// The credits that the packet gives back, and where it goes: as far as it is at hand.
void PacketPart::glimpse(const Packet& packet) const {
  if (packet.before != nullptr) {
    if (packet.in_lane == 0) {
      packet.before->lane(0).credits.foresee_news();
    } else {
      packet.before->foresee_lanes();
    }
  }
  if (packet.goes_on()) return prefetch(&port_of_link_[index(packet.coming)]);
  if (packet.tracked) {
    const PacketFlow& flow = *static_cast<const TrackedPacket&>(packet).flow;
    if (packet.told) {
      flow.foresee_news();
    } else {
      flow.foresee_data();
    }
  }
  if (!packet.told) prefetch_whole(*packet.message);
  if (packet.before != nullptr) packet.before->lane(0).queues.foresee_turn();
}

void PacketPart::foresee(const Packet& packet) const {
  if (packet.before != nullptr && packet.in_lane > 0) {
    packet.before->lane(packet.in_lane).credits.foresee_news();
  }
  if (packet.goes_on()) {
    constexpr std::size_t kPassing = 4;  ///< Lines of a port that letting a packet pass needs.
    const OutputPort* const port = port_at(packet.coming);
    return port == nullptr ? void() : prefetch_lines(port, kPassing);
  }
  if (packet.before == nullptr) return;
  if (const DrainingEnd* const end = packet.before->lane(0).credits.end_host()) {
    return end->foresee_sink();
  }
  const Host* const host = host_of_adapter_[plan_.platform.adapter_index(packet.walk.destination)];
  prefetch(host);
  if (packet.at_end && !plan_.fixed_routes && host != nullptr) host->receiving.foresee_flows();
}

/// The lane that it takes next, and what is told of a flow.
void PacketPart::expect(const Packet& packet) const {
  if (packet.lane > 0 && packet.goes_on()) {
    const OutputPort* const port = port_at(packet.coming);
    return port == nullptr ? void() : prefetch_lines(&port->lane(packet.lane), PortLane::kPassing);
  }
  if (!packet.at_end) return;
  if (packet.told && packet.tracked) {
    static_cast<const TrackedPacket&>(packet).flow->sending.foresee_news();
  } else if (!plan_.fixed_routes && packet.before != nullptr) {
    const std::size_t adapter = plan_.platform.adapter_index(packet.walk.destination);
    if (const Host* const host = host_of_adapter_[adapter]) host->receiving.foresee_flow(packet);
  }
}

void PacketPart::foresee_source(const Packet& packet) const {
  prefetch(&host_of_adapter_[plan_.platform.adapter_index(packet.walk.source)]->sending);
}

// --- One that is a part.

Time PacketPart::settle() {
  const Time first = simulation_.next_time();
  return std::min(first, border_->turn_over());
}

void PacketPart::take_from(const PacketPart& other, std::size_t me) {
  const PartMail& mail = other.border_->sent_to(me);
  for (const PartMail::Arrival& arrival : mail.packets) {
    arrival.packet->part = this;
    simulation_.schedule(*arrival.packet, arrival.when, sources_[index(arrival.packet->in)]);
  }
  for (const PartMail::Freed& freed : mail.credits) {
    port(freed.link).free_at(freed.lane, freed.when, freed.flits);
  }
}

}  // namespace heddle::network
