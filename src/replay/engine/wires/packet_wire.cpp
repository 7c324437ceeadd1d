#include "replay/engine/wires/packet_wire.hpp"

namespace heddle::replay {

PacketWire::PacketWire(const WireBed& bed)
    : NetworkWire(bed), packets_(*bed.input.packets), shape_(bed.input.units) {
  packets_.clients[part_.me()] = this;
}

void PacketWire::depart(std::uint32_t number) {
  const Message& message = deliveries_[number];
  carrier_.simulation.run_until(Time::ps(events_.now()));
  network::Transfer transfer = transfer_of(message);
  PacketMessage& carried = messages_.take();
  carried = {message.sequence, message.source, message.op};
  if (Sequences::provisional(carried.sequence)) fresh_.push_back(&carried);
  transfer.client = packets_.clients[part_.part_of(receiver_of(message))];
  transfer.cookie = reinterpret_cast<std::uint64_t>(&carried);
  deliveries_.forget(number);
  carrier_.network.start(transfer);
}

void PacketWire::transfer_reached(network::Instant /*instant*/, std::uint64_t cookie) {
  auto& carried = *reinterpret_cast<PacketMessage*>(cookie);
  const goal::PackedOp& packed = schedule_.rank(carried.source).packed(carried.op);
  const std::int64_t now = carrier_.simulation.now().ps();
  const Message message{carried.sequence, schedule_.value(packed), now, carried.op, carried.source,
                        packed.tag,       shape_.pair_of(packed)};
  const std::uint32_t number = Sequences::provisional(carried.sequence)
                                   ? deliveries_.add_fresh(message)
                                   : deliveries_.add(message);
  events_.push(now, carried.sequence, EntryKind::message, packed.peer, number);
  messages_.give_back(carried);
}

/// Gives messages in the network their numbers.
std::int64_t PacketWire::settle(Numbers& numbers) {
  for (PacketMessage* const carried : fresh_) {
    carried->sequence = numbers.resolve(carried->sequence);
  }
  fresh_.clear();
  const Time next = packets_.network.settle(part_.me());
  return next == Time::never() ? WindowedPart::kNever : next.ps();
}

}  // namespace heddle::replay
