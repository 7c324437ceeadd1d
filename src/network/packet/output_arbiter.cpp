#include "network/packet/output_arbiter.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "network/packet/message.hpp"
#include "network/packet/output_port.hpp"

namespace heddle::network {
namespace {

/// Arbiters have their turn when everything of the instant has arrived.
constexpr EventKind kTurn{static_cast<std::uint8_t>(kHardware) + 1};

/// Before any time: what is going to be looked at in the next slot needs no event.
constexpr Time kAsking = Time::ps(-1);

/// The queue whose turn it is; one alone needs no rule.
inline std::size_t first_turn(const InputQueues& queues, const InputOrder& order) {
  return queues.size() == 1 ? 0 : order.first(queues);
}

inline const InputQueues::Queue& likely_turn(const PortLane& lane, const PacketPlan& plan) {
  return lane.queues[first_turn(lane.queues, *plan.input_order)];
}

}  // namespace

void OutputArbiter::look_at(Time when) {
  wake(std::max(when, port_.stage().crossbar_free()));
}

void OutputArbiter::look_when_free() {
  wake(port_.stage().crossbar_free());
}

/// Makes sure that it looks at its queues at `when` or before.
void OutputArbiter::wake(Time when) {
  if (due_ <= when) return;
  Simulation& simulation = port_.kind().context.simulation;
  simulation.cancel(*this);
  due_ = when;
  simulation.schedule(*this, when, source_, kTurn);
}

/// The packet that is let pass now, or none; then the next look is arranged for when a packet comes
/// to the arbiter.
inline Packet* OutputArbiter::choose() {
  PortLanes& lanes = port_.lanes();
  if (lanes.further_waits()) return choose_among_lanes();
  return lanes.anyone_waits() ? choose_in_lane(lanes[0]) : nullptr;
}

/// Every hop passes here: with all that it calls in one piece.
[[gnu::flatten]] void OutputArbiter::fire() {
  due_ = Time::never();
  const PortKind& kind = port_.kind();
  const Time now = kind.context.simulation.now();
  if (port_.stage().crossbar_free() > now) return look_when_free();
  if (!kind.plain) {
    if (kind.pooled) port_.lanes().pool().wait_no_longer(port_);
    if (kind.allocated) return port_.decider().ask(port_);
  }
  if (Packet* packet = choose()) {
    const Time room = port_.stage().room_at(kind, *packet);
    if (room <= now) return port_.pass_first(*packet, now);
    wake(room);
  }
  const PortLanes& lanes = port_.lanes();
  for (std::uint64_t left = lanes.waiting(); left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    if (lanes[i].credits.lacking()) port_.look_for_credits(i);
  }
}

Packet* OutputArbiter::choose_among_lanes() {
  PortLanes& lanes = port_.lanes();
  std::array<Packet*, kMostLanes> candidates;  // Only those that are ready are used.
  std::uint64_t ready = 0;
  for (std::uint64_t left = lanes.waiting(); left != 0;) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    candidates[i] = choose_in_lane(lanes[i]);
    ready |= std::uint64_t{candidates[i] != nullptr} << i;
    // Those that escape may have come to lanes behind it.
    left = lanes.waiting() & -(std::uint64_t{2} << i);
  }
  const int chosen = lanes.choose(ready);
  return chosen < 0 ? nullptr : candidates[static_cast<std::size_t>(chosen)];
}

