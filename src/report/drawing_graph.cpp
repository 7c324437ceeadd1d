#include "report/drawing_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace heddle::report {
namespace {

using platform::Topology;

constexpr std::uint32_t kNoEdge = UINT32_MAX;
constexpr std::uint32_t kSeveral = UINT32_MAX - 1;
constexpr std::size_t kMostShapes = 60'000;  ///< No viewer shows more with ease.

/// The one neighbour of each vertex; kNoEdge or kSeveral.
std::vector<std::uint32_t> only_neighbours(const Wiring& wiring) {
  std::vector<std::uint32_t> only(wiring.vertices.size(), kNoEdge);
  const auto note = [&](std::uint32_t v, std::uint32_t neighbour) {
    only[v] = only[v] == kNoEdge || only[v] == neighbour ? neighbour : kSeveral;
  };
  for (const Wire& wire : wiring.wires) {
    note(wire.a, wire.b);
    note(wire.b, wire.a);
  }
  return only;
}

void add(const Wire& wire, Line& line) {
  line.cables.insert(line.cables.end(), wire.cables.begin(), wire.cables.end());
  ++line.parallel;
}

/// Collects the graph wire by wire.
class Collector {
 public:
  explicit Collector(const Topology& topology)
      : topology_(topology), wiring_(wiring(topology)), number_(wiring_.vertices.size(), kNoEdge) {
    const auto only = only_neighbours(wiring_);
    for (std::uint32_t v = 0; v < number_.size(); ++v) {
      if (hangs(v, only[v])) continue;
      number_[v] = static_cast<std::uint32_t>(graph_.vertices.size());
      graph_.vertices.push_back({wiring_.vertices[v], {}, {}, {}});
    }
    host_.resize(number_.size(), kNoEdge);
    graph_.left_out = wiring_.left_out;
  }

  DrawingGraph collect() {
    for (const Wire& wire : wiring_.wires) add_wire(wire);
    check_size();
    for (DrawnVertex& v : graph_.vertices) name(v);
    for (const DrawnEdge& edge : graph_.edges) {
      graph_.vertices[edge.a].neighbours.push_back(edge.b);
      graph_.vertices[edge.b].neighbours.push_back(edge.a);
    }
    for (DrawnVertex& v : graph_.vertices) std::sort(v.neighbours.begin(), v.neighbours.end());
    return std::move(graph_);
  }

 private:
  /// Whether `v` is a node on the one switch (or the like) `parent`.
  bool hangs(std::uint32_t v, std::uint32_t parent) const {
    return wiring_.vertices[v].kind == VertexKind::node && parent < kSeveral &&
           wiring_.vertices[parent].kind != VertexKind::node;
  }

  void add_wire(const Wire& wire) {
    if (number_[wire.a] == kNoEdge) {
      add_host(wire.a, wire.b, wire);
    } else if (number_[wire.b] == kNoEdge) {
      add_host(wire.b, wire.a, wire);
    } else {
      add_edge(number_[wire.a], number_[wire.b], wire);
    }
  }

  void add_host(std::uint32_t host, std::uint32_t parent, const Wire& wire) {
    auto& hosts = graph_.vertices[number_[parent]].hosts;
    if (host_[host] == kNoEdge) {
      host_[host] = static_cast<std::uint32_t>(hosts.size());
      hosts.push_back({wiring_.vertices[host].vertex, {}, {}});
    }
    add(wire, hosts[host_[host]].line);
  }

  void add_edge(std::uint32_t a, std::uint32_t b, const Wire& wire) {
    const auto [it, is_new] = edge_of_.try_emplace(std::minmax(a, b), graph_.edges.size());
    if (is_new) graph_.edges.push_back({a, b, {}});
    add(wire, graph_.edges[it->second].line);
  }

  void check_size() const {
    if (graph_.vertices.size() + graph_.edges.size() <= kMostShapes) return;
    throw InputError({}, fmt::format("{} switches and {} cables between them are too many to draw: "
                                     "accepted are up to {} together",
                                     graph_.vertices.size(), graph_.edges.size(), kMostShapes));
  }

  void name(DrawnVertex& v) const {
    if (v.is.vertex != kNoVertex) v.name = topology_.name(v.is.vertex);
    if (v.is.kind == VertexKind::shared_link) v.name = cable_name(topology_, v.is.cable);
    for (DrawnHost& host : v.hosts) host.name = topology_.name(host.vertex);
  }

  const Topology& topology_;
  Wiring wiring_;
  std::vector<std::uint32_t> number_;  ///< By wired vertex; kNoEdge for nodes that hang on another.
  std::vector<std::uint32_t> host_;    ///< By wired vertex: its number among those on its switch.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> edge_of_;
  DrawingGraph graph_;
};

}  // namespace

std::size_t DrawingGraph::most_hosts() const {
  std::size_t most = 0;
  for (const DrawnVertex& v : vertices) most = std::max(most, v.hosts.size());
  return most;
}

std::size_t DrawingGraph::count(VertexKind kind) const {
  return static_cast<std::size_t>(std::count_if(
      vertices.begin(), vertices.end(), [&](const DrawnVertex& v) { return v.is.kind == kind; }));
}

std::string cable_name(const Topology& topology, std::uint32_t cable) {
  std::string forward = topology.link_name(LinkId{2 * cable});
  const std::string backward = topology.link_name(LinkId{2 * cable + 1});
  if (forward == backward) return forward;
  // SimGrid's "l_UP" and "l_DOWN" are the link "l".
  const auto differ =
      std::mismatch(forward.begin(), forward.end(), backward.begin(), backward.end());
  const std::string common(forward.begin(), differ.first);
  return common.ends_with('_') ? common.substr(0, common.size() - 1) : forward;
}

DrawingGraph drawing_graph(const platform::Topology& topology) {
  return Collector(topology).collect();
}

}  // namespace heddle::report
