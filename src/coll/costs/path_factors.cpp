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

PathFactors::PathFactors(const platform::Platform& platform, Factors latency, Factors bandwidth,
                         KnownLatency known)
    : platform_(platform),
      latency_(std::move(latency)),
      bandwidth_(std::move(bandwidth)),
      known_(std::move(known)),
      latency_counts_(!latency_.neutral()),
      bandwidth_counts_(!bandwidth_.neutral()),
      routes_(latency_counts_ && !known_ ? kRoutes : 0),
      rows_(latency_counts_ && known_ ? kRows : 0) {}

void PathFactors::renew(std::int64_t size) {
  last_ = {size, std::llround(static_cast<double>(size) / bandwidth_.at(size)),
           latency_.at(size) - 1, Time::zero(), Time::zero()};
}

void PathFactors::times(Time latency) {
  last_.latency = latency;
  last_.extra = Time::ps(std::llround(static_cast<double>(latency.ps()) * last_.more_latency));
}

/// Forgets the route that was asked for longest ago.
Time PathFactors::renew(Row& row, NodeId from, NodeId to) {
  if (row.from != from) row = Row{};
  row.from = from;
  const std::uint32_t place = row.oldest;
  row.oldest = (place + 1) % kTargets;
  row.latencies[place] = find_latency({from, platform::Port::memory}, {to, platform::Port::memory});
  row.to[place] = to;
  return row.latencies[place];
}

/// Of the route on an idle machine.
Time PathFactors::find_latency(platform::Endpoint from, platform::Endpoint to) {
  if (const auto known = known_ ? known_(from, to) : std::nullopt) return *known;
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
