// The transmit engines.
#include <algorithm>

#include "nic/adapter.hpp"

namespace heddle::nic {

using network::Instant;
using platform::Port;

void Adapter::transmit(Exchange& exchange, MessageKind kind) {
  Lane& lane = lanes_[network_of(exchange.request, kind)];
  ++exchange.references;
  lane.waiting.push({exchange, kind});
  feed_transmitters(lane);
}

void Adapter::transmit_again(Exchange& exchange, MessageKind kind) {
  Message& message = world_.make_message(exchange, kind);
  message.again = true;
  Lane& lane = this->lane(message);
  lane.admitted.push(message);
  feed_transmitters(lane);
}

void Adapter::feed_transmitters(Lane& lane) {
  while (!lane.admitted.empty() || !lane.waiting.empty()) {
    if (!lane.transmitters.take(params_.transmit_engines, world_.simulation, world_.source,
                                lane.transmitter_free)) {
      return;
    }
    Message* const message = next_to_transmit(lane);
    if (!message) return lane.transmitters.release();
    prepare(*message);
  }
}

Message* Adapter::next_to_transmit(Lane& lane) {
  while (Message* const message = lane.admitted.pop()) {
    if (!obsolete(*message)) return message;
    message->users = 1;
    world_.release(*message);
  }
  while (!lane.waiting.empty()) {
    Message& message = take_waiting(lane);
    if (message.kind != MessageKind::request) return &message;
    leave_command_queue(*message);
    if (!gated() || gates_.enter(message)) return &message;
  }
  return nullptr;
}

/// Only now it becomes a message: many may wait for long.
Message& Adapter::take_waiting(Lane& lane) {
  const Due due = lane.waiting.pop();
  Message& message = world_.make_message(due.exchange(), due.kind());
  --due.exchange().references;
  return message;
}

/// A repetition of what has been acknowledged, or of what has not been sent for the first time yet.
bool Adapter::obsolete(const Message& message) {
  return message.again && has_context(message.kind) &&
         message.context().state == Context::State::closed;
}

void Adapter::prepare(Message& message) {
  Exchange& exchange = *message;
  if (message.kind == MessageKind::request && !message.again && !exchange.request.unordered) {
    exchange.number = arrivals_.next_number(pair_key(exchange.request.target.node, exchange));
  }
  if (exchange.reliable) contexts_.foresee();
  message.sending = Message::Sending::preparing;
  world_.schedule_in(message, params_.message_overhead);
}

void Adapter::send_step(Message& message) {
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
      return release_transmitter(message, world_.now());
  }
}

void Adapter::prepared(Message& message) {
  const bool kept = message.exchange->reliable && has_context(message.kind);
  if (!kept || contexts_.open(message)) launch(message);
}

void Adapter::launch(Message& message) {
  message.dma = reads_memory(message);
  if (!message.dma) return enter_wire(message);
  message.sending = Message::Sending::requesting;
  const Exchange& exchange = *message;
  const ProcessId process =
      message.kind == MessageKind::request ? exchange.request.initiator : exchange.request.target;
  world_.bus.cross(
      {Activity::pci_dma_request, process, exchange.id, params_.dma_request_size, &message});
}

/// The wire can start when the first packet is here; the engine is at it until the last one is.
void Adapter::read_memory(Message& message) {
  const Bytes size = message.payload;
  const Bytes here =
      message.kind == MessageKind::request ? inline_limit(message.exchange->request) : Bytes(0);
  message.read_end = world_.now() + world_.platform.node(node_).pcie_latency +
                     bus_rate().time_for(std::max(size - here, Bytes(0)));
  message.sending = Message::Sending::reading;
  world_.schedule_in(message, stream_time(size));
}

bool Adapter::reads_memory(const Message& message) const {
  const Exchange& exchange = *message;
  const Bytes size = message.payload;
  if (!params_.pci || size == Bytes(0)) return false;
  if (message.kind == MessageKind::response) return true;
  if (message.again) return size > params_.early_send_limit;
  return size > inline_limit(exchange.request) && !exchange.pio;
}

Bytes Adapter::wire_size(const Message& message) const {
  switch (message.kind) {
    case MessageKind::request:
      if (!message.exchange->carries_payload()) return params_.get_request_size;
      [[fallthrough]];
    case MessageKind::response:
      return message.payload + params_.wire_header;
    case MessageKind::portals_ack:
      return params_.ack_size;
    default:
      return params_.bxi_ack_size;
  }
}

void Adapter::enter_wire(Message& message) {
  const Exchange& exchange = *message;
  if (message.again) {
    ++statistics.retransmissions;
  } else if (message.kind == MessageKind::request) {
    ++statistics.requests;
  }
  const bool streamed = message.payload > inline_limit(exchange.request);
  network::Transfer transfer;
  transfer.source = {node_, message.dma ? Port::stream : Port::nic};
  transfer.destination = {message.destination(), streamed ? Port::stream : Port::nic};
  transfer.size = wire_size(message);
  transfer.traffic_class = message.virtual_network;
  const std::optional<Instant> awaited = this->awaited(message);
  message.holds_engine = awaited == Instant::tail;
  if (awaited == Instant::injected) transfer.wants |= static_cast<std::uint8_t>(Instant::injected);
  world_.start(message, transfer);
  if (!awaited) on_the_wire(message);
}

