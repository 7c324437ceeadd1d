// What many outputs have in common.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "network/packet/packet_plan.hpp"
#include "network/packet/surroundings.hpp"

namespace heddle::network {

/// More flits than there are: of buffers that never fill.
inline constexpr std::int64_t kUnlimitedFlits = INT64_MAX / 4;

/// It is kept once: so it is at hand, and takes nothing of theirs.
struct PortKind {
  /// As the plan has it of a link.
  PortKind(const PacketContext& own_context, LinkId link);
  auto operator<=>(const PortKind&) const = default;

  PacketContext context;
  std::size_t lanes;
  Bandwidth bandwidth;
  Time flit_time;
  bool from_host;
  bool to_host;
  bool marks;            ///< Packets, where there is congestion.
  bool measures;         ///< Packets carry on what it is like here.
  bool control;          ///< The last lane goes ahead of the others.
  bool by_credits;       ///< The buffer at its end has a known size.
  bool allocated;        ///< By a crossbar, not by its own arbiter.
  bool pooled;           ///< Lanes share room at the other end.
  bool half_duplex;      ///< The other direction has the same wire.
  bool stored;           ///< Packets are whole at the other end before they go on.
  bool plain;            ///< Nothing of what few networks have: a hop needs no look at each of it.
  Time wire;             ///< Its latency.
  Time to_arbiter;       ///< From a head's arrival to the arbiter.
  Time to_wire;          ///< From the arbiter to the wire.
  TimePerByte crossbar;  ///< From input to output buffer.
  Time crossbar_flit;    ///< The same of a flit.
  std::int64_t output_flits;
  std::int64_t buffer_flits;  ///< Of the buffer at the far end, per lane.
  std::int64_t lane_flits;    ///< The most that a lane may take of that, and of what it shares.

  bool is_control(std::size_t lane) const { return lane == context.plan.control_lane; }
};

}  // namespace heddle::network
