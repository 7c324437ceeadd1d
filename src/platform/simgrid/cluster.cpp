#include "platform/simgrid/cluster.hpp"

#include <limits>
#include <utility>

namespace heddle::platform::simgrid {

Cluster::Cluster(const ClusterParams& params, const Zone* parent, SourceLocation where)
    : Zone(params.id, parent, std::move(where)),
      sharing_(params.sharing),
      bandwidth_(params.bandwidth),
      latency_(params.latency),
      limiter_(params.limiter),
      loopback_(params.loopback),
      hosts_(static_cast<std::uint32_t>(params.radicals.size())) {}

Loopback Cluster::loopback(const Point& host, const Model& model) const {
  return loopback_ ? *loopback_ : Zone::loopback(host, model);
}

void Cluster::add_hosts(const ClusterParams& params, Model& model) {
  for (const std::uint32_t radical : params.radicals) {
    const Point& point = model.add_point(params.prefix + std::to_string(radical) + params.suffix,
                                         PointKind::host, this, next_position(), where());
    model.add_host(point, params.speed, params.cores, where());
  }
}

std::uint32_t Cluster::add_cable(std::string name, Model& model, std::uint32_t parallel) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / parallel;
  if (bandwidth_.bits_per_second() > most) {
    throw InputError(where(), "cluster '" + this->name() + "': the bandwidth of " +
                                  std::to_string(parallel) + " parallel links is too large");
  }
  const auto bandwidth = Bandwidth::bits_per_second(bandwidth_.bits_per_second() * parallel);
  return model.add_cable({std::move(name), bandwidth, latency_, sharing_, this}, where());
}

void Cluster::add_limiter(std::int64_t number, Model& model) {
  if (!limiter_) return;
  limiters_.push_back(model.add_cable({name() + "_link_" + std::to_string(number) + "_limiter",
                                       *limiter_, Time::zero(), Sharing::shared, this},
                                      where()));
}

void Cluster::append_limiter(std::uint64_t n, Links& links) const {
  if (limiter_) links.push_back(up(limiters_[n]));
}

void Cluster::check_size(std::uint64_t cables, std::uint64_t switches, const Model& model) const {
  const std::uint64_t most = model.limits().cables;
  if (cables > most || switches > most) {
    throw InputError(where(), "cluster '" + name() + "' has more than " + std::to_string(most) +
                                  " links or switches");
  }
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}

}  // namespace heddle::platform::simgrid
