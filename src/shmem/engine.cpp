#include "shmem/engine.hpp"

#include <fmt/core.h>

#include <cstring>

#include "core/fiber.hpp"
#include "portals/atomics.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {
namespace {

constexpr std::size_t kKeptPayload = 4096;

ptl_datatype_t portals_type(Type type) {
  const bool is_signed = type.number == Number::signed_integer;
  if (type.size == 4) return is_signed ? PTL_INT32_T : PTL_UINT32_T;
  return is_signed ? PTL_INT64_T : PTL_UINT64_T;
}

/// What an atomic operation leaves in memory.
std::uint64_t updated(const Operation& operation, std::uint64_t old) {
  const std::uint64_t value = operation->value;
  const auto apply = [&](ptl_op_t op) {
    std::uint64_t result = old;
    portals::apply(op, portals_type(operation->type), reinterpret_cast<std::byte*>(&result),
                   reinterpret_cast<const std::byte*>(&value), nullptr, operation->type.size);
    return result;
  };
  switch (operation->atomic) {
    case Atomic::fetch:
      return old;
    case Atomic::set:
      return value;
    case Atomic::compare_swap:
      return old == operation->condition ? value : old;
    case Atomic::add:
      return apply(PTL_SUM);
    case Atomic::bit_and:
      return apply(PTL_BAND);
    case Atomic::bit_or:
      return apply(PTL_BOR);
    default:
      return apply(PTL_BXOR);
  }
}

/// Ends the run, from a rank's code or from an event.
[[noreturn]] void fail(std::string problem) {
  if (host::Rank* rank = host::current_rank()) rank->ending().fail_job(std::move(problem));
  throw FiberFailure(problem);
}

Time overhead(const Operation& operation, const ShmemConfig& config) {
  const auto bytes = static_cast<std::int64_t>(operation->bytes);
  switch (operation->kind) {
    case Operation::Kind::get:
      return config.get_overhead.at(bytes);
    case Operation::Kind::atomic:
    case Operation::Kind::fetch_atomic:
    case Operation::Kind::combine:
      return config.atomic_overhead.at(bytes);
    default:
      return config.put_overhead.at(bytes);
  }
}

[[noreturn]] void no_memory(const Operation& operation, const char* what) {
  fail(fmt::format("PE {}: {}: {} bytes of the {} are not in its memory",
                   operation->initiator->number(), operation->initiator->call, operation->bytes,
                   what));
}

void hand_over(Operation& message, Receive& receive, Pe& pe) {
  const auto size = static_cast<std::int64_t>(message->bytes);
  if (size != coll::bytes(receive.data)) {
    fail(fmt::format(
        "PE {}: {}: PE {} sends {} bytes where {} are expected: the PEs disagree on the number of "
        "elements",
        pe.number(), pe.call, message->initiator->number(), size, coll::bytes(receive.data)));
  }
  coll::unpack(pe.memory(), receive.data, message.payload.data(), size);
  receive.done = true;
  pe.occupy(pe.world().config().receive_overhead.at(size));
}

}  // namespace

void Operation::fire() {
  state_.transport->due(*this);
}

Engine::Engine(World& world) : world_(world), recorder_(world.job()) {}
Engine::~Engine() = default;

Operation& Engine::begin(Operation::Kind kind, Pe& initiator, Pe& target) {
  Operation& operation = pool_.take();
  *operation = {};
  operation->kind = kind;
  operation->initiator = &initiator;
  operation->target = &target;
  operation->transport = transport_.get();
  return operation;
}

void Engine::give_back(Operation& operation) {
  if (operation.payload.capacity() > kKeptPayload) std::vector<std::byte>().swap(operation.payload);
  pool_.give_back(operation);
}

void Engine::count(const Operation& operation) {
  Pe& pe = *operation->initiator;
  switch (operation->kind) {
    case Operation::Kind::put:
      ++pe.counters.puts;
      break;
    case Operation::Kind::get:
      ++pe.counters.gets;
      break;
    case Operation::Kind::atomic:
    case Operation::Kind::fetch_atomic:
      ++pe.counters.atomics;
      break;
    default:
      ++pe.counters.messages;
      break;
  }
  const auto bytes = static_cast<std::int64_t>(operation->bytes);
  pe.counters.bytes += bytes;
  world_.messages().note(static_cast<std::uint32_t>(pe.number()),
                         static_cast<std::uint32_t>(operation->target->number()), bytes);
}

bool Engine::stage_if_short(Operation& operation) const {
  if (operation->bytes > static_cast<std::size_t>(world_.config().copy_limit.count())) return false;
  keep_source(operation);
  return true;
}

void Engine::start(Operation& operation, Context& context) {
  stage_if_short(operation);
  count(operation);
  operation->context = &context;
  ++context.pending;
  transport_->start(operation, overhead(operation, world_.config()));
}

void Engine::start_blocking(Operation& operation, Context& context) {
  if (stage_if_short(operation)) return start(operation, context);
  Pe& pe = *operation->initiator;
  operation->wants_sent = true;
  // Until the caller has seen that its source is free the record must not go.
  operation->kept = true;
  start(operation, context);
  pe.wait_until([&] { return operation->sent || operation->done; },
                [&] {
                  return fmt::format("waits in {} until {} bytes are on their way to PE {}",
                                     pe.call, operation->bytes, operation->target->number());
                });
  operation->kept = false;
  if (operation->done) give_back(operation);
}

