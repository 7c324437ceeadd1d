#include "network/packet/output_port.hpp"

#include <algorithm>

#include "network/packet/message.hpp"
#include "network/packet/tracked_packet.hpp"

namespace heddle::network {
namespace {

std::unique_ptr<CongestionPoint> new_point(const PortKind& kind, LinkId link) {
  if (!kind.marks) return nullptr;
  const PacketPlan& plan = kind.context.plan;
  return plan.congestion->new_point({kind.buffer_flits, kind.to_host, kind.bandwidth,
                                     plan.config.flit, static_cast<std::uint32_t>(index(link)),
                                     plan.longest_rtt});
}

/// The packet leaves a buffer that is left in order: the one behind it has its turn when the last
/// flit of this one has passed.
void leave_buffer(FifoBuffer& buffer, Time passed) {
  const auto [next, output] = buffer.leave(passed);
  if (next != nullptr) output->arbiter().look_at(output->asks_from(*next));
}

/// Whether the packet, which lacks credits, has another way.
inline bool may_escape(const PacketPlan& plan, const Packet& packet) {
  return plan.escapes && packet.before != nullptr && packet.lane != plan.control_lane &&
         !plan.lane_rule->is_escape(packet.lane);
}

/// The packet, which has just passed, takes along what it has left behind.
void measure(const OutputPort& port, TrackedPacket& packet, Time now) {
  if (packet.path == nullptr || !packet.is_data()) return;
  const PortKind& kind = port.kind();
  const Bytes flit = kind.context.plan.config.flit;
  Bytes queued = port.stage().queued(kind, now) - packet.size(flit);
  Bytes carried;
  for (std::size_t i = 0; i < kind.lanes; ++i) {
    queued += flit * port.lanes()[i].queues.flits();
    carried += Bytes(port.lanes()[i].bytes);
  }
  packet.path->add({now, std::max(Bytes(0), queued), carried, kind.bandwidth});
}

}  // namespace

OutputPort::OutputPort(const PortKind& kind, LinkId link, EventSource source)
    : arbiter_(*this, link, source),
      lanes_(kind),
      news_({kind.context.plan.config.credit_period,
             kind.bandwidth.time_for(kind.context.plan.config.credit_packet)}),
      marker_(new_point(kind, link)) {}

void OutputPort::join(OutputPort& one, OutputPort& other, platform::Duplex duplex) {
  if (duplex == platform::Duplex::half) return other.stage_.share_wire(one.stage_);
  one.news_.come_from(other.news_);
  other.news_.come_from(one.news_);
}

// --- Packets come.

void OutputPort::enter(Packet& packet) {
  if (passes_unhindered(packet)) {
    lanes_[packet.lane].queues.pass(packet);
    return grant(packet, packet.head, packet.flits);
  }
  lanes_.append(packet);
  const PacketContext& context = kind().context;
  if (context.plan.in_order && packet.before != nullptr) {
    buffer_of(packet).enter(packet, *this);
  }
  arbiter_.look_at(asks_from(packet));
}

void OutputPort::enter_waiting(Packet& packet) {
  lanes_.append(packet);
  arbiter_.look_at(std::max(packet.head, kind().context.simulation.now()));
}

/// Whether nothing that is yet to happen can keep the packet from passing as soon as it is at the
/// arbiter: then that needs no event of its own. Nobody waits there, it has its credits, and
/// whoever comes later is later at the arbiter.
bool OutputPort::passes_unhindered(const Packet& packet) {
  const PortKind& kind = this->kind();
  if (!kind.context.plan.foreseeable || packet.before == nullptr) return false;
  if (arbiter_.is_going_to_look() || lanes_.anyone_waits()) return false;
  if (stage_.crossbar_free() > packet.head || stage_.room_at(kind, packet) > packet.head) {
    return false;
  }
  if (kind.is_control(packet.lane)) return true;
  const Time known = kind.context.simulation.now() - kind.wire;
  return lanes_[packet.lane].credits.suffice_at(known, packet.flits);
}

// --- Packets pass.

/// One that leaves its buffer in order does so when those before it have passed and it has been
/// found where it goes.
Time OutputPort::asks_from(const Packet& packet) const {
  const PacketContext& context = kind().context;
  if (!context.plan.in_order || packet.before == nullptr) return packet.head;
  const Time passed = buffer_of(packet).passed();
  return std::max(packet.head, passed) + context.plan.config.route_time;
}

Time OutputPort::may_pass_from(const Packet& packet) const {
  return std::max({asks_from(packet), stage_.crossbar_free(), stage_.room_at(kind(), packet)});
}

bool OutputPort::escapes(Packet& packet, Time now) {
  const PacketContext& context = kind().context;
  if (may_escape(context.plan, packet)) {
    lanes_.remove(packet);
    context.around.escape(packet, *this);
    return true;
  }
  lanes_[packet.lane].credits.lack(packet.flits, now);
  return false;
}

Time OutputPort::pass(Packet& packet) {
  const std::int64_t waiting = lanes_[packet.lane].queues.flits();
  lanes_.remove(packet);
  grant(packet, kind().context.simulation.now(), waiting);
  return stage_.crossbar_free();
}

/// The packet passes at `now`; with it, `waiting` flits have waited for its lane.
void OutputPort::grant(Packet& packet, Time now, std::int64_t waiting) {
  if (kind().plain) return grant_as(packet, now, waiting, true);
  grant_as(packet, now, waiting, false);
}

/// Once for each: what a plain port does not have is no part of its function.
[[gnu::always_inline]] inline void OutputPort::grant_as(Packet& packet, Time now,
                                                        std::int64_t waiting, bool plain) {
  const PortKind& kind = this->kind();
  PacketSurroundings& around = kind.context.around;
  PortLane& own = lanes_[packet.lane];
  // What few ports have lies far from what all need: no look at it where there is none.
  if (!plain && kind.marks && marker_.looks_at(packet)) {
    marker_.look_at(packet, {waiting, packet.flits, own.credits.lacked_since(packet.head),
                             stage_.queued(kind, now)});
  }
  lanes_.served(packet);
  const Passage passage = stage_.take(kind, link(), packet, now, news_.carried(), plain);
  const bool arrives = plain || passage.lost == Time::never();
  if (arrives) [[likely]] {
    lanes_.sent(packet);
    ++own.packets;
    own.bytes += (packet.flits - 1) * kind.context.plan.config.flit.count() + packet.last_bytes;
  }

  if (!plain && kind.measures && packet.tracked) {
    measure(*this, static_cast<TrackedPacket&>(packet), now);
  }

  const bool from_source = packet.before == nullptr;
  if (!from_source) {
    if (!plain && kind.context.plan.in_order) {
      leave_buffer(buffer_of(packet), stage_.crossbar_free());
    }
    around.left_buffer(packet, passage.last_passed);
  }
  packet.in = link();
  packet.before = this;
  packet.in_lane = packet.lane;
  const bool stored = !plain && kind.stored;
  packet.spacing = stored ? Time::zero() : passage.spacing;
  const Time there =
      (stored ? passage.end : passage.begin) + (packet.walk.streamed ? Time::zero() : kind.wire);
  if (arrives) [[likely]] {
    around.sent(packet, *this, there);
  } else {
    around.lost(packet, *this, std::max(passage.lost, passage.end));
  }
  if (from_source) around.left_source(packet, passage.begin, passage.end);
  if (lanes_.anyone_waits()) arbiter_.look_when_free();
}

// --- Credits.

void OutputPort::free_at(std::size_t lane, Time when, std::int64_t flits) {
  LaneCredits& credits = lanes_[lane].credits;
  credits.free_at(when, flits);
  if (kind().pooled) return lanes_.pool().freed(*this, when);
  if (credits.lacking()) look_for_credits(lane);
}

void OutputPort::go_on(std::size_t lane) {
  lanes_.end_pause(lane);
  if (lanes_.anyone_waits()) arbiter_.look_at(kind().context.simulation.now());
}

void OutputPort::look_for_credits(std::size_t lane) {
  if (kind().pooled) return lanes_.pool().wait(*this);
  const Time freed = lanes_[lane].credits.enough_freed();
  if (freed != Time::never()) arbiter_.look_at(news_.hears_of(kind(), freed));
}

}  // namespace heddle::network
