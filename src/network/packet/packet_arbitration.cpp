// How packets wait for an output, and what it lets pass.
#include <algorithm>
#include <array>

#include "network/crossing_hash.hpp"
#include "network/packet/packet_parts.hpp"

namespace heddle::network {
namespace {

/// Arbiters have their turn when everything of the instant has arrived.
constexpr EventKind kTurn{static_cast<std::uint8_t>(kHardware) + 1};

}  // namespace

// --- Queues.

void PacketNetwork::Lane::append(Packet& packet) {
  std::size_t at = 0;
  while (at < queues.size() && queues[at].input < packet.in) ++at;
  if (at == queues.size() || queues[at].input != packet.in) {
    queues.insert(at, Queue{packet.in, &packet, &packet});
  } else {
    queues[at].tail->next = &packet;
    queues[at].tail = &packet;
  }
  ++waiting_packets;
  waiting_flits += packet.flits;
}

/// Takes away the first packet of its queue.
void PacketNetwork::Lane::remove_first(Packet& packet) {
  std::size_t at = 0;
  while (queues[at].head != &packet) ++at;
  queues[at].head = packet.next;
  if (packet.next == nullptr) queues.erase(at);
  last_turn = packet.in;
  --waiting_packets;
  waiting_flits -= packet.flits;
}

/// The queue whose turn it is, if there are any.
std::size_t PacketNetwork::Lane::turn() const {
  if (last_turn == kNoLink) return 0;
  std::size_t at = 0;
  while (at < queues.size() && queues[at].input <= last_turn) ++at;
  return at < queues.size() ? at : 0;
}

void PacketNetwork::arrived(Packet& packet) {
  if (packet.at_end) return finish(packet);
  Port* output = next_port(packet);
  if (output == nullptr) return enter_sink(host(packet.walk.destination.node), packet);
  packet.head = simulation_.now() + output->kind->to_arbiter;
  if (by_hop_) climb(packet);
  enter_queue(packet, *output);
}

void PacketNetwork::enter_queue(Packet& packet, Port& output) {
  Lane& lane = lane_of(output, packet.lane);
  if (passes_unhindered(output, packet)) {
    lane.max_waiting_flits = std::max<std::int64_t>(lane.max_waiting_flits, packet.flits);
    lane.last_turn = packet.in;
    return grant(output, packet, packet.head, packet.flits);
  }
  packet.next = nullptr;
  lane.append(packet);
  if (in_order_ && packet.before != nullptr)
    enter_buffer(static_cast<OrderedPacket&>(packet), output);
  lane.max_waiting_flits = std::max(lane.max_waiting_flits, lane.waiting_flits);
  wake(output, std::max(packet.head, output.arbiter_free));
}

/// Whether nothing that is yet to happen can keep the packet from passing as soon as it is at the
/// arbiter: then that needs no event of its own. Nobody waits there, it has its credits, and
/// whoever comes later is later at the arbiter.
bool PacketNetwork::passes_unhindered(Port& port, const Packet& packet) const {
  if (!foreseeable_ || packet.before == nullptr || port.due != Time::never()) return false;
  if (port.arbiter_free > packet.head || room_at(port, packet) > packet.head) return false;
  for (const Lane& lane : port.lanes()) {
    if (lane.waiting_packets > 0) return false;
  }
  Lane& lane = lane_of(port, packet.lane);
  if (lane.end_host != nullptr) return false;
  return lane.credits.available(simulation_.now() - port.kind->wire) >= packet.flits;
}

/// Of a buffer that packets leave in the order they came.
void PacketNetwork::enter_buffer(OrderedPacket& packet, Port& output) {
  Lane& buffer = lane_of(*packet.before, packet.in_lane);
  packet.output = &output;
  packet.behind = nullptr;
  (buffer.oldest == nullptr ? buffer.oldest : buffer.newest->behind) = &packet;
  buffer.newest = &packet;
}

/// The packet behind it comes to its output's arbiter when the last flit of this one has passed.
void PacketNetwork::leave_buffer(const OrderedPacket& packet, Time passed) {
  Lane& buffer = lane_of(*packet.before, packet.in_lane);
  OrderedPacket* const next = buffer.oldest = packet.behind;
  if (next == nullptr) return;
  next->head = std::max(next->head, passed);
  wake(*next->output, std::max(next->head, next->output->arbiter_free));
}

/// Whether packets that came before it hold it up in its buffer.
bool PacketNetwork::held_up(const Packet& packet) const {
  return in_order_ && packet.before != nullptr &&
         lane_of(*packet.before, packet.in_lane).oldest != &packet;
}

// --- The arbiter.

/// Makes sure that the arbiter looks at its queues at `when` or before.
void PacketNetwork::wake(Port& port, Time when) {
  if (port.due <= when) return;
  simulation_.cancel(port);
  port.due = when;
  simulation_.schedule(port, when, port.source, kTurn);
}

void PacketNetwork::serve(Port& port) {
  port.due = Time::never();
  const Time now = simulation_.now();
  if (port.arbiter_free > now) return wake(port, port.arbiter_free);
  if (Packet* packet = choose(port)) {
    const Time room = room_at(port, *packet);
    if (room <= now) {
      Lane& lane = lane_of(port, packet->lane);
      const std::int64_t waiting = lane.waiting_flits;
      lane.remove_first(*packet);
      return grant(port, *packet, now, waiting);
    }
    wake(port, room);
  }
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    if (lane_of(port, lane).lacking > 0) look_for_credits(port, lane);
  }
}