/// In the order of the inputs, of which there are some, the first packet that is at the arbiter and
/// has credits.
Packet* OutputArbiter::choose_in_lane(PortLane& lane) {
  lane.credits.forget_lack();
  const PortKind& kind = port_.kind();
  const PacketContext& context = kind.context;
  const Time now = context.simulation.now();
  const bool in_order = !kind.plain && context.plan.in_order;
  const InputOrder& order = *context.plan.input_order;
  Time soonest = Time::never();
  std::size_t turn = first_turn(lane.queues, order);
  for (std::size_t left = lane.queues.size();;) {
    Packet* const packet = lane.queues[turn].head;
    if (!in_order || packet->before == nullptr || !buffer_of(*packet).holds_up(*packet)) {
      const Time asks = in_order ? port_.asks_from(*packet) : packet->head;
      if (asks > now) {
        soonest = std::min(soonest, asks);
      } else if (port_.has_credits(*packet, now)) {
        return packet;
      } else if (port_.escapes(*packet, now)) {
        // Those behind it have their turn.
        return lane.queues.empty() ? nullptr : choose_in_lane(lane);
      }
    }
    if (--left == 0) break;
    turn = order.after(lane.queues, turn);
  }
  if (soonest != Time::never()) wake(soonest);
  return nullptr;
}

// --- A crossbar decides.

void OutputArbiter::is_asking() {
  if (due_ != Time::never() && due_ != kAsking) port_.kind().context.simulation.cancel(*this);
  due_ = kAsking;
}

void OutputArbiter::is_looked_at() {
  due_ = Time::never();
  if (port_.kind().pooled) port_.lanes().pool().wait_no_longer(port_);
}

void OutputArbiter::look_again(Time when) {
  const PortKind& kind = port_.kind();
  if (port_.stage().crossbar_free() > kind.context.simulation.now()) return;
  if (when != Time::never()) look_at(when);
  for (std::size_t i = 0; i < kind.lanes; ++i) {
    if (port_.lanes()[i].credits.lacking()) port_.look_for_credits(i);
  }
}

// --- What comes soon asks for the memory that it needs.

/// Of a turn: credits, and who waits; at a source that is one ...
[[gnu::flatten]] void OutputArbiter::glimpse() const {
  const PortLanes& lanes = port_.lanes();
  if (port_.kind().context.plan.credit_packets) port_.news().foresee();
  if (lanes.further_waits()) {
    return lanes.for_waiting(
        [](const PortLane& lane) { prefetch_lines(&lane, PortLane::kPassing); });
  }
  const PortLane& first = lanes[0];
  first.credits.foresee_news();
  if (first.queues.are_out()) return first.queues.foresee_queues();
  if (first.queues.size() > 0 && first.queues[0].input == kNoLink) {
    first.queues[0].head->foresee_hop();
  }
}

/// ... then what tells of credits, the packet that it is likely to let pass, and whose buffer that
/// leaves ...
[[gnu::flatten]] void OutputArbiter::foresee() const {
  const PortLanes& lanes = port_.lanes();
  const PacketContext& context = port_.kind().context;
  if (context.plan.credit_packets) port_.news().foresee_back();
  if (lanes.further_waits()) {
    return lanes.for_waiting([&context](const PortLane& lane) {
      lane.credits.foresee_freed();
      if (lane.queues.are_out()) return lane.queues.foresee_queues();
      likely_turn(lane, context.plan).head->foresee_hop();
    });
  }
  const PortLane& first = lanes[0];
  first.credits.foresee_freed();
  if (const DrainingEnd* const end = first.credits.end_host()) end->foresee_sink();
  if (first.queues.size() == 0) return;
  const InputQueues::Queue& queue = likely_turn(first, context.plan);
  if (queue.input == kNoLink) {
    context.around.foresee_source(*queue.head);
    return prefetch_whole(*queue.head->message);
  }
  queue.head->foresee_hop();
  if (const OutputPort* const before = context.around.port_at(queue.input)) {
    before->lanes()[0].credits.foresee_news();
  }
}

/// ... which only the packets of several lanes tell.
void OutputArbiter::expect() const {
  const PortLanes& lanes = port_.lanes();
  if (!lanes.further_waits()) return;
  lanes.for_waiting([](const PortLane& lane) {
    const Packet& packet = *lane.queues[0].head;
    if (packet.before != nullptr) {
      packet.before->lanes()[packet.in_lane].credits.foresee_news();
    }
  });
}

}  // namespace heddle::network
