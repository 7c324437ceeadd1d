#include "network/packet/input_queues.hpp"

#include <algorithm>

namespace heddle::network {

void InputQueues::append(Packet& packet) {
  packet.next = nullptr;
  std::size_t at = 0;
  while (at < queues_.size() && queues_[at].input < packet.in) ++at;
  if (at == queues_.size() || queues_[at].input != packet.in) {
    queues_.insert(at, Queue{packet.in, &packet, &packet});
  } else {
    queues_[at].tail->next = &packet;
    queues_[at].tail = &packet;
  }
  ++packets_;
  flits_ += packet.flits;
  most_flits_ = std::max(most_flits_, flits_);
}

void InputQueues::remove_first(Packet& packet) {
  std::size_t at = 0;
  while (queues_[at].head != &packet) ++at;
  queues_[at].head = packet.next;
  if (packet.next == nullptr) queues_.erase(at);
  last_turn_ = packet.in;
  --packets_;
  flits_ -= packet.flits;
}

void InputQueues::remove(Packet& packet) {
  std::size_t at = 0;
  while (queues_[at].input != packet.in) ++at;
  Queue& queue = queues_[at];
  if (queue.head == &packet) return remove_first(packet);
  Packet* before = queue.head;
  while (before->next != &packet) before = before->next;
  before->next = packet.next;
  if (queue.tail == &packet) queue.tail = before;
  last_turn_ = packet.in;
  --packets_;
  flits_ -= packet.flits;
}

void InputQueues::pass(const Packet& packet) {
  most_flits_ = std::max<std::int64_t>(most_flits_, packet.flits);
  last_turn_ = packet.in;
}

}  // namespace heddle::network
