#include "mpi/transport/hybrid.hpp"

#include <algorithm>

#include "core/prefetch.hpp"
#include "mpi/engine/engine.hpp"

namespace heddle::mpi {

HybridTransport::HybridTransport(Simulation& simulation, const platform::Platform& platform,
                                 network::Network& network, const MpiConfig& config)
    : simulation_(simulation),
      network_(network),
      config_(config),
      eager_limit_(config_.eager_limit->count()),
      detached_limit_(std::max(config_.detached_limit->count(), eager_limit_)),
      factors_(platform, *config_.latency_factors, *config_.bandwidth_factors),
      pace_(platform, config_.gap),
      delays_(pace_.of_ranks() || !config_.delay.zero()),
      source_(simulation.new_source()) {}

Protocol HybridTransport::protocol(std::int64_t bytes, SendMode mode) const {
  if (mode == SendMode::synchronous) return Protocol::rendezvous;
  if (bytes < eager_limit_) return Protocol::eager;
  return bytes < detached_limit_ || mode == SendMode::buffered ? Protocol::detached
                                                               : Protocol::rendezvous;
}

Time HybridTransport::send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const {
  if (call == SendCall::nonblocking) return config_.isend_overhead->at(bytes);
  return protocol == Protocol::rendezvous ? Time::zero() : config_.send_overhead->at(bytes);
}

Time HybridTransport::receive_overhead(const Message& message) const {
  return message.protocol == Protocol::rendezvous ? Time::zero()
                                                  : config_.receive_overhead->at(message.bytes);
}

bool HybridTransport::stays_on_node(const Message& message) {
  return message.sender->rank().node() == message.receiver->rank().node();
}

/// A part of those that lead to it.
[[gnu::always_inline]] inline void HybridTransport::enter_network(Message& message) {
  const std::int64_t size = factors_.size_in_network(message.bytes + config_.envelope.count());
  network::Transfer transfer;
  transfer.source = {message.sender->rank().node(), platform::Port::memory};
  transfer.destination = {message.receiver->rank().node(), platform::Port::memory};
  transfer.size = Bytes(size);
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
  const Time wait = pace_.of_sender(message.sender->rank().node(), simulation_.now());
  message.has_turn = true;
  if (wait == Time::zero()) return enter_network(message);
  message.in_network = false;
  simulation_.schedule_in(message, wait, source_);
}

void HybridTransport::travel(Message& message) {
  const bool same_node = stays_on_node(message);
  if (same_node && config_.node_latency) return cross_node(message);
  const Time wait = before_entering(message, same_node);
  // On its own node a message needs no adapter.
  message.has_turn = same_node;
  if (wait == Time::zero()) return leave_node(message);
  message.in_network = false;
  simulation_.schedule_in(message, wait, source_);
}

Time HybridTransport::before_entering(const Message& message, bool same_node) {
  const host::Rank& from = message.sender->rank();
  const std::int64_t size = message.bytes + config_.envelope.count();
  const Time extra = factors_.extra_latency(from.node(), message.receiver->rank().node(), size);
  if (!delays_ || same_node) return extra;
  const Time delay = extra + config_.delay.at(message.bytes);
  if (!pace_.of_ranks()) return delay;
  return delay +
         pace_.of_rank(static_cast<std::uint32_t>(from.id()), message.bytes, simulation_.now());
}

void HybridTransport::post(Message& message) {
  if (message.protocol == Protocol::eager) travel(message);
  message.engine->visible(message);
}

void HybridTransport::match(Message& message) {
  if (message.protocol != Protocol::eager) travel(message);
}

void HybridTransport::cross_node(Message& message) {
  const Time time =
      config_.time_through_memory(message.bytes) + config_.node_delay.at(message.bytes);
  message.in_network = true;
  simulation_.schedule_in(message, time, source_);
}

void HybridTransport::due(Message& message) {
  if (message.in_network) return message.engine->delivered(message);
  leave_node(message);
}

void HybridTransport::transfer_reached(network::Instant, std::uint64_t cookie) {
  Message& message = *reinterpret_cast<Message*>(static_cast<std::uintptr_t>(cookie));
  if (pace_.of_nodes() && !stays_on_node(message)) {
    const Time wait = pace_.of_receiver(message.receiver->rank().node(), simulation_.now());
    message.in_network = true;
    if (wait > Time::zero()) return simulation_.schedule_in(message, wait, source_);
  }
  message.engine->delivered(message);
}

void HybridTransport::glimpse(std::uint64_t cookie) const {
  prefetch_lines(reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(cookie)), 3);
}

void HybridTransport::foresee(network::Instant, std::uint64_t cookie) const {
  reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(cookie))->foresee_end();
}

}  // namespace heddle::mpi
