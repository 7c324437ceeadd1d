// What messages cost at one adapter: the equations of docs/models.md.
#pragma once

#include <algorithm>
#include <optional>

#include "network/network.hpp"
#include "nic/records.hpp"
#include "platform/nic_params.hpp"
#include "platform/platform.hpp"

namespace heddle::nic {

/// Says how a message goes and how long each part of that takes; keeps no state.
class Costs {
 public:
  /// Both must outlive the costs.
  Costs(const platform::NicParams& params, const platform::NodeParams& node)
      : params_(params), node_(node) {}

  const platform::NicParams& params() const { return params_; }
  /// Whether gates hold requests up.
  bool limits_in_flight() const {
    return params_.max_in_flight_processes > 0 || params_.max_in_flight_nodes > 0;
  }

  /// The largest payload that travels within a command.
  Bytes inline_limit(const Request& request) const {
    return request.matching ? params_.inline_limit_matching : params_.inline_limit;
  }
  /// Whether the processor writes the request's payload to the adapter.
  bool uses_pio(const Request& request) const;
  /// Whether the adapter keeps the request's payload, so that it is sent when transmitted.
  bool keeps_payload(const Request& request) const {
    return request.payload <= params_.early_send_limit;
  }

  /// Whether the adapter reads the message's payload from memory.
  bool reads_memory(const Message& message) const;
  /// How long that takes, from the request by which it reads.
  Time read_time(const Message& message) const;
  Bytes wire_size(const Message& message) const;
  /// The instant of a message's transfer for which its transmit engine waits, if it does.
  std::optional<network::Instant> awaited(const Message& message) const;
  /// When the engine of a message that is on the wire is free.
  Time engine_free(const Message& message, Time now) const;
  /// Whether anybody learns from a message's being sent.
  bool reports_when_sent(const Message& message) const;

  /// Of the first packet read, or the last one written, of that many bytes.
  Time stream_time(Bytes size) const;
  /// From a payload's last packet on the bus to its being in memory.
  Time write_time(Bytes size) const;

 private:
  Bandwidth bus_rate() const;

  const platform::NicParams& params_;
  const platform::NodeParams& node_;
};

// Parts of the few functions that ask for them, for every message.

[[gnu::always_inline]] inline Bandwidth Costs::bus_rate() const {
  return tighter(node_.pcie_flow_cap, node_.pcie_bandwidth);
}

[[gnu::always_inline]] inline bool Costs::reads_memory(const Message& message) const {
  const Exchange& exchange = *message;
  const Bytes size = message.payload;
  if (!params_.pci || size == Bytes(0)) return false;
  if (message.kind == MessageKind::response) return true;
  if (message.again) return size > params_.early_send_limit;
  return size > inline_limit(exchange.request) && !exchange.pio;
}

[[gnu::always_inline]] inline Bytes Costs::wire_size(const Message& message) const {
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

[[gnu::always_inline]] inline std::optional<network::Instant> Costs::awaited(
    const Message& message) const {
  const bool carries =
      message.kind == MessageKind::response ||
      (message.kind == MessageKind::request && message.exchange->carries_payload());
  if (!carries) {
    return params_.wait_for_delivery ? network::Instant::tail : network::Instant::injected;
  }
  if (message.payload <= params_.early_send_limit) return std::nullopt;
  return network::Instant::injected;
}

[[gnu::always_inline]] inline Time Costs::engine_free(const Message& message, Time now) const {
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

[[gnu::always_inline]] inline bool Costs::reports_when_sent(const Message& message) const {
  const Exchange& exchange = *message;
  if (message.kind == MessageKind::response) return !exchange.reliable;
  if (message.kind != MessageKind::request || !exchange.carries_payload()) return false;
  const bool answered = exchange.reliable || exchange.wants_response();
  return !answered || (exchange.request.wants_sent && keeps_payload(exchange.request) &&
                       !exchange.sent && !exchange.completed);
}

inline Time Costs::stream_time(Bytes size) const {
  if (!params_.pci || size == Bytes(0)) return Time::zero();
  return params_.stream_latency +
         params_.stream_bandwidth.time_for(std::min(size, params_.stream_packet));
}

inline Time Costs::write_time(Bytes size) const {
  if (!params_.pci || size == Bytes(0)) return Time::zero();
  return node_.pcie_latency + bus_rate().time_for(std::min(size, params_.stream_packet));
}

}  // namespace heddle::nic
