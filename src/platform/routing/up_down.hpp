// Routes up and then down a graph, without circles.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "platform/topology.hpp"

namespace heddle::platform {

/// The links of a graph are up or down: up leads nearer to the root, or to a lower number among
/// those that are as near. No circle is all up or all down, so messages that go up first and down
/// then never wait for each other in one.
///
/// Nodes with a single cable are not passed and have no tables: what is said of them is said of
/// their switch. Tables are made by destination, as many as fit a budget; the oldest is forgotten.
class UpDownGraph {
 public:
  /// `root` is a switch, or kNoVertex: the lowest of those whose farthest switch is the nearest (in
  /// a large graph, the middle of one of its longest ways). All links have fixed ends.
  UpDownGraph(const Topology& topology, VertexId root, std::size_t budget = std::size_t{256} << 20);

  VertexId root() const { return root_; }
  /// Whether the link leads up.
  bool is_up(LinkId link) const;
  /// Adds the first links (none, if there is no way) of all shortest ways from `at` to another
  /// vertex `to` that go up first and down then, or only down if the message has `descended`.
  void outputs(VertexId at, VertexId to, bool descended, std::vector<LinkId>& out);
  /// Links of the longest way between two nodes, or a few more.
  std::uint32_t longest() const;

 private:
  using Inner = std::uint32_t;  ///< A vertex that may be passed; they are numbered in their order.
  struct Step {
    LinkId link;
    Inner to;
  };
  /// By inner vertex: links that are left when a message may still go up, and when not.
  struct Left {
    std::uint16_t up;
    std::uint16_t down;
  };
  using Table = std::vector<Left>;

  bool is_leaf(VertexId v) const { return own_link_[index(v)] != kNoLink; }
  void number_vertices();
  void index_links();
  std::vector<std::uint32_t> levels_from(Inner start) const;
  /// How much can be reached from a vertex, and how far away it is.
  struct Reach {
    std::uint32_t vertices = 0;
    std::uint32_t most = 0;
    Inner farthest = 0;
  };
  Reach reach_of(Inner start) const;
  Inner centre() const;
  Inner about_centre() const;
  void order_from(Inner root);
  const Table& table(Inner to);
  void fill(Table& table, Inner to) const;
  bool goes_up(Inner from, Inner to) const { return rank_[to] < rank_[from]; }

  const Topology& topology_;
  VertexId root_ = kNoVertex;
  std::vector<LinkId> own_link_;  ///< By vertex: of a node with one cable, the link to its switch.
  std::vector<Inner> inner_of_;   ///< By vertex: its number, or of a leaf that of its switch.
  std::vector<VertexId> vertex_of_;  ///< By inner vertex.
  std::vector<std::uint32_t> first_step_;
  std::vector<Step> steps_;          ///< Between inner vertices, by the vertex they leave.
  std::vector<std::uint32_t> rank_;  ///< By inner vertex: its place among all, the root's is 0.
  std::vector<Inner> by_rank_;
  std::size_t most_tables_;
  std::vector<std::unique_ptr<Table>> tables_;  ///< By inner vertex.
  std::vector<Inner> made_;                     ///< Those that have a table, in a ring.
  std::size_t oldest_ = 0;
};

}  // namespace heddle::platform
