// The routes through a machine.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/links.hpp"
#include "platform/topology.hpp"
#include "platform/walk.hpp"

namespace heddle::platform {

/// From endpoint to endpoint: out of a node by its own cables, through the fabric as the routing
/// says, and into the other node.
class Routes {
 public:
  /// All must outlive them.
  Routes(const Topology& topology, const Routing& routing, const Links& links)
      : topology_(topology),
        routing_(routing),
        links_(links),
        has_distances_(topology.has_distances()) {}

  /// Starts on the way from `source` to `destination`; `salt` is a number of the message's own.
  static Walk walk(Endpoint source, Endpoint destination, std::uint32_t salt) {
    const auto from = static_cast<VertexId>(source.node);
    return {{from, from, static_cast<VertexId>(destination.node), 0, salt, kNoVertex,
             source.own_adapter(), destination.own_adapter()},
            source,
            destination};
  }
  /// The next link to cross, as Links::capacity() gives it, or kNoLink at the end. Between memory
  /// and adapter of one node that is the bus; between equal ports of one node, the loopback.
  LinkId next(Walk& walk, const LoadView& loads) const;
  /// Whether next() answers the same whenever it is asked, so that it may be asked ahead of time.
  bool is_settled(const Walk& walk) const {
    return walk.hop.at == walk.hop.to || routing_.is_settled(walk.hop);
  }
  /// Whether next() has given the last link.
  bool at_end(const Walk& walk) const;
  /// The latency of the link that next() has just given; with the first of the fabric's comes the
  /// distance of its ends.
  Time latency(const Walk& walk, LinkId passed) const {
    if (walk.streamed) return Time::zero();
    const Time own = links_[walk.direction(passed)].latency;
    return has_distances_ ? own + distance(walk, passed) : own;
  }
  /// What next() and latency() say on all of the way, where the routing's choice is fixed. The
  /// memory of `fabric` is used meanwhile.
  void find_fixed(Endpoint source, Endpoint destination, std::vector<RouteStep>& route,
                  LinkSet& fabric) const;

 private:
  /// Whether the message goes from one device of a node to another.
  bool changes_device(const Walk& walk) const;
  bool uses_bus(const Endpoint& end) const;
  /// The message takes `link`: what next() answers.
  LinkId taken(Walk& walk, LinkId link) const {
    walk.backward = index(link) % 2 != 0;
    return links_.capacity(link);
  }
  template <class Cross>
  LinkId next_by(Walk& walk, Cross cross) const;
  LinkId cross(Walk& walk, const LoadView& loads) const;
  /// The one link between two ports of a node.
  LinkId next_within(Walk& walk) const;
  /// The links of the fabric from `hop.from` on.
  void find_through_fabric(Hop hop, LinkSet& fabric) const;
  Time distance(const Walk& walk, LinkId passed) const;

  const Topology& topology_;
  const Routing& routing_;
  const Links& links_;
  bool has_distances_;  ///< Of the topology.
};

}  // namespace heddle::platform
