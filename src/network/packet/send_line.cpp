#include "network/packet/send_line.hpp"

#include "core/normal.hpp"

namespace heddle::network {

std::int64_t SendLine::Windows::towards(NodeId destination) const {
  auto bytes = static_cast<double>(median.count());
  if (unevenness > 0) {
    RandomStream own = random.split(std::uint64_t{index(destination)});
    bytes *= portable_exp(unevenness * standard_normal(own));
  }
  constexpr double kMost = 1LL << 40;
  const double packets = bytes / static_cast<double>(max_payload) + 0.5;
  return static_cast<std::int64_t>(std::clamp(packets, 1.0, kMost));
}

void SendLine::add(Message& message) {
  const NodeId destination = message.transfer.destination.node;
  Stream& stream = streams_[index(destination)];
  if (stream.window == 0) stream.window = windows_->towards(destination);
  message.next = nullptr;
  (stream.first == nullptr ? stream.first : stream.last->next) = &message;
  stream.last = &message;
  stream.behind += message.packets_left;
  join(stream);
}

void SendLine::join(Stream& stream) {
  for (; stream.in_line < stream.window && stream.behind > 0; --stream.behind, ++stream.in_line) {
    line_.push_back(&stream);
  }
}

/// When a packet has left, another one of its stream takes the last place in line.
void SendLine::follow_up() {
  if (leaving_ == nullptr) return;
  --leaving_->in_line;
  join(*leaving_);
  leaving_ = nullptr;
}

Message& SendLine::take_packet(Stream& stream) const {
  Message& message = *stream.first;
  if (message.unsent <= windows_->max_payload) stream.first = message.next;
  return message;
}

}  // namespace heddle::network
