#include "shmem/hybrid_transport.hpp"

#include "network/known_routes.hpp"
#include "shmem/engine.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {
namespace {

/// What travels besides the envelope, there and back.
std::int64_t bytes_there(const Operation& operation) {
  if (operation->kind == Operation::Kind::get) return 0;
  const std::size_t signal = operation->signal != nullptr ? sizeof(std::uint64_t) : 0;
  return static_cast<std::int64_t>(operation->bytes + signal);
}
std::int64_t bytes_back(const Operation& operation) {
  const bool fetches =
      operation->kind == Operation::Kind::get || operation->kind == Operation::Kind::fetch_atomic;
  return fetches ? static_cast<std::int64_t>(operation->bytes) : 0;
}

}  // namespace

HybridTransport::HybridTransport(World& world)
    : world_(world),
      envelope_(world.config().envelope.count()),
      factors_(world.job().platform(), world.config().latency_factors.value_or(coll::Factors()),
               world.config().bandwidth_factors.value_or(coll::Factors()),
               network::known_latency(world.network())),
      near_(world),
      source_(world.simulation().new_source()) {
  coll::require_no_shortening(*world.config().latency_factors, "shmem.latency_factors");
}

void HybridTransport::start(Operation& operation, Time overhead) {
  operation->initiator->occupy(overhead);
  operation->initiator->settle();
  if (operation->initiator == operation->target) return near_.finish(operation);
  travel(operation, Time::zero());
}

void HybridTransport::post(Operation& operation, Time overhead) {
  const Time begin = operation->initiator->occupy(overhead);
  travel(operation, begin - world_.simulation().now());
}

void HybridTransport::travel(Operation& operation, Time delay) {
  if (near_.takes(operation)) return near_.carry(operation, delay);
  world_.engine().recorder().start(operation, delay);
  const Pe& from = operation->answering ? *operation->target : *operation->initiator;
  const Pe& to = operation->answering ? *operation->initiator : *operation->target;
  const std::int64_t size =
      envelope_ + (operation->answering ? bytes_back(operation) : bytes_there(operation));
  const Time wait = delay + factors_.extra_latency(from.rank().node(), to.rank().node(), size);
  if (wait == Time::zero()) return enter_network(operation);
  world_.simulation().schedule_in(operation, wait, source_);
}

void HybridTransport::due(Operation& operation) {
  if (near_.takes(operation)) return near_.finish(operation);
  enter_network(operation);
}

void HybridTransport::enter_network(Operation& operation) {
  const bool back = operation->answering;
  const Pe& from = back ? *operation->target : *operation->initiator;
  const Pe& to = back ? *operation->initiator : *operation->target;
  network::Transfer transfer;
  const platform::Platform& platform = from.rank().job().platform();
  transfer.source = platform.memory_of(from.rank().node(), from.rank().local());
  transfer.destination = platform.memory_of(to.rank().node(), to.rank().local());
  transfer.size = Bytes(factors_.size_in_network(
      envelope_ + (back ? bytes_back(operation) : bytes_there(operation))));
  if (operation->wants_sent && !back) {
    transfer.wants |= static_cast<std::uint8_t>(network::Instant::injected);
  }
  transfer.client = this;
  transfer.cookie = reinterpret_cast<std::uintptr_t>(&operation);
  world_.network().start(transfer);
}

void HybridTransport::transfer_reached(network::Instant instant, std::uint64_t cookie) {
  Operation& operation = *reinterpret_cast<Operation*>(static_cast<std::uintptr_t>(cookie));
  if (instant == network::Instant::injected) return world_.engine().sent(operation);
  Engine& engine = world_.engine();
  engine.recorder().end(operation,
                        operation->answering ? bytes_back(operation) : bytes_there(operation));
  if (operation->answering) return engine.completed(operation);
  there(operation);
}

void HybridTransport::there(Operation& operation) {
  Engine& engine = world_.engine();
  Pe& target = *operation->target;
  engine.arrived(operation);
  if (operation->kind == Operation::Kind::message) {
    engine.deliver(operation);
    return;
  }
  operation->answering = true;
  travel(operation, Time::zero());
  engine.seen(target);
}

}  // namespace heddle::shmem
