#include "report/route.hpp"

#include "core/error.hpp"

namespace heddle::report {

Time Route::idle_time(const platform::Platform& platform, Bytes size) const {
  return platform.nic(source.node).send_overhead + latency + bandwidth.time_for(size) +
         platform.nic(destination.node).receive_overhead;
}

Route find_route(const platform::Platform& platform, platform::Endpoint source,
                 platform::Endpoint destination) {
  // More links than any minimal or Valiant route has: the routes themselves run in a circle.
  const std::size_t too_many = 4 * static_cast<std::size_t>(platform.topology().vertices()) + 16;
  Route route{source, destination, {}, {}, {}};
  const platform::NoLoads idle;
  platform::Walk walk = platform.walk(source, destination, 0);
  for (LinkId link = platform.next(walk, idle); link != kNoLink; link = platform.next(walk, idle)) {
    const platform::Link& properties = platform.link(link);
    route.links.push_back(link);
    route.latency += platform.latency(walk, link);
    route.bandwidth = tighter(route.bandwidth, tighter(properties.bandwidth, properties.flow_cap));
    if (route.links.size() > too_many) {
      throw RunError("the route from " +
                     platform.topology().name(static_cast<VertexId>(source.node)) + " to " +
                     platform.topology().name(static_cast<VertexId>(destination.node)) +
                     " does not end");
    }
  }
  return route;
}

}  // namespace heddle::report