/// The packet that the arbiter lets pass now, or none; then the next look is arranged for when a
/// packet comes to the arbiter.
PacketNetwork::Packet* PacketNetwork::choose(Port& port) {
  if (lanes_ == 1) return choose_in_lane(port, 0);
  std::array<Packet*, kMostLanes> candidates;  // Only those of its lanes are used.
  for (std::size_t lane = 0; lane < lanes_; ++lane) {
    candidates[lane] = choose_in_lane(port, static_cast<int>(lane));
  }
  const int lane = port.arbiter->choose([&](std::uint8_t l) { return candidates[l] != nullptr; });
  return lane < 0 ? nullptr : candidates[static_cast<std::size_t>(lane)];
}

/// In turn over the inputs, the first packet that is at the arbiter and has credits.
PacketNetwork::Packet* PacketNetwork::choose_in_lane(Port& port, int lane_number) {
  Lane& lane = lane_of(port, static_cast<std::size_t>(lane_number));
  if (lane.waiting_packets == 0) return nullptr;
  lane.lacking = 0;
  const Time now = simulation_.now();
  const std::size_t count = lane.queues.size();
  std::size_t turn = lane.turn();
  Time soonest = Time::never();
  for (std::size_t i = 0; i < count; ++i, ++turn) {
    if (turn >= count) turn = 0;
    Packet* packet = lane.queues[turn].head;
    if (held_up(*packet)) continue;
    if (packet->head > now) {
      soonest = std::min(soonest, packet->head);
      continue;
    }
    if (has_credits(port, lane_number, *packet)) return packet;
    lacks_credits(port, lane_number, *packet);
  }
  if (soonest != Time::never()) wake(port, soonest);
  return nullptr;
}

/// From when the output buffer has room for all of the packet and one flit.
Time PacketNetwork::room_at(const Port& port, const Packet& packet) {
  return port.shared->free - port.kind->flit_time * (port.kind->output_flits - packet.flits - 1);
}

/// The packet passes at `now`: its flits follow one another at the speed of the slowest of the
/// links so far, the crossbar and this wire. With it, `waiting` flits have waited for its lane.
void PacketNetwork::grant(Port& port, Packet& packet, Time now, std::int64_t waiting) {
  mark_if_congested(port, packet, waiting);
  Lane& lane = lane_of(port, packet.lane);
  if (lanes_ > 1) port.arbiter->served(packet.lane, packet.flits);

  const std::int64_t behind = packet.flits - 1;
  const Bytes last(packet.last_bytes);
  const Time last_passed =
      std::max(now + crossbar_flit_ * behind, packet.head + packet.spacing * behind);
  const Time begin = begin_on_wire(port, now);
  const Time last_begin =
      std::max(begin + port.kind->flit_time * behind, last_passed + port.kind->to_wire);
  port.shared->free = last_begin + (last == config_.flit ? port.kind->flit_time
                                                         : port.kind->bandwidth.time_for(last));
  if (credit_packets_) port.clock.carried(begin, port.shared->free);
  port.arbiter_free = last_passed + config_.crossbar.time_for(last);
  lane.credits.sent(packet.flits);
  if (in_order_ && packet.before != nullptr)
    leave_buffer(static_cast<OrderedPacket&>(packet), last_passed);
  free_buffer(packet, last_passed);
  count(port, lane, packet);

  const bool from_source = packet.in == kNoLink;
  packet.in = port.link;
  packet.before = &port;
  packet.in_lane = packet.lane;
  packet.spacing =
      behind == 0 ? std::max(packet.spacing, port.kind->flit_time) : (last_begin - begin) / behind;
  const Time there = begin + (packet.walk.streamed ? Time::zero() : port.kind->wire);
  if (fixed_routes_) packet.coming = next_link(packet.walk);
  send(packet, port, there);
  if (from_source) sent_from_source(packet, port, begin);
  for (const Lane& any : port.lanes()) {
    if (any.waiting_packets > 0) return wake(port, port.arbiter_free);
  }
}

