#include "replay/network_replay.hpp"

#include <fmt/format.h>

#include "network/queue/queue_network.hpp"
#include "replay/engine/replay_engine.hpp"
#include "replay/engine/threaded_replay.hpp"

namespace heddle::replay {
namespace {

/// How the threads of the options share ranks and links; `links` is null where they cannot.
FabricParts divide(const Schedule& schedule, const ReplayOptions& options, const Carrier& carrier,
                   const network::QueueLinks* links) {
  const Parts one({0, schedule.ranks()});
  if (options.threads == 1) return {one, {}, ""};
  if (links == nullptr) return {one, {}, "only the links of the queue model can be divided"};
  if (options.recorder != nullptr) return {one, {}, "one thread records what it replays"};
  const auto rendezvous = static_cast<std::uint64_t>(options.parameters.replay.rendezvous.count());
  return divide_fabric(schedule, links->platform(), carrier.nodes,
                       {options.threads, options.least_ranks, rendezvous});
}

}  // namespace

std::vector<NodeId> place_ranks(std::uint32_t ranks, std::uint32_t nodes,
                                const ReplayConfig& config) {
  std::vector<NodeId> places(ranks);
  const auto per_node = static_cast<std::uint64_t>(config.ranks_per_node.value_or(0));
  if (per_node != 0 && ranks > per_node * nodes) {
    throw InputError({"replay.ranks_per_node"},
                     fmt::format("{} ranks need more than the {} nodes there are: accepted is {} "
                                 "and more",
                                 ranks, nodes, (std::uint64_t{ranks} + nodes - 1) / nodes));
  }
  for (std::uint32_t r = 0; r < ranks; ++r)
    places[r] = NodeId{per_node == 0 ? r % nodes : static_cast<std::uint32_t>(r / per_node)};
  return places;
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

ReplayResult network_replay(const Schedule& schedule, const ReplayOptions& options,
                            Carrier& carrier) {
  network::QueueLinks* const links = network::queue_links_of(carrier.network);
  const FabricParts fabric = divide(schedule, options, carrier, links);
  ReplayResult result;
  if (fabric.cut) {
    result = threaded_replay(schedule, options, fabric.parts, {*links, *fabric.cut, carrier.nodes});
    carrier.simulation.run_until(result.makespan());
  } else {
    result = ReplayEngine(schedule, options, &carrier).run();
    result.network_events = carrier.simulation.events_fired();
  }
  result.network_fingerprint =
      links == nullptr ? carrier.simulation.fingerprint() : links->fingerprint();
  result.why_fewer = fabric.why_fewer;
  return result;
}

}  // namespace heddle::replay
