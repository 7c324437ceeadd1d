// What can be set of the packet model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "core/quantity.hpp"
#include "network/packet/flow_control.hpp"

namespace heddle::network {

enum class InputQueue { voq, fifo };
/// Who shares the room of input buffers.
enum class BufferSharing { none, port, everyone };
enum class PacketForwarding { cut_through, store_and_forward };

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
  BufferSharing buffer_sharing = BufferSharing::none;
  InputQueue input_queue = InputQueue::voq;
  PacketForwarding forwarding = PacketForwarding::cut_through;
  std::int64_t switch_output;  ///< Flits of an output buffer.
  std::int64_t host_output;
  Bytes send_window;      ///< Payload to one node in line at its sender's cable; 0: all.
  double unevenness = 0;  ///< Of that, among pairs of nodes.
  TimePerByte crossbar;
  std::optional<double> speed_up;  ///< Of the crossbar over the cables; not given: as crossbar.
  Time route_time;
  Time lane_time;  ///< 0: lanes are nobody's own.
  // Flow control.
  FlowControl flow_control = FlowControl::credits;
  Bytes credit_packet;
  Time credit_period;
  // Arbitration, by rules.
  std::string arbitration;
  std::string allocation;
  std::int64_t allocation_rounds;
  std::string lane_arbitration;
  std::string high_table;
  std::string low_table;
  std::int64_t high_limit;
  // The receiving host.
  TimePerByte sink;
  Time sink_pause;
  Time sink_between;
  // Congestion control.
  std::string congestion;  ///< A rule; empty: none.
  std::string path_by;     ///< A rule; empty: each packet for itself.
  std::int64_t paths;
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
