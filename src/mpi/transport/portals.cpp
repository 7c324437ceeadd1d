#include "mpi/transport/portals.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "mpi/engine/engine.hpp"

namespace heddle::mpi {
namespace {

std::uint64_t cookie_of(Message& message) {
  return reinterpret_cast<std::uintptr_t>(&message);
}
Message& message_of(std::uint64_t cookie) {
  return *reinterpret_cast<Message*>(static_cast<std::uintptr_t>(cookie));
}

}  // namespace

PortalsTransport::PortalsTransport(Simulation& simulation, portals::Machine& portals,
                                   const MpiConfig& config)
    : simulation_(simulation),
      portals_(portals),
      config_(config),
      source_(simulation.new_source()) {}

Protocol PortalsTransport::protocol(std::int64_t bytes, SendMode mode) const {
  if (mode == SendMode::synchronous) return Protocol::rendezvous;
  if (bytes < config_.eager_limit->count()) return Protocol::eager;
  return mode == SendMode::buffered ? Protocol::detached : Protocol::rendezvous;
}

Time PortalsTransport::send_overhead(std::int64_t bytes, SendCall call, Protocol) const {
  return call == SendCall::nonblocking ? config_.isend_overhead->at(bytes)
                                       : config_.send_overhead->at(bytes);
}

Time PortalsTransport::receive_overhead(const Message& message) const {
  return config_.receive_overhead->at(message.bytes);
}

bool PortalsTransport::within_node(const Message& message) const {
  return config_.through_memory(message.sender->rank().node(), message.receiver->rank().node());
}

void PortalsTransport::cross_node(Message& message) {
  simulation_.schedule_in(message, config_.time_through_memory(message.bytes), source_);
}

void PortalsTransport::due(Message& message) {
  message.engine->delivered(message);
}

void PortalsTransport::post(Message& message) {
  message.in_network = false;
  if (within_node(message)) {
    if (message.protocol == Protocol::eager) cross_node(message);
    return message.engine->visible(message);
  }
  const bool whole = message.protocol == Protocol::eager;
  portals_.send({nic::Operation::put, message.sender->id(), message.receiver->id(),
                 Bytes(whole ? message.bytes : 0), cookie_of(message)},
                *this);
}

void PortalsTransport::match(Message& message) {
  if (message.protocol == Protocol::eager) return;
  if (within_node(message)) return cross_node(message);
  portals_.send({nic::Operation::get, message.receiver->id(), message.sender->id(),
                 Bytes(message.bytes), cookie_of(message)},
                *this);
}

void PortalsTransport::matched(std::uint64_t cookie) {
  Message& message = message_of(cookie);
  const std::size_t receiver = message.receiver->id();
  if (arrivals_.size() <= receiver) arrivals_.resize(receiver + 1);
  Arrivals& queue = arrivals_[receiver];
  message.after = nullptr;
  (queue.last != nullptr ? queue.last->after : queue.first) = &message;
  queue.last = &message;
}

void PortalsTransport::arrived(std::uint64_t cookie) {
  Message& message = message_of(cookie);
  message.in_network = true;
  Arrivals& queue = arrivals_[message.receiver->id()];
  while (queue.first != nullptr && queue.first->in_network) {
    Message& first = *queue.first;
    queue.first = first.after;
    if (queue.first == nullptr) queue.last = nullptr;
    first.after = nullptr;
    show(first);
  }
}

void PortalsTransport::show(Message& message) {
  const bool whole = message.protocol == Protocol::eager;
  Engine& engine = *message.engine;
  engine.visible(message);
  if (whole) engine.delivered(message);
}

void PortalsTransport::fetched(std::uint64_t cookie) {
  Message& message = message_of(cookie);
  message.engine->delivered(message);
}

void PortalsTransport::lost(std::uint64_t cookie) {
  const Message& message = message_of(cookie);
  throw FiberFailure(fmt::format(
      "rank {} cannot be reached by rank {}: the adapter has given up a message of {} bytes after "
      "its last retry (nic.e2e_retries)",
      message.receiver->id(), message.sender->id(), message.bytes));
}

}  // namespace heddle::mpi
