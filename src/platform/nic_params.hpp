// The properties of a node's network adapter.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "core/params.hpp"
#include "core/quantity.hpp"

namespace heddle::platform {

/// What an adapter costs and what it can hold; docs/models.md says how each is used. The first
/// three are for plain messages (synthetic traffic), the others for the model of a BXI adapter.
struct NicParams {
  Time send_overhead;     ///< From the request to the first byte leaving.
  Time receive_overhead;  ///< From the last byte to the receiver's knowing.
  Time gap;               ///< At least between the starts of two messages.

  // Commands and the payload that goes with them.
  std::int64_t command_queue_depth = 0;
  Bytes command_size;
  Bytes inline_limit;
  Bytes inline_limit_matching;
  Bytes pio_limit;
  Bytes pio_limit_matching;
  Time pio_fence;
  bool pci = false;
  bool pci_commands = false;

  // Reading and writing memory.
  Bytes dma_request_size;
  Bytes event_size;
  std::optional<Time> event_notice;  ///< Nothing: the latency of the bus.
  Bytes counter_size;
  Time stream_latency;
  Bytes stream_packet;
  Bandwidth stream_bandwidth;

  // Engines.
  std::int64_t transmit_engines = 0;
  std::int64_t match_engines = 0;
  bool wait_for_delivery = false;
  Time message_overhead;
  Time after_request;
  Time after_get;
  Time after_ack;
  Time after_response;
  Bytes early_send_limit;

  // What travels besides payload.
  Bytes wire_header;
  Bytes get_request_size;
  Bytes ack_size;
  Bytes bxi_ack_size;
  bool quick_acks = false;

  // Reliability and flow control.
  bool e2e = false;
  Time e2e_timeout;
  std::int64_t e2e_retries = 0;
  std::int64_t e2e_contexts = 0;
  std::int64_t max_in_flight_nodes = 0;
  std::int64_t max_in_flight_processes = 0;

  auto operator<=>(const NicParams&) const = default;
};

const ParamTable<NicParams>& nic_table();

}  // namespace heddle::platform
