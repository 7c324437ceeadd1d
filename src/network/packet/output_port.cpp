#include "network/packet/output_port.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "network/packet/buffer_pool.hpp"
#include "network/packet/crossbar.hpp"
#include "network/packet/failing_wire.hpp"
#include "network/packet/message.hpp"
#include "network/packet/tracked_packet.hpp"

namespace heddle::network {
namespace {

constexpr std::int64_t kUsualBuffer = 200;
constexpr std::int64_t kUnlimited = INT64_MAX / 4;

/// Arbiters have their turn when everything of the instant has arrived.
constexpr EventKind kTurn{static_cast<std::uint8_t>(kHardware) + 1};

/// Before any time: what is going to be looked at in the next slot needs no event.
constexpr Time kAsking = Time::ps(-1);

bool is_host(const platform::Platform& platform, VertexId vertex) {
  return vertex == kNoVertex || !platform.topology().is_switch(vertex);
}

/// What passes the wire, packet behind packet, from the grant of one to the news that it has left
/// the far buffer; and two packets, as both ends of that time may fall into one.
std::int64_t round_trip_flits(const PortKind& kind) {
  if (kind.flit_time == Time::zero()) return kUnlimited;
  const PacketPlan& plan = kind.context.plan;
  const std::int64_t packet = plan.max_flits();
  const Time far_arbiter = kind.to_host ? Time::zero() : plan.platform.switches().latency / 2;
  Time trip = kind.to_wire + kind.wire * 2 + far_arbiter + kind.flit_time * packet;
  if (plan.credit_packets) trip += plan.config.credit_period + kind.flit_time * packet;
  return 2 * packet + (trip.ps() + kind.flit_time.ps() - 1) / kind.flit_time.ps();
}

/// From when the output buffer has room for all of the packet and one flit.
Time room_at(const PortKind& kind, const WireTime& wire, const Packet& packet) {
  return wire.free() - kind.flit_time * (kind.output_flits - packet.flits - 1);
}

/// The packet leaves a buffer that is left in order: the one behind it has its turn when the last
/// flit of this one has passed.
void leave_buffer(FifoBuffer& buffer, Time passed) {
  const auto [next, output] = buffer.leave(passed);
  if (next != nullptr) output->look_at(output->asks_from(*next));
}

}  // namespace

PortKind::PortKind(const PacketContext& own_context, LinkId link)
    : context(own_context), lanes(own_context.plan.lanes) {
  const platform::Platform& platform = own_context.plan.platform;
  const PacketConfig& config = own_context.plan.config;
  bandwidth = tighter(platform.links()[link].bandwidth, platform.links()[link].flow_cap);
  flit_time = bandwidth.time_for(config.flit);
  from_host = is_host(platform, platform.links().ends(link).from);
  to_host = is_host(platform, platform.links().ends(link).to);
  marks = own_context.plan.congestion != nullptr && !from_host;
  measures = marks && own_context.plan.tracked && own_context.plan.congestion->measures_paths();
  control = own_context.plan.control_lane < kMostLanes;
  by_credits = own_context.plan.by_credits(link);
  allocated = own_context.plan.allocation != nullptr && !from_host;
  half_duplex = platform.links()[link].duplex == platform::Duplex::half;
  stored = config.forwarding == PacketForwarding::store_and_forward && !to_host;
  crossbar = from_host ? config.crossbar : own_context.plan.crossbar_to(bandwidth);
  crossbar_flit = crossbar.time_for(config.flit);
  const Time delay = from_host ? Time::zero() : platform.switches().latency;
  wire = platform.links()[link].latency - delay;
  to_arbiter = delay / 2;
  to_wire = delay - to_arbiter;
  output_flits = from_host ? config.host_output : config.switch_output;
  buffer_flits = platform.links().is_loopback(link) || !by_credits ? kUnlimited
                 : config.buffer                                   ? *config.buffer
                                 : std::max(kUsualBuffer, round_trip_flits(*this));
  pooled = config.buffer_sharing != BufferSharing::none && by_credits && !to_host;
  lane_flits = pooled ? kUnlimited : buffer_flits;
}

OutputPort::OutputPort(const PortKind& kind, LinkId link, EventSource source)
    : link_(link),
      kind_(&kind),
      source_(source),
      news_({kind.context.plan.config.credit_period,
             kind.bandwidth.time_for(kind.context.plan.config.credit_packet)}) {
  const PacketPlan& plan = kind.context.plan;
  if (kind.lanes > 1) {
    further_ = std::make_unique<PortLane[]>(kind.lanes - 1);
    if (plan.data_lanes() > 1) arbiter_ = plan.lane_arbitration->new_arbiter();
  }
  if (kind.marks) {
    congestion_ = plan.congestion->new_point(
        {kind.buffer_flits, kind.to_host, kind.bandwidth, plan.config.flit,
         static_cast<std::uint32_t>(index(link)), plan.longest_rtt});
  }
  for (std::size_t i = 0; i < kind.lanes; ++i) {
    lane(i).credits = LaneCredits(i == plan.control_lane ? kUnlimited : kind.lane_flits);
    if (plan.in_order) lane(i).buffer = std::make_unique<FifoBuffer>();
  }
}

void OutputPort::join(OutputPort& one, OutputPort& other, platform::Duplex duplex) {
  if (duplex == platform::Duplex::half) return other.wire_.share(one.wire_);
  one.news_.come_from(other.news_);
  other.news_.come_from(one.news_);
}

// --- Queues.

namespace {

/// The queue whose turn it is; one alone needs no rule.
inline std::size_t first_turn(const InputQueues& queues, const InputOrder& order) {
  return queues.size() == 1 ? 0 : order.first(queues);
}

}  // namespace

void OutputPort::enter(Packet& packet) {
  PortLane& own = lane(packet.lane);
  if (passes_unhindered(packet)) {
    own.queues.pass(packet);
    return grant(packet, packet.head, packet.flits);
  }
  wait(packet);
  if (kind_->context.plan.in_order && packet.before != nullptr) {
    kind_->context.around.buffer_of(packet).enter(packet, *this);
  }
  look_at(asks_from(packet));
}

/// One that leaves its buffer in order does so when those before it have passed and it has been
/// found where it goes.
Time OutputPort::asks_from(const Packet& packet) const {
  const PacketPlan& plan = kind_->context.plan;
  if (!plan.in_order || packet.before == nullptr) return packet.head;
  const Time passed = kind_->context.around.buffer_of(packet).passed();
  return std::max(packet.head, passed) + plan.config.route_time;
}

void OutputPort::enter_waiting(Packet& packet) {
  wait(packet);
  look_at(std::max(packet.head, kind_->context.simulation.now()));
}

/// For its lane.
inline void OutputPort::wait(Packet& packet) {
  lane(packet.lane).queues.append(packet);
  waiting_ |= bit(packet.lane);
  flits_waiting_ += packet.flits;
}

/// The packet is taken from the queues of its lane.
inline void OutputPort::wait_no_longer(Packet& packet, void (InputQueues::*leave)(Packet&)) {
  InputQueues& queues = lane(packet.lane).queues;
  (queues.*leave)(packet);
  if (queues.empty()) waiting_ &= ~bit(packet.lane);
  flits_waiting_ -= packet.flits;
}

/// Whether nothing that is yet to happen can keep the packet from passing as soon as it is at the
/// arbiter: then that needs no event of its own. Nobody waits there, it has its credits, and
/// whoever comes later is later at the arbiter.
bool OutputPort::passes_unhindered(const Packet& packet) {
  if (!kind_->context.plan.foreseeable || packet.before == nullptr || due_ != Time::never()) {
    return false;
  }
  if (arbiter_free_ > packet.head || room_at(*kind_, wire_, packet) > packet.head) return false;
  if (anyone_waits()) return false;
  if (is_control(packet.lane)) return true;
  const Time known = kind_->context.simulation.now() - kind_->wire;
  return lane(packet.lane).credits.suffice_at(known, packet.flits);
}

// --- The arbiter.

void OutputPort::look_at(Time when) {
  wake(std::max(when, arbiter_free_));
}

/// Makes sure that the arbiter looks at its queues at `when` or before.
void OutputPort::wake(Time when) {
  if (due_ <= when) return;
  Simulation& simulation = kind_->context.simulation;
  simulation.cancel(*this);
  due_ = when;
  simulation.schedule(*this, when, source_, kTurn);
}

void OutputPort::fire() {
  due_ = Time::never();
  const Time now = kind_->context.simulation.now();
  if (arbiter_free_ > now) return wake(arbiter_free_);
  if (kind_->pooled) pool_->wait_no_longer(*this);
  if (kind_->allocated) return crossbar_->ask(*this);
  if (Packet* packet = choose()) {
    const Time room = room_at(*kind_, wire_, *packet);
    if (room <= now) {
      const std::int64_t waiting = lane(packet->lane).queues.flits();
      wait_no_longer(*packet, &InputQueues::remove_first);
      return grant(*packet, now, waiting);
    }
    wake(room);
  }
  for (std::uint64_t left = waiting_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    if (lane(i).credits.lacking()) look_for_credits(i);
  }
}

/// The packet that the arbiter lets pass now, or none; then the next look is arranged for when a
/// packet comes to the arbiter.
Packet* OutputPort::choose() {
  if (!waits_for_further()) return waiting_ == 0 ? nullptr : choose_in_lane(first_);
  std::array<Packet*, kMostLanes> candidates;  // Only those that are ready are used.
  std::uint64_t ready = 0;
  for (std::uint64_t left = waiting_; left != 0;) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    candidates[i] = choose_in_lane(lane(i));
    ready |= std::uint64_t{candidates[i] != nullptr} << i;
    left = waiting_ & -(bit(i) << 1);  // Those that escape may have come to lanes behind it.
  }
  const int chosen = choose_lane(ready);
  return chosen < 0 ? nullptr : candidates[static_cast<std::size_t>(chosen)];
}

