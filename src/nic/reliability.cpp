// End-to-end reliability: what happens to messages that are lost, damaged or not acknowledged.
#include "nic/adapter.hpp"

namespace heddle::nic {

void Adapter::context_ready(Message& message) {
  launch(message);
}

void Adapter::context_expired(Context& context) {
  if (context.retries < params_.e2e_retries) return send_again(context);
  give_up(context);
}

void Adapter::send_again(Context& context) {
  Exchange& exchange = *context.exchange;
  ++context.retries;
  MessageKind kind = MessageKind::request;
  if (&context == &exchange.answering) {
    kind = exchange.wants_response() ? MessageKind::response : MessageKind::portals_ack;
  }
  Message& message = world_.make_message(exchange, kind);
  message.again = true;
  transmit(message);
}

void Adapter::give_up(Context& context) {
  Exchange& exchange = *context.exchange;
  ++statistics.given_up;
  if (&context == &exchange.answering) {
    if (exchange.wants_response()) write_target_events(exchange, nullptr);
    return close(context);
  }
  exchange.target->expect_no_more(exchange);
  world_.complete(exchange, Outcome::undeliverable, nullptr);
  close(context);
}

void Adapter::close(Context& context) {
  if (contexts_.close(context)) world_.release(*context.exchange);
}

/// No copy of a request will be accepted from here on: those behind it need not wait.
void Adapter::expect_no_more(Exchange& exchange) {
  if (exchange.at_target) return;
  exchange.at_target = true;
  if (exchange.request.unordered) return;
  Arrivals& order = arrivals(exchange.initiator->node(), exchange);
  order.skip(exchange.number);
  take_arrivals(order);
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

/// Says that a message arrived damaged, where that leads to anything.
void Adapter::complain(Message& message) {
  Exchange& exchange = *message;
  ++message.from->statistics.corrupted;
  if (!exchange.reliable || !has_context(message.kind)) return lost(message);
  transmit(world_.make_message(exchange, message.kind == MessageKind::request
                                             ? MessageKind::request_error
                                             : MessageKind::answer_error));
  world_.release(message);
}

void Adapter::take_error(Message& message) {
  Context& context = message.kind == MessageKind::request_error ? message.exchange->asking
                                                                : message.exchange->answering;
  if (context.state == Context::State::armed) {
    contexts_.hold(context);
    context_expired(context);
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
