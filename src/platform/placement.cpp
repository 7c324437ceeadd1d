#include "platform/placement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <span>

#include "core/random.hpp"
#include "core/text.hpp"
#include "platform/node_names.hpp"
#include "platform/text_file.hpp"

namespace heddle::platform {
namespace {

using Nodes = std::vector<NodeId>;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] void refuse_map(const std::string& problem) {
  throw ParamError({"map"}, problem);
}

Nodes chosen_nodes(const Topology& topology, const std::string& list) {
  try {
    return select_nodes(topology, list, {});
  } catch (const InputError& error) {
    throw ParamError({"nodes"}, error.problem());
  }
}

/// The nodes that may be used, each once.
Nodes allocation(const Topology& topology, const std::string& list) {
  if (list.empty()) {
    Nodes all(topology.nodes());
    for (std::uint32_t n = 0; n < all.size(); ++n) all[n] = NodeId{n};
    return all;
  }
  Nodes nodes = chosen_nodes(topology, list);
  std::vector<bool> seen(topology.nodes());
  for (const NodeId node : nodes) {
    if (seen[index(node)]) {
      throw ParamError({"nodes"}, fmt::format("'{}' names {} twice: accepted is each node once",
                                              list, node_name(topology, node)));
    }
    seen[index(node)] = true;
  }
  return nodes;
}

[[noreturn]] void fail_full(std::uint32_t ranks, std::uint64_t per_node, std::size_t nodes,
                            bool chosen) {
  throw ParamError(
      {"ranks-per-node"},
      fmt::format("{} ranks, {} per node, need {} nodes; {} {}. Take {}, or {} ranks per node",
                  ranks, per_node, (ranks + per_node - 1) / per_node, nodes,
                  chosen ? "may be used" : "are there",
                  chosen ? "more of them" : "a larger machine", (ranks + nodes - 1) / nodes));
}

/// Nodes to deal ranks out to, of those in `order`: as many as it takes with `per_node` on each.
std::span<const NodeId> needed(const Nodes& order, const PlacementRequest& request) {
  if (!request.per_node) return order;
  const std::size_t nodes =
      (std::size_t{request.ranks} + *request.per_node - 1) / *request.per_node;
  if (nodes > order.size()) {
    fail_full(request.ranks, *request.per_node, order.size(), !request.nodes.empty());
  }
  return std::span(order).first(nodes);
}

/// One node after the other, each with as many ranks as `room` says.
template <class Room>
Nodes fill(const Nodes& order, const PlacementRequest& request, Room room) {
  Nodes placed;
  placed.reserve(request.ranks);
  for (const NodeId node : order) {
    const std::size_t left = request.ranks - placed.size();
    placed.insert(placed.end(), std::min<std::size_t>(room(node), left), node);
  }
  if (placed.size() < request.ranks) {
    fail_full(request.ranks, room(order[0]), order.size(), !request.nodes.empty());
  }
  return placed;
}

Nodes deal(const Nodes& order, const PlacementRequest& request) {
  const std::span<const NodeId> nodes = needed(order, request);
  Nodes placed(request.ranks);
  for (std::uint32_t r = 0; r < request.ranks; ++r) placed[r] = nodes[r % nodes.size()];
  return placed;
}

/// The nodes so that those of one switch are as far apart in the order as can be.
Nodes by_switch(const Topology& topology, const Nodes& nodes) {
  std::map<VertexId, Nodes> of_switch;
  for (const NodeId node : nodes) of_switch[first_switch(topology, node)].push_back(node);
  Nodes order;
  for (std::size_t turn = 0; order.size() < nodes.size(); ++turn) {
    for (const auto& [leaf, own] : of_switch) {
      if (turn < own.size()) order.push_back(own[turn]);
    }
  }
  return order;
}

/// Any of the nodes' places, each as likely as the others.
Nodes shuffled(const Nodes& nodes, std::uint64_t seed, const PlacementRequest& request) {
  const std::uint64_t per_node = request.per_node.value_or(
      static_cast<std::uint32_t>((request.ranks + nodes.size() - 1) / nodes.size()));
  PlacementRequest all = request;
  all.ranks = static_cast<std::uint32_t>(nodes.size() * per_node);
  if (all.ranks < request.ranks) {
    fail_full(request.ranks, per_node, nodes.size(), !request.nodes.empty());
  }
  Nodes places = fill(nodes, all, [&](NodeId) { return per_node; });
  RandomStream random = RandomStream(seed).split("placement");
  for (std::size_t i = 0; i < request.ranks; ++i) {
    std::swap(places[i], places[i + random.below(places.size() - i)]);
  }
  places.resize(request.ranks);
  return places;
}

/// Reads "n3:4" at a place in a file.
void add_line(const Topology& topology, const Field& field, const SourceLocation& where,
              std::uint32_t most, Nodes& list) {
  const std::size_t colon = field.text.rfind(':');
  const std::string_view name = field.text.substr(0, colon);
  std::optional<std::uint64_t> times = 1;
  if (colon != std::string_view::npos) times = whole_number(field.text.substr(colon + 1));
  const auto node = find_node(topology, name);
  if (!node || !times || *times == 0) {
    throw InputError(where,
                     fmt::format("'{}' is no place: accepted is a node by name ({} .. {}) or "
                                 "number, and after a colon how many ranks it gets",
                                 field.text.substr(0, 60), node_name(topology, NodeId{0}),
                                 node_name(topology, NodeId{topology.nodes() - 1})));
  }
  list.insert(list.end(), std::min<std::uint64_t>(*times, most), *node);
}

Nodes from_file(const Topology& topology, const std::string& path,
                const PlacementRequest& request) {
  const TextInput input = read_text_input(path);
  Nodes list;
  std::uint32_t line_number = 0;
  std::vector<Field> fields;
  for_each_line(input.text, [&](std::string_view line) {
    ++line_number;
    fields.clear();
    split_by_blanks(line, fields);
    if (fields.empty() || fields[0].text.front() == '#') return;
    if (fields.size() > 1) {
      throw InputError({input.name, line_number, fields[1].column},
                       fmt::format("'{}' stands behind the node: accepted is one node on a line",
                                   fields[1].text.substr(0, 60)));
    }
    if (list.size() < request.ranks) {
      add_line(topology, fields[0], {input.name, line_number, fields[0].column}, request.ranks,
               list);
    }
  });
  if (list.empty()) throw InputError({input.name}, "no node is named: accepted is one on a line");
  return deal(list, {request.ranks, std::nullopt, {}, {}});
}

std::uint64_t seed_of(const std::string& map) {
  constexpr std::string_view kRandom = "random:";
  if (!map.starts_with(kRandom)) return 1;
  const auto seed = whole_number(std::string_view(map).substr(kRandom.size()));
  if (!seed) refuse_map("'" + map + "': accepted is random:SEED, a whole number");
  return *seed;
}

/// The path that `map` means, or nothing.
std::optional<std::string> path_of(const std::string& map) {
  constexpr std::string_view kFile = "file:";
  if (map.starts_with(kFile)) return map.substr(kFile.size());
  if (map == "-" || map.find_first_of("/.") != std::string::npos) return map;
  return std::nullopt;
}

void refuse_with_file(const PlacementRequest& request) {
  if (!request.nodes.empty() || request.per_node) {
    refuse_map(
        "the file says where each rank runs: accepted beside it are neither a choice of nodes nor "
        "a number of ranks per node");
  }
}

}  // namespace