/// Whether the packet, which lacks credits, has another way.
inline bool may_escape(const PacketPlan& plan, const Packet& packet) {
  return plan.escapes && packet.before != nullptr && packet.lane != plan.control_lane &&
         !plan.lane_rule->is_escape(packet.lane);
}

/// The packet takes another way; those behind it have their turn.
Packet* OutputPort::choose_behind(PortLane& lane, Packet& packet) {
  wait_no_longer(packet, &InputQueues::remove_first);
  kind_->context.around.escape(packet, *this);
  return lane.queues.empty() ? nullptr : choose_in_lane(lane);
}

/// In the order of the inputs, of which there are some, the first packet that is at the arbiter and
/// has credits.
Packet* OutputPort::choose_in_lane(PortLane& lane) {
  lane.credits.forget_lack();
  const Time now = kind_->context.simulation.now();
  const bool in_order = kind_->context.plan.in_order;
  const InputOrder& order = *kind_->context.plan.input_order;
  Time soonest = Time::never();
  std::size_t turn = first_turn(lane.queues, order);
  for (std::size_t left = lane.queues.size();;) {
    Packet* const packet = lane.queues[turn].head;
    if (!in_order || packet->before == nullptr ||
        !kind_->context.around.buffer_of(*packet).holds_up(*packet)) {
      const Time asks = in_order ? asks_from(*packet) : packet->head;
      if (asks > now) {
        soonest = std::min(soonest, asks);
      } else if (has_room(lane, *packet, now)) {
        return packet;
      } else if (may_escape(kind_->context.plan, *packet)) {
        return choose_behind(lane, *packet);
      } else {
        lane.credits.lack(packet->flits, now);
      }
    }
    if (--left == 0) break;
    turn = order.after(lane.queues, turn);
  }
  if (soonest != Time::never()) wake(soonest);
  return nullptr;
}

