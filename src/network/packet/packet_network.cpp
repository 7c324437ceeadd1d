#include "network/packet/packet_network.hpp"

#include <algorithm>
#include <array>

#include "network/packet/credits.hpp"
#include "network/packet/throttle.hpp"

namespace heddle::network {
namespace {

/// A flow-control packet on an idle wire leaves this long after its period began.
constexpr Time kTick = Time::ns(1);
/// A wire may be busy for some periods: so far back can the last flow-control packet lie.
constexpr int kPeriodsBack = 8;

}  // namespace

/// A message being cut into packets and put together again.
struct PacketNetwork::Message final : public Event {
  explicit Message(PacketNetwork& network) : network(network) {}
  /// The last byte has left the source.
  void fire() override { transfer.client->transfer_reached(Instant::injected, transfer.cookie); }

  PacketNetwork& network;
  Transfer transfer;
  std::int64_t unsent = 0;        ///< Payload bytes not yet cut into packets.
  std::int64_t packets_left = 0;  ///< Not yet at the destination.
  bool head_reported = false;
  bool notification = false;  ///< Congestion: for the source's adapter, not for a client.
  Message* next = nullptr;    ///< In the host's queue.
};

/// A packet under way; as an event it is its head reaching the buffer at the end of its link.
struct PacketNetwork::Packet final : public Event {
  explicit Packet(PacketNetwork& network) : network(network) {}
  void fire() override { network.arrived(*this); }

  PacketNetwork& network;
  Message* message = nullptr;
  platform::Walk walk;
  LinkId in = kNoLink;  ///< The link whose far buffer holds it; none: it is still at its source.
  std::uint32_t flits = 0;
  std::uint32_t last_bytes = 0;
  std::uint8_t lane = 0;     ///< On the next link.
  std::uint8_t in_lane = 0;  ///< Of the buffer that holds it.
  bool marked = false;
  bool at_end = false;
  Time head;     ///< When its first flit is or was at the arbiter.
  Time spacing;  ///< Between its flits.
  Packet* next = nullptr;
};

/// One lane of an output: who waits for it, and the credits of the buffer at the far end.
struct PacketNetwork::Lane {
  explicit Lane(std::int64_t buffer) : credits(buffer) {}

  /// The packets of one input that wait for this output, in order.
  struct Queue {
    LinkId input;
    Packet* head = nullptr;
    Packet* tail = nullptr;
  };
  std::vector<Queue> queues;  ///< By input, ascending.
  std::size_t last_served = 0;
  std::int64_t waiting_flits = 0;
  Credits credits;
  Time stalled_since = Time::never();
  std::int64_t sink_freed =
      0;  ///< Of the far host's drained flits, those already counted as credits.
};

/// The sending side of a link; as an event, its arbiter's turn.
struct PacketNetwork::Port final : public Event {
  Port(PacketNetwork& network, LinkId link)
      : network(network),
        arbiter(network.high_table_, network.low_table_, network.config_.high_limit) {
    stats.link = link;
  }
  void fire() override { network.serve(*this); }

  PacketNetwork& network;
  Bandwidth bandwidth;
  Time flit_time;
  Time wire;
  Time to_arbiter;  ///< From a head's arrival to the arbiter.
  Time to_wire;     ///< From the arbiter to the wire.
  std::int64_t output_flits = 0;
  bool from_host = false;
  Host* end_host = nullptr;  ///< Where the link ends, if at a host.
  LinkId back = kNoLink;     ///< The other direction, which carries the credits of this one.
  LaneArbiter arbiter;
  std::vector<Lane> lanes;
  Time due = Time::never();  ///< When the event is scheduled.
  Time arbiter_free;
  Time wire_free;
  struct Busy {
    Time from;
    Time to;
  };
  std::array<Busy, 4> recent;  ///< The last packets on the wire.
  std::uint32_t grants = 0;
  std::int64_t credit_tick = -1;  ///< The last period whose flow-control packet has been sent.
  std::uint32_t marking = 0;
  PortStats stats;
};

/// A node's adapter: messages to send, by lane, and the sink.
struct PacketNetwork::Host final : public Event {
  Host(PacketNetwork& network, NodeId node, const SinkConfig& sink)
      : network(network), node(node), sink(sink) {}
  void fire() override { network.drain(*this, network.simulation_.now()); }

  struct Outbox {
    Message* head = nullptr;
    Message* tail = nullptr;
    Packet* offered = nullptr;
  };
  /// Tries again when a throttled flow may send.
  class Retry final : public Event {
   public:
    explicit Retry(Host& host) : host_(host) {}

