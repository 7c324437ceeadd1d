#include "nic/world.hpp"

#include <fmt/core.h>

#include <optional>

#include "core/prefetch.hpp"
#include "nic/adapter.hpp"

namespace heddle::nic {

using network::Instant;

void Exchange::fire() {
  const Causes::Scope scope(initiator->causes(), static_cast<const Step*>(this));
  initiator->command_step(*this);
}
void Exchange::fetch() const {
  prefetch(this);
  prefetch(&contexts);
}
void Exchange::foresee() const {
  initiator->foresee_command(*this);
}
void Exchange::expect() const {
  initiator->expect_command(*this);
}
void Message::fire() {
  const Causes::Scope scope(from->causes(), static_cast<const Step*>(this));
  from->send_step(*this);
}
void Message::receive_step() {
  const Causes::Scope scope(to->causes(), static_cast<const Step*>(&receive));
  to->receive_step(*this);
}

void Message::glimpse() const {
  exchange->fetch();
  scheduled() ? from->foresee_sending(*this) : to->foresee_receiving(*this);
}
void Message::foresee() const {
  scheduled() ? from->expect_sending(*this) : to->expect_receiving(*this);
}

World::World(Simulation& simulation, const platform::Platform& platform, network::Network& network,
             Software& software, const Faults& faults, Observer* observer)
    : simulation(simulation),
      platform(platform),
      network(network),
      software(software),
      causes(simulation, observer),
      source(simulation.new_source()),
      faults(simulation, platform, faults),
      bus(simulation, network, source, causes),
      events(simulation, platform, bus, source, software, causes),
      adapters_(platform.nodes()) {}

World::~World() = default;

void World::make_adapter(NodeId node) {
  adapters_[index(node)] = std::make_unique<Adapter>(*this, node);
}

// --- Records
// --------------------------------------------------------------------------------------

Exchange& World::begin_exchange(const Request& request) {
  Exchange& exchange = exchanges_.take();
  exchange.request = request;
  exchange.verdict = {};
  exchange.id = next_id_++;
  exchange.initiator = &adapter(request.initiator.node);
  adapter(request.target.node);
  exchange.contexts = {};
  exchange.references = 1;
  exchange.transmitted = exchange.sent = exchange.at_target = exchange.arrived = false;
  exchange.reported = exchange.lost = exchange.completed = false;
  ++unfinished_;
  return exchange;
}

Message& World::make_message(Exchange& exchange, MessageKind kind) {
  Message& message = messages_.take();
  ++exchange.references;
  message.exchange = &exchange;
  message.kind = kind;
  message.from = goes_forward(kind) ? exchange.initiator : &target(exchange);
  message.to = goes_forward(kind) ? &target(exchange) : exchange.initiator;
  message.end = (goes_forward(kind) ? exchange.request.target : exchange.request.initiator).node;
  message.virtual_network = network_of(exchange.request, kind);
  message.dma = message.again = message.repeated = message.shortcut = false;
  message.holds_engine = false;
  message.users = 2;
  message.cookie = exchange.request.cookie;
  message.payload = kind == MessageKind::request    ? exchange.request.payload
                    : kind == MessageKind::response ? exchange.verdict.length
                                                    : Bytes(0);
  return message;
}

void World::release(Message& message) {
  if (--message.users > 0) return;
  Exchange& exchange = *message;
  messages_.give_back(message);
  release(exchange);
}

void World::release(Exchange& exchange) {
  if (--exchange.references > 0) return;
  const std::uint32_t cookie = exchange.request.cookie;
  exchanges_.give_back(exchange);
  software.released(cookie);
}

void World::complete(Exchange& exchange, Outcome outcome, Step* then) {
  if (exchange.completed) {
    if (then) then->run();
    return;
  }
  exchange.completed = true;
  --unfinished_;
  exchange.initiator->leave_gates(exchange);
  const EventTokens tokens = software.completed(exchange.request.cookie, outcome);
  write_events(exchange.request.initiator, exchange, tokens, then);
  release(exchange);
}

// --- The wire
// -------------------------------------------------------------------------------------

namespace {

/// What the software is told of when a message arrives, if anything.
std::optional<Report> call_of(const Message& message) {
  if (message.kind == MessageKind::request) return Report::arrive;
  if (message.kind == MessageKind::answer_ack) return std::nullopt;
  return Report::completed;
}

}  // namespace

void World::start(Message& message, network::Transfer& transfer) {
  message.start = now();
  message.size = transfer.size;
  message.drop = !message.shortcut && faults.drops();
  message.corrupt = !message.shortcut && faults.corrupts();
  message.to_memory = transfer.destination.port == platform::Port::stream;
  causes.keep(&message.start);
  transfer.client = this;
  transfer.cookie = reinterpret_cast<std::uint64_t>(&message);
  network.start(transfer);
}

void World::glimpse(std::uint64_t cookie) const {
  const Message& message = *reinterpret_cast<const Message*>(cookie);
  prefetch(&message);
  prefetch(&message.kind);
}

void World::foresee(Instant instant, std::uint64_t cookie) const {
  const Message& message = *reinterpret_cast<const Message*>(cookie);
  message.exchange->fetch();
  if (instant == Instant::injected) return message.from->foresee_sending(message);
  message.to->foresee_receiving(message);
  if (const auto call = call_of(message)) software.foresee(*call, message.cookie, message.end);
}

void World::expect(Instant instant, std::uint64_t cookie) const {
  const Message& message = *reinterpret_cast<const Message*>(cookie);
  if (instant == Instant::injected) return message.from->expect_next(message);
  message.to->expect_receiving(message);
  if (const auto call = call_of(message)) software.expect(*call, message.cookie, message.end);
}

void World::transfer_reached(Instant instant, std::uint64_t cookie) {
  Message& message = *reinterpret_cast<Message*>(cookie);
  if (instant == Instant::injected) {
    const Causes::Scope scope(causes, observe_injection(message));
    return message.from->on_the_wire(message);
  }
  const bool lost =
      message.drop || (!message.shortcut &&
                       faults.cut(message.source(), message.destination(), message.start, now()));
  const Causes::Scope scope(causes, observe_arrival(message, lost || message.corrupt));
  if (message.holds_engine) message.from->on_the_wire(message);
  if (!lost) return message.to->delivered(message);
  ++message.from->statistics.dropped;
  message.to->lost(message);
}

// --- For people
// -----------------------------------------------------------------------------------

namespace {

Activity activity_of(const Message& message) {
  const Operation operation = message.exchange->request.operation;
  switch (message.kind) {
    case MessageKind::request:
      switch (operation) {
        case Operation::put:
          return Activity::put;
        case Operation::get:
          return Activity::get;
        case Operation::atomic:
          return Activity::atomic;
        case Operation::fetch_atomic:
          return Activity::fetch_atomic;
      }
      [[fallthrough]];
    case MessageKind::response:
      return operation == Operation::get ? Activity::get_response : Activity::fetch_atomic_response;
    case MessageKind::portals_ack:
      return Activity::portals_ack;
    default:
      return Activity::bxi_ack;
  }
}

std::string name_of(const ProcessId& process) {
  return fmt::format("process {} of node {}", process.pid, index(process.node));
}

/// What the initiator of an unfinished exchange waits for.
std::string waits_for(const Exchange& exchange) {
  if (!exchange.transmitted) return "its transmission";
  if (!exchange.arrived) {
    return exchange.lost ? "an answer, but was lost" : "its arrival at the target";
  }
  return "its answer, which was lost";
}

}  // namespace

Cause World::observe(const Message& message, Activity activity, Bytes size, Time start, Time end) {
  if (!causes.observer()) return {};
  const Exchange& exchange = *message;
  const ProcessId process =
      activity == Activity::pci_dma_payload
          ? (goes_forward(message.kind) ? exchange.request.initiator : exchange.request.target)
          : (goes_forward(message.kind) ? exchange.request.target : exchange.request.initiator);
  // What is read has been asked for when the message set out.
  const Cause cause =
      activity == Activity::pci_dma_payload ? causes.of(&message.start) : causes.now();
  return causes.tell({activity, exchange.id, process, process, size, message.virtual_network, start,
                      end, false, cause});
}

Cause World::observe_arrival(const Message& message, bool failed) {
  if (!causes.observer()) return {};
  const ActivityRecord record = on_wire(message, failed);
  causes.forget(&message.start);
  return causes.tell(record);
}

Cause World::observe_injection(const Message& message) {
  if (!causes.observer()) return {};
  const ActivityRecord record = on_wire(message, false);
  return Causes::after(causes.observer()->injected(record), record);
}

/// What a message has been doing since it set out.
ActivityRecord World::on_wire(const Message& message, bool failed) const {
  const Request& request = message.exchange->request;
  const bool forward = goes_forward(message.kind);
  return {activity_of(message),
          message.exchange->id,
          forward ? request.initiator : request.target,
          forward ? request.target : request.initiator,
          message.size,
          message.virtual_network,
          message.start,
          now(),
          failed,
          causes.of(&message.start),
          message.dma,
          message.to_memory};
}

/// There must be one. Those that are not in use count as completed.
const Exchange& World::oldest_unfinished() const {
  const Exchange* oldest = nullptr;
  exchanges_.for_each([&](const Exchange& exchange) {
    if (!exchange.completed && (!oldest || exchange.id < oldest->id)) oldest = &exchange;
  });
  return *oldest;
}

std::string World::stuck() const {
  if (unfinished_ == 0) return "";
  static constexpr std::string_view kNames[] = {"put", "get", "atomic", "fetch"};
  const Exchange& oldest = oldest_unfinished();
  return fmt::format("{} request{} unfinished: the {} of {} to {} waits for {}", unfinished_,
                     unfinished_ == 1 ? " is" : "s are",
                     kNames[static_cast<std::size_t>(oldest.request.operation)],
                     name_of(oldest.request.initiator), name_of(oldest.request.target),
                     waits_for(oldest));
}

}  // namespace heddle::nic
