#include "nic/completion.hpp"

#include "nic/event_writer.hpp"
#include "nic/exchanges.hpp"
#include "nic/transmitter.hpp"

namespace heddle::nic {

void Completion::complete(Exchange& exchange, Outcome outcome, Step* then) {
  if (!services_.exchanges.complete(exchange)) {
    if (then) then->run();
    return;
  }
  transmitter_.leave_gates(exchange);
  const EventTokens tokens = services_.software.completed(exchange.request.cookie, outcome);
  services_.events.write(exchange.request.initiator, exchange.id, tokens, then);
  services_.exchanges.release(exchange);
}

void Completion::conclude(Exchange& exchange) {
  const bool answered =
      exchange.reliable || exchange.wants_response() ||
      (exchange.arrived ? exchange.verdict.acknowledge : exchange.request.wants_ack);
  if (answered || !exchange.transmitted || exchange.completed) return;
  if (!exchange.arrived && !exchange.lost) return;
  complete(exchange, exchange.arrived ? Outcome::delivered : Outcome::undeliverable, nullptr);
}

void Completion::tell_target(Exchange& exchange, Step* then) {
  const EventTokens events = exchange.reported ? EventTokens{} : exchange.verdict.events;
  exchange.reported = true;
  services_.events.write(exchange.request.target, exchange.id, events, then);
}

}  // namespace heddle::nic