   private:
    void fire() override {
      for (std::size_t lane = 0; lane < host_.outboxes.size(); ++lane) {
        host_.network.offer_next(host_, static_cast<int>(lane));
      }
    }
    Host& host_;
  };

  PacketNetwork& network;
  NodeId node;
  Sink sink;
  std::vector<Outbox> outboxes;
  std::unordered_map<std::uint32_t, Throttle> throttles;  ///< By destination; looked up only.
  Retry retry{*this};
};

PacketNetwork::PacketNetwork(Simulation& simulation, const platform::Platform& platform,
                             const PacketConfig& config)
    : simulation_(simulation),
      platform_(platform),
      config_(config),
      high_table_(parse_lane_table(config.high_table, config.lanes, {})),
      low_table_(parse_lane_table(config.low_table, config.lanes, {})),
      source_(simulation.new_source()),
      port_of_link_(platform.link_ids()),
      host_of_node_(platform.nodes()) {
  if (config.max_packet <= config.header) {
    throw InputError({}, "packet.max_packet must be larger than packet.header");
  }
  const std::int64_t flits =
      (config.max_packet.count() + config.flit.count() - 1) / config.flit.count();
  if (flits > config.buffer || flits >= config.switch_output || flits >= config.host_output) {
    throw InputError(
        {}, "a packet of " + std::to_string(flits) +
                " flits does not fit: packet.buffer must hold it, packet.switch_output and "
                "packet.host_output must hold more");
  }
  link_bytes_.resize(platform.link_ids());
}

PacketNetwork::~PacketNetwork() = default;

// --- The parts of the machine, made when first used.

PacketNetwork::Port& PacketNetwork::port(LinkId link) {
  std::uint32_t& known = port_of_link_[index(link)];
  if (known != 0) return ports_[known - 1];
  Port& made = ports_.emplace_back(*this, link);
  known = static_cast<std::uint32_t>(ports_.size());
  const platform::Link& params = platform_.link(link);
  const platform::LinkEnds ends = platform_.ends(link);
  made.bandwidth = tighter(params.bandwidth, params.flow_cap);
  made.flit_time = made.bandwidth.time_for(config_.flit);
  made.from_host = ends.from == kNoVertex || !platform_.topology().is_switch(ends.from);
  const Time delay = made.from_host ? Time::zero() : platform_.switches().latency;
  made.wire = params.latency - delay;
  made.to_arbiter = delay / 2;
  made.to_wire = delay - made.to_arbiter;
  made.output_flits = made.from_host ? config_.host_output : config_.switch_output;
  made.back = params.duplex == platform::Duplex::full ? reverse(link) : kNoLink;
  for (std::int64_t lane = 0; lane < config_.lanes; ++lane) made.lanes.emplace_back(config_.buffer);
  return made;
}

PacketNetwork::Host& PacketNetwork::host(NodeId node) {
  std::uint32_t& known = host_of_node_[index(node)];
  if (known != 0) return hosts_[known - 1];
  Host& made = hosts_.emplace_back(
      *this, node, SinkConfig{config_.sink, config_.sink_pause, config_.sink_between});
  made.outboxes.resize(static_cast<std::size_t>(config_.lanes));
  known = static_cast<std::uint32_t>(hosts_.size());
  return made;
}

std::int64_t PacketNetwork::load(LinkId link) const {
  const std::uint32_t known = port_of_link_[index(platform_.capacity(link))];
  if (known == 0) return 0;
  const Port& port = ports_[known - 1];
  std::int64_t waiting = 0;
  for (const Lane& lane : port.lanes) waiting += lane.waiting_flits;
  const Time backlog = std::max(Time::zero(), port.wire_free - simulation_.now());
  return (backlog + port.flit_time * waiting).ps();
}

// --- Sending.

void PacketNetwork::start(const Transfer& transfer) {
  Message& message = messages_.take(*this);
  message.transfer = transfer;
  message.unsent = transfer.size.count();
  const std::int64_t payload = (config_.max_packet - config_.header).count();
  message.packets_left = std::max<std::int64_t>(1, (message.unsent + payload - 1) / payload);
  message.head_reported = false;
  message.notification = false;
  message.next = nullptr;
  Host& source = host(transfer.source.node);
  const int lane = config_.lane_by == LaneChoice::hop
                       ? 0
                       : transfer.traffic_class % static_cast<int>(config_.lanes);
  Host::Outbox& outbox = source.outboxes[static_cast<std::size_t>(lane)];
  (outbox.tail == nullptr ? outbox.head : outbox.tail->next) = &message;
  outbox.tail = &message;
  offer_next(source, lane);
}

/// Puts the next packet of the host's queue before the arbiter of its first link.
void PacketNetwork::offer_next(Host& host, int lane) {
  Host::Outbox& outbox = host.outboxes[static_cast<std::size_t>(lane)];
  if (outbox.offered != nullptr) return;
  Message* message = next_message(host, lane);
  if (message == nullptr) return;
  Packet& packet = cut_packet(*message);
  packet.lane = static_cast<std::uint8_t>(lane);
  const LinkId first = platform_.next(packet.walk, *this);
  if (first == kNoLink) {  // From a node to itself, without a loopback: it is there.
    packet.at_end = true;
    packet.spacing = Time::zero();
    simulation_.schedule(packet, simulation_.now(), source_);
    return offer_next(host, lane);
  }
  outbox.offered = &packet;
  packet.head = simulation_.now();
  packet.spacing = Time::zero();
  enter_queue(packet, port(first));
}

/// The first message of the lane whose flow may send now; a message leaves the queue with its last
/// packet.
PacketNetwork::Message* PacketNetwork::next_message(Host& host, int lane) {
  Host::Outbox& outbox = host.outboxes[static_cast<std::size_t>(lane)];
  Time soonest = Time::never();
  Message* previous = nullptr;
  for (Message* message = outbox.head; message != nullptr;
       previous = message, message = message->next) {
    Time allowed;
    if (config_.congestion_control && !message->notification) {
      const auto it =
          host.throttles.find(static_cast<std::uint32_t>(message->transfer.destination.node));
      if (it != host.throttles.end()) allowed = it->second.allowed();
    }
    if (allowed > simulation_.now()) {
      soonest = std::min(soonest, allowed);
      continue;
    }
    if (message->unsent <= (config_.max_packet - config_.header).count()) {
      (previous == nullptr ? outbox.head : previous->next) = message->next;
      if (outbox.tail == message) outbox.tail = previous;
    }
    return message;
  }
  if (soonest != Time::never() && !host.retry.scheduled()) {
    simulation_.schedule(host.retry, soonest, source_);
  }
  return nullptr;
}

PacketNetwork::Packet& PacketNetwork::cut_packet(Message& message) {
  Packet& packet = packets_.take(*this);
  const std::int64_t payload =
      std::min(message.unsent, (config_.max_packet - config_.header).count());
  message.unsent -= payload;
  const std::int64_t bytes = std::max<std::int64_t>(1, payload + config_.header.count());
  packet.message = &message;
  packet.flits =
      static_cast<std::uint32_t>((bytes + config_.flit.count() - 1) / config_.flit.count());
  packet.last_bytes = static_cast<std::uint32_t>(bytes - (packet.flits - 1) * config_.flit.count());
  packet.walk = platform_.walk(message.transfer.source, message.transfer.destination, next_salt_++);
  packet.in = kNoLink;
  packet.marked = false;
  packet.at_end = false;
  packet.next = nullptr;
  return packet;
}

// --- Queues and arbiters.

void PacketNetwork::arrived(Packet& packet) {
  if (packet.at_end) return finish(packet);
  const LinkId out = platform_.next(packet.walk, *this);
  if (out == kNoLink) return enter_sink(host(packet.walk.destination.node), packet);
  Port& output = port(out);
  packet.head = simulation_.now() + output.to_arbiter;
  if (config_.lane_by == LaneChoice::hop && packet.lane + 1 < config_.lanes) ++packet.lane;
  enter_queue(packet, output);
}

void PacketNetwork::enter_queue(Packet& packet, Port& output) {
  Lane& lane = output.lanes[packet.lane];
  auto queue = std::lower_bound(lane.queues.begin(), lane.queues.end(), packet.in,
                                [](const Lane::Queue& q, LinkId in) { return q.input < in; });
  if (queue == lane.queues.end() || queue->input != packet.in) {
    queue = lane.queues.insert(queue, Lane::Queue{packet.in});
  }
  packet.next = nullptr;
  (queue->tail == nullptr ? queue->head : queue->tail->next) = &packet;
  queue->tail = &packet;
  lane.waiting_flits += packet.flits;
  output.stats.max_queue_flits = std::max(output.stats.max_queue_flits, lane.waiting_flits);
  wake(output, std::max(packet.head, output.arbiter_free));
}

/// Makes sure that the arbiter looks at its queues at `when` or before.
void PacketNetwork::wake(Port& port, Time when) {
  if (port.due <= when) return;
  simulation_.cancel(port);
  port.due = when;
  simulation_.schedule(port, when, source_);
}

void PacketNetwork::serve(Port& port) {
  port.due = Time::never();
  const Time now = simulation_.now();
  if (port.arbiter_free > now) return wake(port, port.arbiter_free);
  Packet* packet = choose(port);
  if (packet == nullptr) return;
  // The output buffer must have room for all of the packet and one flit.
  const Time room = port.wire_free - port.flit_time * (port.output_flits - packet->flits - 1);
  if (room > now) return wake(port, room);
  grant(port, *packet);
}

/// The packet that the arbiter lets pass now, or none; then the next look is arranged where one
/// will be needed.
PacketNetwork::Packet* PacketNetwork::choose(Port& port) {
  if (port.lanes.size() == 1) return choose_in_lane(port, 0);
  std::array<Packet*, 16> candidates{};
  for (std::size_t lane = 0; lane < port.lanes.size(); ++lane) {
    candidates[lane] = choose_in_lane(port, static_cast<int>(lane));
  }
  const int lane = port.arbiter.choose([&](std::uint8_t l) { return candidates[l] != nullptr; });
  if (lane >= 0) return candidates[static_cast<std::size_t>(lane)];
  // A lane that no table names goes last.
  const auto any =
      std::find_if(candidates.begin(), candidates.end(), [](Packet* p) { return p != nullptr; });
  return any == candidates.end() ? nullptr : *any;
}

/// In turn over the inputs, the first packet that is at the arbiter and has credits.
PacketNetwork::Packet* PacketNetwork::choose_in_lane(Port& port, int lane_number) {
  Lane& lane = port.lanes[static_cast<std::size_t>(lane_number)];
  const Time now = simulation_.now();
  const std::size_t count = lane.queues.size();
  Time soonest = Time::never();
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t at = (lane.last_served + i) % count;
    Packet* packet = lane.queues[at].head;
    if (packet == nullptr) continue;
    if (packet->head > now) {
      soonest = std::min(soonest, packet->head);
      continue;
    }
    if (!has_credits(port, lane_number, *packet)) {
      wait_for_credits(port, lane_number, *packet);
      continue;
    }
    return packet;
  }
  if (soonest != Time::never()) wake(port, soonest);
  return nullptr;
}

