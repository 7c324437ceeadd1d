#include "network/packet/crossbar.hpp"

#include <algorithm>
#include <utility>

#include "network/packet/output_port.hpp"

namespace heddle::network {
namespace {

/// Slots are allocated when the arbiters of the instant have asked.
constexpr EventKind kSlot{static_cast<std::uint8_t>(kHardware) + 2};

CrossbarShape shape_of(const PacketPlan& plan, VertexId of) {
  return {plan.switch_ports.inputs(of), plan.switch_ports.outputs(of), index(of)};
}

/// The first of an input's packets that its buffer lets out; null: none.
Packet* first_out(const InputQueues::Queue& queue, const PacketContext& context) {
  if (!context.plan.in_order) return queue.head;
  for (Packet* packet = queue.head; packet != nullptr; packet = packet->next) {
    if (!buffer_of(*packet).holds_up(*packet)) return packet;
  }
  return nullptr;
}

}  // namespace

Crossbar::Crossbar(const PacketContext& context, VertexId of, EventSource source)
    : context_(&context),
      source_(source),
      allocator_(context.plan.allocation->new_allocator(shape_of(context.plan, of))),
      input_busy_(context.plan.switch_ports.inputs(of)) {
  if (context.plan.config.lane_time > Time::zero()) {
    lanes_.resize(context.plan.switch_ports.outputs(of) * context.plan.lanes);
  }
}

void Crossbar::ask(OutputPort& output) {
  const auto at =
      std::lower_bound(asking_.begin(), asking_.end(), output.link(),
                       [](const OutputPort* other, LinkId link) { return other->link() < link; });
  if (at == asking_.end() || *at != &output) asking_.insert(at, &output);
  output.arbiter().is_asking();
  const Time slot = context_->plan.slot;
  const Time now = context_->simulation.now();
  wake(std::max(slot * ((now.ps() + slot.ps() - 1) / slot.ps()), last_slot_ + slot));
}

void Crossbar::wake(Time when) {
  if (due_ <= when) return;
  context_->simulation.cancel(*this);
  due_ = when;
  context_->simulation.schedule(*this, when, source_, kSlot);
}

void Crossbar::fire() {
  due_ = Time::never();
  const Time now = context_->simulation.now();
  last_slot_ = now;
  turns_.clear();
  requests_.clear();
  matched_.clear();
  looked_at_.swap(asking_);
  asking_.clear();
  again_.clear();
  for (OutputPort* output : looked_at_) again_.push_back(gather(*output, now));
  allocator_->match(requests_, matched_);
  pass_matched();
  for (std::size_t i = 0; i < looked_at_.size(); ++i) {
    looked_at_[i]->arbiter().look_again(again_[i]);
  }
}

Time& Crossbar::busy(const Packet& packet) {
  return input_busy_[context_->plan.switch_ports.input(packet.in)];
}

/// The requests for the output: of each input that is free one packet, by the arbitration between
/// lanes. When a later look may find more, as far as is known now.
///
/// All that waits is looked at anew, and no look is arranged for it between its asking and that.
/// Otherwise it would depend on when a port learns that it is going to hear of credits, which is
/// later where another thread simulates the buffer that they are of.
Time Crossbar::gather(OutputPort& output, Time now) {
  output.arbiter().is_looked_at();
  candidates_.clear();
  Time again = Time::never();
  for (std::size_t lane = 0; lane < output.kind().lanes; ++lane) {
    gather_lane(output, lane, now, again);
  }
  if (candidates_.empty()) return again;
  std::sort(candidates_.begin(), candidates_.end(), [](const Turn& a, const Turn& b) {
    return std::pair(a.packet->in, a.packet->lane) < std::pair(b.packet->in, b.packet->lane);
  });
  request(output);
  return again;
}

/// Null: they are nobody's own.
Crossbar::OwnedLane* Crossbar::owned_lane(const OutputPort& output, std::size_t lane) {
  if (lanes_.empty()) return nullptr;
  const PacketPlan& plan = context_->plan;
  return &lanes_[plan.switch_ports.output(output.link()) * plan.lanes + lane];
}

/// A lane without an owner becomes that of the first packet that asks for it, inputs in turn. It
/// has it as soon as if it had been given it when it began to ask.
void Crossbar::give_away(OwnedLane& lane, const OutputPort& output, const InputQueues& queues,
                         Time now, Time& again) const {
  Packet* chosen = nullptr;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    Packet* const packet = first_out(queues[i], *context_);
    if (packet == nullptr) continue;
    const Time asks = output.asks_from(*packet);
    const LinkId last = queues.last_turn();
    if (asks > now) {
      again = std::min(again, asks);
    } else if (chosen == nullptr || (packet->in > last && chosen->in <= last)) {
      chosen = packet;
    }
  }
  if (chosen == nullptr) return;
  lane.owner = chosen;
  lane.from = std::max(output.asks_from(*chosen), lane.freed) + context_->plan.config.lane_time;
}

