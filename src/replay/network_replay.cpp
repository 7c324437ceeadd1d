#include "replay/network_replay.hpp"

#include <fmt/core.h>

#include "network/network_fingerprint.hpp"
#include "network/packet/divided_packets.hpp"
#include "network/queue/queue_network.hpp"
#include "replay/engine/fabric_parts.hpp"
#include "replay/engine/part_replay.hpp"
#include "replay/engine/threaded_replay.hpp"

namespace heddle::replay {
namespace {

/// What of a network the threads of a replay may share; neither: one thread has it all.
struct Divisible {
  network::QueueLinks* links;
  network::PacketNetwork* packets;
};

/// How the threads of the options share ranks and links.
FabricParts divide(const goal::Schedule& schedule, const ReplayOptions& options,
                   const Carrier& carrier, const Divisible& network) {
  const Parts one({RankId{0}, RankId{schedule.ranks()}});
  if (options.threads == 1) return {one, {}, ""};
  if (options.recorder != nullptr) return {one, {}, "one thread records what it replays"};
  const std::string why =
      network.packets != nullptr ? network.packets->indivisible()
      : network.links == nullptr
          ? "only the links of the models queue and packet can be divided, with one "
            "adapter to a node"
          : "";
  if (!why.empty()) return {one, {}, why};
  const platform::Platform& platform =
      network.packets != nullptr ? network.packets->platform() : network.links->platform();
  return divide_fabric(schedule, platform, carrier.nodes,
                       {options.threads, options.least_ranks, options.parameters.replay.rendezvous,
                        network.packets != nullptr});
}

ReplayResult replay_by_threads(const goal::Schedule& schedule, const ReplayOptions& options,
                               const Carrier& carrier, const FabricParts& fabric,
                               network::PacketNetwork& packets) {
  const std::size_t parts = fabric.parts.size();
  const network::FabricCut& cut = *fabric.cut;
  network::DividedPackets& divided =
      packets.divide({cut.parts_of_links(), cut.parts_of_vertices(), parts});
  SharedPackets shared{packets, divided, cut.window(), {}, {}};
  shared.clients.resize(parts);
  for (std::size_t p = 0; p < parts; ++p) {
    shared.carriers.push_back({divided.simulation(p), divided.network(p), carrier.nodes});
  }
  return threaded_replay(schedule, options, fabric.parts, shared);
}

}  // namespace

std::vector<NodeId> place_ranks(std::uint32_t ranks, std::uint32_t nodes,
                                const ReplayConfig& config) {
  std::vector<NodeId> places(ranks);
  const auto per_node = static_cast<std::uint64_t>(config.ranks_per_node.value_or(0));
  if (per_node != 0 && ranks > per_node * nodes) {
    throw ParamError({"replay.ranks_per_node"},
                     fmt::format("{} ranks need more than the {} nodes there are: accepted is {} "
                                 "and more",
                                 ranks, nodes, (std::uint64_t{ranks} + nodes - 1) / nodes));
  }
  for (std::uint32_t r = 0; r < ranks; ++r) {
    places[r] = NodeId{per_node == 0 ? r % nodes : static_cast<std::uint32_t>(r / per_node)};
  }
  return places;
}

std::vector<platform::Endpoint> bind_ranks(const platform::Platform& platform,
                                           const std::vector<NodeId>& nodes) {
  if (platform.adapters() == 1) return {};
  std::vector<platform::Endpoint> memory;
  std::vector<std::uint32_t> there(platform.nodes());
  for (const NodeId node : nodes) memory.push_back(platform.memory_of(node, there[index(node)]++));
  return memory;
}

std::vector<double> slowdown_of(const platform::Platform& platform,
                                const std::vector<NodeId>& nodes, const ReplayConfig& config) {
  std::vector<double> slowdown;
  if (!config.measured_on) return slowdown;
  const auto there = static_cast<double>(config.measured_on->flops());
  for (const NodeId node : nodes) {
    slowdown.push_back(there / static_cast<double>(platform.node(node).speed.flops()));
  }
  return slowdown;
}

LogGopsParameters combine_for_network(const network::LogGopsConfig& loggops,
                                      const ReplayConfig& replay) {
  LogGopsParameters parameters = combine(loggops, replay);
  parameters.latency = Time::zero();
  if (!loggops.gap_per_byte) parameters.gap_per_byte = {};
  return parameters;
}

ReplayResult network_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                            Carrier& carrier) {
  const Divisible network{network::queue_links_of(carrier.network),
                          network::packet_network_of(carrier.network)};
  const FabricParts fabric = divide(schedule, options, carrier, network);
  ReplayResult result;
  if (fabric.cut) {
    result = network.packets != nullptr
                 ? replay_by_threads(schedule, options, carrier, fabric, *network.packets)
                 : threaded_replay(schedule, options, fabric.parts,
                                   {*network.links, *fabric.cut, carrier.nodes});
    carrier.simulation.run_until(result.makespan());
  } else {
    result = replay_alone(schedule, options, &carrier);
    result.network_events = carrier.simulation.events_fired();
  }
  result.network_fingerprint = network::fingerprint_of(carrier.network, carrier.simulation);
  result.why_fewer = fabric.why_fewer;
  return result;
}

}  // namespace heddle::replay
