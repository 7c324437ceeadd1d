#include "replay/engine/wires/network_wire.hpp"

namespace heddle::replay {
namespace {

Carrier& carrier_of(const EngineInput& input) {
  return input.packets != nullptr ? input.packets->carriers[input.me] : *input.carrier;
}

}  // namespace

NetworkWire::NetworkWire(const WireBed& bed)
    : Wire(bed), carrier_(carrier_of(bed.input)), config_(bed.input.options.parameters.replay) {}

MessageId NetworkWire::launch(Message message, RankId /*receiver*/) {
  message.departing = true;
  const MessageId number = deliveries_.add(message);
  events_.push(message.since, message.sequence, EntryKind::message, message.source, number);
  return number;
}

network::Transfer NetworkWire::transfer_of(const Message& message) const {
  const goal::PackedOp& packed = sent(message);
  network::Transfer transfer;
  transfer.source = carrier_.memory_of(message.source);
  transfer.destination = carrier_.memory_of(RankId{packed.peer});
  // That of a switch inside a node is a port of it.
  const bool device = transfer.source.port != platform::Port::inner;
  if (packed.nic != 0 && device) transfer.source.adapter = packed.nic;
  transfer.size = message.size;
  transfer.traffic_class =
      class_of({message.size, message.source, message.tag, NicId{packed.nic}}, config_);
  return transfer;
}

void NetworkWire::depart(MessageId number) {
  Message& message = deliveries_[number];
  message.departing = false;
  carrier_.simulation.run_until(events_.now());
  network::Transfer transfer = transfer_of(message);
  transfer.client = this;
  transfer.cookie = raw(number);
  carrier_.network.start(transfer);
}

void NetworkWire::transfer_reached(network::Instant /*instant*/, std::uint64_t cookie) {
  const MessageId number{static_cast<std::uint32_t>(cookie)};
  Message& message = deliveries_[number];
  message.since = carrier_.simulation.now();
  events_.push(message.since, message.sequence, EntryKind::message, receiver_of(message), number);
}

const BucketQueue::Entry* NetworkWire::next_in_window() {
  const BucketQueue::Entry* entry = events_.entries().first_of_window();
  Simulation& simulation = carrier_.simulation;
  for (Time next = simulation.next_time();
       next < part_.end() && (entry == nullptr || next.ps() <= entry->time);
       next = simulation.next_time()) {
    simulation.step();
    entry = events_.entries().first_of_window();
  }
  return entry;
}

}  // namespace heddle::replay