void PacketNetwork::grant(Port& port, Packet& packet) {
  const Time now = simulation_.now();
  Lane& lane = port.lanes[packet.lane];
  mark_if_congested(port, packet);
  const auto queue = std::lower_bound(lane.queues.begin(), lane.queues.end(), packet.in,
                                      [](const Lane::Queue& q, LinkId in) { return q.input < in; });
  queue->head = packet.next;
  if (queue->head == nullptr) queue->tail = nullptr;
  lane.last_served = static_cast<std::size_t>(queue - lane.queues.begin());
  lane.waiting_flits -= packet.flits;
  port.arbiter.served(packet.lane, packet.flits);

  const std::int64_t behind = packet.flits - 1;
  const Time per_flit = config_.crossbar.time_for(config_.flit);
  const Time last_passed = std::max(now + per_flit * behind, packet.head + packet.spacing * behind);
  const Time begin = after_credit_packet(port, std::max(now + port.to_wire, port.wire_free));
  const Time last_begin = std::max(begin + port.flit_time * behind, last_passed + port.to_wire);
  const Bytes last(packet.last_bytes);
  port.wire_free = last_begin + port.bandwidth.time_for(last);
  port.recent[port.grants++ % port.recent.size()] = {begin, port.wire_free};
  port.arbiter_free = last_passed + config_.crossbar.time_for(last);
  lane.credits.sent(packet.flits);
  free_buffer(packet, last_passed);

  const std::int64_t bytes = behind * config_.flit.count() + packet.last_bytes;
  ++packet_hops_;
  ++port.stats.packets;
  port.stats.bytes += bytes;
  port.stats.busy += port.wire_free - begin;
  link_bytes_[index(port.stats.link)] += bytes;

  const bool from_source = packet.in == kNoLink;
  packet.in = port.stats.link;
  packet.in_lane = packet.lane;
  packet.spacing = behind == 0 ? port.flit_time : (last_begin - begin) / behind;
  simulation_.schedule(packet, begin + port.wire, source_);
  if (from_source) sent_from_source(packet, port, begin);
  for (const Lane& other : port.lanes) {
    if (other.waiting_flits > 0) return wake(port, port.arbiter_free);
  }
}