/// Flits follow one another at the speed of the slowest of the links so far, the crossbar and this
/// wire, which is kept until the last has passed. A part of grant(), which every hop is.
[[gnu::always_inline]] inline OutputPort::Passage OutputPort::occupy(const Packet& packet,
                                                                     Time now) {
  const PortKind& kind = *kind_;
  const PacketPlan& plan = kind.context.plan;
  const std::int64_t behind = packet.flits - 1;
  const Bytes last(packet.last_bytes);
  const Time last_passed =
      std::max(now + kind.crossbar_flit * behind, packet.head + packet.spacing * behind);
  const Time wanted = now + kind.to_wire;
  Time begin = plan.credit_packets ? news_.carried().begin_data(wanted, wire_.free())
                                   : std::max(wanted, wire_.free());
  Time last_begin = std::max(begin + kind.flit_time * behind, last_passed + kind.to_wire);
  const Time last_time = last == plan.config.flit ? kind.flit_time : kind.bandwidth.time_for(last);
  Time end = last_begin + last_time;
  Time lost = Time::never();
  if (plan.links_fail) [[unlikely]] {
    const WirePassage passage = passage_on(plan.platform, link_, {begin, end}, kind.wire);
    begin = passage.begin;
    end = passage.end;
    lost = passage.lost;
    last_begin = std::max(begin, end - last_time);
  }
  wire_.keep_until(end);
  if (plan.credit_packets) news_.carried().carried(begin, end);
  arbiter_free_ = last_passed + kind.crossbar.time_for(last);
  const Time spacing =
      behind == 0 ? std::max(packet.spacing, kind.flit_time) : (last_begin - begin) / behind;
  return {last_passed, begin, end, lost, spacing};
}

