#include "platform/simgrid/topology.hpp"

#include <algorithm>
#include <utility>

#include "platform/topology/shape.hpp"

namespace heddle::platform::simgrid {
namespace {

std::uint64_t pair_of(const Hop& hop) {
  return static_cast<std::uint64_t>(index(hop.from)) << 32 | index(hop.to);
}

}  // namespace

RouteCache::RouteCache() : routes_(std::size_t{1} << kPlaceBits) {}

const RouteCache::Route* RouteCache::find(std::uint64_t pair) const {
  const Route& route = routes_[place_of(pair)];
  return route.pair_ == pair ? &route : nullptr;
}

const RouteCache::Route& RouteCache::store(std::uint64_t pair, const Links& links) {
  Route& route = routes_[place_of(pair)];
  route.pair_ = pair;
  route.length_ = static_cast<std::uint32_t>(links.size());
  if (links.size() <= Route::kShort) {
    std::copy(links.begin(), links.end(), route.links_.begin());
  } else {
    long_.resize(routes_.size());
    long_[place_of(pair)] = links;
  }
  return route;
}

SimgridTopology::SimgridTopology(std::unique_ptr<const Model> model)
    : Topology(static_cast<std::uint32_t>(model->hosts().size()),
               static_cast<std::uint32_t>(model->routers().size()),
               static_cast<std::uint32_t>(model->cables().size())),
      model_(std::move(model)) {}

std::string SimgridTopology::describe() const {
  return "SimGrid platform, " + counted(nodes_, "host", "hosts") + ", " +
         counted(switches_, "router", "routers") + ", " + counted(cables_, "link", "links");
}

const Point& SimgridTopology::point(VertexId v) const {
  return is_switch(v) ? *model_->routers()[index(v) - nodes_] : *model_->hosts()[index(v)].point;
}

const RouteCache::Route& SimgridTopology::route(const Hop& hop) const {
  const std::uint64_t pair = pair_of(hop);
  const RouteCache::Route* const known = routes_.find(pair);
  return known != nullptr ? *known : new_route(hop, pair);
}

const RouteCache::Route& SimgridTopology::new_route(const Hop& hop, std::uint64_t pair) const {
  scratch_.links.clear();
  append_route(point(hop.from), point(hop.to), scratch_);
  return routes_.store(pair, scratch_.links);
}

void SimgridTopology::find_route(VertexId from, VertexId to, LinkSet& links) const {
  scratch_.links.clear();
  append_route(point(from), point(to), scratch_);
  links.clear();
  for (const LinkId link : scratch_.links) links.add(link);
}

LinkId SimgridTopology::output(const Hop& hop) const {
  const RouteCache::Route& way = route(hop);
  return hop.step < way.length() ? routes_.link(way, hop.step) : kNoLink;
}

bool SimgridTopology::has_route(VertexId from, VertexId to) const {
  try {
    route({from, from, to});
  } catch (const NoRoute&) {
    return false;
  }
  return true;
}

VertexId SimgridTopology::after(const Hop& hop, LinkId) const {
  return hop.step + 1 == route(hop).length() ? hop.to : kNoVertex;
}

Time SimgridTopology::distance(VertexId from, VertexId to) const {
  LocalRoute way;
  append_route(point(from), point(to), way);
  return way.distance;
}

std::optional<VertexId> SimgridTopology::find(std::string_view name) const {
  const Point* point = model_->find_point(name);
  if (point == nullptr || point->kind == PointKind::zone) return std::nullopt;
  return VertexId{point->number + (point->kind == PointKind::router ? nodes_ : 0)};
}

std::string SimgridTopology::name(VertexId v) const {
  return point(v).name;
}

std::string SimgridTopology::link_name(LinkId link) const {
  return model_->link_name(link);
}

std::string SimgridTopology::cable_group(std::uint32_t cable) const {
  return model_->cables()[cable].zone->name();
}

}  // namespace heddle::platform::simgrid