/// A packet has begun to leave its source.
void PacketNetwork::sent_from_source(Packet& packet, Port& port, Time begin) {
  Message& message = *packet.message;
  Host& source = host(message.transfer.source.node);
  source.outboxes[packet.lane].offered = nullptr;
  if (config_.congestion_control && !message.notification) {
    source.throttles[static_cast<std::uint32_t>(message.transfer.destination.node)].sent(
        begin, port.wire_free - begin, config_);
  }
  if (message.unsent == 0 && message.transfer.wants_instant(Instant::injected)) {
    simulation_.schedule(message, port.wire_free, source_);
  }
  offer_next(source, packet.lane);
}

// --- Credits.

bool PacketNetwork::has_credits(Port& port, int lane_number, const Packet& packet) {
  Lane& lane = port.lanes[static_cast<std::size_t>(lane_number)];
  const Time known = last_credit_packet(port, simulation_.now());
  if (known == Time::never()) return false;
  if (port.end_host != nullptr) {
    drain(*port.end_host, known);
    const std::int64_t drained = port.end_host->sink.drained(static_cast<std::size_t>(lane_number));
    lane.credits.free_at(known, drained - lane.sink_freed);
    lane.sink_freed = drained;
  }
  if (lane.credits.available(known) < packet.flits) return false;
  if (lane.stalled_since != Time::never()) {
    port.stats.credit_stalled += simulation_.now() - lane.stalled_since;
    lane.stalled_since = Time::never();
  }
  return true;
}

