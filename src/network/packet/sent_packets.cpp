#include "network/packet/sent_packets.hpp"

namespace heddle::network {

std::int64_t SentPackets::first_lost() const {
  std::int64_t number = again_;
  while ((*this)[number].state != State::lost) ++number;
  return number;
}

void SentPackets::send_again(std::int64_t number, std::uint32_t path) {
  Sent& packet = (*this)[number];
  const Bytes bytes = rules_->on_wire(packet.payload);
  packet.state = State::under_way;
  packet.when = Time::never();
  packet.path = path;
  --lost_;
  lost_bytes_ = lost_bytes_ - bytes;
  under_way_ += bytes;
  again_ = number + 1;
}

void SentPackets::lose(std::int64_t number) {
  Sent& packet = (*this)[number];
  const Bytes bytes = rules_->on_wire(packet.payload);
  packet.state = State::lost;
  under_way_ = under_way_ - bytes;
  lost_bytes_ += bytes;
  ++lost_;
  again_ = std::min(again_, number);
}

void SentPackets::lose_from(std::int64_t number, Time sent_by) {
  for (; number < next(); ++number) {
    const Sent& packet = (*this)[number];
    if (packet.state == State::under_way && packet.when <= sent_by) lose(number);
  }
}

Bytes SentPackets::arrived(std::int64_t number) {
  if (!has(number)) return Bytes(0);
  Sent& packet = (*this)[number];
  if (packet.state == State::arrived) return Bytes(0);
  const Bytes bytes = rules_->on_wire(packet.payload);
  if (packet.state == State::lost) {
    --lost_;
    lost_bytes_ = lost_bytes_ - bytes;
  } else {
    under_way_ = under_way_ - bytes;
  }
  packet.state = State::arrived;
  Message& message = *packet.message;
  if (--message.unacknowledged == 0 && message.unsent == 0) {
    message.next = finished_;
    finished_ = &message;
  }
  return bytes;
}

Bytes SentPackets::arrived_below(std::int64_t up_to) {
  Bytes bytes;
  for (std::int64_t number = first_; number < up_to; ++number) bytes += arrived(number);
  return bytes;
}

void SentPackets::forget_arrived() {
  while (!packets_.empty() && packets_.front().state == State::arrived) {
    packets_.pop_front();
    ++first_;
  }
  again_ = std::max(again_, first_);
}

Time SentPackets::oldest() const {
  Time oldest = Time::never();
  for (std::size_t i = 0; i < packets_.size(); ++i) {
    if (packets_[i].state == State::under_way) oldest = std::min(oldest, packets_[i].when);
  }
  return oldest;
}

Message* SentPackets::take_finished() {
  Message* const message = finished_;
  if (message != nullptr) finished_ = message->next;
  return message;
}

}  // namespace heddle::network
