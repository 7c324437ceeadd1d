// The match engines.
#include "core/prefetch.hpp"
#include "nic/adapter.hpp"

namespace heddle::nic {

void Adapter::foresee_sending(const Message& message) const {
  prefetch(this);
  lanes_[message.virtual_network].foresee_transmission();
  if (message.sending == Message::Sending::preparing) contexts_.foresee();
}

void Adapter::foresee_receiving(const Message& message) const {
  prefetch(this);
  lanes_[message.virtual_network].foresee_reception();
  // What is sent back goes on the network of answers.
  lanes_[message.virtual_network | 2U].foresee_transmission();
  message.kind == MessageKind::request ? arrivals_.foresee() : contexts_.foresee();
}

void Adapter::expect_sending(const Message& message) const {
  if (message.sending == Message::Sending::preparing) contexts_.foresee_opening();
}

void Adapter::expect_next(const Message& message) const {
  lanes_[message.virtual_network].waiting.foresee();
}

void Adapter::expect_receiving(const Message& message) const {
  lanes_[message.virtual_network | 2U].waiting.foresee_push();
  if (message.kind != MessageKind::request) return;
  const Exchange& exchange = *message;
  arrivals_.foresee(pair_key(exchange.request.initiator.node, exchange));
}

void Adapter::foresee_command(const Exchange& exchange) const {
  prefetch(this);
  lanes_[request_network(exchange.request)].foresee_transmission();
  world_.software.foresee(Report::accepted, exchange.request.cookie,
                          exchange.request.initiator.node);
}

void Adapter::expect_command(const Exchange& exchange) const {
  lanes_[request_network(exchange.request)].waiting.foresee_push();
  foresee_transmission(exchange);
  world_.software.expect(Report::accepted, exchange.request.cookie,
                         exchange.request.initiator.node);
}

void Adapter::foresee_transmission(const Exchange& exchange) const {
  arrivals_.foresee(pair_key(exchange.request.target.node, exchange));
  command_queues_.foresee(exchange.request.initiator.pid);
}

void Adapter::foresee_match(const Message& message) const {
  message.exchange->fetch();
  if (message.kind == MessageKind::request) {
    world_.software.foresee(Report::arrive, message.cookie, node_);
  }
}

void Adapter::expect_match(const Message& message) const {
  if (message.kind == MessageKind::request) {
    world_.software.expect(Report::arrive, message.cookie, node_);
  }
}

void Adapter::delivered(Message& message) {
  Exchange& exchange = *message;
  if (message.corrupt) return nack(message);
  if (message.shortcut) return receive(message);
  Lane& lane = this->lane(message);
  const bool request = message.kind == MessageKind::request;
  message.repeated = request && exchange.at_target;
  if (request && !exchange.at_target && !exchange.request.unordered) {
    const std::uint64_t pair = pair_key(exchange.request.initiator.node, exchange);
    if (arrivals_.passes(pair, exchange.number)) {
      lane.arrived.push(message);
    } else {
      arrivals_.take(pair, message);
    }
    take_arrivals(pair);
  } else {
    lane.arrived.push(message);
  }
  exchange.at_target = exchange.at_target || request;
  feed_receivers(lane);
}

void Adapter::take_arrivals(std::uint64_t pair) {
  while (Message* const next = arrivals_.pop(pair)) lane(*next).arrived.push(*next);
}

void Adapter::feed_receivers(Lane& lane) {
  while (!lane.arrived.empty()) {
    if (!lane.receivers.take(params_.match_engines, world_.simulation, world_.source,
                             lane.receiver_free)) {
      return;
    }
    receive(*lane.arrived.pop());
  }
}

void Adapter::receive(Message& message) {
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

void Adapter::match(Message& message) {
  Exchange& exchange = *message;
  if (exchange.arrived) {
    answer(exchange, true);
    return release_receiver(message);
  }
  // The first copy waits for its turn, or the initiator has given up.
  if (message.repeated || exchange.completed) return release_receiver(message);
  exchange.arrived = true;
  exchange.verdict = world_.software.arrive(exchange.request.cookie);
  switch (exchange.request.operation) {
    case Operation::put:
      message.receiving = Message::Receiving::reported;
      return write_target_events(exchange, &message.receive);
    case Operation::atomic:
      message.write_end = world_.now() + write_time(exchange.verdict.length);
      message.receiving = Message::Receiving::streamed;
      return world_.schedule_in(message.receive, stream_time(exchange.verdict.length));
    case Operation::get:
    case Operation::fetch_atomic:
      answer(exchange, false);
      return release_receiver(message);
  }
}

void Adapter::receive_step(Message& message) {
  Exchange& exchange = *message;
  const Bytes length = exchange.verdict.length;
  switch (message.receiving) {
    case Message::Receiving::reported:
      answer(exchange, false);
      return written(message, world_.now() + stream_time(length) + write_time(length));
    case Message::Receiving::streamed:
      message.receiving = Message::Receiving::written;
      if (message.kind == MessageKind::response) return finish_request(exchange, &message.receive);
      answer(exchange, false);
      return write_target_events(exchange, &message.receive);
    case Message::Receiving::written:
      return written(message, message.write_end);
    case Message::Receiving::finished:
      return release_receiver(message);
  }
}

/// The target's answer to a request that has arrived; the same again for a repetition.
void Adapter::answer(Exchange& exchange, bool again) {
  if (exchange.wants_response()) {
    if (again) return transmit_again(exchange, MessageKind::response);
    return transmit(exchange, MessageKind::response);
  }
  if (exchange.verdict.acknowledge) return acknowledge(exchange, MessageKind::portals_ack, again);
  if (exchange.reliable) return acknowledge(exchange, MessageKind::request_ack, again);
  exchange.initiator->conclude(exchange);
}

void Adapter::acknowledge(Exchange& exchange, MessageKind kind, bool again) {
  if (!exchange.quick) return again ? transmit_again(exchange, kind) : transmit(exchange, kind);
  Message& message = world_.make_message(exchange, kind);
  message.again = again;
  message.shortcut = true;
  message.users = 1;
  network::Transfer transfer;
  transfer.source = {node_};
  transfer.destination = {message.destination()};
  transfer.traffic_class = message.virtual_network;
  world_.start(message, transfer);
}

/// At the initiator: a response has to be written before its events, an acknowledgement not.
void Adapter::take_answer(Message& message) {
  Exchange& exchange = *message;
  const bool response = message.kind == MessageKind::response;
  const Bytes length = response ? exchange.verdict.length : Bytes(0);
  message.write_end = world_.now() + write_time(length);
  if (response && length > Bytes(0) && !exchange.completed) {
    message.receiving = Message::Receiving::streamed;
    return world_.schedule_in(message.receive, stream_time(length));
  }
  message.receiving = Message::Receiving::written;
  finish_request(exchange, &message.receive);
}

void Adapter::finish_request(Exchange& exchange, Step* then) {
  if (exchange.reliable && (exchange.wants_response() || !exchange.quick)) {
    acknowledge(exchange, MessageKind::answer_ack, false);
  }
  close(exchange, Half::request);
  world_.complete(exchange, Outcome::delivered, then);
}

void Adapter::take_ack(Message& message) {
  Exchange& exchange = *message;
  message.receiving = Message::Receiving::finished;
  if (message.kind == MessageKind::request_ack) {
    close(exchange, Half::request);
    return world_.complete(exchange, Outcome::delivered, &message.receive);
  }
  close(exchange, Half::answer);
  if (!exchange.wants_response()) return release_receiver(message);
  write_target_events(exchange, &message.receive);
}

void Adapter::written(Message& message, Time end) {
  const Causes::Scope scope(world_.causes, observe_write(message, end));
  release_receiver(message, end);
}

Cause Adapter::observe_write(const Message& message, Time end) {
  if (!world_.causes.observer()) return {};
  const bool carries =
      message.kind == MessageKind::request || message.kind == MessageKind::response;
  const Bytes length = message.exchange->verdict.length;
  const Time duration = write_time(length);
  if (!carries || duration == Time::zero()) return world_.causes.now();
  return world_.observe(message, Activity::pci_payload_write, length, end - duration, end);
}

void Adapter::release_receiver(Message& message, Time when) {
  if (message.shortcut) return world_.release(message);
  Lane& lane = this->lane(message);
  if (when > world_.now()) {
    lane.receivers.release(when);
    world_.causes.keep_release(&lane.receiver_free, when);
  } else {
    lane.receivers.release();
  }
  world_.release(message);
  feed_receivers(lane);
}

}  // namespace heddle::nic
