// How far each vertex of a fabric with failures is from a destination.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "platform/fabric_graph.hpp"

namespace heddle::platform {

inline constexpr std::uint32_t kOutOfReach = UINT32_MAX;

/// Links of the shortest path to a destination, found by a search when it is first asked for; as
/// many searches are kept as fit a fixed budget. In a tree paths go up and then down and never up
/// again, which is the only kind that cannot wait in circles.
class LiveDistances {
 public:
  /// `levels` of all vertices make the fabric a tree: even links lead up by one level, and vertices
  /// are numbered in the order of levels. Empty, it is any graph.
  LiveDistances(const FabricGraph& fabric, std::vector<std::uint32_t> levels,
                std::size_t budget = std::size_t{256} << 20);

  struct Span {
    const LinkId* first;
    const LinkId* last;
    const LinkId* begin() const { return first; }
    const LinkId* end() const { return last; }
  };
  /// The links that leave a vertex, ascending.
  Span leaving(VertexId v) const {
    return {leaving_.data() + offsets_[index(v)], leaving_.data() + offsets_[index(v) + 1]};
  }
  /// The switch that a node hangs on if it has no other neighbour, else the vertex itself. A node
  /// is as far as its switch and a link more, so it needs no search of its own.
  VertexId home(VertexId v) const;
  /// Links of the path from `at` to `to`, or kOutOfReach.
  std::uint32_t links(VertexId at, VertexId to);
  /// Whether `link`, which leaves `at`, begins a shortest path to another vertex `to`.
  bool leads(VertexId at, LinkId link, VertexId to);

 private:
  using Field = std::vector<std::uint32_t>;  ///< By vertex.

  bool is_tree() const { return !levels_.empty(); }
  const Field& field(VertexId to);
  Field search(VertexId to) const;
  Field search_tree(VertexId to) const;
  /// Whether a path from `at` to `home` that only goes down is the shortest.
  bool is_above(const Field& field, VertexId at, VertexId home) const;

  const FabricGraph& fabric_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> offsets_;  ///< Into leaving_, by vertex.
  std::vector<LinkId> leaving_;
  std::size_t most_fields_;
  std::vector<std::unique_ptr<Field>> fields_;  ///< By destination.
  std::vector<VertexId> known_;                 ///< Destinations that have one.
  std::size_t oldest_ = 0;
};

}  // namespace heddle::platform
