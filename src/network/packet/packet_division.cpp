// A packet network in parts: what crosses a cable between two of them.
#include <algorithm>

#include "network/packet/divided_packets.hpp"
#include "network/packet/packet_parts.hpp"

namespace heddle::network {

// --- One part.

PacketNetwork::PacketNetwork(Simulation& simulation, const PacketNetwork& whole,
                             const PacketPlaces& places, std::uint32_t me)
    : PacketNetwork(simulation, whole.platform_, whole.config_) {
  share_ = std::make_unique<Share>(Share{places, me, {}, 0});
  for (auto& outgoing : share_->outgoing) outgoing.resize(places.parts);
}

std::uint32_t PacketNetwork::Share::part_of(const Packet& packet) const {
  return packet.coming == kNoLink ? places.of_vertex[index(packet.walk.destination.node)]
                                  : places.of_link[index(packet.coming)];
}

/// The packet's head will be at the end of the link that it has just been sent on.
void PacketNetwork::send(Packet& packet, Port& port, Time there) {
  if (share_ != nullptr) {
    if (const std::uint32_t part = share_->part_of(packet); part != share_->me)
      return share_->mail_to(part).packets.push_back({there, &packet});
  }
  simulation_.schedule(packet, there, port.source);
}

/// The packet leaves the buffer that holds it at `when`.
void PacketNetwork::free_buffer(const Packet& packet, Time when) {
  if (packet.before == nullptr) return;
  if (share_ != nullptr) {
    if (const std::uint32_t part = share_->places.of_link[index(packet.in)]; part != share_->me)
      return share_->mail_to(part).credits.push_back(
          {when, when + packet.before->kind->wire, packet.in, packet.flits, packet.in_lane});
  }
  take_credits(*packet.before, packet.in_lane, when, packet.flits);
}

void PacketNetwork::take(const Mail& mail) {
  for (const Mail::Arrival& arrival : mail.packets) {
    arrival.packet->network = this;
    simulation_.schedule(*arrival.packet, arrival.when, sources_[index(arrival.packet->in)]);
  }
  for (const Mail::Freed& freed : mail.credits)
    take_credits(port(freed.link), freed.lane, freed.when, freed.flits);
}

Time PacketNetwork::settle() {
  Time first = simulation_.next_time();
  share_->parity ^= 1;
  for (const Mail& mail : share_->outgoing[share_->parity]) {
    for (const Mail::Arrival& arrival : mail.packets) first = std::min(first, arrival.when);
    for (const Mail::Freed& freed : mail.credits) first = std::min(first, freed.heard);
  }
  for (Mail& taken : share_->outgoing[share_->parity ^ 1]) {
    taken.packets.clear();
    taken.credits.clear();
  }
  return first;
}

const PacketNetwork::Mail& PacketNetwork::sent_to(std::size_t part) const {
  return share_->outgoing[share_->parity][part];
}

// --- The whole.

std::string PacketNetwork::indivisible() const {
  if (in_order_) return "buffers that packets leave in order (packet.input_queue) are one thread's";
  if (config_.credit_period > Time::zero())
    return "credits that travel in packets (packet.credit_period) are one thread's";
  if (config_.sink.attoseconds() == 0) return "";
  const platform::Topology& topology = platform_.topology();
  for (std::uint32_t l = 0; l < topology.links(); ++l) {
    const platform::LinkEnds ends = topology.ends(LinkId{l});
    if (!topology.is_switch(ends.from) && !topology.is_switch(ends.to))
      return "hosts with a packet.sink and cables to other hosts are one thread's";
  }
  return "";
}

DividedPackets& PacketNetwork::divide(const PacketPlaces& places) {
  divided_ = std::make_unique<DividedPackets>(*this, places);
  return *divided_;
}

void PacketNetwork::join() {
  for (std::size_t p = 0; p < divided_->places().parts; ++p) {
    const PacketNetwork& part = divided_->network(p);
    delivered_ += part.delivered_;
    fingerprint_ += part.fingerprint_;
    for (std::size_t l = 0; l < port_of_link_.size(); ++l) {
      if (divided_->places().of_link[l] == p) port_of_link_[l] = part.port_of_link_[l];
    }
  }
}

/// Records are taken in one part and given back in another: only the sum says how many are in use.
PacketNetwork::UnderWay PacketNetwork::under_way() const {
  UnderWay count{messages_.in_use(), packets_.in_use() + ordered_packets_.in_use()};
  if (divided_ == nullptr) return count;
  for (std::size_t p = 0; p < divided_->places().parts; ++p) {
    count.messages += divided_->network(p).messages_.in_use();
    count.packets += divided_->network(p).packets_.in_use();
  }
  return count;
}

PacketNetwork* packet_network_of(Network& network) {
  return dynamic_cast<PacketNetwork*>(&network);
}

// --- The parts.

struct DividedPackets::Part {
  Part(const PacketNetwork& whole, const PacketPlaces& places, std::uint32_t me)
      : network(simulation, whole, places, me) {}
  Simulation simulation;
  PacketNetwork network;
};

DividedPackets::DividedPackets(const PacketNetwork& whole, const PacketPlaces& places)
    : places_(places) {
  for (std::uint32_t p = 0; p < places.parts; ++p)
    parts_.push_back(std::make_unique<Part>(whole, places, p));
}

DividedPackets::~DividedPackets() = default;

Simulation& DividedPackets::simulation(std::size_t part) const {
  return parts_[part]->simulation;
}

PacketNetwork& DividedPackets::network(std::size_t part) const {
  return parts_[part]->network;
}

Time DividedPackets::settle(std::size_t part) {
  return network(part).settle();
}

void DividedPackets::take(std::size_t part) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (p != part) network(part).take(network(p).sent_to(part));
  }
}

}  // namespace heddle::network