/// When a packet that passes at `passes` begins on the wire.
Time PacketNetwork::begin_on_wire(Port& port, Time passes) {
  const Time wanted = passes + port.kind->to_wire;
  return credit_packets_ ? port.clock.begin_data(wanted, port.shared->free)
                         : std::max(wanted, port.shared->free);
}

void PacketNetwork::count(const Port& port, Lane& lane, const Packet& packet) {
  fingerprint_ += crossing_hash(port.shared->free, port.link);
  ++lane.packets;
  lane.bytes += (packet.flits - 1) * config_.flit.count() + packet.last_bytes;
}

// --- Credits.

/// When the flow-control packets leave that tell `port` of its credits.
const CreditClock& PacketNetwork::credits_of(const Port& port) const {
  return port.back == nullptr ? idle_clock_ : port.back->clock;
}

bool PacketNetwork::has_credits(Port& port, int lane_number, const Packet& packet) {
  Lane& lane = lane_of(port, static_cast<std::size_t>(lane_number));
  const Time heard_of = simulation_.now() - port.kind->wire;
  const Time known =
      config_.credit_period == Time::zero() ? heard_of : credits_of(port).last_departure(heard_of);
  if (known == Time::never()) return false;
  if (lane.end_host != nullptr) drain(*lane.end_host, known);
  if (lane.credits.available(known) < packet.flits) return false;
  if (lane.stalled_since != Time::never()) {
    port.stats.credit_stalled += simulation_.now() - lane.stalled_since;
    lane.stalled_since = Time::never();
  }
  lane.lacking = 0;
  return true;
}

void PacketNetwork::lacks_credits(Port& port, int lane_number, const Packet& packet) {
  Lane& lane = lane_of(port, static_cast<std::size_t>(lane_number));
  lane.lacking =
      lane.lacking == 0 ? packet.flits : std::min<std::int64_t>(lane.lacking, packet.flits);
  lane.last_lack = simulation_.now();
  if (lane.stalled_since != Time::never()) return;
  lane.stalled_since = simulation_.now();
  ++port.stats.credit_stalls;
}

/// The arbiter looks at its queues when it hears of enough credits for the lane; if nobody knows
/// that yet, whoever frees some will.
void PacketNetwork::look_for_credits(Port& port, std::size_t lane) {
  const Time freed = enough_freed(port, lane);
  if (freed == Time::never()) return;
  const Time heard_of = simulation_.now() - port.kind->wire;
  const Time heard = credits_of(port).next_departure(freed, heard_of) + port.kind->wire;
  wake(port, std::max(heard, port.arbiter_free));
}

/// When the far buffer will have room for what the lane lacks, as far as is known now.
Time PacketNetwork::enough_freed(const Port& port, std::size_t lane_number) const {
  const Lane& lane = lane_of(port, lane_number);
  const Time enough = lane.credits.enough_at(lane.lacking);
  if (lane.end_host == nullptr || enough != Time::never()) return enough;
  const std::int64_t more = lane.credits.missing_at_last(lane.lacking);
  return lane.end_host->sink.drained_at(lane.sink_account, lane.sink_freed + more);
}

/// The buffer at the far end of a lane has room for `flits` more from `when` on, which the port
/// knows when the wire has brought the news.
void PacketNetwork::take_credits(Port& port, std::size_t lane_number, Time when,
                                 std::int64_t flits) {
  Lane& lane = lane_of(port, lane_number);
  lane.credits.free_at(when, flits);
  if (lane.lacking > 0) look_for_credits(port, lane_number);
}

// --- Congestion.

/// Marks one of so many packets that leave an output with a long queue. A packet that lacked
/// credits is a victim of congestion elsewhere, and passes unmarked.
void PacketNetwork::mark_if_congested(Port& port, Packet& packet, std::int64_t waiting) {
  if (!config_.congestion_control || port.kind->from_host || packet.message->notification) return;
  const bool lacked_credits = lane_of(port, packet.lane).last_lack >= packet.head;
  if (lacked_credits && !port.kind->to_host) return;
  const double threshold = config_.mark_threshold * static_cast<double>(port.kind->buffer_flits);
  if (static_cast<double>(waiting) <= threshold) return;
  if (port.marking++ % config_.marking_rate != 0) return;
  packet.marked = true;
  ++port.stats.marked;
}

}  // namespace heddle::network
