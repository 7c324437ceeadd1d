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
      records_(this, plan, first_salt(simulation)),
      context_{plan, simulation, *this, records_},
      ports_(context_, crossbars_),
      hosts_(context_),
      crossbars_(context_),
      loads_(context_, ports_),
      foresight_(plan, ports_, hosts_),
      buffers_(new_switch_buffers(context_)) {}

PacketPart::PacketPart(Simulation& simulation, const PacketPlan& plan, const PacketPlaces& places,
                       std::uint32_t me)
    : PacketPart(simulation, plan) {
  border_ = std::make_unique<PartBorder>(places, me);
}

PacketCounts PacketPart::packets_arrived() const {
  PacketCounts counts = arrivals_.counts();
  ports_.for_each([&](const OutputPort& port) {
    counts.marked += static_cast<std::uint64_t>(port.marker().marked());
  });
  hosts_.for_each([&](const PacketHost& host) {
    if (host.flows == nullptr) return;
    const SendingFlow::Counts flows = host.flows->counts();
    counts.sent_again += flows.again;
    counts.timeouts += flows.timeouts;
  });
  if (buffers_ != nullptr) buffers_->add_to(counts);
  return counts;
}

// --- What comes soon, and what comes.

void Packet::fire() {
  part->arrived(*this);
}

[[gnu::flatten]] void Packet::glimpse() const {
  part->foresight().glimpse(*this);
}

[[gnu::flatten]] void Packet::foresee() const {
  part->foresight().foresee(*this);
}

void Packet::expect() const {
  if (lane > 0 || at_end) part->foresight().expect(*this);
}

// --- The way of a message.

void PacketPart::start(const Transfer& transfer) {
  Message& message = records_.new_message(transfer, simulation_.now());
  const std::size_t lane = plan_.first_lane(transfer);
  PacketHost& source = hosts_[transfer.source];
  if (source.flows != nullptr && transfer.source.node != transfer.destination.node) {
    return source.flows->send(message, lane);
  }
  source.sending.send(message, lane);
}

LinkId PacketPart::next_link(platform::Walk& walk) const {
  const LinkId taken = plan_.platform.routes().next(walk, loads_);
  return taken == kNoLink ? kNoLink : walk.direction(taken);
}

OutputPort* PacketPart::next_output(Packet& packet) {
  const LinkId next = packet.ahead ? packet.coming : next_link(packet.walk);
  return next == kNoLink ? nullptr : &ports_[next];
}

/// As often as there are hops, so in one piece.
[[gnu::flatten]] void PacketPart::arrived(Packet& packet) {
  if (packet.at_end) return ended(packet);
  OutputPort* output = next_output(packet);
  if (!packet.ahead && output != nullptr) choose_lane(packet, output->link());
  if (buffers_ != nullptr && !has_room(packet, output)) {
    return records_.give_back(packet);
  }
  if (output == nullptr) return hosts_[packet.walk.destination].receiving.enter(packet);
  packet.head = simulation_.now() + output->kind().to_arbiter;
  output->enter(packet);
}

/// In which it takes the link that its walk has come to.
inline void PacketPart::choose_lane(Packet& packet, LinkId link) const {
  if (!plan_.lanes_change || packet.in_lane == plan_.control_lane) return;
  packet.lane = static_cast<std::uint8_t>(plan_.lane_rule->next(packet, link));
}

void PacketPart::sent(Packet& packet, OutputPort& port, Time there) {
  fingerprint_ += crossing_hash(port.stage().wire_free(), port.link());
  packet.ahead = plan_.fixed_routes || plan_.platform.routes().is_settled(packet.walk);
  if (packet.ahead) {
    packet.coming = next_link(packet.walk);
    if (packet.coming != kNoLink) choose_lane(packet, packet.coming);
  }
  if (border_ != nullptr && border_->takes(packet, there)) return;
  simulation_.schedule(packet, there, port.arbiter().source());
}

/// Its message is told of it, later than of its leaving.
void PacketPart::lost(Packet& packet, OutputPort& port, Time when) {
  fingerprint_ += crossing_hash(port.stage().wire_free(), port.link());
  packet.lost = packet.at_end = true;
  simulation_.schedule(packet, when + Time::ps(1), port.arbiter().source());
}

void PacketPart::left_source(Packet& packet, Time begin, Time end) {
  PacketHost& source = hosts_[packet.walk.source];
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
  ports_[link].enter_waiting(packet);
}

/// Of what flows tell there is always room.
void PacketPart::left_buffer(const Packet& packet, Time when) {
  if (packet.in_lane == plan_.control_lane && plan_.by_credits(packet.in)) return;
  if ((border_ != nullptr || buffers_ != nullptr) && is_told_otherwise(packet, when)) return;
  packet.before->free_at(packet.in_lane, when, packet.flits);
}

/// Whether others than the port before hear that the packet leaves its buffer: another part, or the
/// switch.
bool PacketPart::is_told_otherwise(const Packet& packet, Time when) {
  if (border_ != nullptr && border_->takes_room(packet, when)) return true;
  if (buffers_ == nullptr || plan_.by_credits(packet.in)) return false;
  if (!packet.before->kind().to_host) buffers_->left(packet);
  return true;
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
  if (packet.marked && hosts_[packet.walk.destination].receiving.notifies(packet)) {
    notify_source(packet);
  }
  if (!message.notification && !packet.lost) {
    delivered_ += payload(packet, plan_.config);
    arrivals_.add();
    if (!plan_.fixed_routes) {
      arrivals_.note_order(packet, hosts_[packet.walk.destination].receiving);
    }
  }
  records_.give_back(packet);
  if (--message.packets_left > 0) return;
  const Transfer transfer = message.transfer;
  if (message.lost_on != kNoLink) [[unlikely]] {
    records_.give_back(message);
    return message.notification ? void() : Network::lose(transfer, message.lost_on);
  }
  message.report_head();  // Of a message that crossed no link.
  if (message.notification) hosts_[transfer.destination].sending.notified(transfer.source.node);
  records_.give_back(message);
  transfer.report(Instant::tail);
}

/// The message is given back when its source has heard of all packets.
void PacketPart::ended_tracked(TrackedPacket& packet) {
  PacketHost& host = hosts_[packet.walk.destination];
  if (packet.sort == TrackedPacket::Sort::data && !plan_.fixed_routes) {
    arrivals_.note_order(packet, host.receiving);
  }
  const bool taken = host.flows->ended(packet);
  Message& message = *packet.message;
  if (taken) {
    delivered_ += Bytes(packet.payload);
    arrivals_.add();
  }
  records_.give_back(packet);
  if (!taken || --message.packets_left > 0) return;
  message.report_head();
  message.transfer.report(Instant::tail);
}

void PacketPart::notify_source(const Packet& packet) {
  Message& message = records_.new_notification(packet);
  hosts_[message.transfer.source].sending.notify(message);
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
    simulation_.schedule(*arrival.packet, arrival.when, ports_.source(arrival.packet->in));
  }
  for (const PartMail::Freed& freed : mail.credits) {
    ports_[freed.link].free_at(freed.lane, freed.when, freed.flits);
  }
}

}  // namespace heddle::network