/// Whether the congestion point marks a packet that passes.
bool OutputPort::marks(const Packet& packet, Time now, std::int64_t waiting) {
  const bool lacked_credits = lane(packet.lane).credits.lacked_since(packet.head);
  return congestion_->marks({waiting, packet.flits, lacked_credits, in_output(now)});
}

/// What has been let through and is not yet on the wire.
Bytes OutputPort::in_output(Time now) const {
  const Time queued = std::max(Time::zero(), wire_.free() - now - kind_->to_wire);
  const double bytes = static_cast<double>(queued.ps()) * kind_->bandwidth.bytes_per_ps();
  return Bytes(static_cast<std::int64_t>(bytes));
}

/// The packet, which has just passed, takes along what it has left behind.
void OutputPort::measure(TrackedPacket& packet, Time now) const {
  if (packet.path == nullptr || !packet.is_data()) return;
  Bytes queued = in_output(now) - packet.size(kind_->context.plan.config.flit);
  Bytes carried;
  for (std::size_t i = 0; i < kind_->lanes; ++i) {
    queued += kind_->context.plan.config.flit * lane(i).queues.flits();
    carried += Bytes(lane(i).bytes);
  }
  packet.path->add({now, std::max(Bytes(0), queued), carried, kind_->bandwidth});
}

/// The packet passes at `now`; with it, `waiting` flits have waited for its lane.
void OutputPort::grant(Packet& packet, Time now, std::int64_t waiting) {
  PacketSurroundings& around = kind_->context.around;
  PortLane& own = lane(packet.lane);
  // What few ports have lies far from what all need: no look at it where there is none.
  if (congestion_ != nullptr && !packet.told && marks(packet, now, waiting)) {
    packet.marked = true;
    ++marked_;
  }
  if (arbiter_ != nullptr && packet.lane != kind_->context.plan.control_lane) {
    arbiter_->served(packet.lane, packet.flits);
  }
  const Passage passage = occupy(packet, now);
  const bool arrives = passage.lost == Time::never();
  if (arrives) [[likely]] {
    if (!is_control(packet.lane)) {
      own.credits.sent(packet.flits);
      lanes_out_ |= bit(packet.lane);
    }
    ++own.packets;
    own.bytes += (packet.flits - 1) * kind_->context.plan.config.flit.count() + packet.last_bytes;
  }

  if (kind_->measures && packet.tracked) measure(static_cast<TrackedPacket&>(packet), now);

  const bool from_source = packet.before == nullptr;
  if (!from_source) {
    if (kind_->context.plan.in_order) leave_buffer(around.buffer_of(packet), arbiter_free_);
    around.left_buffer(packet, passage.last_passed);
  }
  packet.in = link_;
  packet.before = this;
  packet.in_lane = packet.lane;
  packet.spacing = kind_->stored ? Time::zero() : passage.spacing;
  const Time there = (kind_->stored ? passage.end : passage.begin) +
                     (packet.walk.streamed ? Time::zero() : kind_->wire);
  if (arrives) [[likely]] {
    around.sent(packet, *this, there);
  } else {
    around.lost(packet, *this, std::max(passage.lost, passage.end));
  }
  if (from_source) around.left_source(packet, passage.begin, passage.end);
  if (anyone_waits()) wake(arbiter_free_);
}

