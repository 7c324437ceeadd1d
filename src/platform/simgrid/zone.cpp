#include "platform/simgrid/zone.hpp"

#include <utility>

namespace heddle::platform::simgrid {

Zone::Zone(std::string name, const Zone* parent, SourceLocation where)
    : name_(std::move(name)),
      parent_(parent),
      where_(std::move(where)),
      depth_(parent == nullptr ? 0 : parent->depth() + 1) {}

bool Zone::contains(const Point& point) const {
  const Zone* zone = point.zone;
  while (zone != nullptr && zone != this) zone = zone->parent();
  return zone == this;
}

Loopback Zone::loopback(const Point& host, const Model& model) const {
  LocalRoute self;
  route(host, host, self);
  if (self.links.empty()) return model.loopback;
  Loopback result;
  result.latency = self.distance;
  for (const LinkId link : self.links) {
    const Cable& cable = model.cables()[index(link) / 2];
    result.bandwidth = tighter(result.bandwidth, cable.bandwidth);
    result.latency += cable.latency;
  }
  return result;
}

void Zone::fail_no_route(const Point& from, const Point& to) const {
  const bool zones = from.kind == PointKind::zone || to.kind == PointKind::zone;
  const std::string ends = " src=\"" + from.name + "\" dst=\"" + to.name + "\"";
  throw NoRoute(where_, "zone '" + name_ + "' declares no route from '" + from.name + "' to '" +
                            to.name + "': accepted is <" + (zones ? "zoneRoute" : "route") + ends +
                            (zones ? " gw_src=... gw_dst=...>" : ">") + " with its links in it");
}

namespace {

/// The innermost zone that holds both, and its points through which each is reached.
struct Meeting {
  const Zone* zone;
  const Point* from;
  const Point* to;
};

Meeting meeting_of(const Point& a, const Point& b) {
  Meeting at{nullptr, &a, &b};
  while (at.from->zone != at.to->zone) {
    const Point*& deeper = at.from->zone->depth() >= at.to->zone->depth() ? at.from : at.to;
    deeper = &deeper->zone->point();
  }
  at.zone = at.from->zone;
  return at;
}

}  // namespace

void append_route(const Point& from, const Point& to, LocalRoute& way) {
  // The zone sees what came before: not all of them add at the end.
  if (from.zone == to.zone) return from.zone->route(from, to, way);
  const Meeting at = meeting_of(from, to);
  LocalRoute route;
  at.zone->route(*at.from, *at.to, route);
  if (route.source_gateway != &from) append_route(from, *route.source_gateway, way);
  way.links.insert(way.links.end(), route.links.begin(), route.links.end());
  way.distance += route.distance;
  if (route.target_gateway != &to) append_route(*route.target_gateway, to, way);
}

}  // namespace heddle::platform::simgrid