/// Of every input that is free the first packet that its buffer lets out, or the owner of the lane
/// alone. Of those that may not pass yet, but are known to later, `again` is the soonest.
void Crossbar::gather_lane(OutputPort& output, std::size_t lane, Time now, Time& again) {
  PortLane& own = output.lanes()[lane];
  own.credits.forget_lack();
  if (OwnedLane* const owned = owned_lane(output, lane)) {
    if (owned->owner == nullptr) give_away(*owned, output, own.queues, now, again);
    if (owned->owner != nullptr) consider(*owned->owner, output, owned->from, now, again);
  } else {
    for (std::size_t i = 0; i < own.queues.size();) {
      Packet* const packet = first_out(own.queues[i], *context_);
      const bool gone = packet != nullptr && !consider(*packet, output, Time::zero(), now, again);
      if (!gone) ++i;
    }
  }
}

/// The packet, which has its lane from `has_lane` on, becomes a candidate if it may pass now. False
/// if it has gone another way.
bool Crossbar::consider(Packet& packet, OutputPort& output, Time has_lane, Time now, Time& again) {
  const Time may = std::max({output.may_pass_from(packet), busy(packet), has_lane});
  if (may > now) {
    again = std::min(again, may);
    return true;
  }
  if (!output.has_credits(packet, now)) return !output.escapes(packet, now);
  candidates_.push_back({&packet, &output});
  return true;
}

/// The packet of the candidates of one input whose lane has its turn, or null.
Packet* Crossbar::choose(std::span<const Turn> candidates) {
  const Turn& first = candidates.front();
  if (candidates.size() == 1 && first.output->kind().lanes == 1) return first.packet;
  std::uint64_t ready = 0;
  for (const Turn& turn : candidates) ready |= std::uint64_t{1} << turn.packet->lane;
  const int lane = first.output->lanes().choose(ready);
  const auto chosen = std::find_if(candidates.begin(), candidates.end(),
                                   [lane](const Turn& turn) { return turn.packet->lane == lane; });
  return chosen == candidates.end() ? nullptr : chosen->packet;
}

void Crossbar::request(OutputPort& output) {
  const SwitchPorts& ports = context_->plan.switch_ports;
  for (auto first = candidates_.begin(); first != candidates_.end();) {
    const LinkId in = first->packet->in;
    const auto last = std::find_if(first, candidates_.end(),
                                   [in](const Turn& turn) { return turn.packet->in != in; });
    if (Packet* const packet = choose({first, last})) {
      turns_.push_back({packet, &output});
      requests_.push_back({ports.input(in), ports.output(output.link()), packet->head});
    }
    first = last;
  }
}

/// Those that are matched pass; outputs that are not ask again.
void Crossbar::pass_matched() {
  for (const std::size_t i : matched_) {
    // The packet is of the next link's input when it has passed.
    OwnedLane* const owned = owned_lane(*turns_[i].output, turns_[i].packet->lane);
    const Time passed = turns_[i].output->pass(*turns_[i].packet);
    input_busy_[requests_[i].input] = passed;
    if (owned != nullptr) *owned = {nullptr, Time::zero(), passed};
    turns_[i].packet = nullptr;
  }
  for (auto first = turns_.begin(); first != turns_.end();) {
    OutputPort* const output = first->output;
    const auto last = std::find_if(first, turns_.end(),
                                   [output](const Turn& turn) { return turn.output != output; });
    const bool passed =
        std::any_of(first, last, [](const Turn& turn) { return turn.packet == nullptr; });
    if (!passed) ask(*output);
    first = last;
  }
}

}  // namespace heddle::network
