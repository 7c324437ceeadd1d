#include "mpi/transport/hybrid.hpp"

#include <algorithm>

#include "core/prefetch.hpp"
#include "host/rank/job.hpp"
#include "mpi/engine/engine.hpp"
#include "network/known_routes.hpp"

namespace heddle::mpi {
namespace {

/// Ranks of a node are on its sockets in blocks.
bool crosses_sockets(const Message& message, std::int64_t sockets) {
  const host::Rank& sender = message.sender->rank();
  const auto ranks = static_cast<std::int64_t>(sender.job().ranks_on(sender.node()).size());
  const auto socket_of = [&](const host::Rank& rank) {
    return std::int64_t{rank.local()} * sockets / ranks;
  };
  return socket_of(sender) != socket_of(message.receiver->rank());
}

}  // namespace

HybridTransport::HybridTransport(Simulation& simulation, const platform::Platform& platform,
                                 network::Network& network, const MpiConfig& config)
    : simulation_(simulation),
      platform_(platform),
      network_(network),
      config_(config),
      classes_(classes_between_nodes(config_)),
      inside_(classes_inside_nodes(config_)),
      factors_(platform, *config_.latency_factors, *config_.bandwidth_factors,
               network::known_latency(network)),
      pace_(platform, config_.gap, config_.node_gap),
      order_(config_.control_size ? std::optional<PairOrder>(std::in_place) : std::nullopt),
      jitter_(simulation.random("mpi.jitter")),
      delays_(pace_.of_ranks() || !config_.delay.zero() || !config_.jitter.zero()),
      straight_(!delays_ && !factors_.delay() && !pace_.of_nodes() && !order_ &&
                !config_.node_latency),
      source_(simulation.new_source()) {
  if (config_.node_latency && config_.node_memory_bandwidth) {
    memory_.emplace(simulation, config_.node_bandwidth.value_or(Bandwidth::unlimited()),
                    *config_.node_memory_bandwidth);
  }
}

/// A part of those that ask for it.
[[gnu::always_inline]] inline const MessageClasses& HybridTransport::classes_of(
    const Message& message) const {
  return inside_ && stays_on_node(message) ? *inside_ : classes_;
}

Protocol HybridTransport::protocol(std::int64_t bytes, SendMode mode) const {
  return classes_.protocol(bytes, mode);
}

Time HybridTransport::send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const {
  return classes_.send_overhead(bytes, call, protocol);
}

Time HybridTransport::begin(Message& message, SendCall call) const {
  const MessageClasses& classes = classes_of(message);
  message.protocol = classes.protocol(message.bytes, message.mode);
  return classes.send_overhead(message.bytes, call, message.protocol);
}

Time HybridTransport::receive_overhead(const Message& message) const {
  return message.protocol == Protocol::rendezvous ? Time::zero()
                                                  : classes_of(message).receive.at(message.bytes);
}

bool HybridTransport::stays_on_node(const Message& message) {
  return message.sender->rank().node() == message.receiver->rank().node();
}

/// A part of those that lead to it.
[[gnu::always_inline]] inline HybridTransport::Journey HybridTransport::journey_of(
    const Message& message) const {
  const host::Rank& sender = message.sender->rank();
  const host::Rank& receiver = message.receiver->rank();
  if (!order_ || message.leg == Message::Leg::payload) {
    return {sender,         receiver, message.bytes, message.bytes + config_.envelope.count(),
            message.serial, true};
  }
  const std::int64_t size = config_.control_size->count();
  const bool is_back = message.leg == Message::Leg::clearance;
  return {
      is_back ? receiver : sender, is_back ? sender : receiver, size, size, message.serial, false};
}

/// As above.
[[gnu::always_inline]] inline void HybridTransport::enter_network(Message& message) {
  const Journey journey = journey_of(message);
  network::Transfer transfer;
  transfer.source = platform_.memory_of(journey.from.node(), journey.from.local());
  transfer.destination = platform_.memory_of(journey.to.node(), journey.to.local());
  transfer.size = Bytes(factors_.size_in_network(journey.size));
  transfer.client = this;
  transfer.cookie = reinterpret_cast<std::uintptr_t>(&message);
  network_.start(transfer);
}

/// As above.
[[gnu::always_inline]] inline void HybridTransport::leave_node(Message& message) {
  if (pace_.of_nodes() && !message.has_turn) return take_turn(message);
  enter_network(message);
}

void HybridTransport::take_turn(Message& message) {
  const Time wait = pace_.of_sender(journey_of(message).from.node(), simulation_.now());
  message.has_turn = true;
  if (wait == Time::zero()) return enter_network(message);
  message.in_network = false;
  simulation_.schedule_in(message, wait, source_);
}

/// As above.
[[gnu::always_inline]] inline Time HybridTransport::before_entering(const Journey& journey,
                                                                    bool same_node) {
  const Time extra = factors_.extra_latency(journey.from.node(), journey.to.node(), journey.size);
  return delays_ && !same_node ? extra + delay(journey) : extra;
}

void HybridTransport::travel(Message& message) {
  if (straight_) return enter_network(message);
  const bool same_node = stays_on_node(message);
  if (same_node && config_.node_latency) return cross_node(message);
  const Journey journey = journey_of(message);
  PairOrder::Turn turn{before_entering(journey, same_node)};
  if (order_ && !same_node) {
    turn = order_->next(static_cast<std::uint32_t>(journey.from.id()),
                        static_cast<std::uint32_t>(journey.to.id()), simulation_.now(), turn.wait);
  }
  // On its own node a message needs no adapter.
  message.has_turn = same_node;
  if (turn.wait == Time::zero() && !turn.behind) return leave_node(message);
  message.in_network = false;
  simulation_.schedule_in(message, turn.wait, source_);
}

/// By its own costs and those of its rank: a copy of the journey, which is in registers elsewhere.
Time HybridTransport::delay(Journey journey) {
  Time delay = config_.delay.at(journey.bytes);
  if (!config_.jitter.zero()) delay += jitter(journey);
  // A handshake waits for nothing that goes elsewhere.
  if (!pace_.of_ranks() || !journey.is_payload) return delay;
  return delay + pace_.of_rank(static_cast<std::uint32_t>(journey.from.id()), journey.bytes,
                               simulation_.now());
}

/// The same for a message whatever else happens before it.
Time HybridTransport::jitter(const Journey& journey) const {
  const auto mean = static_cast<double>(config_.jitter.at(journey.bytes).ps());
  return Time::whole_ps(jitter_.split(journey.serial).exponential(mean));
}

void HybridTransport::post(Message& message) {
  if (order_) message.leg = Message::Leg::payload;
  if (message.protocol == Protocol::eager) {
    travel(message);
  } else if (order_ && !stays_on_node(message)) {
    ask(message);
  }
  message.engine->visible(message);
}

void HybridTransport::match(Message& message) {
  if (message.protocol == Protocol::eager || message.leg == Message::Leg::request) return;
  if (message.leg == Message::Leg::requested) return clear(message);
  travel(message);
}

// The handshake, if it is one of messages. Receives are found at once, as envelopes are, so that
// messages keep their order; but a receiver answers only what has reached it.

void HybridTransport::ask(Message& message) {
  message.leg = Message::Leg::request;
  travel(message);
}

void HybridTransport::clear(Message& message) {
  message.leg = Message::Leg::clearance;
  travel(message);
}

/// A part of those that lead to it.
[[gnu::always_inline]] inline void HybridTransport::reached(Message& message) {
  if (!order_ || message.leg == Message::Leg::payload || message.discarded) {
    return message.engine->delivered(message);
  }
  if (message.leg == Message::Leg::clearance) {
    message.leg = Message::Leg::payload;
    travel(message);
    if (message.bytes <= config_.send_buffer.count()) message.tell_sender();
    return;
  }
  message.leg = Message::Leg::requested;
  if (message.stage == Message::Stage::matched) clear(message);
}

void HybridTransport::cross_node(Message& message) {
  Time time = config_.node_delay.at(message.bytes);
  if (config_.sockets > 1 && crosses_sockets(message, config_.sockets)) {
    time += config_.socket_delay.at(message.bytes);
  }
  if (pace_.inside()) {
    time += pace_.of_rank_inside(static_cast<std::uint32_t>(message.sender->rank().id()),
                                 message.bytes, simulation_.now());
  }
  message.in_network = !memory_;
  time += memory_ ? *config_.node_latency : config_.time_through_memory(message.bytes);
  simulation_.schedule_in(message, time, source_);
}

void HybridTransport::due(Message& message) {
  if (message.in_network) return reached(message);
  if (memory_ && stays_on_node(message)) {
    return memory_->copy(message, message.sender->rank().node());
  }
  leave_node(message);
}

void HybridTransport::transfer_reached(network::Instant, std::uint64_t cookie) {
  Message& message = *reinterpret_cast<Message*>(static_cast<std::uintptr_t>(cookie));
  if (pace_.of_nodes() && !stays_on_node(message)) {
    const Time wait = pace_.of_receiver(journey_of(message).to.node(), simulation_.now());
    message.in_network = true;
    if (wait > Time::zero()) return simulation_.schedule_in(message, wait, source_);
  }
  reached(message);
}

void HybridTransport::glimpse(std::uint64_t cookie) const {
  prefetch_lines(reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(cookie)), 3);
}

void HybridTransport::foresee(network::Instant, std::uint64_t cookie) const {
  reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(cookie))->foresee_end();
}

}  // namespace heddle::mpi
