#include "platform/simgrid/torus_cluster.hpp"

#include <utility>

namespace heddle::platform::simgrid {
namespace {

/// The neighbour of `host` one step up or down in a dimension of `size`, whose steps are `stride`.
std::uint32_t neighbour(std::uint32_t host, std::uint32_t size, std::uint32_t stride, bool upward) {
  const std::uint32_t coordinate = host / stride % size;
  const std::uint32_t next = (coordinate + (upward ? 1 : size - 1)) % size;
  return host - coordinate * stride + next * stride;
}

/// SimGrid's choice between the two ways round, from the coordinates of source and target.
bool goes_up(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  const std::uint32_t half = size / 2;
  return (to > from && to <= from + half) || (from > half && (from + half) % size >= to);
}

}  // namespace

TorusCluster::TorusCluster(const ClusterParams& params, std::vector<std::uint32_t> dimensions,
                           const Zone* parent, SourceLocation where, Model& model)
    : Cluster(params, parent, std::move(where)), dimensions_(std::move(dimensions)) {
  check_size(saturated_product(hosts(), dimensions_.size()), 0, model);
  add_hosts(params, model);
  first_cable_ = static_cast<std::uint32_t>(model.cables().size());
  for (std::uint32_t host = 0; host < hosts(); ++host) {
    std::uint32_t stride = 1;
    for (const std::uint32_t size : dimensions_) {
      add_cable(params.id + "_link_from_" + std::to_string(host) + "_to_" +
                    std::to_string(neighbour(host, size, stride, true)),
                model);
      stride *= size;
    }
  }
  for (std::uint32_t host = 0; host < hosts(); ++host) add_limiter(host, model);
}

void TorusCluster::route(const Point& from, const Point& to, LocalRoute& route) const {
  std::uint32_t at = from.position;
  std::uint32_t stride = 1;
  for (std::size_t dimension = 0; dimension < dimensions_.size(); ++dimension) {
    append_dimension(at, to.position, dimension, stride, route.links);
    stride *= dimensions_[dimension];
  }
  append_limiter(to.position, route.links);
}

void TorusCluster::append_dimension(std::uint32_t& at, std::uint32_t to, std::size_t dimension,
                                    std::uint32_t stride, Links& links) const {
  const std::uint32_t size = dimensions_[dimension];
  const std::uint32_t target = to / stride % size;
  const bool upward = goes_up(at / stride % size, target, size);
  while (at / stride % size != target) {
    const std::uint32_t next = neighbour(at, size, stride, upward);
    append_limiter(at, links);
    links.push_back(upward ? up_link(cable(at, dimension)) : down_link(cable(next, dimension)));
    at = next;
  }
}

}  // namespace heddle::platform::simgrid
