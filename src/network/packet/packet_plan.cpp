#include "network/packet/packet_plan.hpp"

#include <algorithm>

#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

std::int64_t flits_of(Bytes size, const PacketConfig& config) {
  return (size.count() + config.flit.count() - 1) / config.flit.count();
}

void check(const PacketConfig& config, const platform::Platform& platform) {
  if (platform.topology().has_distances()) {
    throw ParamError({"network.model"},
                     "packet knows the latencies of links only, and the peers of this machine are "
                     "at a distance besides: accepted are fluid, queue and loggops");
  }
  if (config.max_packet <= config.header) {
    throw ParamError({"packet.max_packet"}, "accepted is more than packet.header");
  }
  const std::int64_t flits = flits_of(config.max_packet, config);
  if (flits > config.buffer.value_or(flits) || flits >= config.switch_output ||
      flits >= config.host_output) {
    throw ParamError({"packet.max_packet"},
                     "a packet of " + std::to_string(flits) +
                         " flits does not fit: packet.buffer must hold it, packet.switch_output "
                         "and packet.host_output must hold more");
  }
  if (config.cct_min > config.cct_limit) {
    throw ParamError({"packet.cct_min"}, "accepted is at most packet.cct_limit");
  }
  if (config.sink_pause > Time::zero() && config.sink_between <= Time::ns(1)) {
    throw ParamError({"packet.sink_between"}, "accepted with pauses is more than 1ns");
  }
  if (config.lane_by == "escape" && config.input_queue == InputQueue::fifo) {
    throw ParamError({"packet.input_queue"},
                     "packets that escape leave their buffers out of "
                     "order: accepted with lane_by=escape is voq");
  }
}

const PacketConfig& checked(const PacketConfig& config, const platform::Platform& platform) {
  check(config, platform);
  return config;
}

/// As is set, or by hop where the routes could deadlock otherwise.
const PacketLaneRule& lane_rule_of(const PacketConfig& config, const platform::Platform& platform) {
  if (!config.lane_by.empty()) return find_rule(lane_rules(), config.lane_by);
  const bool by_hop =
      !config.lanes && !config.class_lanes && platform.routing().can_wait_in_circles();
  return find_rule(lane_rules(), by_hop ? "hop" : "class");
}

void check_class_lanes(const PacketConfig& config, std::size_t lanes) {
  if (!config.class_lanes) return;
  for (const std::int64_t lane : *config.class_lanes) {
    if (lane >= 0 && lane < static_cast<std::int64_t>(lanes)) continue;
    throw ParamError({"packet.class_lanes"}, "there is no lane " + std::to_string(lane) +
                                                 ": accepted are 0 to " +
                                                 std::to_string(lanes - 1));
  }
}

}  // namespace

PacketPlan::PacketPlan(const platform::Platform& own_platform, const PacketConfig& own_config,
                       const Settings& settings)
    : platform(own_platform),
      config(checked(own_config, own_platform)),
      fixed_routes(platform.routing().choice() == platform::RouteChoice::fixed),
      credit_packets(config.credit_period > Time::zero()),
      in_order(config.input_queue == InputQueue::fifo),
      foreseeable(fixed_routes && !credit_packets && !in_order),
      crossbar_flit(config.crossbar.time_for(config.flit)),
      idle_clock(config.credit_period, Time::zero()) {
  const PacketLaneRule& by = lane_rule_of(config, platform);
  const std::int64_t wanted = config.lanes ? *config.lanes : by.usual_lanes(config, platform);
  lanes = static_cast<std::size_t>(std::clamp<std::int64_t>(wanted, 1, kMostLanes));
  check_class_lanes(config, lanes);
  const RuleInputs inputs{config, settings, lanes, platform};
  lane_rule = by.make(inputs);
  lane_by = by.name;
  lanes_change = lane_rule->changes();
  escapes = lane_rule->escapes();
  input_order = find_rule(input_orders(), config.arbitration).make(inputs);
  lane_arbitration = find_rule(lane_arbitrations(), config.lane_arbitration).make(inputs);
  for (std::size_t lane = 0; lanes_change && lane < lanes; ++lane) {
    check_served(lane, "packet.lane_by=" + std::string(by.name));
  }
  if (!config.congestion_control) return;
  congestion = find_rule(congestion_controls(), config.congestion_rule).make(inputs);
  check_served(0, "congestion notifications");
}

std::int64_t PacketPlan::max_flits() const {
  return flits_of(config.max_packet, config);
}

std::size_t PacketPlan::first_lane(const Transfer& transfer) const {
  const std::size_t lane = lane_rule->first(transfer);
  if (!lane_arbitration->serves(lane)) {
    check_served(lane, "class " + std::to_string(transfer.traffic_class));
  }
  return lane;
}

/// Throws if the arbiters would never serve the lane.
void PacketPlan::check_served(std::size_t lane, const std::string& user) const {
  if (lane_arbitration->serves(lane)) return;
  throw ParamError({"packet.low_table"},
                   "lane " + std::to_string(lane) + ", used by " + user +
                       ", is in no arbitration table: accepted are tables that name it, or auto");
}

std::int64_t longest_route(const platform::Platform& platform) {
  return platform.routing().longest_route();
}

}  // namespace heddle::network
