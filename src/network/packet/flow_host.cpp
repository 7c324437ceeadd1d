#include "network/packet/flow_host.hpp"

#include <algorithm>
#include <utility>

#include "network/packet/flow_path.hpp"
#include "network/packet/output_port.hpp"

namespace heddle::network {

void PacketFlow::fire() {
  host.silence(*this);
}

FlowHost::FlowHost(const PacketContext& context, EventSource& source)
    : context_(&context),
      source_(&source),
      lines_(context.plan.lanes),
      told_(context),
      granting_(context, source, told_) {}

// --- As a source.

PacketFlow& FlowHost::flow_of(const Transfer& transfer, std::size_t lane) {
  const auto port = [](const platform::Endpoint& end) {
    return std::uint64_t{end.adapter} << 2 | static_cast<std::uint64_t>(end.port);
  };
  const std::uint64_t key = index(transfer.destination.node) << 32 | port(transfer.source) << 20 |
                            port(transfer.destination) << 8 | transfer.traffic_class;
  PacketFlow*& flow = flow_to_[key];
  if (flow == nullptr) {
    const PacketPlan& plan = context_->plan;
    std::unique_ptr<ReactionPoint> point;
    if (plan.congestion != nullptr) {
      point = plan.congestion->new_flow(
          flow_path(plan, transfer.source, transfer.destination, plan.longest_rtt));
    }
    const std::uint64_t seed = path_seed(transfer);
    SendingFlow sending(plan.flows, std::move(point),
                        plan.paths == nullptr ? nullptr : plan.paths->new_flow(seed));
    flow = &flows_.add(*this, transfer, static_cast<std::uint32_t>(flows_.size()),
                       static_cast<std::uint8_t>(lane), seed, std::move(sending));
  }
  return *flow;
}

/// From which the ways of a flow follow: its number at its source, and the seed of the simulation.
std::uint64_t FlowHost::path_seed(const Transfer& first) const {
  const PacketPlan& plan = context_->plan;
  if (plan.paths == nullptr) return 0;
  const RandomStream source =
      context_->simulation.random("paths").split(plan.platform.adapter_index(first.source));
  return source.split(flows_.size()).next();
}

void FlowHost::send(Message& message, std::size_t lane) {
  PacketFlow& flow = flow_of(message.transfer, lane);
  flow.sending.add(message);
  go_on(flow);
}

/// Something has changed for the flow.
void FlowHost::go_on(PacketFlow& flow) {
  if (flow.in_line || !flow.sending.has_something()) return;
  line_up(flow);
  offer_next(flow.lane);
}

/// Behind those that wait for their turn.
void FlowHost::line_up(PacketFlow& flow) {
  flow.in_line = true;
  lines_[flow.lane].asked.push(flow);
}

void FlowHost::offer_next(std::size_t lane) {
  if (lines_[lane].offered) return;
  if (PacketFlow* const flow = next_flow(lane)) offer(*flow);
}

/// The first in line that may send now. Those that may later are put aside until then, and those
/// that wait for news until that comes.
PacketFlow* FlowHost::next_flow(std::size_t lane) {
  while (PacketFlow* const flow = lines_[lane].asked.pop()) {
    flow->in_line = false;
    if (!flow->sending.has_something()) continue;
    const Time when = flow->sending.may_send();
    if (when <= context_->simulation.now()) return flow;
    if (when != Time::never()) {
      flow->in_line = true;
      timed_.push({when, order_++, flow});
      wake();
    } else if (flow->sending.lacks_credit()) {
      tell_wish(*flow);
    }
  }
  return nullptr;
}

/// Puts the flow's next packet before the arbiter of its first link.
void FlowHost::offer(PacketFlow& flow) {
  const SendingFlow::Piece piece = flow.sending.cut();
  TrackedPacket& packet = context_->supply.new_tracked_packet(flow.source, flow.destination);
  packet.message = piece.message;
  packet.set_size(context_->plan.config.header + Bytes(piece.payload), context_->plan.config.flit);
  packet.begin(context_->simulation.now(), flow.lane);
  packet.flow = &flow;
  if (context_->plan.paths != nullptr) packet.walk.hop.salt = flow.way(piece.path);
  packet.again = piece.again;
  packet.number = piece.number;
  packet.payload = piece.payload;
  packet.bytes = flow.told = flow.sending.wanted();
  if (flow.sending.has_something()) line_up(flow);
  lines_[flow.lane].offered = true;
  context_->around.next_output(packet)->enter(packet);
}

void FlowHost::left(TrackedPacket& packet, Time begin, Time end) {
  if (!packet.is_data()) return told_.left();
  PacketFlow& flow = *packet.flow;
  packet.sent = begin;
  flow.sending.left(packet.number, {begin, packet.again ? begin : packet.message->due, end - begin,
                                    packet.size(context_->plan.config.flit)});
  if (!packet.again) count_departure(packet, begin, end);
  await_news(flow, begin);
  lines_[flow.lane].offered = false;
  offer_next(flow.lane);
}

/// A packet leaves for the first time: its message is alive.
void FlowHost::count_departure(const TrackedPacket& packet, Time begin, Time end) {
  Message& message = *packet.message;
  message.keep_pace(begin, context_->plan.max_payload());
  if (message.unsent == 0 && message.transfer.wants_instant(Instant::injected)) {
    context_->simulation.schedule(message, end, *source_);
  }
}

/// Looks again when the least time that a packet may take has passed.
void FlowHost::await_news(PacketFlow& flow, Time begin) {
  if (context_->plan.flows.repair == Repair::none || flow.scheduled()) return;
  context_->simulation.schedule(flow, begin + context_->plan.flows.timeout, *source_);
}

void FlowHost::silence(PacketFlow& flow) {
  const Time now = context_->simulation.now();
  const Time deadline = flow.sending.deadline();
  if (now < deadline && deadline != Time::never()) {
    return context_->simulation.schedule(flow, deadline, *source_);
  }
  if (deadline <= now) flow.sending.expire(now);
  if (flow.sending.lacks_credit() && flow.sending.has_something()) {
    flow.told = Bytes(0);  // The wish may be lost.
    tell_wish(flow);
  }
  await_news(flow, now);
  go_on(flow);
}

void FlowHost::wake() {
  context_->simulation.cancel(*this);
  if (timed_.empty()) return;
  const Time when = std::max(timed_.top().when, context_->simulation.now());
  context_->simulation.schedule(*this, when, *source_);
}

void FlowHost::fire() {
  const Time now = context_->simulation.now();
  while (!timed_.empty() && timed_.top().when <= now) {
    PacketFlow& flow = *timed_.top().flow;
    timed_.pop();
    line_up(flow);
  }
  wake();
  for (std::size_t lane = 0; lane < lines_.size(); ++lane) offer_next(lane);
}

// --- What comes in.

bool FlowHost::ended(TrackedPacket& packet) {
  switch (packet.sort) {
    case TrackedPacket::Sort::data:
      return data_ended(packet);
    case TrackedPacket::Sort::header:
      header_ended(packet);
      return false;
    default:
      heard(packet);
      return false;
  }
}

bool FlowHost::data_ended(TrackedPacket& packet) {
  PacketFlow& flow = *packet.flow;
  ReceivingFlow& receiving = flow.receiving;
  granting_.wanted(packet);
  if (packet.marked && granting_.notifies(packet, flow.source.node)) {
    told_.tell(told_.reply(flow, TrackedPacket::Sort::notification));
  }
  const ReceivingFlow::Arrival arrival = receiving.arrival(packet.number);
  const bool taken = is_taken(packet, context_->plan.flows.repair);
  if (arrival == ReceivingFlow::Arrival::early && !taken) {
    if (!receiving.tell_of_gap()) return false;
    TrackedPacket& nack = told_.reply(flow, TrackedPacket::Sort::nack);
    nack.number = nack.up_to;
    told_.tell(nack);
    return false;
  }
  if (taken) receiving.take(packet.number);
  // In order, one is for several; where something is missing or comes twice, it is told at once.
  const bool last = taken && packet.message->packets_left == 1;
  const bool due = receiving.count_taken() >= context_->plan.flows.ack_every;
  if (arrival != ReceivingFlow::Arrival::expected || due || last || packet.marked) {
    acknowledge(packet);
  }
  return taken;
}

void FlowHost::acknowledge(TrackedPacket& packet) {
  packet.flow->receiving.acknowledge();
  TrackedPacket& ack = told_.reply(*packet.flow, TrackedPacket::Sort::ack);
  ack.number = packet.number;
  ack.sent = packet.sent;
  ack.marked_data = packet.marked;
  ack.hops = static_cast<std::uint16_t>(std::min<std::uint32_t>(packet.walk.hop.step, UINT16_MAX));
  std::swap(ack.path, packet.path);
  told_.tell(ack);
}

void FlowHost::header_ended(const TrackedPacket& packet) {
  PacketFlow& flow = *packet.flow;
  granting_.wanted(packet);
  const bool in_order_only = context_->plan.flows.repair == Repair::go_back_n;
  if (flow.receiving.arrival(packet.number) == ReceivingFlow::Arrival::again) return;
  if (in_order_only && !flow.receiving.tell_of_gap()) return;
  TrackedPacket& nack = told_.reply(flow, TrackedPacket::Sort::nack);
  nack.number = in_order_only ? nack.up_to : packet.number;
  nack.trimmed = true;
  nack.at_last_hop = packet.at_last_hop;
  told_.tell(nack);
}

/// What the destination has told the source, or the source the destination.
void FlowHost::heard(const TrackedPacket& packet) {
  PacketFlow& flow = *packet.flow;
  const Time now = context_->simulation.now();
  switch (packet.sort) {
    case TrackedPacket::Sort::ack:
      flow.sending.acknowledged(
          {packet.number, packet.up_to, packet.sent, packet.marked_data, packet.hops,
           packet.path == nullptr ? std::span<const HopNews>() : packet.path->all()},
          now);
      break;
    case TrackedPacket::Sort::nack:
      flow.sending.missed(packet.number, packet.up_to, packet.trimmed, packet.at_last_hop, now);
      break;
    case TrackedPacket::Sort::notification:
      flow.sending.notified(now);
      break;
    case TrackedPacket::Sort::grant:
      flow.sending.granted(now, packet.bytes);
      break;
    default:
      return granting_.wanted(packet);
  }
  while (Message* const message = flow.sending.take_finished()) {
    context_->supply.acknowledged(*message);
  }
  if (flow.sending.unacknowledged() == Bytes(0) && !flow.sending.has_something()) {
    context_->simulation.cancel(flow);
  }
  go_on(flow);
}

void FlowHost::tell_wish(PacketFlow& flow) {
  if (flow.told < flow.sending.wanted()) told_.tell(told_.wish(flow));
}

SendingFlow::Counts FlowHost::counts() const {
  SendingFlow::Counts sum;
  flows_.for_each([&sum](const PacketFlow& flow) {
    sum.again += flow.sending.counts().again;
    sum.timeouts += flow.sending.counts().timeouts;
  });
  return sum;
}

}  // namespace heddle::network
