#include "network/packet/packet_plan.hpp"

#include <algorithm>
#include <cmath>

#include "network/packet/flow_path.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

std::int64_t flits_of(Bytes size, const PacketConfig& config) {
  return (size.count() + config.flit.count() - 1) / config.flit.count();
}

void check_sizes(const PacketConfig& config) {
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
}

void check_crossbars(const PacketConfig& config) {
  if (config.speed_up && config.crossbar.attoseconds() != 0) {
    throw ParamError({"packet.speed_up", "packet.crossbar"},
                     "both say how fast the crossbar is: accepted is one of them");
  }
  if (config.route_time > Time::zero() && config.input_queue != InputQueue::fifo) {
    throw ParamError({"packet.route_time", "packet.input_queue"},
                     "it is that of the first packet of a lane: accepted with it is fifo");
  }
  if (config.lane_time > Time::zero() &&
      (config.input_queue != InputQueue::fifo || config.allocation == "none")) {
    throw ParamError({"packet.lane_time", "packet.input_queue", "packet.allocation"},
                     "lanes are given to the first packets of lanes, for which crossbars are then "
                     "allocated: accepted with it are fifo and any allocation but none");
  }
}

void check_buffers(const PacketConfig& config) {
  if (config.buffer_sharing != BufferSharing::none && config.flow_control != FlowControl::credits) {
    throw ParamError(
        {"packet.buffer_sharing", "packet.flow_control"},
        "what pauses and drops go by is always shared: accepted with buffer_sharing is "
        "flow_control=credits");
  }
  if (config.lane_by == "escape" && config.input_queue == InputQueue::fifo) {
    throw ParamError({"packet.input_queue"},
                     "packets that escape leave their buffers out of "
                     "order: accepted with lane_by=escape is voq");
  }
}

void check(const PacketConfig& config, const platform::Platform& platform) {
  if (platform.topology().has_distances()) {
    throw ParamError({"network.model"},
                     "packet knows the latencies of links only, and the peers of this machine are "
                     "at a distance besides: accepted are fluid, queue and loggops");
  }
  check_sizes(config);
  check_crossbars(config);
  check_buffers(config);
}

/// Without credits there are no packets that tell of them.
PacketConfig checked(const PacketConfig& config, const platform::Platform& platform) {
  check(config, platform);
  PacketConfig used = config;
  if (config.flow_control != FlowControl::credits) used.credit_period = Time::zero();
  return used;
}

/// As is set, or by hop where the routes could deadlock otherwise.
const PacketLaneRule& lane_rule_of(const PacketConfig& config, const platform::Platform& platform) {
  if (!config.lane_by.empty()) return find_rule(lane_rules(), config.lane_by);
  const bool by_hop =
      !config.lanes && !config.class_lanes && platform.routing().can_wait_in_circles();
  return find_rule(lane_rules(), by_hop ? "hop" : "class");
}

