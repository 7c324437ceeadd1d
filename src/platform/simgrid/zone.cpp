#include "platform/simgrid/zone.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

/// The points of the zones around `point`, from the innermost on, inside `common`; that of `common`
/// itself if there are none.
std::vector<const Point*> zones_around(const Point& point, const Zone& common) {
  std::vector<const Point*> zones;
  for (const Zone* zone = point.zone; zone != &common; zone = zone->parent()) {
    zones.push_back(&zone->point());
  }
  if (zones.empty()) zones.push_back(&common.point());
  return zones;
}

/// SimGrid's order: the pair whose farther zone is nearest to the ends comes first.
template <class Bypasses>
auto find_bypass(const Bypasses& bypasses, const Zone& common, const Point& from, const Point& to) {
  if (from.zone == &common && to.zone == &common) return bypasses.find({&from, &to});
  const auto sources = zones_around(from, common);
  const auto targets = zones_around(to, common);
  const auto of = [&](std::size_t i, std::size_t j) {
    if (i >= sources.size() || j >= targets.size()) return bypasses.end();
    return bypasses.find({sources[i], targets[j]});
  };
  for (std::size_t far = 0; far < std::max(sources.size(), targets.size()); ++far) {
    for (std::size_t near = 0; near < far; ++near) {
      if (const auto found = of(near, far); found != bypasses.end()) return found;
      if (const auto found = of(far, near); found != bypasses.end()) return found;
    }
    if (const auto found = of(far, far); found != bypasses.end()) return found;
  }
  return bypasses.end();
}

}  // namespace

bool Zone::add_bypass(const Point& from, const Point& to, LocalRoute&& route) {
  return bypasses_.try_emplace({&from, &to}, std::move(route)).second;
}

bool Zone::append_bypass(const Point& from, const Point& to, LocalRoute& way) const {
  if (bypasses_.empty()) return false;
  const auto found = find_bypass(bypasses_, *this, from, to);
  if (found == bypasses_.end()) return false;
  const LocalRoute& route = found->second;
  const bool zones = route.source_gateway != nullptr;
  if (zones && route.source_gateway != &from) append_route(from, *route.source_gateway, way);
  way.links.insert(way.links.end(), route.links.begin(), route.links.end());
  if (zones && route.target_gateway != &to) append_route(*route.target_gateway, to, way);
  return true;
}

void append_route(const Point& from, const Point& to, LocalRoute& way) {
  const Meeting at = meeting_of(from, to);
  if (at.zone->append_bypass(from, to, way)) return;
  // The zone sees what came before: not all of them add at the end.
  if (from.zone == to.zone) return from.zone->route(from, to, way);
  LocalRoute route;
  at.zone->route(*at.from, *at.to, route);
  if (route.source_gateway != &from) append_route(from, *route.source_gateway, way);
  way.links.insert(way.links.end(), route.links.begin(), route.links.end());
  way.distance += route.distance;
  if (route.target_gateway != &to) append_route(*route.target_gateway, to, way);
}

}  // namespace heddle::platform::simgrid
