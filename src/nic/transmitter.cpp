#include "nic/transmitter.hpp"

#include <algorithm>

#include "nic/adapter_ends.hpp"
#include "nic/bus.hpp"
#include "nic/command_queues.hpp"
#include "nic/completion.hpp"
#include "nic/event_writer.hpp"
#include "nic/exchanges.hpp"
#include "nic/observing.hpp"
#include "nic/wire.hpp"

namespace heddle::nic {

using network::Instant;
using platform::Port;

Transmitter::Transmitter(const Services& services, const Costs& costs, CommandQueues& commands,
                         Arrivals& arrivals, Contexts& contexts, Completion& completion)
    : services_(services),
      costs_(costs),
      commands_(commands),
      arrivals_(arrivals),
      contexts_(contexts),
      completion_(completion),
      gates_(costs.limits_in_flight() ? std::make_unique<Gates>(costs.params()) : nullptr),
      queues_{Queue(*this), Queue(*this), Queue(*this), Queue(*this)} {}

void Transmitter::transmit(Exchange& exchange, MessageKind kind) {
  Queue& queue = queues_[network_of(exchange.request, kind)];
  ++exchange.references;
  queue.waiting.push({exchange, kind});
  feed(queue);
}

void Transmitter::transmit_again(Exchange& exchange, MessageKind kind) {
  Message& message = services_.exchanges.make_message(exchange, kind);
  message.again = true;
  Queue& queue = this->queue(message);
  queue.admitted.push(message);
  feed(queue);
}

void Transmitter::feed(Queue& queue) {
  while (!queue.admitted.empty() || !queue.waiting.empty()) {
    if (!queue.engines.take(costs_.params().transmit_engines, services_.clock, queue.engine_free)) {
      return;
    }
    Message* const message = next(queue);
    if (!message) return queue.engines.release();
    prepare(*message);
  }
}

namespace {

/// A repetition of what has been acknowledged, or of what has not been sent for the first time yet.
bool is_obsolete(const Message& message) {
  return message.again && has_context(message.kind) &&
         message.context().state == Context::State::closed;
}

}  // namespace

Message* Transmitter::next(Queue& queue) {
  while (Message* const message = queue.admitted.pop()) {
    if (!is_obsolete(*message)) return message;
    message->users = 1;
    services_.exchanges.release(*message);
  }
  while (!queue.waiting.empty()) {
    Message& message = take_waiting(queue);
    if (message.kind != MessageKind::request) return &message;
    commands_.leave(*message);
    if (!gates_ || gates_->enter(message)) return &message;
  }
  return nullptr;
}

/// Only now it becomes a message: many may wait for long.
Message& Transmitter::take_waiting(Queue& queue) {
  const Due due = queue.waiting.pop();
  Message& message = services_.exchanges.make_message(due.exchange(), due.kind());
  --due.exchange().references;
  return message;
}

void Transmitter::prepare(Message& message) {
  Exchange& exchange = *message;
  if (message.kind == MessageKind::request && !message.again && !exchange.request.unordered) {
    exchange.number = arrivals_.next_number(pair_with(exchange.request.target, exchange.request));
  }
  if (exchange.reliable) contexts_.foresee();
  message.sending = Message::Sending::preparing;
  services_.clock.schedule_in(message, costs_.params().message_overhead);
}

void Transmitter::step(Message& message) {
  causes().within(static_cast<const Step*>(&message), [&] { advance(message); });
}

void Transmitter::advance(Message& message) {
  switch (message.sending) {
    case Message::Sending::preparing:
      return prepared(message);
    case Message::Sending::requesting:
      return read_memory(message);
    case Message::Sending::reading:
      return enter_wire(message);
    case Message::Sending::holding:
      return transmitted(message);
    case Message::Sending::reporting:
      return release(message, services_.clock.now());
  }
}

void Transmitter::prepared(Message& message) {
  const bool kept = message.exchange->reliable && has_context(message.kind);
  if (!kept || contexts_.open(message)) launch(message);
}

void Transmitter::launch(Message& message) {
  message.dma = costs_.reads_memory(message);
  if (!message.dma) return enter_wire(message);
  message.sending = Message::Sending::requesting;
  const Exchange& exchange = *message;
  const ProcessId process =
      message.kind == MessageKind::request ? exchange.request.initiator : exchange.request.target;
  services_.bus.cross({Activity::pci_dma_request, process, exchange.id,
                       costs_.params().dma_request_size, &message});
}

/// The wire can start when the first packet is here; the engine is at it until the last one is.
void Transmitter::read_memory(Message& message) {
  message.read_end = services_.clock.now() + costs_.read_time(message);
  message.sending = Message::Sending::reading;
  services_.clock.schedule_in(message, costs_.stream_time(message.payload));
}

void Transmitter::enter_wire(Message& message) {
  const Exchange& exchange = *message;
  if (message.again) {
    ++statistics_of_sender(message).retransmissions;
  } else if (message.kind == MessageKind::request) {
    ++statistics_of_sender(message).requests;
  }
  const bool streamed = message.payload > costs_.inline_limit(exchange.request);
  network::Transfer transfer;
  transfer.source = {message.source(), message.dma ? Port::stream : Port::nic};
  transfer.destination = {message.destination(), streamed ? Port::stream : Port::nic};
  transfer.size = costs_.wire_size(message);
  transfer.traffic_class = message.virtual_network;
  const std::optional<Instant> awaited = costs_.awaited(message);
  message.holds_engine = awaited == Instant::tail;
  if (awaited == Instant::injected) transfer.wants |= static_cast<std::uint8_t>(Instant::injected);
  services_.wire.start(message, transfer);
  if (!awaited) on_the_wire(message);
}

void Transmitter::on_the_wire(Message& message) {
  const Time now = services_.clock.now();
  const Time until = std::max(costs_.engine_free(message, now), now);
  causes().within([&] { return observe_read(message, until); },
                  [&] { await_end_of_read(message, until); });
}

void Transmitter::await_end_of_read(Message& message, Time until) {
  if (!costs_.reports_when_sent(message)) {
    message.exchange->transmitted |= message.kind == MessageKind::request;
    return release(message, until);
  }
  message.sending = Message::Sending::holding;
  if (until > services_.clock.now()) return services_.clock.schedule(message, until);
  transmitted(message);
}

/// What an engine waits for until it has read the payload of its message.
Cause Transmitter::observe_read(const Message& message, Time until) {
  if (!message.dma) return causes().now();
  const Time start = message.start - costs_.stream_time(message.payload);
  const Cause read =
      observe_payload(causes(), message, Activity::pci_dma_payload, message.payload, start, until);
  return until > services_.clock.now() ? read : causes().now();
}

void Transmitter::transmitted(Message& message) {
  Exchange& exchange = *message;
  const EventTokens events = sender_events(message);
  const ProcessId process =
      goes_forward(message.kind) ? exchange.request.initiator : exchange.request.target;
  if (message.kind == MessageKind::request) {
    exchange.transmitted = true;
    completion_.conclude(exchange);
  }
  message.sending = Message::Sending::reporting;
  services_.events.write(process, exchange.id, events, &message);
}

/// What the processes at this end learn from a message's being sent.
EventTokens Transmitter::sender_events(Message& message) {
  Exchange& exchange = *message;
  if (message.kind == MessageKind::response && !exchange.reliable) return exchange.verdict.events;
  if (message.kind != MessageKind::request || !exchange.carries_payload()) return {};
  const bool unanswered =
      !exchange.reliable && !exchange.wants_response() && !exchange.request.wants_ack;
  const bool kept = costs_.keeps_payload(exchange.request);
  if ((!kept && !unanswered) || exchange.sent || exchange.completed) return {};
  exchange.sent = true;
  return services_.software.sent(exchange.request.cookie);
}

void Transmitter::release(Message& message, Time when) {
  Queue& queue = this->queue(message);
  if (when > services_.clock.now()) {
    queue.engines.release(when);
    causes().keep_release(&queue.engine_free, when);
  } else {
    queue.engines.release();
  }
  services_.exchanges.release(message);
  feed(queue);
}

void Transmitter::leave_gates(const Exchange& exchange) {
  if (!gates_) return;
  Fifo<Message> passed;
  gates_->leave(exchange, passed);
  while (Message* const message = passed.pop()) {
    Queue& queue = this->queue(*message);
    queue.admitted.push(*message);
    feed(queue);
  }
}

void Transmitter::foresee_queue(std::uint8_t virtual_network) const {
  prefetch(this);
  prefetch(&queues_[virtual_network].engine_free);
  prefetch(&queues_[virtual_network].waiting);
}

void Transmitter::expect_push(std::uint8_t virtual_network) const {
  queues_[virtual_network].waiting.foresee_push();
}

void Transmitter::expect_pop(std::uint8_t virtual_network) const {
  queues_[virtual_network].waiting.foresee();
}

void Transmitter::foresee_request(const Exchange& exchange) const {
  arrivals_.foresee(pair_with(exchange.request.target, exchange.request));
  commands_.foresee_leaving(exchange);
}

void Transmitter::Queue::glimpse() const {
  waiting.foresee();
  prefetch(&transmitter);
}

void Transmitter::Queue::foresee() const {
  const Due next = waiting.first();
  if (next && next.kind() == MessageKind::request) transmitter.foresee_request(next.exchange());
}

}  // namespace heddle::nic
