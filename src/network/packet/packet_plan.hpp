// What all ports and hosts of a packet network go by.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "network/network.hpp"
#include "network/packet/allocation.hpp"
#include "network/packet/config.hpp"
#include "network/packet/congestion_control.hpp"
#include "network/packet/credit_clock.hpp"
#include "network/packet/input_order.hpp"
#include "network/packet/lane_arbitration.hpp"
#include "network/packet/lane_rule.hpp"
#include "network/packet/path_choice.hpp"
#include "network/packet/repair.hpp"
#include "network/packet/switch_ports.hpp"

namespace heddle::network {

struct PacketLaneRule;
struct RuleInputs;

/// The machine, the parameters, and the rules made of them. It does not change: parts of a network
/// share it.
struct PacketPlan {
  /// Throws InputError where packets do not fit into the buffers, or an arbitration table is wrong.
  /// Rules find parameters of their own in `settings`.
  PacketPlan(const platform::Platform& own_platform, const PacketConfig& own_config,
             const Settings& settings = Settings({}));

  /// Whether packets are sent over a link by credits, even where the flow control is another: by
  /// those of a node's own cables.
  bool by_credits(LinkId link) const {
    return config.flow_control == FlowControl::credits ||
           index(link) >= platform.topology().links();
  }
  std::int64_t max_payload() const { return (config.max_packet - config.header).count(); }
  /// The most flits of a packet.
  std::int64_t max_flits() const;
  /// The time per byte in which a packet passes from input to output, if the cable behind that has
  /// such a bandwidth.
  TimePerByte crossbar_to(Bandwidth bandwidth) const;
  /// The lane in which a message leaves its source. Throws InputError if there is none.
  std::size_t first_lane(const Transfer& transfer) const;

  const platform::Platform& platform;
  const PacketConfig config;
  const bool fixed_routes;
  const bool links_fail;      ///< Some, while packets are under way.
  const bool credit_packets;  ///< There are some.
  const bool in_order;        ///< Packets leave an input buffer in the order they came.
  const bool foreseeable;  ///< A packet alone at an arbiter may be let pass when on its way there.
  const CreditClock idle_clock;  ///< Of a wire that carries no data.

  std::size_t lanes = 1;     ///< Of every link.
  std::string_view lane_by;  ///< The name of the rule.
  bool lanes_change = false;
  bool escapes = false;  ///< Packets without credits go another way.
  std::unique_ptr<const LaneRule> lane_rule;
  std::unique_ptr<const InputOrder> input_order;
  std::unique_ptr<const LaneArbitration> lane_arbitration;
  std::unique_ptr<const CongestionControl> congestion;  ///< Null: none.
  std::unique_ptr<const PathChoice> paths;              ///< Null: packets have ways of their own.
  Time longest_rtt;  ///< Of any flow in the idle network, where somebody goes by it.

  const PfcConfig pfc;
  const LossyConfig lossy;
  FlowRules flows;
  bool tracked = false;  ///< Sources hear what becomes of packets.
  /// What flows tell each other goes in it, ahead of all others and not held up: the last one.
  std::size_t control_lane = kMostLanes;  ///< That is: there is none.
  std::size_t data_lanes() const { return control_lane == kMostLanes ? lanes : control_lane; }

  std::unique_ptr<const Allocation> allocation;  ///< Null: each output chooses by itself.
  // Where there is one.
  Time slot;  ///< From one allocation to the next.
  SwitchPorts switch_ports;

 private:
  void make_lane_rules(const PacketLaneRule& by, const RuleInputs& inputs);
  void make_rules(const RuleInputs& inputs);
  void plan_flows(const RepairConfig& repair);
  void check_served(std::size_t lane, const std::string& user) const;
  Time shortest_slot() const;
};

/// The number of links of the longest route.
std::int64_t longest_route(const platform::Platform& platform);

}  // namespace heddle::network
