#include "report/drawing_graph.hpp"

#include <algorithm>
#include <map>

namespace heddle::report {
namespace {

using platform::LinkEnds;
using platform::Topology;

constexpr std::uint32_t kNone = UINT32_MAX;

bool drawable(LinkEnds ends) {
  return ends.from != kNoVertex && ends.to != kNoVertex && ends.from != ends.to;
}

LinkEnds ends_of(const Topology& topology, std::uint32_t cable) {
  return topology.ends(LinkId{2 * cable});
}

/// The one neighbour of each vertex, kNoVertex if it has none or several.
std::vector<VertexId> only_neighbours(const Topology& topology) {
  std::vector<VertexId> only(topology.vertices(), kNoVertex);
  std::vector<bool> several(topology.vertices());
  const auto note = [&](VertexId v, VertexId neighbour) {
    if (only[index(v)] != kNoVertex && only[index(v)] != neighbour) several[index(v)] = true;
    only[index(v)] = neighbour;
  };
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    const LinkEnds ends = ends_of(topology, cable);
    if (!drawable(ends)) continue;
    note(ends.from, ends.to);
    note(ends.to, ends.from);
  }
  for (std::size_t v = 0; v < only.size(); ++v) {
    if (several[v]) only[v] = kNoVertex;
  }
  return only;
}

/// Collects the graph cable by cable.
class Collector {
 public:
  explicit Collector(const Topology& topology)
      : topology_(topology), number_(topology.vertices(), kNone) {
    const auto only = only_neighbours(topology);
    for (std::uint32_t v = 0; v < topology.vertices(); ++v) {
      const bool hangs =
          v < topology.nodes() && only[v] != kNoVertex && topology.is_switch(only[v]);
      if (hangs) continue;
      number_[v] = static_cast<std::uint32_t>(graph_.vertices.size());
      graph_.vertices.push_back({VertexId{v}, {}, {}, {}});
    }
    seen_.resize(topology.nodes());
  }

  DrawingGraph collect() {
    for (std::uint32_t cable = 0; cable < topology_.cables(); ++cable) add(cable);
    for (const DrawnEdge& edge : graph_.edges) {
      graph_.vertices[edge.a].neighbours.push_back(edge.b);
      graph_.vertices[edge.b].neighbours.push_back(edge.a);
    }
    for (DrawnVertex& v : graph_.vertices) std::sort(v.neighbours.begin(), v.neighbours.end());
    return std::move(graph_);
  }

 private:
  void add(std::uint32_t cable) {
    const LinkEnds ends = ends_of(topology_, cable);
    if (!drawable(ends)) {
      ++graph_.endless_cables;
    } else if (number_[index(ends.from)] == kNone) {
      add_host(ends.from, ends.to, cable);
    } else if (number_[index(ends.to)] == kNone) {
      add_host(ends.to, ends.from, cable);
    } else {
      add_edge(number_[index(ends.from)], number_[index(ends.to)], cable);
    }
  }

  void add_host(VertexId host, VertexId parent, std::uint32_t cable) {
    if (seen_[index(host)]) return;
    seen_[index(host)] = true;
    DrawnVertex& vertex = graph_.vertices[number_[index(parent)]];
    vertex.hosts.push_back(host);
    vertex.host_cables.push_back(cable);
  }

  void add_edge(std::uint32_t a, std::uint32_t b, std::uint32_t cable) {
    const auto [it, is_new] = edge_of_.try_emplace(std::minmax(a, b), graph_.edges.size());
    if (is_new) graph_.edges.push_back({a, b, cable, 0});
    ++graph_.edges[it->second].cables;
  }

  const Topology& topology_;
  std::vector<std::uint32_t> number_;  ///< By vertex; kNone for hosts that hang on a switch.
  std::vector<bool> seen_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> edge_of_;
  DrawingGraph graph_;
};

}  // namespace

std::size_t DrawingGraph::most_hosts() const {
  std::size_t most = 0;
  for (const DrawnVertex& v : vertices) most = std::max(most, v.hosts.size());
  return most;
}

DrawingGraph drawing_graph(const platform::Topology& topology) {
  return Collector(topology).collect();
}

}  // namespace heddle::report
