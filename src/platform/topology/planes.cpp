#include "platform/topology/planes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

/// Planes with more vertices are not drawn one above the other: nobody could see it.
constexpr std::uint32_t kMostDrawn = 4096;

double height_of(const Topology& plane) {
  if (plane.vertices() > kMostDrawn) return 0;
  double low = 0;
  double high = 0;
  for (std::uint32_t v = 0; v < plane.vertices(); ++v) {
    const std::optional<Point> point = plane.position(VertexId{v});
    if (!point) return 0;
    low = v == 0 ? point->y : std::min(low, point->y);
    high = v == 0 ? point->y : std::max(high, point->y);
  }
  return high - low;
}

}  // namespace

Planes::Planes(std::unique_ptr<const Topology> plane, std::uint32_t planes)
    : plane_(std::move(plane)), planes_(planes), height_(height_of(*plane_)) {
  nodes_ = plane_->nodes() * planes;
  switches_ = plane_->switches() * planes;
  cables_ = plane_->cables() * planes;
}

std::string Planes::describe() const {
  return fmt::format("{} planes, each a {}", planes_, plane_->describe());
}

Planes::Place Planes::place_of(VertexId v) const {
  const auto number = static_cast<std::uint32_t>(v);
  if (number < nodes_) return {number / plane_->nodes(), VertexId{number % plane_->nodes()}};
  const std::uint32_t own = number - nodes_;
  return {own / plane_->switches(), VertexId{plane_->nodes() + own % plane_->switches()}};
}

VertexId Planes::vertex_of(Place place) const {
  if (place.vertex == kNoVertex) return kNoVertex;
  const auto number = static_cast<std::uint32_t>(place.vertex);
  if (number < plane_->nodes()) return VertexId{place.plane * plane_->nodes() + number};
  return VertexId{nodes_ + place.plane * plane_->switches() + number - plane_->nodes()};
}

Hop Planes::in_plane(const Hop& hop) const {
  Hop inner = hop;
  for (VertexId* v : {&inner.from, &inner.at, &inner.to, &inner.via}) {
    if (*v != kNoVertex) *v = place_of(*v).vertex;
  }
  return inner;
}

LinkId Planes::link_of(std::uint32_t plane, LinkId link) const {
  return link == kNoLink ? kNoLink
                         : LinkId{plane * plane_->links() + static_cast<std::uint32_t>(link)};
}

LinkEnds Planes::ends(LinkId link) const {
  const auto number = static_cast<std::uint32_t>(link);
  const std::uint32_t plane = number / plane_->links();
  const LinkEnds inner = plane_->ends(LinkId{number % plane_->links()});
  return {vertex_of({plane, inner.from}), vertex_of({plane, inner.to})};
}

std::string Planes::name(VertexId v) const {
  const Place place = place_of(v);
  return fmt::format("p{}.{}", place.plane, plane_->name(place.vertex));
}

std::uint32_t Planes::twin(std::uint32_t cable) const {
  return plane_->twin(cable % plane_->cables());
}

std::string Planes::cable_group(std::uint32_t cable) const {
  return fmt::format("plane {} {}", cable / plane_->cables(),
                     plane_->cable_group(cable % plane_->cables()));
}

/// One above the other.
std::optional<Point> Planes::position(VertexId v) const {
  const Place place = place_of(v);
  std::optional<Point> point = plane_->position(place.vertex);
  constexpr double kGap = 2;
  if (point) point->y -= place.plane * (height_ + kGap);
  return point;
}

LinkId Planes::output(const Hop& hop) const {
  return link_of(place_of(hop.at).plane, plane_->output(in_plane(hop)));
}

void Planes::minimal_outputs(const Hop& hop, LinkSet& out) const {
  LinkSet inner;
  plane_->minimal_outputs(in_plane(hop), inner);
  const std::uint32_t plane = place_of(hop.at).plane;
  for (const LinkId link : inner) out.add(link_of(plane, link));
}

bool Planes::has_route(VertexId from, VertexId to) const {
  const Place a = place_of(from);
  const Place b = place_of(to);
  return a.plane == b.plane && plane_->has_route(a.vertex, b.vertex);
}

LinkId Planes::tied_output(const Hop& hop) const {
  return link_of(place_of(hop.at).plane, plane_->tied_output(in_plane(hop)));
}

}  // namespace heddle::platform
