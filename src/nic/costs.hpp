// What messages cost at one adapter: the equations of docs/models.md.
#pragma once

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

}  // namespace heddle::nic
