#include "platform/simgrid/star_cluster.hpp"

#include <utility>

namespace heddle::platform::simgrid {

StarCluster::StarCluster(const ClusterParams& params, const std::optional<Backbone>& backbone,
                         const std::string& router, const Zone* parent, SourceLocation where,
                         Model& model)
    : Cluster(params, parent, std::move(where)) {
  if (backbone) {
    backbone_ = model.add_cable(
        {params.id + "_backbone", backbone->bandwidth, backbone->latency, backbone->sharing, this},
        this->where());
  }
  add_hosts(params, model);
  add_links(params, model);
  const std::string name =
      router.empty() ? params.prefix + params.id + "_router" + params.suffix : router;
  model.add_router(model.add_point(name, PointKind::router, this, next_position(), this->where()));
}

void StarCluster::add_links(const ClusterParams& params, Model& model) {
  first_cable_ = static_cast<std::uint32_t>(model.cables().size());
  cables_per_host_ = params.limiter ? 2 : 1;
  for (const std::uint32_t radical : params.radicals) {
    add_cable(params.id + "_link_" + std::to_string(radical), model);
    add_limiter(radical, model);
  }
}

void StarCluster::route(const Point& from, const Point& to, LocalRoute& route) const {
  const auto cable = [this](const Point& host) {
    return first_cable_ + cables_per_host_ * host.position;
  };
  const bool to_itself = &from == &to;
  if (from.kind == PointKind::host) {
    append_limiter(from.position, route.links);
    route.links.push_back(up_link(cable(from)));
  }
  if (backbone_) route.links.push_back(up(*backbone_));
  if (to.kind == PointKind::host) {
    // A link that both halves of the route use stands in it once.
    const LinkId last = down_link(cable(to));
    if (!to_itself || last != up_link(cable(to))) route.links.push_back(last);
    if (!to_itself) append_limiter(to.position, route.links);
  }
}

}  // namespace heddle::platform::simgrid
