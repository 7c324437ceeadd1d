#include "nic/match_engine.hpp"

#include "core/prefetch.hpp"
#include "nic/adapter_ends.hpp"
#include "nic/completion.hpp"
#include "nic/exchanges.hpp"
#include "nic/observing.hpp"
#include "nic/reliability.hpp"
#include "nic/transmitter.hpp"
#include "nic/wire.hpp"

namespace heddle::nic {

MatchEngine::MatchEngine(const Services& services, const Costs& costs, Arrivals& arrivals,
                         Transmitter& transmitter, Reliability& reliability, Completion& completion)
    : services_(services),
      costs_(costs),
      arrivals_(arrivals),
      transmitter_(transmitter),
      reliability_(reliability),
      completion_(completion),
      queues_{Queue(*this), Queue(*this), Queue(*this), Queue(*this)} {}

// Arrivals, in their order.

void MatchEngine::delivered(Message& message) {
  Exchange& exchange = *message;
  if (message.corrupt) return nack(message);
  if (message.shortcut) return receive(message);
  Queue& queue = this->queue(message);
  const bool request = message.kind == MessageKind::request;
  message.repeated = request && exchange.at_target;
  if (request && !exchange.at_target && !exchange.request.unordered) {
    const std::uint64_t pair = pair_with(exchange.request.initiator, exchange.request);
    if (arrivals_.passes(pair, exchange.number)) {
      queue.arrived.push(message);
    } else {
      arrivals_.take(pair, message);
    }
    take_arrivals(pair);
  } else {
    queue.arrived.push(message);
  }
  exchange.at_target = exchange.at_target || request;
  feed(queue);
}

void MatchEngine::take_arrivals(std::uint64_t pair) {
  while (Message* const next = arrivals_.pop(pair)) queue(*next).arrived.push(*next);
}

void MatchEngine::expect_no_more(Exchange& exchange) {
  if (exchange.at_target) return;
  exchange.at_target = true;
  if (exchange.request.unordered) return;
  const std::uint64_t pair = pair_with(exchange.request.initiator, exchange.request);
  arrivals_.skip(pair, exchange.number);
  take_arrivals(pair);
  feed(queues_[request_network(exchange.request)]);
}

void MatchEngine::lost(Message& message) {
  Exchange& exchange = *message;
  if (!exchange.reliable && message.kind == MessageKind::request) {
    exchange.lost = true;
    expect_no_more(exchange);
    conclude_at_initiator(exchange);
  }
  services_.exchanges.release(message);
}

void MatchEngine::Queue::fire() {
  owner.causes().within(Causes::Release{this}, [&] { owner.feed(*this); });
}

void MatchEngine::feed(Queue& queue) {
  while (!queue.arrived.empty()) {
    if (!queue.engines.take(costs_.params().match_engines, services_.clock, queue)) {
      return;
    }
    receive(*queue.arrived.pop());
  }
}

void MatchEngine::receive(Message& message) {
  switch (message.kind) {
    case MessageKind::request:
      return match(message);
    case MessageKind::response:
    case MessageKind::portals_ack:
      return take_answer(message);
    case MessageKind::request_ack:
    case MessageKind::answer_ack:
      return take_ack(message);
    case MessageKind::request_nack:
    case MessageKind::answer_nack:
      return take_nack(message);
  }
}

// Requests, at their target.

void MatchEngine::match(Message& message) {
  Exchange& exchange = *message;
  const Time now = services_.clock.now();
  if (exchange.arrived) {
    answer(exchange, true);
    return release(message, now);
  }
  // The first copy waits for its turn, or the initiator has given up.
  if (message.repeated || exchange.completed) return release(message, now);
  exchange.arrived = true;
  exchange.verdict = services_.software.arrive(exchange.request.cookie);
  switch (exchange.request.operation) {
    case Operation::put:
      message.receiving = Message::Receiving::reported;
      return completion_.tell_target(exchange, &message.receive);
    case Operation::atomic:
      message.write_end = now + costs_.write_time(exchange.verdict.length);
      message.receiving = Message::Receiving::streamed;
      return services_.clock.schedule_in(message.receive,
                                         costs_.stream_time(exchange.verdict.length));
    case Operation::get:
    case Operation::fetch_atomic:
      answer(exchange, false);
      return release(message, now);
  }
}

void MatchEngine::step(Message& message) {
  causes().within(static_cast<const Step*>(&message.receive), [&] { advance(message); });
}

void MatchEngine::advance(Message& message) {
  Exchange& exchange = *message;
  const Bytes length = exchange.verdict.length;
  const Time now = services_.clock.now();
  switch (message.receiving) {
    case Message::Receiving::reported:
      answer(exchange, false);
      return written(message, now + costs_.stream_time(length) + costs_.write_time(length));
    case Message::Receiving::streamed:
      message.receiving = Message::Receiving::written;
      if (message.kind == MessageKind::response) return finish_request(exchange, &message.receive);
      answer(exchange, false);
      return completion_.tell_target(exchange, &message.receive);
    case Message::Receiving::written:
      return written(message, message.write_end);
    case Message::Receiving::finished:
      return release(message, now);
  }
}

/// The target's answer to a request that has arrived; the same again for a repetition.
void MatchEngine::answer(Exchange& exchange, bool again) {
  if (exchange.wants_response()) {
    if (again) return transmitter_.transmit_again(exchange, MessageKind::response);
    return transmitter_.transmit(exchange, MessageKind::response);
  }
  if (exchange.verdict.acknowledge) return acknowledge(exchange, MessageKind::portals_ack, again);
  if (exchange.reliable) return acknowledge(exchange, MessageKind::request_ack, again);
  conclude_at_initiator(exchange);
}

void MatchEngine::acknowledge(Exchange& exchange, MessageKind kind, bool again) {
  if (!exchange.quick) {
    if (again) return transmitter_.transmit_again(exchange, kind);
    return transmitter_.transmit(exchange, kind);
  }
  Message& message = services_.exchanges.make_message(exchange, kind);
  message.again = again;
  message.shortcut = true;
  message.users = 1;
  network::Transfer transfer;
  transfer.source = {message.source()};
  transfer.destination = {message.destination()};
  transfer.traffic_class = message.virtual_network;
  services_.wire.start(message, transfer);
}

/// A message arrived damaged: asks for it again, where anybody remembers it.
void MatchEngine::nack(Message& message) {
  Exchange& exchange = *message;
  ++statistics_of_sender(message).corrupted;
  if (!exchange.reliable || !has_context(message.kind)) return lost(message);
  transmitter_.transmit(exchange, message.kind == MessageKind::request ? MessageKind::request_nack
                                                                       : MessageKind::answer_nack);
  services_.exchanges.release(message);
}

// What comes back.

/// At the initiator: a response has to be written before its events, a Portals ACK not.
void MatchEngine::take_answer(Message& message) {
  Exchange& exchange = *message;
  const bool response = message.kind == MessageKind::response;
  const Bytes length = response ? exchange.verdict.length : Bytes(0);
  message.write_end = services_.clock.now() + costs_.write_time(length);
  if (response && length > Bytes(0) && !exchange.completed) {
    message.receiving = Message::Receiving::streamed;
    return services_.clock.schedule_in(message.receive, costs_.stream_time(length));
  }
  message.receiving = Message::Receiving::written;
  finish_request(exchange, &message.receive);
}

void MatchEngine::finish_request(Exchange& exchange, Step* then) {
  if (exchange.reliable && (exchange.wants_response() || !exchange.quick)) {
    acknowledge(exchange, MessageKind::answer_ack, false);
  }
  reliability_.forget(exchange, Half::request);
  completion_.complete(exchange, Outcome::delivered, then);
}

void MatchEngine::take_ack(Message& message) {
  Exchange& exchange = *message;
  message.receiving = Message::Receiving::finished;
  if (message.kind == MessageKind::request_ack) {
    reliability_.forget(exchange, Half::request);
    return completion_.complete(exchange, Outcome::delivered, &message.receive);
  }
  reliability_.forget(exchange, Half::answer);
  if (!exchange.wants_response()) return release(message, services_.clock.now());
  completion_.tell_target(exchange, &message.receive);
}

void MatchEngine::take_nack(Message& message) {
  reliability_.nacked(*message,
                      message.kind == MessageKind::request_nack ? Half::request : Half::answer);
  release(message, services_.clock.now());
}

// The end of a reception.

/// What a request or response brought is in memory at `end`.
void MatchEngine::written(Message& message, Time end) {
  causes().within([&] { return observe_write(message, end); }, [&] { release(message, end); });
}

Cause MatchEngine::observe_write(const Message& message, Time end) {
  const bool carries =
      message.kind == MessageKind::request || message.kind == MessageKind::response;
  const Bytes length = message.exchange->verdict.length;
  const Time duration = costs_.write_time(length);
  if (!carries || duration == Time::zero()) return causes().now();
  return observe_payload(causes(), message, Activity::pci_payload_write, length, end - duration,
                         end);
}

void MatchEngine::release(Message& message, Time when) {
  if (message.shortcut) return services_.exchanges.release(message);
  Queue& queue = this->queue(message);
  if (when > services_.clock.now()) {
    queue.engines.release(when);
    causes().keep_release(&queue, when);
  } else {
    queue.engines.release();
  }
  services_.exchanges.release(message);
  feed(queue);
}

// Memory ahead of its use.

void MatchEngine::foresee_queue(std::uint8_t virtual_network) const {
  prefetch(this);
  prefetch(&queues_[virtual_network]);
}

void MatchEngine::Queue::glimpse() const {
  prefetch(&owner);
  if (const Message* const next = arrived.first()) {
    prefetch(next);
    prefetch(&next->kind);
  }
}

void MatchEngine::Queue::foresee() const {
  owner.arrivals_.foresee();
  const Message* const next = arrived.first();
  if (!next) return;
  next->exchange->fetch();
  if (next->kind != MessageKind::request) return;
  owner.services_.software.foresee(Report::arrive, next->cookie, next->end);
}

void MatchEngine::Queue::expect() const {
  const Message* const next = arrived.first();
  if (!next || next->kind != MessageKind::request) return;
  owner.services_.software.expect(Report::arrive, next->cookie, next->end);
}

}  // namespace heddle::nic
