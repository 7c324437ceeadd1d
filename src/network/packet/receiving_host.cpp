#include "network/packet/receiving_host.hpp"

#include <algorithm>

#include "network/packet/flow.hpp"
#include "network/packet/message.hpp"
#include "network/packet/output_port.hpp"

namespace heddle::network {
namespace {

/// Of the number of a packet that has ended: one that none has.
constexpr std::uint64_t kEnded = std::uint64_t{1} << 32;

Packet& packet_of(const FlitTrain& train) {
  return *static_cast<Packet*>(train.packet);
}

/// In which the last flit comes in: at the pace of the slowest link on the way.
Time last_flit_time(const PortKind& last, const Packet& packet, std::int64_t flit) {
  if (packet.last_bytes == flit) return std::max(last.flit_time, packet.spacing);
  // Part by part: spacing times bytes may be too large.
  const std::int64_t whole = packet.spacing.ps() / flit;
  const std::int64_t rest = packet.spacing.ps() - whole * flit;
  const Time paced = Time::ps(whole * packet.last_bytes + rest * packet.last_bytes / flit);
  return std::max(last.bandwidth.time_for(Bytes(packet.last_bytes)), paced);
}

}  // namespace

ReceivingHost::ReceivingHost(const PacketContext& context, EventSource source)
    : context_(&context),
      source_(source),
      sink_({context.plan.config.sink, context.plan.config.sink_pause,
             context.plan.config.sink_between}) {}

void ReceivingHost::enter(Packet& packet) {
  if (!packet.tracked ||
      is_taken(static_cast<TrackedPacket&>(packet), context_->plan.flows.repair)) {
    packet.message->report_head();
  }
  const Time now = context_->simulation.now();
  const std::int64_t flit = context_->plan.config.flit.count();
  OutputPort& last = *packet.before;
  if (context_->plan.config.sink.attoseconds() == 0) {  // Flits are taken as they come.
    const Time tail =
        now + packet.spacing * (packet.flits - 1) + last_flit_time(last.kind(), packet, flit);
    packet.at_end = true;
    context_->around.left_buffer(packet, tail);
    return context_->simulation.schedule(packet, tail, source_);
  }
  const LaneCredits& credits = last.lanes()[packet.in_lane].credits;
  if (credits.end_host() == nullptr) connect(last);
  drain(now);
  sink_.add({now, packet.spacing, packet.flits, static_cast<std::uint32_t>(flit), packet.last_bytes,
             credits.sink_account(), &packet});
  context_->simulation.cancel(*this);
  context_->simulation.schedule(*this, sink_.front_drained(), source_);
  if (credits.lacking()) last.look_for_credits(packet.in_lane);
}

/// `port` leads here: the sink's drains give it credits from now on.
void ReceivingHost::connect(OutputPort& port) {
  const std::size_t lanes = port.kind().lanes;
  const std::size_t first = entrances_.size() * lanes;
  entrances_.insert(entrances_.size(), &port);
  sink_.count_accounts(first + lanes);
  for (std::size_t i = 0; i < lanes; ++i) {
    port.lanes()[i].credits.end_at(*this, static_cast<std::uint32_t>(first + i));
  }
}

void ReceivingHost::drain(Time until) {
  bool ended = false;
  for (const OutputPort* entrance : entrances_) {
    const CreditClock& told_by = entrance->news().told_by(context_->plan.idle_clock);
    const Time told = told_by.last_departure(until);
    if (told < until) ended |= drain_and_credit(told);
  }
  ended |= drain_and_credit(until);
  if (!ended) return;
  context_->simulation.cancel(*this);
  if (!sink_.empty()) context_->simulation.schedule(*this, sink_.front_drained(), source_);
}

/// Takes the flits due by `until` and gives their senders the credits; true if packets ended.
bool ReceivingHost::drain_and_credit(Time until) {
  bool ended = false;
  while (!sink_.empty()) {
    Packet& packet = packet_of(sink_.front());
    if (!sink_.advance(until)) break;
    ended = true;
    context_->around.ended(packet);
  }
  for (OutputPort* entrance : entrances_) {
    for (std::size_t i = 0; i < context_->plan.data_lanes(); ++i) {
      LaneCredits& credits = entrance->lanes()[i].credits;
      credits.credit_drained(sink_.drained(credits.sink_account()), until);
    }
  }
  return ended;
}

bool ReceivingHost::notifies(const Packet& packet) {
  if (notification_ == nullptr) {
    const PacketPlan& plan = context_->plan;
    notification_ = plan.congestion->new_notification_point(
        {packet.before->kind().bandwidth, plan.config.max_packet, plan.longest_rtt});
  }
  return notification_->notifies(packet.walk.source.node, context_->simulation.now());
}

std::uint64_t ReceivingHost::flow_of(const Packet& packet) {
  return index(packet.walk.source.node) << 8 | packet.message->transfer.traffic_class;
}

/// Numbers begin anywhere and go round.
bool ReceivingHost::is_overtaken(const Packet& packet, std::uint32_t number) {
  std::uint64_t& last = last_sent_[flow_of(packet)];
  const auto before = static_cast<std::uint32_t>(last);
  if (last != 0 && static_cast<std::int32_t>(number - before) < 0) return true;
  last = kEnded | number;
  return false;
}

// --- What comes soon asks for the memory that it needs, as if there were one lane.

void ReceivingHost::foresee_sink() const {
  prefetch_whole(sink_);
  prefetch(&entrances_);
}

/// Of the end of a packet at a sink: the packet, and the credits of those who sent.
void ReceivingHost::foresee() const {
  for (const OutputPort* entrance : entrances_) {
    const PortLane& lane = entrance->lanes()[0];
    lane.queues.foresee_turn();
    lane.credits.foresee_news();
    if (context_->plan.credit_packets) prefetch(&entrance->news());
  }
  if (!sink_.empty()) packet_of(sink_.front()).foresee_hop();
}

void ReceivingHost::expect() const {
  for (const OutputPort* entrance : entrances_) {
    entrance->lanes()[0].credits.foresee_freed();
    if (context_->plan.credit_packets) entrance->news().foresee_back();
  }
  if (!sink_.empty()) prefetch_whole(*packet_of(sink_.front()).message);
}

}  // namespace heddle::network
