// N-dimensional torus and mesh with dimension-order routing.
#pragma once

#include "platform/ringed.hpp"
#include "platform/source_dependent.hpp"
#include "platform/topology/grid.hpp"

namespace heddle::platform {

/// Switches joined to their neighbours along each dimension, closed to rings (torus) or not (mesh).
/// Routes go through the dimensions in order, around a ring the shorter way. When both ways are
/// equally long, one half of the pairs of nodes goes upwards and the other downwards. A ring of two
/// has one cable.
class Torus final : public Grid, public SourceDependent, public Ringed {
 public:
  enum class Edges { wrapped, open };
  /// Throws ParamError if a size is below 1 or the machine is too large.
  Torus(const std::vector<std::int64_t>& dims, std::int64_t nodes_per_switch, Edges edges);

  bool concurrent() const override { return true; }
  std::string describe() const override;
  /// Ties go by whether the sum of the coordinates is even.
  std::optional<std::uint32_t> route_class(VertexId from) const override {
    return coordinate_sum(from) % 2;
  }
  bool has_ties() const override { return edges_ == Edges::wrapped; }
  LinkId tied_output(const Hop& hop) const override;
  Step ring_step(LinkId link) const override;
  bool will_wrap(LinkId link, VertexId to) const override;
  /// In a ring of four and more, and wherever routes turn from a later dimension to an earlier one.
  bool can_wait_in_circles(RouteChoice choice) const override;

 protected:
  Pair joined_by(std::uint32_t cable) const override;
  LinkId towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const override;
  void all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const override;
  LineDistances line_distances(std::size_t dimension) const override;
  std::uint64_t plane_cables(std::size_t dimension) const override;

 private:
  bool is_ring(const Dimension& d) const { return d.cables_in_line == d.size; }
  LinkId step_up(std::uint32_t at, const Dimension& d) const;
  LinkId step_down(std::uint32_t at, const Dimension& d) const;
  bool ties_go_up(std::uint32_t at, const Dimension& d, const Hop& hop) const;
  /// The sum of the coordinates of a vertex, and of its number at its switch if it is a node.
  std::uint32_t coordinate_sum(VertexId v) const;
  /// Steps upwards from `at` to the coordinate of `to`; around the ring, so never negative, or, on
  /// an open line, `size` less when it lies below.
  std::int64_t steps_up(std::uint32_t at, std::uint32_t to, const Dimension& d) const;

  Edges edges_;
};

}  // namespace heddle::platform
