#include "nic/reliability.hpp"

#include "nic/adapter_ends.hpp"
#include "nic/completion.hpp"
#include "nic/exchanges.hpp"
#include "nic/transmitter.hpp"

namespace heddle::nic {

void Reliability::forget(Exchange& exchange, Half half) {
  if (contexts_.close(exchange, half)) services_.exchanges.release(exchange);
}

void Reliability::nacked(Exchange& exchange, Half half) {
  if (exchange.context(half).state != Context::State::armed) return;
  contexts_.hold(exchange, half);
  context_expired(exchange, half);
}

void Reliability::context_ready(Message& message) {
  transmitter_.launch(message);
}

void Reliability::context_expired(Exchange& exchange, Half half) {
  if (exchange.context(half).retries < params_.e2e_retries) return send_again(exchange, half);
  give_up(exchange, half);
}

void Reliability::send_again(Exchange& exchange, Half half) {
  ++exchange.context(half).retries;
  MessageKind kind = MessageKind::request;
  if (half == Half::answer) {
    kind = exchange.wants_response() ? MessageKind::response : MessageKind::portals_ack;
  }
  transmitter_.transmit_again(exchange, kind);
}

void Reliability::give_up(Exchange& exchange, Half half) {
  ++statistics_.given_up;
  if (half == Half::answer) {
    if (exchange.wants_response()) completion_.tell_target(exchange, nullptr);
    return forget(exchange, half);
  }
  expect_no_more(services_.exchanges.target(exchange), exchange);
  completion_.complete(exchange, Outcome::undeliverable, nullptr);
  forget(exchange, half);
}

}  // namespace heddle::nic
