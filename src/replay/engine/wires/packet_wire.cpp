#include "replay/engine/wires/packet_wire.hpp"

namespace heddle::replay {

PacketWire::PacketWire(const WireBed& bed)
    : NetworkWire(bed), packets_(*bed.input.packets), shape_(bed.input.units) {
  packets_.clients[part_.me()] = this;
}

void PacketWire::depart(MessageId number) {
  const Message& message = deliveries_[number];
  carrier_.simulation.run_until(events_.now());
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
  const goal::PackedOp& packed = schedule_.rank(raw(carried.source)).packed(raw(carried.op));
  const Time now = carrier_.simulation.now();
  const Bytes size(static_cast<std::int64_t>(schedule_.value(packed)));
  const Message message{
      carried.sequence,      size, now, carried.op, carried.source, Tag{packed.tag},
      shape_.pair_of(packed)};
  const MessageId number = Sequences::provisional(carried.sequence) ? deliveries_.add_fresh(message)
                                                                    : deliveries_.add(message);
  events_.push(now, carried.sequence, EntryKind::message, RankId{packed.peer}, number);
  messages_.give_back(carried);
}

/// Gives messages in the network their numbers.
Time PacketWire::settle(Numbers& numbers) {
  for (PacketMessage* const carried : fresh_) {
    carried->sequence = numbers.resolve(carried->sequence);
  }
  fresh_.clear();
  return packets_.network.settle(part_.me());
}

}  // namespace heddle::replay
