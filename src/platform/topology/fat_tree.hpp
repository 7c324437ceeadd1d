// Fat trees with D-mod-K routing.
#pragma once

#include <vector>

#include "platform/topology.hpp"
#include "platform/topology/tree_levels.hpp"

namespace heddle::platform {

/// A parallel-ports generalized fat tree (PGFT).
///
/// A message climbs, at level l through port floor(destination / (up_1 .. up_l)) modulo the number
/// of ports, until the destination is below, and then has one way down. (E. Zahavi, D-Mod-K routing
/// providing non-blocking traffic for shift permutations on real life fat trees, 2010.)
class FatTree final : public Topology {
 public:
  /// Throws ParamError where TreeLevels does.
  explicit FatTree(const FatTreeShape& shape);

  bool concurrent() const override { return true; }
  std::string describe() const override;
  LinkEnds ends(LinkId link) const override;
  LinkId output(const Hop& hop) const override;
  void find_route(VertexId from, VertexId to, LinkSet& links) const override;
  /// Every port upwards while climbing; every parallel cable on the way down.
  void minimal_outputs(const Hop& hop, LinkSet& out) const override;
  /// Up, then down: never.
  bool can_wait_in_circles(RouteChoice) const override { return false; }
  /// "L2.5" for the switch number 5 of level 2.
  std::string name(VertexId v) const override;
  std::uint32_t twin(std::uint32_t cable) const override;
  /// "access" for the nodes' own, else "level 1", ... by the level of the lower end.
  std::string cable_group(std::uint32_t cable) const override;
  std::vector<CableRun> cable_runs() const override;
  /// By a search, or nothing, for a tree that misses nodes which are joined to several switches.
  std::optional<Distances> distances() const override;
  /// Half the cables of the thinnest level, if its subtrees can be shared out evenly.
  std::optional<RunCut> narrowest_cut(const std::vector<Bandwidth>& by_run) const override;
  std::optional<Point> position(VertexId v) const override;

  std::size_t levels() const { return tree_.top(); }
  /// Product of the parents of a vertex over all levels below `level`: what D-mod-K divides by.
  std::uint32_t divider(std::size_t level) const { return tree_[level].ups_below; }
  /// Of a vertex one below `level`.
  std::uint32_t parents(std::size_t level) const { return tree_[level].up; }

 private:
  TreeLevels tree_;
};

}  // namespace heddle::platform
