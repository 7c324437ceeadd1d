#include "network/packet/port_kind.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

constexpr std::int64_t kUsualBuffer = 200;

bool is_host(const platform::Platform& platform, VertexId vertex) {
  return vertex == kNoVertex || !platform.topology().is_switch(vertex);
}

/// What passes the wire, packet behind packet, from the grant of one to the news that it has left
/// the far buffer; and two packets, as both ends of that time may fall into one.
std::int64_t round_trip_flits(const PortKind& kind) {
  if (kind.flit_time == Time::zero()) return kUnlimitedFlits;
  const PacketPlan& plan = kind.context.plan;
  const std::int64_t packet = plan.max_flits();
  const Time far_arbiter = kind.to_host ? Time::zero() : plan.platform.switches().latency / 2;
  Time trip = kind.to_wire + kind.wire * 2 + far_arbiter + kind.flit_time * packet;
  if (plan.credit_packets) trip += plan.config.credit_period + kind.flit_time * packet;
  return 2 * packet + (trip.ps() + kind.flit_time.ps() - 1) / kind.flit_time.ps();
}

}  // namespace

PortKind::PortKind(const PacketContext& own_context, LinkId link)
    : context(own_context), lanes(own_context.plan.lanes) {
  const platform::Platform& platform = own_context.plan.platform;
  const PacketConfig& config = own_context.plan.config;
  bandwidth = tighter(platform.links()[link].bandwidth, platform.links()[link].flow_cap);
  flit_time = bandwidth.time_for(config.flit);
  from_host = is_host(platform, platform.links().ends(link).from);
  to_host = is_host(platform, platform.links().ends(link).to);
  marks = own_context.plan.congestion != nullptr && !from_host;
  measures = marks && own_context.plan.tracked && own_context.plan.congestion->measures_paths();
  control = own_context.plan.control_lane < kMostLanes;
  by_credits = own_context.plan.by_credits(link);
  allocated = own_context.plan.allocation != nullptr && !from_host;
  half_duplex = platform.links()[link].duplex == platform::Duplex::half;
  stored = config.forwarding == PacketForwarding::store_and_forward && !to_host;
  crossbar = from_host ? config.crossbar : own_context.plan.crossbar_to(bandwidth);
  crossbar_flit = crossbar.time_for(config.flit);
  const Time delay = from_host ? Time::zero() : platform.switches().latency;
  wire = platform.links()[link].latency - delay;
  to_arbiter = delay / 2;
  to_wire = delay - to_arbiter;
  output_flits = from_host ? config.host_output : config.switch_output;
  buffer_flits = platform.links().is_loopback(link) || !by_credits ? kUnlimitedFlits
                 : config.buffer                                   ? *config.buffer
                                 : std::max(kUsualBuffer, round_trip_flits(*this));
  pooled = config.buffer_sharing != BufferSharing::none && by_credits && !to_host;
  lane_flits = pooled ? kUnlimitedFlits : buffer_flits;
  plain = !marks && !measures && !control && !allocated && !pooled && !stored &&
          !own_context.plan.in_order && !own_context.plan.links_fail;
}

}  // namespace heddle::network
