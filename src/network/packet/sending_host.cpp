#include "network/packet/sending_host.hpp"

#include <algorithm>

#include "network/packet/flow_path.hpp"
#include "network/packet/output_port.hpp"

namespace heddle::network {

SendingHost::SendingHost(const PacketContext& context, EventSource& source)
    : context_(&context), source_(&source), further_(context.plan.lanes - 1) {}

void SendingHost::send(Message& message, std::size_t lane) {
  if (context_->plan.config.send_window > Bytes(0)) {
    line_of(message.transfer.source.node, lane).add(message);
    return offer_next(lane);
  }
  message.next = nullptr;
  Outbox& own = outbox(lane);
  (own.tail == nullptr ? own.head : own.tail->next) = &message;
  own.tail = &message;
  offer_next(lane);
}

void SendingHost::notify(Message& message) {
  message.next = first_.head;
  first_.head = &message;
  if (first_.tail == nullptr) first_.tail = &message;
  offer_next(0);
}

/// Puts the next packet of the lane's messages before the arbiter of its first link.
void SendingHost::offer_next(std::size_t lane) {
  Outbox& own = outbox(lane);
  while (own.offered == nullptr) {
    Message* message =
        own.head == nullptr && lines_ != nullptr ? next_in_line(lane) : next_message(own);
    if (message == nullptr) return;
    Packet& packet = cut_packet(*message);
    packet.lane = static_cast<std::uint8_t>(lane);
    OutputPort* first = context_->around.next_output(packet);
    if (first == nullptr) {  // From a node to itself, without a loopback: it is there.
      const Time now = context_->simulation.now();
      packet.at_end = true;
      count_packet(*message, now, now);
      context_->simulation.schedule(packet, now, *source_);
      continue;
    }
    own.offered = &packet;
    first->enter(packet);
  }
}

/// The first message of the lane whose flow may send now; a message leaves the queue with its last
/// packet.
Message* SendingHost::next_message(Outbox& outbox) {
  Time soonest = Time::never();
  Message* previous = nullptr;
  for (Message* message = outbox.head; message != nullptr;
       previous = message, message = message->next) {
    if (const Time may = allowed(*message); may > context_->simulation.now()) {
      soonest = std::min(soonest, may);
      continue;
    }
    if (message->unsent <= context_->plan.max_payload()) {
      (previous == nullptr ? outbox.head : previous->next) = message->next;
      if (outbox.tail == message) outbox.tail = previous;
    }
    return message;
  }
  if (outbox.head != nullptr) wake(soonest);
  return nullptr;
}

/// The same where messages to several nodes share the cable.
Message* SendingHost::next_in_line(std::size_t lane) {
  SendLine& line = lines_->of_lanes[lane];
  Time soonest = Time::never();
  Message* const message = line.next(
      context_->simulation.now(), [this](const Message& one) { return allowed(one); }, soonest);
  if (message == nullptr && !line.empty()) wake(soonest);
  return message;
}

SendLine& SendingHost::line_of(NodeId self, std::size_t lane) {
  if (lines_ == nullptr) {
    const PacketPlan& plan = context_->plan;
    const RandomStream random = context_->simulation.random("packet.unevenness");
    const SendLine::Windows windows{plan.config.send_window, plan.max_payload(),
                                    plan.config.unevenness,
                                    random.split(std::uint64_t{index(self)})};
    lines_ = std::make_unique<Lines>(Lines{windows, {}});
    lines_->of_lanes.assign(context_->plan.lanes, SendLine(lines_->windows));
  }
  return lines_->of_lanes[lane];
}

/// From when `message` may send its next packet, for its own pace and for its flow's.
Time SendingHost::allowed(const Message& message) const {
  if (context_->plan.congestion == nullptr || message.notification) return message.ready;
  const auto flow = flows_.find(index(message.transfer.destination.node));
  return flow == flows_.end() ? message.ready : std::max(message.ready, flow->second->allowed());
}

Packet& SendingHost::cut_packet(Message& message) const {
  Packet& packet = context_->supply.new_packet(message);
  const PacketConfig& config = context_->plan.config;
  const std::int64_t payload = std::min(message.unsent, context_->plan.max_payload());
  message.unsent -= payload;
  packet.message = &message;
  packet.set_size(config.header + Bytes(payload), config.flit);
  packet.begin(context_->simulation.now(), 0);
  return packet;
}

/// Makes sure that the host looks at its queues at `when` or before; never() is an error.
void SendingHost::wake(Time when) {
  if (retry_at_ <= when && when != Time::never()) return;
  context_->simulation.cancel(*this);
  context_->simulation.schedule(*this, retry_at_ = when, *source_);
}

void SendingHost::fire() {
  retry_at_ = Time::never();
  for (std::size_t lane = 0; lane < context_->plan.lanes; ++lane) offer_next(lane);
}

[[gnu::flatten]] void SendingHost::left(Packet& packet, Time begin, Time end) {
  Message& message = *packet.message;
  outbox(packet.in_lane).offered = nullptr;
  if (context_->plan.congestion != nullptr && !message.notification) {
    const Bytes bytes = packet.size(context_->plan.config.flit);
    flow_of(message.transfer).sent({begin, message.due, end - begin, bytes});
  }
  count_packet(message, begin, end);
  offer_next(packet.in_lane);
}

/// A packet of the message leaves between `begin` and `end`.
void SendingHost::count_packet(Message& message, Time begin, Time end) {
  message.keep_pace(begin, context_->plan.max_payload());
  if (message.unsent == 0 && message.transfer.wants_instant(Instant::injected)) {
    context_->simulation.schedule(message, end, *source_);
  }
}

void SendingHost::notified(NodeId destination) {
  flows_.at(index(destination))->notified(context_->simulation.now());
}

ReactionPoint& SendingHost::flow_of(const Transfer& transfer) {
  std::unique_ptr<ReactionPoint>& flow = flows_[index(transfer.destination.node)];
  if (flow == nullptr) {
    const PacketPlan& plan = context_->plan;
    flow = plan.congestion->new_flow(
        flow_path(plan, transfer.source, transfer.destination, plan.longest_rtt));
  }
  return *flow;
}

}  // namespace heddle::network
