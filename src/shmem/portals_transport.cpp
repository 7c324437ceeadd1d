#include "shmem/portals_transport.hpp"

#include <fmt/core.h>

#include "core/fiber.hpp"
#include "shmem/trees.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {
namespace {

std::uint64_t cookie_of(Operation& operation) {
  return reinterpret_cast<std::uintptr_t>(&operation);
}
Operation& operation_of(std::uint64_t cookie) {
  return *reinterpret_cast<Operation*>(static_cast<std::uintptr_t>(cookie));
}

nic::Operation command_of(Operation::Kind kind) {
  switch (kind) {
    case Operation::Kind::get:
      return nic::Operation::get;
    case Operation::Kind::atomic:
    case Operation::Kind::combine:
      return nic::Operation::atomic;
    case Operation::Kind::fetch_atomic:
      return nic::Operation::fetch_atomic;
    default:
      return nic::Operation::put;
  }
}

}  // namespace

PortalsTransport::PortalsTransport(World& world, portals::Machine& portals)
    : world_(world), portals_(portals), near_(world), source_(world.simulation().new_source()) {}

void PortalsTransport::start(Operation& operation, Time overhead) {
  Pe& pe = *operation->initiator;
  if (near_.takes(operation)) {
    pe.occupy(overhead);
    pe.settle();
    if (operation->target == &pe) return near_.finish(operation);
    return near_.carry(operation, Time::zero());
  }
  // The call returns when the adapter has its command, however soon the operation is complete.
  const bool kept = std::exchange(operation->kept, true);
  post(operation, overhead);
  pe.await_taken(operation);
  operation->kept = kept;
  if (operation->done && !kept) world_.engine().give_back(operation);
}

void PortalsTransport::post(Operation& operation, Time overhead) {
  const Time begin = operation->initiator->occupy(overhead);
  const Time delay = begin - world_.simulation().now();
  if (near_.takes(operation)) return near_.carry(operation, delay);
  if (delay == Time::zero()) return issue(operation);
  if (const record::RunRecorder* const recorder = world_.job().recorder()) {
    operation->because_of = recorder->causes().acting();
  }
  world_.simulation().schedule_in(operation, delay, source_);
}

void PortalsTransport::due(Operation& operation) {
  if (near_.takes(operation)) return near_.finish(operation);
  const record::Because because(world_.job().recorder(), operation->because_of);
  issue(operation);
}

void PortalsTransport::issue(Operation& operation, bool triggered) {
  portals::Parcel parcel;
  parcel.operation = command_of(operation->kind);
  parcel.initiator = static_cast<std::uint32_t>(operation->initiator->number());
  parcel.target = static_cast<std::uint32_t>(operation->target->number());
  parcel.size = Bytes(static_cast<std::int64_t>(operation->bytes));
  parcel.cookie = cookie_of(operation);
  parcel.told = portals::Told::by_counters;
  parcel.buffered = operation->staged || operation->kind == Operation::Kind::atomic ||
                    operation->kind == Operation::Kind::fetch_atomic;
  parcel.wants_sent = operation->wants_sent;
  parcel.acknowledged = !operation.is_collective();
  parcel.triggered = triggered;
  portals_.send(parcel, *this);
}

void PortalsTransport::accepted(std::uint64_t cookie) {
  Operation& operation = operation_of(cookie);
  if (operation.is_collective()) return;
  operation->taken = true;
  operation->initiator->rank().threads().wake();
}

void PortalsTransport::sent(std::uint64_t cookie) {
  // What the program may change from now on is kept; its counter tells it.
  Operation& operation = operation_of(cookie);
  if (!operation->arrived) Engine::keep_source(operation);
  operation->sending = true;
  operation->initiator->landed_sends.add(operation);
}

void PortalsTransport::matched(std::uint64_t cookie) {
  Operation& operation = operation_of(cookie);
  if (operation.is_of_tree()) return world_.trees().arrived(operation);
  world_.engine().arrived(operation);
  if (operation.is_collective()) operation->target->landed_messages.add(operation);
}

void PortalsTransport::target_counted(std::uint32_t rank) {
  world_.engine().seen(world_.pe(rank));
}

void PortalsTransport::completed(std::uint64_t cookie) {
  Operation& operation = operation_of(cookie);
  if (operation->sending && !operation->sent) {
    operation->answered = true;
  } else {
    operation->initiator->landed.add(operation);
  }
}

void PortalsTransport::initiator_counted(std::uint32_t rank) {
  Pe& pe = world_.pe(rank);
  while (Operation* operation = pe.landed_sends.take()) {
    world_.engine().sent(*operation);
    if ((*operation)->answered) world_.engine().completed(*operation);
  }
  while (Operation* operation = pe.landed.take()) world_.engine().completed(*operation);
}

void PortalsTransport::arrived(std::uint64_t /*cookie*/) {}
void PortalsTransport::fetched(std::uint64_t /*cookie*/) {}

void PortalsTransport::lost(std::uint64_t cookie) {
  const Operation& operation = operation_of(cookie);
  throw FiberFailure(fmt::format(
      "PE {} cannot be reached by PE {}: the adapter has given up an operation of {} bytes after "
      "its last retry (nic.e2e_retries)",
      operation->target->number(), operation->initiator->number(), operation->bytes));
}

}  // namespace heddle::shmem
