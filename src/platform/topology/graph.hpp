// Any graph: vertices with names, cables between them, shortest paths or routes given one by one.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/time.hpp"
#include "platform/source_dependent.hpp"
#include "platform/topology.hpp"
#include "platform/topology/shortest_paths.hpp"

namespace heddle::platform {

/// Which of several shortest paths a message takes: that of the lowest latency and then the lowest
/// numbers, or hop by hop one that its source and destination draw.
enum class EqualPaths : std::uint8_t { lowest, spread };

/// What a graph is made of. Vertices are numbered nodes first, in the order of the lists.
struct GraphPlan {
  struct Cable {
    VertexId from;
    VertexId to;
    Time latency = Time::zero();   ///< Decides between paths of equally many links.
    std::string group = "cables";  ///< What cable_group() answers.
  };
  struct Route {
    VertexId from;
    VertexId to;
    std::vector<LinkId> links;  ///< In the order of travel; each starts where the last one ended.
  };
  std::string about;                  ///< What describe() says; made of numbers if empty.
  std::vector<std::string> nodes;     ///< Names, unique among nodes and switches.
  std::vector<std::string> switches;  ///< Names.
  std::vector<Cable> cables;
  std::vector<Route> routes;  ///< For these pairs of nodes; all others take the shortest path.
  EqualPaths equal_paths = EqualPaths::lowest;
  std::vector<Point> places;  ///< Where to draw each vertex; empty lets the drawer choose.
};

/// A graph that need not be regular. Paths are the shortest by links; of several, as EqualPaths
/// says. Trees of them are kept for the switches led to last, so that memory stays bounded. Not for
/// use by two threads at the same time.
class Graph final : public Topology, public SourceDependent {
 public:
  /// Throws std::invalid_argument if names are not unique, an end does not exist, the graph is not
  /// connected, or a route is not a path from its source to its destination.
  explicit Graph(GraphPlan plan);

  /// Other latencies than the plan's, by cable, to decide between paths of equally many links.
  void set_latencies(std::vector<Time> latency);

  /// The routes that are given, by source and destination.
  std::vector<GraphPlan::Route> routes() const;

  bool concurrent() const override { return false; }
  std::string describe() const override;
  LinkEnds ends(LinkId link) const override;
  LinkId output(const Hop& hop) const override;
  /// The next link of a given route; otherwise every link that leads nearer by one.
  void minimal_outputs(const Hop& hop, LinkSet& out) const override;
  /// Nothing if routes are given or spread.
  std::optional<std::uint32_t> route_class(VertexId) const override {
    const bool alike = routes_.empty() && equal_paths_ == EqualPaths::lowest;
    return alike ? std::optional<std::uint32_t>(0) : std::nullopt;
  }
  bool lists_routes() const override { return !routes_.empty(); }
  EqualPaths equal_paths() const { return equal_paths_; }
  bool routes_to_switches() const override { return routes_.empty() && switches_ > 0; }
  std::optional<VertexId> find(std::string_view name) const override;
  std::string name(VertexId v) const override { return names_[index(v)]; }
  std::uint32_t twin(std::uint32_t cable) const override { return cables_of_[cable].twin; }
  std::string cable_group(std::uint32_t cable) const override {
    return groups_[cables_of_[cable].group];
  }
  /// By a search from every vertex; nothing if routes are given, or that would take long.
  std::optional<Distances> distances() const override;
  std::optional<Point> position(VertexId v) const override;

 private:
  struct Cable {
    VertexId from;
    VertexId to;
    std::uint32_t group;
    std::uint32_t twin;  ///< How many cables before it join the same two vertices.
  };

  void name_vertices(GraphPlan& plan);
  void join_cables(const GraphPlan& plan);
  void add_route(GraphPlan::Route& route);
  std::string pair_name(VertexId from, VertexId to) const;
  /// The given route of a pair, or null.
  const std::vector<LinkId>* route(VertexId from, VertexId to) const;

  std::string about_;
  EqualPaths equal_paths_;
  std::vector<std::string> names_;  ///< By vertex.
  std::unordered_map<std::string, VertexId> numbers_;
  std::vector<Cable> cables_of_;  ///< By number.
  std::vector<std::string> groups_;
  std::unordered_map<std::uint64_t, std::vector<LinkId>> routes_;
  std::vector<Point> places_;
  /// Not part of the graph's meaning: only what was worked out of it so far.
  mutable std::unique_ptr<ShortestPaths> paths_;
};

}  // namespace heddle::platform
