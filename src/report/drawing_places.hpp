// Where every part of a drawing of a fabric stands on the page.
#pragma once

#include <vector>

#include "report/drawing_graph.hpp"
#include "report/drawing_measures.hpp"
#include "report/layout.hpp"

namespace heddle::report {

/// The layout, scaled so that nothing overlaps, with the nodes of each switch beside it.
class Places {
 public:
  /// The graph must outlive the places.
  Places(const DrawingGraph& graph, const platform::Topology& topology,
         HostDetail detail = HostDetail::as_room_allows);

  const Measures& measures() const { return measures_; }
  bool in_rows() const { return layout_.in_rows; }
  /// The centre of drawn vertex `v`.
  Point vertex(std::size_t v) const { return layout_.at[v]; }
  std::size_t vertices() const { return layout_.at.size(); }
  /// The centre of the i-th of the nodes of drawn vertex `v`.
  Point host(std::size_t v, std::size_t i) const;
  /// The centre of all the nodes of drawn vertex `v`.
  Point host_block(std::size_t v) const { return blocks_[v]; }
  /// The width and height of all the nodes of drawn vertex `v`, names included.
  Point block_size(std::size_t v) const;
  /// Whether the nodes stand in several rows: then a frame holds them and one line leads there.
  bool is_framed(std::size_t v) const;
  double width() const { return width_; }
  double height() const { return height_; }

  /// Moves everything; for margins and headers.
  void shift(double dx, double dy);

 private:
  void scale_rows();
  void scale_plane();
  void place_blocks();
  void move_to_origin();
  double in_the_way(std::size_t v, Point side) const;
  bool is_grid() const;
  std::vector<Point> clearest_sides() const;

  const DrawingGraph& graph_;
  Layout layout_;
  Measures measures_;
  std::vector<Point> blocks_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace heddle::report
