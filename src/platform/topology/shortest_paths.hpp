// Shortest paths of a graph, worked out per destination when first asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// Trees of shortest paths, one per destination: the least links, then the least latency, then the
/// lowest next vertex and link. Keeps as many trees as fit a fixed budget and forgets the oldest.
class ShortestPaths {
 public:
  /// A tree: the first link of each vertex's path to the destination; kNoLink where there is none.
  using Tree = std::vector<LinkId>;

  /// `ends` by link, and `latency` by cable; both directions of a cable can be used.
  /// `budget` is the number of links that all trees together may hold.
  ShortestPaths(std::uint32_t vertices, std::vector<LinkEnds> ends, std::vector<Time> latency,
                std::size_t budget = std::size_t{64} << 20);

  /// The first link on the path from `at` to another vertex `to`.
  LinkId first(VertexId at, VertexId to) { return tree(to)[index(at)]; }
  /// Adds every link from `at` that leads to a vertex with fewer links to go to `to`.
  void nearer(VertexId at, VertexId to, LinkSet& out);
  /// The tree towards `to`; valid until the next call.
  const Tree& tree(VertexId to);

 private:
  /// The links that leave a vertex, by the number of the vertex they lead to, then their own.
  struct Span {
    const LinkId* first;
    const LinkId* last;
    const LinkId* begin() const { return first; }
    const LinkId* end() const { return last; }
  };
  Span leaving(VertexId v) const;
  void index_links();
  Tree grow(VertexId to) const;
  std::uint32_t distance(const Tree& tree, VertexId from, VertexId to) const;

  std::vector<LinkEnds> ends_;
  std::vector<Time> latency_;
  std::vector<std::uint32_t> offsets_;  ///< Into leaving_, by vertex.
  std::vector<LinkId> leaving_;

  std::vector<std::uint32_t> slot_of_;  ///< By destination; kNoSlot where there is no tree.
  std::vector<Tree> trees_;
  std::vector<VertexId> owners_;  ///< By slot.
  std::size_t most_trees_;
  std::size_t oldest_ = 0;
};

}  // namespace heddle::platform
