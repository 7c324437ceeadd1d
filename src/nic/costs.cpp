#include "nic/costs.hpp"

#include <algorithm>

namespace heddle::nic {

using network::Instant;

bool Costs::uses_pio(const Request& request) const {
  const Bytes limit = request.matching ? params_.pio_limit_matching : params_.pio_limit;
  return request.buffered && params_.pci && request.operation != Operation::get &&
         !request.triggered && request.payload > inline_limit(request) && request.payload <= limit;
}

bool Costs::reads_memory(const Message& message) const {
  const Exchange& exchange = *message;
  const Bytes size = message.payload;
  if (!params_.pci || size == Bytes(0)) return false;
  if (message.kind == MessageKind::response) return true;
  if (message.again) return size > params_.early_send_limit;
  return size > inline_limit(exchange.request) && !exchange.pio;
}

/// What came with the command need not be read.
Time Costs::read_time(const Message& message) const {
  const Bytes here =
      message.kind == MessageKind::request ? inline_limit(message.exchange->request) : Bytes(0);
  return node_.pcie_latency + bus_rate().time_for(std::max(message.payload - here, Bytes(0)));
}

Bytes Costs::wire_size(const Message& message) const {
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

std::optional<Instant> Costs::awaited(const Message& message) const {
  const bool carries =
      message.kind == MessageKind::response ||
      (message.kind == MessageKind::request && message.exchange->carries_payload());
  if (!carries) return params_.wait_for_delivery ? Instant::tail : Instant::injected;
  if (message.payload <= params_.early_send_limit) return std::nullopt;
  return Instant::injected;
}

Time Costs::engine_free(const Message& message, Time now) const {
  if (message.dma) return message.read_end;
  switch (message.kind) {
    case MessageKind::request:
      return message.exchange->carries_payload() ? message.start + params_.after_request
                                                 : now + params_.after_get;
    case MessageKind::response:
      return message.start + params_.after_response;
    case MessageKind::portals_ack:
      return now + params_.after_ack;
    default:
      return now;
  }
}

bool Costs::reports_when_sent(const Message& message) const {
  const Exchange& exchange = *message;
  if (message.kind == MessageKind::response) return !exchange.reliable;
  if (message.kind != MessageKind::request || !exchange.carries_payload()) return false;
  const bool answered = exchange.reliable || exchange.wants_response();
  return !answered || (exchange.request.wants_sent && keeps_payload(exchange.request) &&
                       !exchange.sent && !exchange.completed);
}

Time Costs::stream_time(Bytes size) const {
  if (!params_.pci || size == Bytes(0)) return Time::zero();
  return params_.stream_latency +
         params_.stream_bandwidth.time_for(std::min(size, params_.stream_packet));
}

Time Costs::write_time(Bytes size) const {
  if (!params_.pci || size == Bytes(0)) return Time::zero();
  return node_.pcie_latency + bus_rate().time_for(std::min(size, params_.stream_packet));
}

Bandwidth Costs::bus_rate() const {
  return tighter(node_.pcie_flow_cap, node_.pcie_bandwidth);
}

}  // namespace heddle::nic
