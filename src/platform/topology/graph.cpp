#include "platform/topology/graph.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "platform/distance_search.hpp"
#include "platform/routing/topology_routing.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

std::uint64_t pair_key(VertexId from, VertexId to) {
  return std::uint64_t{index(from)} << 32 | index(to);
}

std::vector<Time> latencies(const GraphPlan& plan) {
  std::vector<Time> latency;
  for (const GraphPlan::Cable& cable : plan.cables) latency.push_back(cable.latency);
  return latency;
}

std::vector<LinkEnds> link_ends(const GraphPlan& plan) {
  std::vector<LinkEnds> ends;
  for (const GraphPlan::Cable& cable : plan.cables) {
    ends.push_back({cable.from, cable.to});
    ends.push_back({cable.to, cable.from});
  }
  return ends;
}

}  // namespace

Graph::Graph(GraphPlan plan)
    : Topology(static_cast<std::uint32_t>(plan.nodes.size()),
               static_cast<std::uint32_t>(plan.switches.size()),
               static_cast<std::uint32_t>(plan.cables.size())),
      about_(std::move(plan.about)),
      equal_paths_(plan.equal_paths),
      places_(std::move(plan.places)) {
  if (nodes_ == 0) throw std::invalid_argument("a graph needs at least one node");
  if (!places_.empty() && places_.size() != vertices()) {
    throw std::invalid_argument("places are given for some vertices only; accepted is all or none");
  }
  name_vertices(plan);
  join_cables(plan);
  paths_ = std::make_unique<ShortestPaths>(vertices(), link_ends(plan), latencies(plan));
  if (const VertexId alone = paths_->cut_off(); alone != kNoVertex) {
    throw std::invalid_argument("no path joins " + pair_name(alone, VertexId{0}) +
                                "; accepted is a connected graph");
  }
  for (GraphPlan::Route& route : plan.routes) add_route(route);
}

void Graph::name_vertices(GraphPlan& plan) {
  names_ = std::move(plan.nodes);
  names_.insert(names_.end(), plan.switches.begin(), plan.switches.end());
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    if (!numbers_.emplace(names_[v], VertexId{v}).second) {
      throw std::invalid_argument("two vertices are called '" + names_[v] + "'");
    }
  }
}

void Graph::join_cables(const GraphPlan& plan) {
  std::unordered_map<std::uint64_t, std::uint32_t> twins;
  for (const GraphPlan::Cable& cable : plan.cables) {
    const auto [low, high] = std::minmax(cable.from, cable.to);
    if (index(high) >= vertices()) {
      throw std::invalid_argument("a cable ends at vertex " + std::to_string(index(high)) +
                                  ", which does not exist");
    }
    if (low == high) {
      throw std::invalid_argument("a cable joins '" + names_[index(low)] + "' to itself");
    }
    auto group = std::find(groups_.begin(), groups_.end(), cable.group);
    if (group == groups_.end()) group = groups_.insert(group, cable.group);
    cables_of_.push_back({cable.from, cable.to, static_cast<std::uint32_t>(group - groups_.begin()),
                          twins[pair_key(low, high)]++});
  }
}

std::string Graph::pair_name(VertexId from, VertexId to) const {
  return "'" + names_[index(from)] + "' to '" + names_[index(to)] + "'";
}

void Graph::add_route(GraphPlan::Route& route) {
  if (index(std::max(route.from, route.to)) >= nodes_) {
    throw std::invalid_argument("a route joins vertices that are not nodes; accepted are nodes");
  }
  const std::string who = "the route from " + pair_name(route.from, route.to);
  if (route.from == route.to) throw std::invalid_argument(who + " goes nowhere");
  VertexId at = route.from;
  for (const LinkId link : route.links) {
    if (index(link) >= links()) {
      throw std::invalid_argument(who + " uses a link that does not exist");
    }
    if (ends(link).from != at) {
      throw std::invalid_argument(who + " breaks off: it stands at '" + name(at) +
                                  "' and goes on with " + link_name(link));
    }
    at = ends(link).to;
  }
  if (at != route.to) throw std::invalid_argument(who + " ends at '" + name(at) + "'");
  if (!routes_.emplace(pair_key(route.from, route.to), std::move(route.links)).second) {
    throw std::invalid_argument(who + " is given twice");
  }
}

void Graph::set_latencies(std::vector<Time> latency) {
  paths_->set_latencies(std::move(latency));
}

std::vector<GraphPlan::Route> Graph::routes() const {
  std::map<std::uint64_t, const std::vector<LinkId>*> sorted;
  for (const auto& [pair, links] : routes_) sorted.emplace(pair, &links);
  std::vector<GraphPlan::Route> list;
  for (const auto& [pair, links] : sorted) {
    list.push_back({VertexId{static_cast<std::uint32_t>(pair >> 32)},
                    VertexId{static_cast<std::uint32_t>(pair)}, *links});
  }
  return list;
}

std::string Graph::describe() const {
  if (!about_.empty()) return about_;
  return "graph, " + counted(nodes_, "node", "nodes") + ", " +
         counted(switches_, "switch", "switches") + ", " + counted(cables_, "cable", "cables");
}

LinkEnds Graph::ends(LinkId link) const {
  const Cable& cable = cables_of_[index(link) / 2];
  return index(link) % 2 == 0 ? LinkEnds{cable.from, cable.to} : LinkEnds{cable.to, cable.from};
}

const std::vector<LinkId>* Graph::route(VertexId from, VertexId to) const {
  if (routes_.empty()) return nullptr;
  const auto it = routes_.find(pair_key(from, to));
  return it == routes_.end() ? nullptr : &it->second;
}

LinkId Graph::output(const Hop& hop) const {
  if (const auto* given = route(hop.from, hop.to)) return (*given)[hop.step];
  if (equal_paths_ == EqualPaths::lowest) return paths_->first(hop.at, hop.to);
  return paths_->drawn(hop.at, hop.to, scrambled(pair_key(hop.from, hop.to), index(hop.at)));
}

void Graph::minimal_outputs(const Hop& hop, LinkSet& out) const {
  if (const auto* given = route(hop.from, hop.to)) {
    out.add((*given)[hop.step]);
  } else {
    paths_->nearer(hop.at, hop.to, out);
  }
}

std::optional<VertexId> Graph::find(std::string_view wanted) const {
  const auto it = numbers_.find(std::string(wanted));
  if (it == numbers_.end()) return std::nullopt;
  return it->second;
}

std::optional<Distances> Graph::distances() const {
  return routes_.empty() ? searched_distances(*this) : std::nullopt;
}

std::optional<Point> Graph::position(VertexId v) const {
  if (places_.empty()) return std::nullopt;
  return places_[index(v)];
}

}  // namespace heddle::platform
