#include "run/way_costs.hpp"

namespace heddle::run {

record::WayCost WayCosts::of(platform::Endpoint from, platform::Endpoint to, std::int64_t bytes) {
  record::WayCost cost = way(from, to, bytes);
  Kind kind{bytes, cost.latency.ps(), cost.bus_latency.ps(), {}};
  for (const record::WayLink& link : cost.links) std::get<3>(kind).push_back(link.bytes_per_ps);
  const auto [known, is_new] = known_.try_emplace(std::move(kind), Time::zero());
  if (is_new) known->second = alone(from, to, bytes);
  cost.alone = known->second;
  return cost;
}

record::WayCost WayCosts::way(platform::Endpoint from, platform::Endpoint to,
                              std::int64_t bytes) const {
  record::WayCost cost;
  cost.bytes = bytes;
  platform::Walk walk = platform_.routes().walk(from, to, 0);
  const platform::NoLoads idle;
  constexpr std::size_t kMost = 1000;
  for (LinkId link = platform_.routes().next(walk, idle);
       link != kNoLink && cost.links.size() < kMost; link = platform_.routes().next(walk, idle)) {
    const platform::Link& passed = platform_.links()[link];
    const bool bus =
        index(link) >= platform_.topology().links() && !platform_.links().is_loopback(link);
    (bus ? cost.bus_latency : cost.latency) += platform_.routes().latency(walk, link);
    const Bandwidth rate = tighter(passed.bandwidth, passed.flow_cap);
    cost.links.push_back({static_cast<std::uint32_t>(index(link)), rate.bytes_per_ps(), bus,
                          passed.bandwidth.bytes_per_ps()});
  }
  return cost;
}

Time WayCosts::alone(platform::Endpoint from, platform::Endpoint to, std::int64_t bytes) {
  if (network_ == nullptr) {
    network_ = network::make_network(model_, simulation_, platform_, settings_);
  }
  network::Transfer transfer;
  transfer.source = from;
  transfer.destination = to;
  transfer.size = Bytes(bytes);
  transfer.client = this;
  const Time begin = simulation_.now();
  arrived_ = begin;
  network_->start(transfer);
  simulation_.run();
  return arrived_ - begin;
}

}  // namespace heddle::run
