#include "replay/engine/wires/network_wire.hpp"

namespace heddle::replay {
namespace {

Carrier& carrier_of(const EngineInput& input) {
  return input.packets != nullptr ? input.packets->carriers[input.me] : *input.carrier;
}

}  // namespace

NetworkWire::NetworkWire(const WireBed& bed)
    : Wire(bed), carrier_(carrier_of(bed.input)), config_(bed.input.options.parameters.replay) {}

std::uint32_t NetworkWire::launch(Message message, std::uint32_t /*receiver*/) {
  message.departing = true;
  const std::uint32_t number = deliveries_.add(message);
  events_.push(message.since, message.sequence, EntryKind::message, message.source, number);
  return number;
}

network::Transfer NetworkWire::transfer_of(const Message& message) const {
  const goal::PackedOp& packed = sent(message);
  network::Transfer transfer;
  transfer.source = carrier_.memory_of(message.source);
  transfer.destination = carrier_.memory_of(packed.peer);
  // That of a switch inside a node is a port of it.
  const bool device = transfer.source.port != platform::Port::inner;
  if (packed.nic != 0 && device) transfer.source.adapter = packed.nic;
  transfer.size = Bytes(static_cast<std::int64_t>(message.size));
  transfer.traffic_class =
      class_of({message.size, message.source, message.tag, packed.nic}, config_);
  return transfer;
}

void NetworkWire::depart(std::uint32_t number) {
  Message& message = deliveries_[number];
  message.departing = false;
  carrier_.simulation.run_until(Time::ps(events_.now()));
  network::Transfer transfer = transfer_of(message);
  transfer.client = this;
  transfer.cookie = number;
  carrier_.network.start(transfer);
}

void NetworkWire::transfer_reached(network::Instant /*instant*/, std::uint64_t cookie) {
  const auto number = static_cast<std::uint32_t>(cookie);
  Message& message = deliveries_[number];
  message.since = carrier_.simulation.now().ps();
  events_.push(message.since, message.sequence, EntryKind::message, receiver_of(message), number);
}

const BucketQueue::Entry* NetworkWire::next_in_window() {
  const BucketQueue::Entry* entry = events_.entries().first_of_window();
  Simulation& simulation = carrier_.simulation;
  for (Time next = simulation.next_time();
       next.ps() < part_.end() && (entry == nullptr || next.ps() <= entry->time);
       next = simulation.next_time()) {
    simulation.step();
    entry = events_.entries().first_of_window();
  }
  return entry;
}

}  // namespace heddle::replay
