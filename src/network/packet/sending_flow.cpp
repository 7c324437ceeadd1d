#include "network/packet/sending_flow.hpp"

#include <algorithm>

#include "core/prefetch.hpp"

namespace heddle::network {

void SendingFlow::add(Message& message) {
  message.next = nullptr;
  (tail_ == nullptr ? head_ : tail_->next) = &message;
  tail_ = &message;
  waiting_ +=
      std::max(Bytes(1), Bytes(message.unsent) + sent_.rules().header * message.packets_left);
}

/// On the wire, of the packet that is next.
Bytes SendingFlow::next_bytes() const {
  const FlowRules& rules = sent_.rules();
  return rules.on_wire(sent_.any_lost() ? sent_[sent_.first_lost()].payload
                                        : std::min(head_->unsent, rules.max_payload));
}

Time SendingFlow::may_send() const {
  if (point_->credit() <= Bytes(0)) return Time::never();
  const Bytes under_way = sent_.under_way();
  if (under_way > Bytes(0) && under_way + next_bytes() > point_->window()) return Time::never();
  return sent_.any_lost() ? point_->allowed() : std::max(head_->ready, point_->allowed());
}

SendingFlow::Piece SendingFlow::cut() {
  const Bytes on_wire = next_bytes();
  sent_bytes_ += on_wire;
  if (sent_.any_lost()) {
    const std::int64_t number = sent_.first_lost();
    sent_.send_again(number, next_path());
    ++counts_.again;
    const SentPackets::Sent& lost = sent_[number];
    return {lost.message, number, lost.payload, lost.path, true};
  }
  waiting_ = waiting_ - on_wire;
  Message& message = *head_;
  const std::int64_t payload = std::min(message.unsent, sent_.rules().max_payload);
  message.unsent -= payload;
  ++message.unacknowledged;
  if (message.unsent == 0) {
    head_ = message.next;
    if (head_ == nullptr) tail_ = nullptr;
  }
  const auto bytes = static_cast<std::uint32_t>(payload);
  const std::uint32_t path = next_path();
  sent_.add(message, bytes, path);
  return {&message, sent_.next() - 1, bytes, path, false};
}

void SendingFlow::left(std::int64_t number, const Departure& departure) {
  if (number >= sent_.first()) sent_[number].when = departure.now;
  point_->sent(departure);
}

// --- News.

/// What became of a packet that has not been forgotten.
void SendingFlow::tell_path(std::int64_t number, PathFate fate, Time now) {
  if (chooser_ == nullptr || !sent_.has(number)) return;
  chooser_->heard(sent_[number].path, fate, now);
}

void SendingFlow::acknowledged(const Ack& ack, Time now) {
  tell_path(ack.number, ack.marked ? PathFate::marked : PathFate::good, now);
  const Bytes bytes = sent_.arrived_below(ack.up_to) + sent_.arrived(ack.number);
  sent_.forget_arrived();
  if (bytes == Bytes(0)) return;
  timeout_ = sent_.rules().timeout;
  look_for_gaps(ack, now);
  point_->acknowledged({now, now - ack.sent, bytes, ack.marked, ack.hops, ack.number, sent_.next(),
                        sent_.under_way(), ack.path});
}

/// What left before a packet that has arrived, and is so many before it, is lost.
void SendingFlow::look_for_gaps(const Ack& ack, Time now) {
  if (sent_.rules().gap == 0 || sent_.rules().repair != Repair::selective) return;
  Bytes bytes;
  looked_ = std::max(looked_, sent_.first());
  for (; looked_ + sent_.rules().gap <= ack.number; ++looked_) {
    const SentPackets::Sent& packet = sent_[looked_];
    if (packet.state != SentPackets::State::under_way || packet.when > ack.sent) continue;
    bytes += sent_.rules().on_wire(packet.payload);
    sent_.lose(looked_);
  }
  if (bytes > Bytes(0)) point_->lost({now, bytes, false, false, sent_.under_way()});
}

void SendingFlow::missed(std::int64_t number, std::int64_t up_to, bool trimmed, bool at_last_hop,
                         Time now) {
  const Bytes bytes = sent_.arrived_below(up_to);
  sent_.forget_arrived();
  if (bytes > Bytes(0)) timeout_ = sent_.rules().timeout;
  if (!sent_.has(number) || sent_[number].state != SentPackets::State::under_way) return;
  if (trimmed) tell_path(number, PathFate::trimmed, now);
  const Bytes lost = sent_.rules().on_wire(sent_[number].payload);
  if (sent_.rules().repair == Repair::go_back_n) {
    sent_.lose_from(number, Time::never());
  } else {
    sent_.lose(number);
  }
  point_->lost({now, lost, trimmed, at_last_hop, sent_.under_way()});
}

// --- Silence.

Time SendingFlow::deadline() const {
  if (sent_.rules().repair == Repair::none || sent_.under_way() == Bytes(0)) return Time::never();
  const Time oldest = sent_.oldest();
  return oldest == Time::never() ? oldest : oldest + timeout_;
}

void SendingFlow::expire(Time now) {
  ++counts_.timeouts;
  const Bytes before = sent_.under_way();
  const Time sent_by = sent_.rules().repair == Repair::go_back_n ? Time::never() : now - timeout_;
  for (std::int64_t number = sent_.first(); chooser_ != nullptr && number < sent_.next();
       ++number) {
    const SentPackets::Sent& packet = sent_[number];
    const bool is_lost = packet.state == SentPackets::State::under_way && packet.when <= sent_by;
    if (is_lost) chooser_->heard(packet.path, PathFate::lost, now);
  }
  sent_.lose_from(sent_.first(), sent_by);
  constexpr std::int64_t kMostDoubled = 64;
  timeout_ = std::min(timeout_ * 2, sent_.rules().timeout * kMostDoubled);
  point_->timed_out(now);
  point_->lost({now, before - sent_.under_way(), false, false, sent_.under_way()});
}

void SendingFlow::foresee_news() const {
  constexpr std::size_t kReaction = 4;  ///< Lines that most reaction points have.
  prefetch_lines(point_.get(), kReaction);
  if (sent_.has(sent_.first())) prefetch_whole(*sent_[sent_.first()].message);
}

}  // namespace heddle::network