/// Arranges the next look at the queues for when credits for `packet` may have come.
void PacketNetwork::wait_for_credits(Port& port, int lane_number, const Packet& packet) {
  Lane& lane = port.lanes[static_cast<std::size_t>(lane_number)];
  const Time now = simulation_.now();
  if (lane.stalled_since == Time::never()) {
    lane.stalled_since = now;
    ++port.stats.credit_stalls;
  }
  // A sink frees flits all the time: look again with the next flow-control packet.
  const Time freed = port.end_host != nullptr ? now : lane.credits.enough_at(packet.flits);
  if (freed == Time::never()) return;  // free_buffer() will wake the port.
  wake(port, std::max(now + Time::ps(1), credit_packet_arrival(port, freed)));
}

/// When the sender knows of what the receiver freed at `freed`.
Time PacketNetwork::credit_packet_arrival(Port& port, Time freed) {
  if (config_.credit_period == Time::zero()) return freed + port.wire;
  const std::int64_t period = config_.credit_period.ps();
  std::int64_t tick = std::max<std::int64_t>(0, (freed - kTick).ps()) / period;
  while (credit_packet_departure(port, tick) < freed ||
         credit_packet_departure(port, tick) + port.wire <= simulation_.now()) {
    ++tick;
  }
  return credit_packet_departure(port, tick) + port.wire;
}

/// When the last flow-control packet that has arrived here by `now` was sent; Time::never() if none
/// was.
Time PacketNetwork::last_credit_packet(Port& port, Time now) {
  const Time sent = now - port.wire;
  const std::int64_t period = config_.credit_period.ps();
  if (period == 0) return sent;
  if (sent < kTick) return Time::never();
  const std::int64_t newest = (sent - kTick).ps() / period;
  for (std::int64_t tick = newest; tick >= 0 && tick > newest - kPeriodsBack; --tick) {
    const Time departure = credit_packet_departure(port, tick);
    if (departure <= sent) return departure;
  }
  return Time::never();
}

/// When the flow-control packet of period `tick` leaves on the way back: at once on an idle wire,
/// else behind the packet that the wire carries.
Time PacketNetwork::credit_packet_departure(Port& port, std::int64_t tick) {
  const Time due = config_.credit_period * tick + kTick;
  const std::uint32_t back = port.back == kNoLink ? 0 : port_of_link_[index(port.back)];
  if (back == 0) return due;
  for (const Port::Busy& busy : ports_[back - 1].recent) {
    if (busy.from < due && due < busy.to) return busy.to;
  }
  return due;
}

/// `begin`, or later where a flow-control packet of this wire goes first.
Time PacketNetwork::after_credit_packet(Port& port, Time begin) {
  const std::int64_t period = config_.credit_period.ps();
  if (period == 0) return begin;
  const std::int64_t tick = begin.ps() / period;
  if (tick == port.credit_tick) return begin;
  port.credit_tick = tick;
  const Time due = config_.credit_period * tick;
  const Time credit = port.wire_free >= due ? port.wire_free : due + kTick;
  return std::max(begin, credit + port.bandwidth.time_for(config_.credit_packet));
}