void Engine::complete(Operation& operation, Context& context) {
  Pe& pe = *operation->initiator;
  operation->kept = true;
  start(operation, context);
  pe.wait_until([&] { return operation->done; },
                [&] {
                  return fmt::format("waits in {} for an answer of PE {}", pe.call,
                                     operation->target->number());
                });
}

void Engine::quiet(Pe& pe, const Context& context) {
  pe.wait_until([&] { return context.pending == 0; },
                [&] {
                  return fmt::format("waits in {} for {} operations of its own", pe.call,
                                     context.pending);
                });
  // Seeing that is what costs the processor something.
  pe.occupy(world_.config().quiet_overhead);
  pe.settle();
}

void Engine::send(Operation& operation) {
  count(operation);
  operation->staged = true;
  transport_->post(operation, overhead(operation, world_.config()));
}

void Engine::trigger(Operation& operation) {
  count(operation);
  operation->staged = true;
  transport_->trigger(operation);
}

void Engine::keep_source(Operation& operation) {
  if (operation->staged || operation->kind != Operation::Kind::put) return;
  if (operation->initiator->gone) return;
  operation.payload.resize(operation->bytes);
  if (!operation->initiator->memory().read(operation.payload.data(), operation->local,
                                           operation->bytes)) {
    no_memory(operation, "source");
  }
  operation->staged = true;
}

void Engine::arrived(Operation& operation) {
  operation->arrived = true;
  if (operation->target->gone) return;
  switch (operation->kind) {
    case Operation::Kind::put:
      return put(operation);
    case Operation::Kind::get:
      if (!heddle::copy(operation->initiator->memory(), operation->local,
                        operation->target->memory(), operation->remote, operation->bytes)) {
        no_memory(operation, "destination");
      }
      return;
    case Operation::Kind::atomic:
    case Operation::Kind::fetch_atomic:
      return update(operation);
    default:
      return;
  }
}

void Engine::put(Operation& operation) {
  Pe& target = *operation->target;
  if (!operation->staged && operation->initiator->gone) return;
  const bool there =
      operation->staged
          ? target.memory().write(operation->remote, operation.payload.data(), operation->bytes)
          : heddle::copy(target.memory(), operation->remote, operation->initiator->memory(),
                         operation->local, operation->bytes);
  if (!there) no_memory(operation, "source or destination");
  writers_.note(target.number(), operation->remote, operation->bytes,
                operation->initiator->number());
  if (operation->signal == nullptr) return;
  std::uint64_t signal = 0;
  target.memory().read(&signal, operation->signal, sizeof signal);
  signal = operation->signal_adds ? signal + operation->signal_value : operation->signal_value;
  target.memory().write(operation->signal, &signal, sizeof signal);
  writers_.note(target.number(), operation->signal, sizeof signal, operation->initiator->number());
}

void Engine::update(Operation& operation) {
  AddressSpace& memory = operation->target->memory();
  std::uint64_t old = 0;
  if (!memory.read(&old, operation->remote, operation->type.size)) no_memory(operation, "target");
  operation->fetched = old;
  const std::uint64_t value = updated(operation, old);
  if (operation->atomic == Atomic::fetch) return;
  memory.write(operation->remote, &value, operation->type.size);
  writers_.note(operation->target->number(), operation->remote, operation->type.size,
                operation->initiator->number());
}

void Engine::seen(Pe& target) {
  while (Operation* message = target.landed_messages.take()) deliver(*message);
  for (Knot* knot : target.landed_knots) {
    knot->visible = true;
    target.notify();
  }
  target.landed_knots.clear();
  target.memory_changed();
}

void Engine::sent(Operation& operation) {
  if (!operation->arrived) keep_source(operation);
  operation->sent = true;
  recorder_.sent(operation);
  operation->initiator->notify();
}

void Engine::completed(Operation& operation) {
  Pe& pe = *operation->initiator;
  recorder_.completed(operation);
  if (operation->kind == Operation::Kind::fetch_atomic && operation->local != nullptr && !pe.gone) {
    pe.memory().write(operation->local, &operation->fetched, operation->type.size);
  }
  operation->done = true;
  const bool last = --operation->context->pending == 0;
  const bool kept = operation->kept;
  if (!kept) give_back(operation);
  if (kept || last) pe.notify();
}

// Messages of collectives.

void Engine::receive(Pe& pe, Receive& receive) {
  Mailbox::Slot& slot = pe.mailbox.of(receive.channel);
  if (Operation* message = slot.messages.take()) {
    hand_over(*message, receive, pe);
    give_back(*message);
  } else {
    slot.add(receive);
  }
}

void Engine::deliver(Operation& message) {
  Pe& pe = *message->target;
  Mailbox::Slot& slot = pe.mailbox.of(message->channel);
  Receive* receive = slot.take();
  if (receive == nullptr) return slot.messages.add(message);
  hand_over(message, *receive, pe);
  give_back(message);
  pe.notify();
}

}  // namespace heddle::shmem