void check_paths(const PacketConfig& config, bool fixed_routes) {
  if (fixed_routes) {
    throw ParamError({"packet.path_by"},
                     "the routing of this machine draws no ways: accepted is packet, or a routing "
                     "such as spray");
  }
  if ((config.paths & (config.paths - 1)) != 0) {
    throw ParamError({"packet.paths"}, "accepted are powers of 2");
  }
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
      links_fail(platform.outages().any()),
      credit_packets(config.credit_period > Time::zero()),
      in_order(config.input_queue == InputQueue::fifo),
      foreseeable(fixed_routes && !credit_packets && !in_order && !links_fail &&
                  config.allocation == "none" && config.buffer_sharing == BufferSharing::none),
      idle_clock(config.credit_period, Time::zero()),
      pfc(settings.get(pfc_table())),
      lossy(settings.get(lossy_table())) {
  const PacketLaneRule& by = lane_rule_of(config, platform);
  const std::int64_t wanted = config.lanes ? *config.lanes : by.usual_lanes(config, platform);
  lanes = static_cast<std::size_t>(std::clamp<std::int64_t>(wanted, 1, kMostLanes));
  check_class_lanes(config, lanes);
  const RuleInputs inputs{config, settings, lanes, platform};
  make_lane_rules(by, inputs);
  make_rules(inputs);
  plan_flows(settings.get(repair_table()));
  if (links_fail && tracked) {
    throw ParamError({"packet.flow_control"},
                     "sources that repair losses packet by packet are not simulated where cables "
                     "fail during a run: accepted are credits or pfc, repair.mode=none and a "
                     "congestion control without acknowledgements, such as ib");
  }
  if (congestion != nullptr && !tracked) check_served(0, "congestion notifications");
}

void PacketPlan::make_lane_rules(const PacketLaneRule& by, const RuleInputs& inputs) {
  lane_rule = by.make(inputs);
  lane_by = by.name;
  lanes_change = lane_rule->changes();
  escapes = lane_rule->escapes();
  input_order = find_rule(input_orders(), config.arbitration).make(inputs);
  lane_arbitration = find_rule(lane_arbitrations(), config.lane_arbitration).make(inputs);
  for (std::size_t lane = 0; lanes_change && lane < lanes; ++lane) {
    check_served(lane, "packet.lane_by=" + std::string(by.name));
  }
}

/// Those that not every network has.
void PacketPlan::make_rules(const RuleInputs& inputs) {
  allocation = find_rule(allocations(), config.allocation).make(inputs);
  if (allocation != nullptr) {
    slot = shortest_slot();
    switch_ports = SwitchPorts(platform.topology());
  }
  if (!config.congestion.empty()) {
    congestion = find_rule(congestion_controls(), config.congestion).make(inputs);
  }
  if (!config.path_by.empty()) {
    check_paths(config, fixed_routes);
    paths = find_rule(path_choices(), config.path_by).make(inputs);
  }
}

namespace {

Repair repair_of(const RepairConfig& config, FlowControl control, const PfcConfig& pfc) {
  if (control == FlowControl::lossy && config.mode == Repair::none) {
    throw ParamError({"repair.mode"},
                     "with none, a message that loses a packet would never end: accepted with "
                     "packet.flow_control=lossy are auto, selective and go-back-n");
  }
  if (control == FlowControl::pfc && pfc.headroom && config.mode == Repair::none) {
    throw ParamError({"repair.mode"},
                     "packets may find a pfc.headroom that is set too small: accepted with it are "
                     "auto, selective and go-back-n");
  }
  if (config.mode != Repair::automatic) return config.mode;
  if (control == FlowControl::lossy) return Repair::selective;
  return control == FlowControl::pfc && pfc.headroom ? Repair::go_back_n : Repair::none;
}

}  // namespace

/// Whether sources hear what becomes of packets, and what they make of it.
void PacketPlan::plan_flows(const RepairConfig& repair) {
  const bool is_lossy = config.flow_control == FlowControl::lossy;
  const bool by_acks = congestion != nullptr && congestion->acknowledges();
  const bool by_grants = congestion != nullptr && congestion->grants();
  flows.repair = repair_of(repair, config.flow_control, pfc);
  tracked = by_acks || by_grants || paths != nullptr || flows.repair != Repair::none;
  if (tracked || congestion != nullptr) longest_rtt = network::longest_rtt(*this);
  if (!tracked) return;
  if (config.send_window > Bytes(0)) {
    throw ParamError({"packet.send_window"},
                     "flows have windows of their own where sources hear what becomes of packets: "
                     "accepted with it are packet.flow_control=credits, repair.mode=none and a "
                     "packet.congestion and packet.path_by without acknowledgements");
  }
  if (lanes == static_cast<std::size_t>(kMostLanes)) {
    throw ParamError({"packet.lanes"}, "one more is needed for acknowledgements: accepted are 63");
  }
  control_lane = lanes++;
  flows.ack = repair.ack;
  flows.header = config.header;
  flows.max_payload = max_payload();
  flows.ack_every = repair.ack_every.value_or(by_acks || paths != nullptr ? 1 : 16);
  flows.gap = repair.gap.value_or(fixed_routes ? 3 : 0);
  if (flows.repair == Repair::none) return;
  const Time least = is_lossy ? Time::us(100) : Time::ms(4);
  flows.timeout = repair.timeout.value_or(std::max(least, longest_rtt * 10));
}

std::int64_t PacketPlan::max_flits() const {
  return flits_of(config.max_packet, config);
}

TimePerByte PacketPlan::crossbar_to(Bandwidth bandwidth) const {
  const bool as_cable = config.allocation != "none" && config.crossbar.attoseconds() == 0;
  if ((!config.speed_up && !as_cable) || bandwidth.is_unlimited()) return config.crossbar;
  const double attoseconds_per_byte = 8e18 / static_cast<double>(bandwidth.bits_per_second());
  return TimePerByte::attoseconds(std::llround(attoseconds_per_byte / config.speed_up.value_or(1)));
}

/// In which a flit passes to the fastest of the cables that leave switches.
Time PacketPlan::shortest_slot() const {
  Time shortest = Time::never();
  for (std::uint32_t link = 0; link < platform.topology().links(); ++link) {
    if (!platform.topology().is_switch(platform.links().ends(LinkId{link}).from)) continue;
    const platform::Link& cable = platform.links()[LinkId{link}];
    shortest = std::min(
        shortest, crossbar_to(tighter(cable.bandwidth, cable.flow_cap)).time_for(config.flit));
  }
  return std::max(Time::ps(1), shortest);
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
