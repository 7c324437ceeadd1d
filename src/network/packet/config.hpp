// What can be set of the packet model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "core/quantity.hpp"

namespace heddle::network {

enum class InputQueue { voq, fifo };

/// Most virtual lanes of a link.
inline constexpr std::int64_t kMostLanes = 64;

/// Defaults and meanings stand in packet_table().
struct PacketConfig {
  // Units on the wire.
  Bytes flit;
  Bytes header;
  Bytes max_packet;
  // Lanes and buffers.
  std::optional<std::int64_t> lanes;  ///< Not given: as many as lane_by needs.
  std::string lane_by;                ///< A rule; empty: hop or class, as routes need it.
  std::optional<std::vector<std::int64_t>> class_lanes;  ///< By class; not given: modulo the lanes.
  std::optional<std::int64_t> buffer;  ///< Flits of an input buffer, per lane; not given: by cable.
  InputQueue input_queue = InputQueue::voq;
  std::int64_t switch_output;  ///< Flits of an output buffer.
  std::int64_t host_output;
  TimePerByte crossbar;
  // Flow control.
  Bytes credit_packet;
  Time credit_period;
  // Arbitration, by rules.
  std::string arbitration;
  std::string lane_arbitration;
  std::string high_table;
  std::string low_table;
  std::int64_t high_limit;
  // The receiving host.
  TimePerByte sink;
  Time sink_pause;
  Time sink_between;
  // Congestion control.
  bool congestion_control = false;
  std::string congestion_rule;
  double mark_threshold;
  std::int64_t marking_rate;
  std::int64_t cct_increase;
  std::int64_t cct_limit;
  std::int64_t cct_min;
  Time cct_timer;
  double cct_step;
};

const ParamTable<PacketConfig>& packet_table();

}  // namespace heddle::network
