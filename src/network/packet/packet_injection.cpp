// How messages become packets at their source.
#include <algorithm>

#include "network/packet/packet_parts.hpp"

namespace heddle::network {

void PacketNetwork::start(const Transfer& transfer) {
  Message& message = messages_.take();
  message.transfer = transfer;
  message.unsent = transfer.size.count();
  // Of an empty message, one.
  message.packets_left = (message.unsent - 1) / max_payload() + 1;
  message.ready = message.due = simulation_.now() + own_pace(message);
  message.head_reported = false;
  message.notification = false;
  message.next = nullptr;
  Host& source = host(transfer.source.node);
  const int lane = first_lane(transfer);
  Host::Outbox& outbox = source.outbox(static_cast<std::size_t>(lane));
  (outbox.tail == nullptr ? outbox.head : outbox.tail->next) = &message;
  outbox.tail = &message;
  offer_next(source, lane);
}

/// Puts the next packet of the host's queue before the arbiter of its first link.
void PacketNetwork::offer_next(Host& host, int lane) {
  Host::Outbox& outbox = host.outbox(static_cast<std::size_t>(lane));
  while (outbox.offered == nullptr) {
    Message* message = next_message(host, lane);
    if (message == nullptr) return;
    Packet& packet = cut_packet(*message);
    packet.lane = static_cast<std::uint8_t>(lane);
    Port* first = next_port(packet);
    if (first == nullptr) {  // From a node to itself, without a loopback: it is there.
      packet.at_end = true;
      left_source(*message, simulation_.now(), simulation_.now());
      simulation_.schedule(packet, simulation_.now(), host.source);
      continue;
    }
    outbox.offered = &packet;
    enter_queue(packet, *first);
  }
}

/// The first message of the lane whose flow may send now; a message leaves the queue with its last
/// packet.
PacketNetwork::Message* PacketNetwork::next_message(Host& host, int lane) {
  Host::Outbox& outbox = host.outbox(static_cast<std::size_t>(lane));
  Time soonest = Time::never();
  Message* previous = nullptr;
  for (Message* message = outbox.head; message != nullptr;
       previous = message, message = message->next) {
    if (const Time may = allowed(host, *message); may > simulation_.now()) {
      soonest = std::min(soonest, may);
      continue;
    }
    if (message->unsent <= max_payload()) {
      (previous == nullptr ? outbox.head : previous->next) = message->next;
      if (outbox.tail == message) outbox.tail = previous;
    }
    return message;
  }
  if (outbox.head != nullptr) wake(host, soonest);
  return nullptr;
}

/// Makes sure that the host looks at its queues at `when` or before; never() is an error.
void PacketNetwork::wake(Host& host, Time when) {
  if (host.retry_at <= when && when != Time::never()) return;
  simulation_.cancel(host.retry);
  simulation_.schedule(host.retry, host.retry_at = when, host.source);
}

void PacketNetwork::retry(Host& host) {
  host.retry_at = Time::never();
  for (std::size_t lane = 0; lane < lanes_; ++lane) offer_next(host, static_cast<int>(lane));
}

/// From when `message` may send its next packet, for its own pace and for its flow's.
Time PacketNetwork::allowed(const Host& host, const Message& message) const {
  if (!config_.congestion_control || message.notification) return message.ready;
  const auto flow =
      host.throttles.find(static_cast<std::uint32_t>(message.transfer.destination.node));
  return flow == host.throttles.end() ? message.ready
                                      : std::max(message.ready, flow->second.allowed());
}

/// In which the payload of the next packet comes together at the message's own rate.
Time PacketNetwork::own_pace(const Message& message) const {
  return message.transfer.rate_cap.time_for(Bytes(std::min(message.unsent, max_payload())));
}

PacketNetwork::Packet& PacketNetwork::cut_packet(Message& message) {
  Packet& packet =
      in_order_ ? static_cast<Packet&>(ordered_packets_.take(*this)) : packets_.take(*this);
  const std::int64_t payload = std::min(message.unsent, max_payload());
  message.unsent -= payload;
  const std::int64_t bytes = std::max<std::int64_t>(1, payload + config_.header.count());
  const std::int64_t flit = config_.flit.count();
  packet.message = &message;
  packet.flits = static_cast<std::uint32_t>((bytes + flit - 1) / flit);
  packet.last_bytes = static_cast<std::uint32_t>(bytes - (packet.flits - 1) * flit);
  packet.walk = platform_.walk(message.transfer.source, message.transfer.destination, next_salt_++);
  packet.in = kNoLink;
  packet.before = nullptr;
  packet.marked = false;
  packet.at_end = false;
  packet.head = simulation_.now();
  packet.spacing = Time::zero();
  return packet;
}

/// A packet has begun to leave its source.
void PacketNetwork::sent_from_source(Packet& packet, Port& port, Time begin) {
  Message& message = *packet.message;
  Host& source = host(message.transfer.source.node);
  source.outbox(packet.lane).offered = nullptr;
  if (config_.congestion_control && !message.notification) {
    source.throttles[static_cast<std::uint32_t>(message.transfer.destination.node)].sent(
        begin, message.due, port.shared->free - begin, config_);
  }
  left_source(message, begin, port.shared->free);
  offer_next(source, packet.lane);
}

/// A packet of the message leaves between `begin` and `end`.
void PacketNetwork::left_source(Message& message, Time begin, Time end) {
  if (!message.transfer.rate_cap.is_unlimited()) {
    message.ready = begin + own_pace(message);
    message.due += own_pace(message);
  }
  if (message.unsent == 0 && message.transfer.wants_instant(Instant::injected)) {
    simulation_.schedule(message, end, host(message.transfer.source.node).source);
  }
}

/// Tells the source of a marked packet, ahead of everything else that this host has to send.
void PacketNetwork::notify_source(const Packet& packet) {
  Message& message = messages_.take();
  message.transfer = {};
  message.transfer.source.node = packet.walk.destination.node;
  message.transfer.destination.node = packet.walk.source.node;
  message.transfer.wants = 0;
  message.unsent = 0;
  message.packets_left = 1;
  message.ready = Time::zero();
  message.head_reported = true;
  message.notification = true;
  Host& from = host(message.transfer.source.node);
  Host::Outbox& outbox = from.outbox(0);
  message.next = outbox.head;
  outbox.head = &message;
  if (outbox.tail == nullptr) outbox.tail = &message;
  offer_next(from, 0);
}

}  // namespace heddle::network
