// How sources learn of lost packets and send them again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/params.hpp"
#include "core/quantity.hpp"

namespace heddle::network {

enum class Repair : std::uint8_t {
  automatic,
  none,
  go_back_n,  ///< Destinations take packets in order only: behind a lost one all are sent again.
  selective,  ///< They take any, and only what is lost is sent again.
};

/// Defaults and meanings stand in repair_table().
struct RepairConfig {
  Repair mode = Repair::automatic;
  std::optional<Time> timeout;
  std::optional<std::int64_t> gap;
  std::optional<std::int64_t> ack_every;
  Bytes ack;
};

const ParamTable<RepairConfig>& repair_table();

/// What all flows of a network go by.
struct FlowRules {
  Repair repair = Repair::none;
  Time timeout = Time::never();  ///< The first; doubled with each that brings no news.
  std::int64_t gap =
      0;  ///< Packets behind a missing one whose arrival says it is lost; 0: none do.
  std::int64_t ack_every = 1;  ///< Packets in order that one acknowledgement is for.
  Bytes ack;
  Bytes header;                  ///< Of a packet of data ...
  std::int64_t max_payload = 0;  ///< ... and the most that it carries.

  /// Of a packet that carries so much.
  Bytes on_wire(std::int64_t payload) const { return std::max(Bytes(1), header + Bytes(payload)); }
};

}  // namespace heddle::network
