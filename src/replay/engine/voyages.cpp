// The engine as one part of a replay over a packet network that is shared: messages between parts.
#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {

/// The engine of the receiver takes the message in.
void ReplayEngine::set_sail(std::uint32_t number, network::Transfer& transfer) {
  const Message& message = messages_[number];
  Voyage& voyage = voyages_.take();
  voyage = {message.sequence, message.source, message.op};
  if (Sequences::provisional(voyage.sequence)) fresh_voyages_.push_back(&voyage);
  transfer.client = packets_->engines[parts_->part_of(receiver_of(message))];
  transfer.cookie = reinterpret_cast<std::uint64_t>(&voyage);
  messages_.give_back(number);
}

void ReplayEngine::come_in(Voyage& voyage) {
  const PackedOp packed = schedule_.rank(voyage.source).packed(voyage.op);
  const std::int64_t now = carrier_->simulation.now().ps();
  const std::uint32_t number = messages_.take();
  messages_[number] = {voyage.sequence, schedule_.value(packed), now,   voyage.op, voyage.source,
                       packed.tag,      units_of<false>(packed), kNone, kNone,     false};
  if (Sequences::provisional(voyage.sequence)) fresh_messages_.push_back(number);
  push(now, voyage.sequence, EntryKind::message, packed.peer, number);
  voyages_.give_back(voyage);
}

/// Gives messages that sail their numbers; when next the network does something.
std::int64_t ReplayEngine::settle_voyages(Numbers& numbers) {
  if (packets_ == nullptr) return kNever;
  for (Voyage* const voyage : fresh_voyages_) voyage->sequence = numbers.resolve(voyage->sequence);
  fresh_voyages_.clear();
  const Time next = packets_->network.settle(me_);
  return next == Time::never() ? kNever : next.ps();
}

}  // namespace heddle::replay