/// The instant of a message's transfer for which its engine waits, if it does.
std::optional<Instant> Adapter::awaited(const Message& message) const {
  const bool carries =
      message.kind == MessageKind::response ||
      (message.kind == MessageKind::request && message.exchange->carries_payload());
  if (!carries) return params_.wait_for_delivery ? Instant::tail : Instant::injected;
  if (message.payload <= params_.early_send_limit) return std::nullopt;
  return Instant::injected;
}

void Adapter::on_the_wire(Message& message) {
  const Time until = std::max(engine_free(message), world_.now());
  const Causes::Scope scope(world_.causes, observe_read(message, until));
  if (!reports_when_sent(message)) {
    message.exchange->transmitted |= message.kind == MessageKind::request;
    return release_transmitter(message, until);
  }
  message.sending = Message::Sending::holding;
  if (until > world_.now()) return world_.schedule(message, until);
  transmitted(message);
}

/// What an engine waits for until it has read the payload of its message.
Cause Adapter::observe_read(const Message& message, Time until) {
  if (!world_.causes.observer()) return {};
  if (!message.dma) return world_.causes.now();
  const Cause read = world_.observe(message, Activity::pci_dma_payload, message.payload,
                                    message.start - stream_time(message.payload), until);
  return until > world_.now() ? read : world_.causes.now();
}

/// Whether anybody learns from a message's being sent.
bool Adapter::reports_when_sent(const Message& message) const {
  const Exchange& exchange = *message;
  if (message.kind == MessageKind::response) return !exchange.reliable;
  if (message.kind != MessageKind::request || !exchange.carries_payload()) return false;
  const bool answered = exchange.reliable || exchange.wants_response();
  const bool kept = exchange.request.payload <= params_.early_send_limit;
  return !answered ||
         (exchange.request.wants_sent && kept && !exchange.sent && !exchange.completed);
}

Time Adapter::engine_free(const Message& message) const {
  if (message.dma) return message.read_end;
  switch (message.kind) {
    case MessageKind::request:
      return message.exchange->carries_payload() ? message.start + params_.after_request
                                                 : world_.now() + params_.after_get;
    case MessageKind::response:
      return message.start + params_.after_response;
    case MessageKind::portals_ack:
      return world_.now() + params_.after_ack;
    default:
      return world_.now();
  }
}

void Adapter::transmitted(Message& message) {
  Exchange& exchange = *message;
  const EventTokens events = sender_events(message);
  const ProcessId process =
      goes_forward(message.kind) ? exchange.request.initiator : exchange.request.target;
  if (message.kind == MessageKind::request) {
    exchange.transmitted = true;
    conclude(exchange);
  }
  message.sending = Message::Sending::reporting;
  world_.write_events(process, exchange, events, &message);
}

/// What the processes at this end learn from a message's being sent.
EventTokens Adapter::sender_events(Message& message) {
  Exchange& exchange = *message;
  if (message.kind == MessageKind::response && !exchange.reliable) return exchange.verdict.events;
  if (message.kind != MessageKind::request || !exchange.carries_payload()) return {};
  const bool unanswered =
      !exchange.reliable && !exchange.wants_response() && !exchange.request.wants_ack;
  const bool kept = exchange.request.payload <= params_.early_send_limit;
  if ((!kept && !unanswered) || exchange.sent || exchange.completed) return {};
  exchange.sent = true;
  return world_.software.sent(exchange.request.cookie);
}

void Adapter::release_transmitter(Message& message, Time when) {
  Lane& lane = this->lane(message);
  if (when > world_.now()) {
    lane.transmitters.release(when);
    world_.causes.keep_release(&lane.transmitter_free, when);
  } else {
    lane.transmitters.release();
  }
  world_.release(message);
  feed_transmitters(lane);
}

void Adapter::conclude(Exchange& exchange) {
  const bool answered =
      exchange.reliable || exchange.wants_response() ||
      (exchange.arrived ? exchange.verdict.acknowledge : exchange.request.wants_ack);
  if (answered || !exchange.transmitted || exchange.completed) return;
  if (!exchange.arrived && !exchange.lost) return;
  world_.complete(exchange, exchange.arrived ? Outcome::delivered : Outcome::undeliverable,
                  nullptr);
}

void Adapter::leave_gates(const Exchange& exchange) {
  if (!gated()) return;
  Fifo<Message> passed;
  gates_.leave(exchange, passed);
  while (Message* const message = passed.pop()) {
    Lane& lane = this->lane(*message);
    lane.admitted.push(*message);
    feed_transmitters(lane);
  }
}

Bandwidth Adapter::bus_rate() const {
  const platform::NodeParams& node = world_.platform.node(node_);
  return tighter(node.pcie_flow_cap, node.pcie_bandwidth);
}

Time Adapter::stream_time(Bytes size) const {
  if (!params_.pci || size == Bytes(0)) return Time::zero();
  return params_.stream_latency +
         params_.stream_bandwidth.time_for(std::min(size, params_.stream_packet));
}

Time Adapter::write_time(Bytes size) const {
  if (!params_.pci || size == Bytes(0)) return Time::zero();
  return world_.platform.node(node_).pcie_latency +
         bus_rate().time_for(std::min(size, params_.stream_packet));
}

}  // namespace heddle::nic
