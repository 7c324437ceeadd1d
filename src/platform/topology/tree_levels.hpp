// The levels of a fat tree: how vertices and cables are numbered, and which lie above and below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// The shape of a PGFT, from the nodes up: a vertex of level l has down[l-1] children, a vertex of
/// level l-1 has up[l-1] parents, and parallel[l-1] cables join each such two.
struct FatTreeShape {
  std::vector<std::int64_t> down;
  std::vector<std::int64_t> up;
  std::vector<std::int64_t> parallel;
  /// How many of the places for nodes are taken, the first ones; all if not given.
  std::optional<std::int64_t> nodes = std::nullopt;

  /// A k-ary n-tree: `arity`^`levels` nodes and as much bandwidth at the top as at the bottom.
  static FatTreeShape k_ary_n_tree(std::int64_t arity, std::int64_t levels);
};

/// A vertex of level l is numbered within its level by the digits a_1 .. a_h, a_1 the
/// least: a_i < up_i for i <= l, a_i < down_i above. Vertices joined between level l-1 and l differ
/// in a_l only. Levels follow each other in vertex numbers: nodes, level 1, level 2, ...
class TreeLevels {
 public:
  /// A level of vertices and the cables to the level below it (none below the nodes).
  struct Level {
    std::uint32_t first_vertex;
    std::uint32_t vertices;
    std::uint32_t first_cable;
    std::uint32_t down;       ///< Children of a vertex.
    std::uint32_t up;         ///< Parents that a vertex of the level below has here.
    std::uint32_t parallel;   ///< Cables to each.
    std::uint32_t ups;        ///< Product of up over this level and those below.
    std::uint32_t downs;      ///< Product of down: the nodes below a vertex.
    std::uint32_t ups_below;  ///< Product of up over the levels below.
    std::uint32_t ports() const { return up * parallel; }
  };
  /// A vertex by level and number within it.
  struct Spot {
    std::size_t level;
    std::uint32_t number;
  };

  /// Throws ParamError if the lists differ in length, the machine is too large, or there are fewer
  /// places than nodes.
  explicit TreeLevels(const FatTreeShape& shape);

  /// The highest level.
  std::size_t top() const { return levels_.size() - 1; }
  const Level& operator[](std::size_t level) const { return levels_[level]; }
  std::uint32_t nodes() const { return levels_.front().vertices; }
  std::uint32_t switches() const;
  std::uint32_t cables() const { return cables_; }
  /// Whether no node is missing.
  bool whole() const { return nodes() == levels_.back().downs; }
  std::uint64_t cables_below(std::size_t level) const {
    return std::uint64_t{levels_[level - 1].vertices} * levels_[level].ports();
  }

  Spot spot(VertexId v) const;
  std::size_t level_of_cable(std::uint32_t cable) const;
  /// The number of the parent of `child` with digit `digit` in `level`, the one above.
  static std::uint32_t parent(const Level& level, std::uint32_t child, std::uint32_t digit) {
    const std::uint32_t low = child % level.ups_below;
    const std::uint32_t high = child / (level.ups_below * level.down);
    return low + level.ups_below * (digit + level.up * high);
  }
  bool is_below(Spot at, std::uint32_t node) const {
    return node / levels_[at.level].downs == at.number / levels_[at.level].ups;
  }
  /// The port of D-mod-K between the level below `l` and `l`, for destination `node`: the parent
  /// modulo `up`, and the cable to it.
  static std::uint32_t port(const Level& l, std::uint32_t node) {
    return node / l.ups_below % l.ports();
  }
  /// The first link of port 0 upwards from `at`; further ports follow at a distance of 2.
  std::uint32_t first_up(Spot at) const;
  /// The link of the first of the parallel cables down towards `node`.
  std::uint32_t first_down(Spot at, std::uint32_t node) const;
  /// The one that the deterministic route takes.
  LinkId down_link(Spot at, std::uint32_t node) const;
  /// The number, in the level below `at`, of its child above `node`.
  std::uint32_t child_towards(Spot at, std::uint32_t node) const;

 private:
  void add_level(const FatTreeShape& shape, std::size_t l);
  void keep_nodes(std::int64_t wanted);

  std::vector<Level> levels_;  ///< The nodes' first.
  std::uint32_t cables_ = 0;
};

/// Figures of a tree whose nodes are all there, or hang on one switch each.
Distances tree_distances(const TreeLevels& tree);

}  // namespace heddle::platform