VertexId first_switch(const Topology& topology, NodeId node) {
  const auto at = static_cast<VertexId>(node);
  if (topology.nodes() < 2) return at;
  const VertexId to{index(node) == 0 ? 1U : 0U};
  if (!topology.has_route(at, to)) return at;
  const Hop hop{at, at, to};
  const VertexId next = topology.after(hop, topology.output(hop));
  return next != kNoVertex && topology.is_switch(next) ? next : at;
}

std::vector<NodeId> place_ranks(const Platform& platform, const PlacementRequest& request) {
  const Topology& topology = platform.topology();
  if (const auto path = path_of(request.map)) {
    refuse_with_file(request);
    return from_file(topology, *path, request);
  }
  const Nodes nodes = allocation(topology, request.nodes);
  const std::string& map = request.map;
  const auto room = [&](NodeId node) -> std::uint64_t {
    if (request.per_node) return *request.per_node;
    return map.empty() ? 1 : static_cast<std::uint64_t>(platform.node(node).cores);
  };
  if (map.empty() || map == "by-core") return fill(nodes, request, room);
  if (map == "by-node") return deal(nodes, request);
  if (map == "by-switch") return deal(by_switch(topology, nodes), request);
  if (map == "random" || map.starts_with("random:")) return shuffled(nodes, seed_of(map), request);
  const std::vector<std::string> names{"by-core", "by-node", "by-switch", "random"};
  refuse_map("'" + map + "' is no placement" + did_you_mean(map, names) +
             ": accepted are by-core, by-node, by-switch, random:SEED and file:PATH");
}

}  // namespace heddle::platform
