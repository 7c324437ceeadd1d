#include "platform/simgrid/dragonfly_cluster.hpp"

#include <algorithm>
#include <utility>

namespace heddle::platform::simgrid {
namespace {

std::uint64_t pairs(std::uint64_t n) {
  return n * (n - 1) / 2;
}

/// The number of the pair (a, b), a < b < n, counted by a and then by b.
std::uint64_t pair_number(std::uint64_t n, std::uint64_t a, std::uint64_t b) {
  return a * (2 * n - a - 1) / 2 + b - a - 1;
}

std::string text(std::uint64_t n) {
  return std::to_string(n);
}

}  // namespace

std::uint64_t DragonflyCluster::host_count(const DragonflyShape& s) {
  const std::uint64_t routers = saturated_product(saturated_product(s.groups, s.chassis), s.blades);
  return saturated_product(routers, s.hosts);
}

DragonflyCluster::DragonflyCluster(const ClusterParams& params, const DragonflyShape& shape,
                                   const Zone* parent, SourceLocation where, Model& model)
    : Cluster(params, parent, std::move(where)), shape_(shape) {
  const std::uint64_t chassis = std::uint64_t{shape.groups} * shape.chassis;
  check_size(saturated_product(chassis, pairs(shape.blades)), chassis, model);
  const std::uint64_t in_group = saturated_product(pairs(shape.chassis), shape.blades);
  check_size(saturated_product(shape.groups, in_group), pairs(shape.groups), model);
  add_hosts(params, model);
  add_local(model);
  add_green(model);
  add_black(model);
  add_blue(model);
  add_limiters(model);
}

void DragonflyCluster::add_numbered(std::string name, std::uint32_t parallel, Model& model) {
  add_cable(std::move(name) + "_" + text(model.dragonfly_cables++), model, parallel);
}

void DragonflyCluster::add_local(Model& model) {
  first_local_ = model.cables().size();
  for (std::uint32_t host = 0; host < hosts(); ++host) {
    add_numbered("local_link_from_router_" + text(host / shape_.hosts) + "_to_node_" +
                     text(host % shape_.hosts),
                 1, model);
  }
}

void DragonflyCluster::add_green(Model& model) {
  first_green_ = model.cables().size();
  for (std::uint32_t chassis = 0; chassis < shape_.groups * shape_.chassis; ++chassis) {
    const std::string prefix =
        "green_link_in_chassis_" + text(chassis % shape_.chassis) + "_between_routers_";
    for (std::uint32_t a = 0; a < shape_.blades; ++a) {
      for (std::uint32_t b = a + 1; b < shape_.blades; ++b) {
        add_numbered(prefix + text(a) + "_and_" + text(b), shape_.green, model);
      }
    }
  }
}

void DragonflyCluster::add_black(Model& model) {
  first_black_ = model.cables().size();
  for (std::uint32_t group = 0; group < shape_.groups; ++group) {
    const std::string prefix = "black_link_in_group_" + text(group) + "_between_chassis_";
    for (std::uint32_t a = 0; a < shape_.chassis; ++a) {
      for (std::uint32_t b = a + 1; b < shape_.chassis; ++b) {
        for (std::uint32_t blade = 0; blade < shape_.blades; ++blade) {
          add_numbered(prefix + text(a) + "_and_" + text(b) + "_blade_" + text(blade), shape_.black,
                       model);
        }
      }
    }
  }
}

void DragonflyCluster::add_blue(Model& model) {
  first_blue_ = model.cables().size();
  for (std::uint32_t a = 0; a < shape_.groups; ++a) {
    for (std::uint32_t b = a + 1; b < shape_.groups; ++b) {
      add_numbered("blue_link_between_group_" + text(a) + "_and_" + text(b) + "_routers_" +
                       text(number({a, 0, b})) + "_and_" + text(number({b, 0, a})),
                   shape_.blue, model);
    }
  }
}

/// Hosts count up from zero, routers down from twice the number of hosts.
void DragonflyCluster::add_limiters(Model& model) {
  for (std::uint32_t host = 0; host < hosts(); ++host) add_limiter(host, model);
  const std::uint32_t routers = hosts() / shape_.hosts;
  for (std::uint32_t i = 0; i < routers; ++i) add_limiter(2 * std::int64_t{hosts()} - 1 - i, model);
}

DragonflyCluster::Router DragonflyCluster::router_of(std::uint32_t host) const {
  const std::uint32_t router = host / shape_.hosts;
  const std::uint32_t chassis = router / shape_.blades;
  return {chassis / shape_.chassis, chassis % shape_.chassis, router % shape_.blades};
}

std::uint32_t DragonflyCluster::number(const Router& router) const {
  return (router.group * shape_.chassis + router.chassis) * shape_.blades + router.blade;
}

LinkId DragonflyCluster::pair_link(std::uint64_t first, std::uint32_t n, std::uint32_t a,
                                   std::uint32_t b, std::uint32_t repeat) const {
  const std::uint64_t cable = first + pair_number(n, std::min(a, b), std::max(a, b)) * repeat;
  return a < b ? up_link(cable) : down_link(cable);
}

LinkId DragonflyCluster::green(const Router& at, std::uint32_t blade) const {
  const std::uint64_t chassis = std::uint64_t{at.group} * shape_.chassis + at.chassis;
  return pair_link(first_green_ + chassis * pairs(shape_.blades), shape_.blades, at.blade, blade,
                   1);
}

LinkId DragonflyCluster::black(const Router& at, std::uint32_t chassis) const {
  const std::uint64_t first =
      first_black_ + at.group * pairs(shape_.chassis) * shape_.blades + at.blade;
  return pair_link(first, shape_.chassis, at.chassis, chassis, shape_.blades);
}

LinkId DragonflyCluster::blue(const Router& at, std::uint32_t group) const {
  return pair_link(first_blue_, shape_.groups, at.group, group, 1);
}

void DragonflyCluster::append_router_limiter(const Router& router, Links& links) const {
  append_limiter(hosts() + number(router), links);
}

void DragonflyCluster::append_to_group(Router& at, std::uint32_t group, Links& links) const {
  if (at.blade != group) {
    append_router_limiter(at, links);
    links.push_back(green(at, group));
    at.blade = group;
  }
  if (at.chassis != 0) {
    append_router_limiter(at, links);
    links.push_back(black(at, 0));
    at.chassis = 0;
  }
  links.push_back(blue(at, group));
  append_router_limiter(at, links);
  at = {group, 0, at.group};
}

void DragonflyCluster::append_inside_group(Router& at, const Router& to, Links& links) const {
  if (at.blade != to.blade) {
    append_router_limiter(at, links);
    links.push_back(green(at, to.blade));
    // SimGrid goes on from the first chassis, wherever it was; we must load the same links.
    at = {to.group, 0, to.blade};
  }
  if (at.chassis != to.chassis) {
    append_router_limiter(at, links);
    links.push_back(black(at, to.chassis));
  }
}

void DragonflyCluster::route(const Point& from, const Point& to, LocalRoute& route) const {
  Router at = router_of(from.position);
  const Router target = router_of(to.position);
  append_limiter(from.position, route.links);
  route.links.push_back(up_link(first_local_ + from.position));
  if (at.group != target.group) append_to_group(at, target.group, route.links);
  append_inside_group(at, target, route.links);
  append_router_limiter(target, route.links);
  route.links.push_back(down_link(first_local_ + to.position));
  append_limiter(to.position, route.links);
}

}  // namespace heddle::platform::simgrid
