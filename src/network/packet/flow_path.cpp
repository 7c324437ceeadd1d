#include "network/packet/flow_path.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

/// One way, with nobody else on it.
struct IdleWay {
  Bandwidth slowest = Bandwidth::unlimited();
  Time latency;
  std::uint32_t links = 0;
};

IdleWay idle_way(const platform::Platform& platform, const platform::Endpoint& from,
                 const platform::Endpoint& to) {
  const platform::NoLoads idle;
  IdleWay way;
  platform::Walk walk = platform.routes().walk(from, to, 0);
  for (LinkId link; (link = platform.routes().next(walk, idle)) != kNoLink; ++way.links) {
    const platform::Link& passed = platform.links()[walk.direction(link)];
    way.slowest = tighter(way.slowest, tighter(passed.bandwidth, passed.flow_cap));
    way.latency += platform.routes().latency(walk, link);
  }
  return way;
}

}  // namespace

FlowPath flow_path(const PacketPlan& plan, const platform::Endpoint& source,
                   const platform::Endpoint& destination, Time longest) {
  const IdleWay there = idle_way(plan.platform, source, destination);
  const IdleWay back = idle_way(plan.platform, destination, source);
  FlowPath path{};
  path.rate = there.slowest;
  path.rtt = there.latency + there.slowest.time_for(plan.config.max_packet) + back.latency +
             back.slowest.time_for(std::max(Bytes(1), plan.config.header));
  path.longest_rtt = std::max(path.rtt, longest);
  path.links = there.links;
  path.packet = plan.config.max_packet;
  path.payload = Bytes(plan.max_payload());
  return path;
}

Time longest_rtt(const PacketPlan& plan) {
  const platform::Topology& topology = plan.platform.topology();
  Time longest;
  for (std::uint32_t node = 1; node < plan.platform.nodes(); ++node) {
    if (!topology.has_route(VertexId{0}, VertexId{node})) continue;
    longest = std::max(longest, flow_path(plan, {NodeId{0}}, {NodeId{node}}, Time::zero()).rtt);
  }
  return longest;
}

}  // namespace heddle::network
