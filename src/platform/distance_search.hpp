// How far apart the parts of any fabric are, found by searches through its graph.
#pragma once

#include <vector>

#include "platform/topology.hpp"

namespace heddle::platform {

/// The graph of a fabric, without the nodes that hang on one switch by one cable: those are counted
/// with their switch. Links without fixed ends are left out.
class DistanceSearch {
 public:
  explicit DistanceSearch(const Topology& topology);

  /// Whether from_all() takes seconds at most.
  bool is_quick() const;
  /// By a search from every vertex. The hops are those of shortest paths between nodes; parts out
  /// of each other's reach are not counted.
  Distances from_all() const;
  /// The same but for the hops, from some switches only, always the same: at least this.
  Distances from_some() const;

 private:
  /// What there is at a vertex.
  struct Place {
    std::uint64_t hanging = 0;  ///< Nodes that hang on it.
    std::uint64_t node = 0;     ///< 1 if it is a node itself.
    bool is_switch = false;
  };
  /// Where searches keep what they found, and their memory.
  struct Found {
    std::vector<std::uint32_t> distance;  ///< By vertex.
    std::vector<std::uint32_t> order;     ///< The vertices reached, nearest first.
  };

  void number_vertices(const Topology& topology, const std::vector<std::uint32_t>& cables);
  void join(const Topology& topology);
  void search(std::uint32_t start, Found& found) const;
  void add_switches(const Found& found, Distances& distances) const;
  void add_nodes(const Found& found, HopCounts& hops) const;

  std::uint32_t radix_ = 0;
  std::uint32_t switches_;
  std::vector<std::uint32_t> number_;  ///< By vertex of the fabric: which one it is, or hangs on.
  std::vector<Place> places_;          ///< The switches first.
  std::vector<std::uint32_t> first_;   ///< Into next_, by vertex.
  std::vector<std::uint32_t> next_;    ///< Neighbours, once for every cable.
};

/// What a search from every vertex finds; nothing if that would take long.
std::optional<Distances> searched_distances(const Topology& topology);

}  // namespace heddle::platform
