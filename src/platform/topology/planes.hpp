// Several equal fabrics side by side.
#pragma once

#include <memory>

#include "platform/topology.hpp"

namespace heddle::platform {

/// Copies of one fabric with nothing between them. Node n of plane p is node p * N + n, where N is
/// how many nodes a plane has; the switches and the cables of a plane follow those of the one
/// before likewise.
class Planes final : public Topology {
 public:
  Planes(std::unique_ptr<const Topology> plane, std::uint32_t planes);

  std::string describe() const override;
  LinkEnds ends(LinkId link) const override;
  std::string name(VertexId v) const override;
  std::uint32_t twin(std::uint32_t cable) const override;
  std::string cable_group(std::uint32_t cable) const override;
  std::optional<Point> position(VertexId v) const override;

  LinkId output(const Hop& hop) const override;
  void minimal_outputs(const Hop& hop, LinkSet& out) const override;
  bool concurrent() const override { return plane_->concurrent(); }
  bool has_route(VertexId from, VertexId to) const override;
  bool has_ties() const override { return plane_->has_ties(); }
  LinkId tied_output(const Hop& hop) const override;
  bool can_wait_in_circles(RouteChoice choice) const override {
    return plane_->can_wait_in_circles(choice);
  }
  std::optional<Distances> distances() const override { return plane_->distances(); }

 private:
  /// A vertex as its plane has it.
  struct Place {
    std::uint32_t plane;
    VertexId vertex;
  };
  Place place_of(VertexId v) const;
  VertexId vertex_of(Place place) const;
  Hop in_plane(const Hop& hop) const;
  LinkId link_of(std::uint32_t plane, LinkId link) const;

  std::unique_ptr<const Topology> plane_;
  std::uint32_t planes_;
  double height_ = 0;  ///< Of a plane's drawing.
};

}  // namespace heddle::platform
