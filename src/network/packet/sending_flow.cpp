#include "network/packet/sending_flow.hpp"

#include <algorithm>

#include "core/prefetch.hpp"

namespace heddle::network {

void SendingFlow::add(Message& message) {
  message.next = nullptr;
  (tail_ == nullptr ? head_ : tail_->next) = &message;
  tail_ = &message;
  waiting_ += std::max(Bytes(1), Bytes(message.unsent) + rules_->header * message.packets_left);
}

/// On the wire, of the packet that is next.
Bytes SendingFlow::next_bytes() const {
  if (lost_ == 0) return on_wire(std::min(head_->unsent, rules_->max_payload));
  std::int64_t number = again_;
  while (sent_[static_cast<std::size_t>(number - first_)].state != State::lost) ++number;
  return on_wire(sent_[static_cast<std::size_t>(number - first_)].payload);
}

Time SendingFlow::may_send() const {
  if (point_->credit() <= Bytes(0)) return Time::never();
  if (under_way_ > Bytes(0) && under_way_ + next_bytes() > point_->window()) return Time::never();
  return lost_ > 0 ? point_->allowed() : std::max(head_->ready, point_->allowed());
}

SendingFlow::Piece SendingFlow::cut() {
  const Bytes on_wire = next_bytes();
  waiting_ = waiting_ - on_wire;
  sent_bytes_ += on_wire;
  under_way_ += on_wire;
  if (lost_ > 0) {
    while (sent(again_).state != State::lost) ++again_;
    Sent& lost = sent(again_);
    lost.state = State::under_way;
    lost.when = Time::never();
    lost.path = next_path();
    --lost_;
    ++counts_.again;
    return {lost.message, again_++, lost.payload, lost.path, true};
  }
  Message& message = *head_;
  const std::int64_t payload = std::min(message.unsent, rules_->max_payload);
  message.unsent -= payload;
  ++message.unacknowledged;
  if (message.unsent == 0) {
    head_ = message.next;
    if (head_ == nullptr) tail_ = nullptr;
  }
  const auto bytes = static_cast<std::uint32_t>(payload);
  sent_.push_back({&message, bytes, next_path(), State::under_way, Time::never()});
  return {&message, next() - 1, bytes, sent_.back().path, false};
}

void SendingFlow::left(std::int64_t number, const Departure& departure) {
  if (number >= first_) sent(number).when = departure.now;
  point_->sent(departure);
}

// --- News.

/// A packet has arrived: what is new of it.
Bytes SendingFlow::arrived(std::int64_t number) {
  if (number < first_ || number >= next()) return Bytes(0);
  Sent& packet = sent(number);
  if (packet.state == State::arrived) return Bytes(0);
  const Bytes bytes = on_wire(packet.payload);
  if (packet.state == State::lost) {
    --lost_;
    waiting_ = waiting_ - bytes;
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

Bytes SendingFlow::arrived_below(std::int64_t up_to) {
  Bytes bytes;
  for (std::int64_t number = first_; number < up_to; ++number) bytes += arrived(number);
  return bytes;
}

void SendingFlow::forget_arrived() {
  while (!sent_.empty() && sent_.front().state == State::arrived) {
    sent_.pop_front();
    ++first_;
  }
  again_ = std::max(again_, first_);
  looked_ = std::max(looked_, first_);
}

/// What became of a packet that has not been forgotten.
void SendingFlow::tell_path(std::int64_t number, PathFate fate, Time now) {
  if (chooser_ == nullptr || number < first_ || number >= next()) return;
  chooser_->heard(sent(number).path, fate, now);
}

void SendingFlow::acknowledged(const Ack& ack, Time now) {
  tell_path(ack.number, ack.marked ? PathFate::marked : PathFate::good, now);
  const Bytes bytes = arrived_below(ack.up_to) + arrived(ack.number);
  forget_arrived();
  if (bytes == Bytes(0)) return;
  timeout_ = rules_->timeout;
  look_for_gaps(ack, now);
  point_->acknowledged(
      {now, now - ack.sent, bytes, ack.marked, ack.hops, ack.number, next(), under_way_, ack.path});
}

/// What left before a packet that has arrived, and is so many before it, is lost.
void SendingFlow::look_for_gaps(const Ack& ack, Time now) {
  if (rules_->gap == 0 || rules_->repair != Repair::selective) return;
  Bytes bytes;
  for (; looked_ + rules_->gap <= ack.number; ++looked_) {
    const Sent& packet = sent(looked_);
    if (packet.state != State::under_way || packet.when > ack.sent) continue;
    bytes += on_wire(packet.payload);
    lose(looked_);
  }
  if (bytes > Bytes(0)) point_->lost({now, bytes, false, false, under_way_});
}

void SendingFlow::lose(std::int64_t number) {
  Sent& packet = sent(number);
  packet.state = State::lost;
  under_way_ = under_way_ - on_wire(packet.payload);
  waiting_ += on_wire(packet.payload);
  ++lost_;
  again_ = std::min(again_, number);
}

/// All that is under way, from a packet on, and has left by then.
void SendingFlow::lose_from(std::int64_t number, Time sent_by) {
  for (; number < next(); ++number) {
    if (sent(number).state == State::under_way && sent(number).when <= sent_by) lose(number);
  }
}

void SendingFlow::missed(std::int64_t number, std::int64_t up_to, bool trimmed, bool at_last_hop,
                         Time now) {
  const Bytes bytes = arrived_below(up_to);
  forget_arrived();
  if (bytes > Bytes(0)) timeout_ = rules_->timeout;
  if (number < first_ || number >= next() || sent(number).state != State::under_way) return;
  if (trimmed) tell_path(number, PathFate::trimmed, now);
  const Bytes lost = on_wire(sent(number).payload);
  if (rules_->repair == Repair::go_back_n) {
    lose_from(number, Time::never());
  } else {
    lose(number);
  }
  point_->lost({now, lost, trimmed, at_last_hop, under_way_});
}

// --- Silence.

Time SendingFlow::deadline() const {
  if (rules_->repair == Repair::none || under_way_ == Bytes(0)) return Time::never();
  Time oldest = Time::never();
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    if (sent_[i].state == State::under_way) oldest = std::min(oldest, sent_[i].when);
  }
  return oldest == Time::never() ? oldest : oldest + timeout_;
}

void SendingFlow::expire(Time now) {
  ++counts_.timeouts;
  const Bytes before = under_way_;
  const Time sent_by = rules_->repair == Repair::go_back_n ? Time::never() : now - timeout_;
  for (std::int64_t number = first_; chooser_ != nullptr && number < next(); ++number) {
    const Sent& packet = sent(number);
    const bool is_lost = packet.state == State::under_way && packet.when <= sent_by;
    if (is_lost) chooser_->heard(packet.path, PathFate::lost, now);
  }
  lose_from(first_, sent_by);
  constexpr std::int64_t kMostDoubled = 64;
  timeout_ = std::min(timeout_ * 2, rules_->timeout * kMostDoubled);
  point_->timed_out(now);
  point_->lost({now, before - under_way_, false, false, under_way_});
}

Message* SendingFlow::take_finished() {
  Message* const message = finished_;
  if (message != nullptr) finished_ = message->next;
  return message;
}

void SendingFlow::foresee_news() const {
  constexpr std::size_t kReaction = 4;  ///< Lines that most reaction points have.
  prefetch_lines(point_.get(), kReaction);
  if (!sent_.empty()) prefetch_whole(*sent_.front().message);
}

}  // namespace heddle::network
