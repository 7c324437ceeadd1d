#include "coll/costs/path_factors.hpp"

#include <fmt/core.h>

#include <cmath>

namespace heddle::coll {

void require_no_shortening(const Factors& latency, const char* parameter) {
  if (latency.least() >= 1) return;
  throw ParamError({parameter},
                   fmt::format("{} is below 1, but no message is faster than the network: accepted "
                               "are factors from 1 on, over links of less latency",
                               latency.least()));
}

PathFactors::PathFactors(const platform::Platform& platform, Factors latency, Factors bandwidth)
    : platform_(platform),
      latency_(std::move(latency)),
      bandwidth_(std::move(bandwidth)),
      latency_counts_(!latency_.neutral()),
      bandwidth_counts_(!bandwidth_.neutral()),
      routes_(latency_counts_ ? kRoutes : 0) {}

std::int64_t PathFactors::size_in_network(std::int64_t size) const {
  if (!bandwidth_counts_) return size;
  return std::llround(static_cast<double>(size) / bandwidth_.at(size));
}

Time PathFactors::find_extra(NodeId from, NodeId to, std::int64_t size) {
  const double factor = latency_.at(size) - 1;
  if (factor <= 0) return Time::zero();
  return Time::ps(std::llround(static_cast<double>(route_latency(from, to).ps()) * factor));
}

Time PathFactors::route_latency(NodeId from, NodeId to) {
  const std::uint64_t pair =
      (std::uint64_t{static_cast<std::uint32_t>(from)} << 32) | static_cast<std::uint32_t>(to);
  RouteEntry& entry = routes_[(pair * 0x9e3779b97f4a7c15ULL) >> 50];
  if (entry.pair == pair) return entry.latency;
  entry = {pair, find_latency({from, platform::Port::memory}, {to, platform::Port::memory})};
  return entry.latency;
}

/// Of the route on an idle machine.
Time PathFactors::find_latency(platform::Endpoint from, platform::Endpoint to) {
  Time latency;
  if (platform_.routing().choice() == platform::RouteChoice::fixed) {
    platform_.routes().find_fixed(from, to, steps_, fabric_);
    for (const platform::RouteStep& step : steps_) latency += step.latency;
    return latency;
  }
  platform::Walk walk = platform_.routes().walk(from, to, 0);
  for (LinkId link; (link = platform_.routes().next(walk, platform::NoLoads{})) != kNoLink;) {
    latency += platform_.routes().latency(walk, link);
  }
  return latency;
}

}  // namespace heddle::coll