/// The packet leaves the buffer that holds it at `when`.
void PacketNetwork::free_buffer(Packet& packet, Time when) {
  if (packet.in == kNoLink) return;
  Port& before = port(packet.in);
  Lane& lane = before.lanes[packet.in_lane];
  lane.credits.free_at(when, packet.flits);
  if (lane.stalled_since != Time::never()) wake(before, credit_packet_arrival(before, when));
}

// --- Congestion control.

void PacketNetwork::mark_if_congested(Port& port, Packet& packet) {
  if (!config_.congestion_control || port.from_host || packet.message->notification) return;
  const auto waiting = static_cast<double>(port.lanes[packet.lane].waiting_flits);
  if (waiting <= config_.mark_threshold * static_cast<double>(config_.buffer)) return;
  if (port.marking++ % static_cast<std::uint32_t>(config_.marking_rate) != 0) return;
  packet.marked = true;
  ++port.stats.marked;
}

/// Tells the source of a marked packet, ahead of everything else that this host has to send.
void PacketNetwork::notify_source(const Packet& packet) {
  Message& message = messages_.take(*this);
  message.transfer = {};
  message.transfer.source.node = packet.walk.destination.node;
  message.transfer.destination.node = packet.walk.source.node;
  message.transfer.wants = 0;
  message.unsent = 0;
  message.packets_left = 1;
  message.head_reported = true;
  message.notification = true;
  Host& from = host(message.transfer.source.node);
  Host::Outbox& outbox = from.outboxes.front();
  message.next = outbox.head;
  outbox.head = &message;
  if (outbox.tail == nullptr) outbox.tail = &message;
  offer_next(from, 0);
}

// --- The end.

void PacketNetwork::enter_sink(Host& host, Packet& packet) {
  Message& message = *packet.message;
  if (!message.head_reported) {
    message.head_reported = true;
    if (message.transfer.wants_instant(Instant::head)) {
      message.transfer.client->transfer_reached(Instant::head, message.transfer.cookie);
    }
  }
  Port& last = port(packet.in);
  if (config_.sink.attoseconds() == 0) {
    const Time tail = simulation_.now() + packet.spacing * (packet.flits - 1) +
                      last.bandwidth.time_for(Bytes(packet.last_bytes));
    packet.at_end = true;
    free_buffer(packet, tail);
    return simulation_.schedule(packet, tail, source_);
  }
  last.end_host = &host;
  drain(host, simulation_.now());
  host.sink.add({simulation_.now(), packet.spacing, packet.flits,
                 static_cast<std::uint32_t>(config_.flit.count()), packet.last_bytes,
                 packet.in_lane, &packet});
  simulation_.cancel(host);
  simulation_.schedule(host, host.sink.front_drained(), source_);
}

/// Takes the flits due by `until`, and finishes the packets that end with them.
void PacketNetwork::drain(Host& host, Time until) {
  bool any = false;
  while (!host.sink.empty()) {
    auto* packet = static_cast<Packet*>(host.sink.front().packet);
    if (!host.sink.advance(until)) break;
    any = true;
    finish(*packet);
  }
  if (!any) return;
  simulation_.cancel(host);
  if (!host.sink.empty()) simulation_.schedule(host, host.sink.front_drained(), source_);
}

void PacketNetwork::finish(Packet& packet) {
  Message& message = *packet.message;
  if (packet.marked) notify_source(packet);
  packets_.give_back(packet);
  if (--message.packets_left > 0) return;
  const Transfer transfer = message.transfer;
  if (message.notification) {
    host(transfer.destination.node)
        .throttles[static_cast<std::uint32_t>(transfer.source.node)]
        .notified(simulation_.now(), config_);
  }
  messages_.give_back(message);
  if (transfer.wants_instant(Instant::tail)) {
    transfer.client->transfer_reached(Instant::tail, transfer.cookie);
  }
}

// --- Looking on.

std::vector<PortStats> PacketNetwork::port_stats() const {
  std::vector<PortStats> all;
  for (const Port& port : ports_) all.push_back(port.stats);
  std::sort(all.begin(), all.end(),
            [](const PortStats& a, const PortStats& b) { return a.link < b.link; });
  return all;
}

std::size_t PacketNetwork::packets_in_flight() const {
  return packets_.in_use();
}

}  // namespace heddle::network