// --- A crossbar decides.

int OutputPort::choose_lane(std::uint64_t ready) const {
  const std::size_t last = kind_->lanes - 1;
  if (kind_->control && (ready >> last & 1) != 0) return static_cast<int>(last);
  if (arbiter_ == nullptr) return ready == 0 ? -1 : 0;
  return arbiter_->choose(ready);
}

Time OutputPort::may_pass_from(const Packet& packet) const {
  return std::max({asks_from(packet), arbiter_free_, room_at(*kind_, wire_, packet)});
}

void OutputPort::is_asking() {
  if (due_ != Time::never() && due_ != kAsking) kind_->context.simulation.cancel(*this);
  due_ = kAsking;
}

void OutputPort::is_looked_at() {
  due_ = Time::never();
  if (kind_->pooled) pool_->wait_no_longer(*this);
}

void OutputPort::look_again(Time when) {
  if (arbiter_free_ > kind_->context.simulation.now()) return;
  if (when != Time::never()) look_at(when);
  for (std::size_t i = 0; i < kind_->lanes; ++i) {
    if (lane(i).credits.lacking()) look_for_credits(i);
  }
}

OutputPort::Leave OutputPort::leave_for(Packet& packet) {
  PortLane& own = lane(packet.lane);
  const Time now = kind_->context.simulation.now();
  if (has_room(own, packet, now)) return Leave::given;
  if (may_escape(kind_->context.plan, packet)) {
    wait_no_longer(packet, &InputQueues::remove);
    kind_->context.around.escape(packet, *this);
    return Leave::escaped;
  }
  own.credits.lack(packet.flits, now);
  return Leave::lacking;
}

Time OutputPort::pass(Packet& packet) {
  const std::int64_t waiting = lane(packet.lane).queues.flits();
  wait_no_longer(packet, &InputQueues::remove);
  grant(packet, kind_->context.simulation.now(), waiting);
  return arbiter_free_;
}

// --- Credits.

/// Up to when the port knows of credits at `now`; Time::never() if no news has come yet.
Time OutputPort::known_credits(Time now) const {
  const PacketPlan& plan = kind_->context.plan;
  const Time heard_of = now - kind_->wire;
  return plan.credit_packets ? news_.told_by(plan.idle_clock).last_departure(heard_of) : heard_of;
}

/// Whether the buffer at the other end has room for the packet, by what is known of it.
inline bool OutputPort::has_room(PortLane& lane, const Packet& packet, Time now) {
  if (is_control(packet.lane)) return true;
  if (kind_->pooled && !pool_->admits(*this, packet)) return false;
  return lane.credits.allow(packet.flits, known_credits(now), now);
}

std::int64_t OutputPort::flits_beyond() const {
  std::int64_t beyond = 0;
  if (lanes_out_ == 0 || !kind_->by_credits) return beyond;
  const Time known = last_news();
  for (std::uint64_t left = lanes_out_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const std::int64_t out = kind_->lane_flits - lane(i).credits.available_at(known);
    if (out == 0) lanes_out_ &= ~bit(i);
    beyond += out;
  }
  return beyond;
}

std::int64_t OutputPort::flits_beyond(std::size_t i) const {
  return kind_->lane_flits - lane(i).credits.available_at(last_news());
}

/// Up to when credits are known now; before all time if no news has come yet.
Time OutputPort::last_news() const {
  const Time news = known_credits(kind_->context.simulation.now());
  return news == Time::never() ? Time::ps(-1) : news;
}

