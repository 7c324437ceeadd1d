// End-to-end reliability: what happens to messages that are lost, damaged or not acknowledged.
#include "nic/adapter.hpp"

namespace heddle::nic {

void Adapter::context_ready(Message& message) {
  launch(message);
}

void Adapter::context_expired(Exchange& exchange, Half half) {
  if (exchange.context(half).retries < params_.e2e_retries) return send_again(exchange, half);
  give_up(exchange, half);
}

void Adapter::send_again(Exchange& exchange, Half half) {
  ++exchange.context(half).retries;
  MessageKind kind = MessageKind::request;
  if (half == Half::answer) {
    kind = exchange.wants_response() ? MessageKind::response : MessageKind::portals_ack;
  }
  transmit_again(exchange, kind);
}

void Adapter::give_up(Exchange& exchange, Half half) {
  ++statistics.given_up;
  if (half == Half::answer) {
    if (exchange.wants_response()) write_target_events(exchange, nullptr);
    return close(exchange, half);
  }
  world_.target(exchange).expect_no_more(exchange);
  world_.complete(exchange, Outcome::undeliverable, nullptr);
  close(exchange, half);
}

void Adapter::close(Exchange& exchange, Half half) {
  if (contexts_.close(exchange, half)) world_.release(exchange);
}

/// No copy of a request will be accepted from here on: those behind it need not wait.
void Adapter::expect_no_more(Exchange& exchange) {
  if (exchange.at_target) return;
  exchange.at_target = true;
  if (exchange.request.unordered) return;
  const std::uint64_t pair = pair_key(exchange.initiator->node(), exchange);
  arrivals_.skip(pair, exchange.number);
  take_arrivals(pair);
  feed_receivers(lanes_[request_network(exchange.request)]);
}

void Adapter::lost(Message& message) {
  Exchange& exchange = *message;
  if (!exchange.reliable && message.kind == MessageKind::request) {
    exchange.lost = true;
    expect_no_more(exchange);
    exchange.initiator->conclude(exchange);
  }
  world_.release(message);
}

/// A message arrived damaged: asks for it again, where anybody remembers it.
void Adapter::nack(Message& message) {
  Exchange& exchange = *message;
  ++message.from->statistics.corrupted;
  if (!exchange.reliable || !has_context(message.kind)) return lost(message);
  transmit(exchange, message.kind == MessageKind::request ? MessageKind::request_nack
                                                          : MessageKind::answer_nack);
  world_.release(message);
}

void Adapter::take_nack(Message& message) {
  Exchange& exchange = *message;
  const Half half = message.kind == MessageKind::request_nack ? Half::request : Half::answer;
  if (exchange.context(half).state == Context::State::armed) {
    contexts_.hold(exchange, half);
    context_expired(exchange, half);
  }
  release_receiver(message);
}

/// Once per exchange.
void Adapter::write_target_events(Exchange& exchange, Step* then) {
  const EventTokens events = exchange.reported ? EventTokens{} : exchange.verdict.events;
  exchange.reported = true;
  world_.write_events(exchange.request.target, exchange, events, then);
}

}  // namespace heddle::nic