void OutputPort::free_at(std::size_t i, Time when, std::int64_t flits) {
  LaneCredits& credits = lane(i).credits;
  credits.free_at(when, flits);
  if (kind_->pooled) return pool_->freed(*this, when);
  if (credits.lacking()) look_for_credits(i);
}

/// No credits, until all are given back.
void OutputPort::pause(std::size_t i) {
  lane(i).credits.sent(kUnlimited);
}

void OutputPort::go_on(std::size_t i) {
  lane(i).credits.sent(-kUnlimited);
  if (anyone_waits()) look_at(kind_->context.simulation.now());
}

void OutputPort::look_for_credits(std::size_t i) {
  if (kind_->pooled) return pool_->wait(*this);
  const Time freed = lane(i).credits.enough_freed();
  if (freed != Time::never()) look_at(hears_of(freed));
}

Time OutputPort::hears_of(Time freed) const {
  const Time heard_of = kind_->context.simulation.now() - kind_->wire;
  const CreditClock& told_by = news_.told_by(kind_->context.plan.idle_clock);
  return told_by.next_departure(freed, heard_of) + kind_->wire;
}

Time OutputPort::next_news() const {
  const Time known = known_credits(kind_->context.simulation.now());
  if (known == Time::never()) return hears_of(Time::zero());
  Time next = Time::never();
  for (std::size_t i = 0; i < kind_->lanes; ++i) {
    next = std::min(next, lane(i).credits.next_freed(known));
  }
  return next == Time::never() ? next : hears_of(next);
}

// --- What comes soon asks for the memory that it needs.

/// With every lane that packets wait for.
template <class Use>
inline void OutputPort::for_waiting(Use use) const {
  for (std::uint64_t left = waiting_; left != 0; left &= left - 1) {
    use(lane(static_cast<std::size_t>(std::countr_zero(left))));
  }
}

/// The queue whose turn it is.
inline const InputQueues::Queue& OutputPort::likely_turn(const PortLane& lane) const {
  return lane.queues[first_turn(lane.queues, *kind_->context.plan.input_order)];
}

/// Of an arbiter's turn: its credits, and who waits; at a source that is one ...
void OutputPort::glimpse() const {
  if (kind_->context.plan.credit_packets) news_.foresee();
  if (waits_for_further()) {
    return for_waiting([](const PortLane& lane) { prefetch_lines(&lane, PortLane::kPassing); });
  }
  const InputQueues& queues = first_.queues;
  first_.credits.foresee_news();
  if (queues.are_out()) return queues.foresee_queues();
  if (queues.size() > 0 && queues[0].input == kNoLink) queues[0].head->foresee_hop();
}

/// ... then what tells it of credits, the packet that it is likely to let pass, and whose buffer
/// that leaves ...
void OutputPort::foresee() const {
  if (kind_->context.plan.credit_packets) news_.foresee_back();
  if (waits_for_further()) {
    return for_waiting([this](const PortLane& lane) {
      lane.credits.foresee_freed();
      if (lane.queues.are_out()) return lane.queues.foresee_queues();
      likely_turn(lane).head->foresee_hop();
    });
  }
  const InputQueues& queues = first_.queues;
  first_.credits.foresee_freed();
  if (const DrainingEnd* const end = first_.credits.end_host()) end->foresee_sink();
  if (queues.size() == 0) return;
  const InputQueues::Queue& queue = likely_turn(first_);
  if (queue.input == kNoLink) {
    kind_->context.around.foresee_source(*queue.head);
    return prefetch_whole(*queue.head->message);
  }
  queue.head->foresee_hop();
  if (const OutputPort* const before = kind_->context.around.port_at(queue.input)) {
    before->first_.credits.foresee_news();
  }
}

/// ... which only the packets of several lanes tell.
void OutputPort::expect() const {
  if (!waits_for_further()) return;
  for_waiting([](const PortLane& lane) {
    const Packet& packet = *lane.queues[0].head;
    if (packet.before != nullptr) packet.before->lane(packet.in_lane).credits.foresee_news();
  });
}

}  // namespace heddle::network
