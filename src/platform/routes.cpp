#include "platform/routes.hpp"

#include <utility>

#include "platform/no_loads.hpp"

namespace heddle::platform {
namespace {

/// The stages of a walk, in order.
enum Stage : std::uint8_t {
  kSourceBus,
  kSourceLimiter,
  kFabric,
  kTargetLimiter,
  kTargetBus,
  kTargetDevice,
  kDone
};

/// As Links::capacity() says, where it is known what the link is like.
LinkId capacity_of(LinkId id, const Link& link) {
  return link.duplex == Duplex::half ? LinkId{static_cast<std::uint32_t>(id) & ~1U} : id;
}

/// Whether the adapter reads or writes memory underway.
bool streams(const Walk& walk) {
  return walk.source.port == Port::stream || walk.destination.port == Port::stream;
}

}  // namespace

bool Routes::changes_device(const Walk& walk) const {
  if (walk.destination.port == Port::inner) return true;
  return walk.source.port == walk.destination.port &&
         walk.source.own_adapter() != walk.destination.own_adapter() &&
         links_.nodes().has(walk.source.node, NodeCable::inner);
}

bool Routes::uses_bus(const Endpoint& end) const {
  return end.port != Port::nic && links_.nodes().has(end.node, NodeCable::pcie);
}

/// `cross` takes a link of the fabric, or goes all the way through it.
template <class Cross>
LinkId Routes::next_by(Walk& walk, Cross cross) const {
  walk.streamed = false;
  if (walk.stage == kFabric && walk.hop.at != walk.hop.to) return cross();
  const NodeId source = walk.source.node;
  const NodeId target = walk.destination.node;
  const bool within = source == target;
  if (within && walk.stage == kSourceBus && !streams(walk)) return next_within(walk);
  switch (walk.stage) {
    case kSourceBus:
      walk.stage = kSourceLimiter;
      if (uses_bus(walk.source)) {
        walk.streamed = walk.source.port == Port::stream;
        return taken(walk, links_.nodes().link(source, NodeCable::pcie, false));
      }
      [[fallthrough]];
    case kSourceLimiter:
      walk.stage = kFabric;
      if (const NodeCable cable = within ? NodeCable::loopback : NodeCable::limiter;
          links_.nodes().has(source, cable)) {
        return taken(walk, links_.nodes().link(source, cable, false));
      }
      [[fallthrough]];
    case kFabric:
      if (walk.hop.at != walk.hop.to) return cross();
      walk.stage = kTargetLimiter;
      [[fallthrough]];
    case kTargetLimiter:
      walk.stage = kTargetBus;
      if (!within && links_.nodes().has(target, NodeCable::limiter)) {
        return taken(walk, links_.nodes().link(target, NodeCable::limiter, true));
      }
      [[fallthrough]];
    case kTargetBus:
      walk.stage = kDone;
      if (uses_bus(walk.destination)) {
        walk.streamed = walk.destination.port == Port::stream;
        return taken(walk, links_.nodes().link(target, NodeCable::pcie, true));
      }
      return kNoLink;
    case kTargetDevice:
      walk.stage = kDone;
      return taken(walk, links_.nodes().inner_link(walk.destination, true));
    default:
      return kNoLink;
  }
}

LinkId Routes::next(Walk& walk, const LoadView& loads) const {
  return next_by(walk, [&] { return cross(walk, loads); });
}

void Routes::find_through_fabric(Hop hop, LinkSet& fabric) const {
  if (links_.nodes().adapters() == 1) return topology_.find_route(hop.from, hop.to, fabric);
  fabric.clear();
  for (; hop.at != hop.to; ++hop.step) {
    const LinkId link = topology_.output(hop);
    fabric.add(link);
    hop.at = topology_.after(hop, link);
  }
}

void Routes::find_fixed(Endpoint source, Endpoint destination, std::vector<RouteStep>& route,
                        LinkSet& fabric) const {
  route.clear();
  Walk walk = this->walk(source, destination, 0);
  Hop& hop = walk.hop;
  if (hop.at != hop.to) find_through_fabric(hop, fabric);
  const auto cross = [&] {
    if (fabric.size() == 0) return kNoLink;
    Time distance = has_distances_ ? topology_.distance(hop.from, hop.to) : Time::zero();
    route.reserve(route.size() + fabric.size() + 2);  // With the other node's bus and the end.
    std::size_t place = route.size();
    route.resize(place + fabric.size());
    for (const LinkId id : fabric) {
      const Link& link = links_[id];
      route[place++] = {capacity_of(id, link),
                        link.latency + std::exchange(distance, Time::zero())};
    }
    hop.at = hop.to;
    return next(walk, NoLoads{});
  };
  for (LinkId link; (link = next_by(walk, cross)) != kNoLink;) {
    route.push_back({link, latency(walk, link)});
  }
  route.emplace_back();
}

/// One link of the fabric.
LinkId Routes::cross(Walk& walk, const LoadView& loads) const {
  const LinkId link = routing_.next(walk.hop, loads);
  const VertexId end = links_.fabric().end_of(link);
  walk.hop.at = end != kNoVertex ? end : topology_.after(walk.hop, link);
  ++walk.hop.step;
  return taken(walk, link);
}

Time Routes::distance(const Walk& walk, LinkId passed) const {
  const bool first = walk.hop.step == 1 && links_.is_of_fabric(passed);
  return first ? topology_.distance(walk.hop.from, walk.hop.to) : Time::zero();
}

bool Routes::at_end(const Walk& walk) const {
  if (walk.stage == kDone) return true;
  if (walk.stage == kTargetDevice) return false;
  if (walk.hop.at != walk.hop.to || uses_bus(walk.destination)) return false;
  const NodeId target = walk.destination.node;
  if (walk.source.node == target) {
    return walk.stage == kFabric ||
           (walk.stage == kSourceLimiter && !links_.nodes().has(target, NodeCable::loopback));
  }
  return walk.stage <= kTargetBus &&
         (walk.stage == kTargetBus || !links_.nodes().has(target, NodeCable::limiter));
}

LinkId Routes::next_within(Walk& walk) const {
  if (walk.source.port == Port::inner) {
    walk.stage = kDone;
    return taken(walk, links_.nodes().inner_link(walk.destination, true));
  }
  if (changes_device(walk)) {
    walk.stage = walk.destination.port == Port::inner ? kDone : kTargetDevice;
    return taken(walk, links_.nodes().inner_link(walk.source, false));
  }
  walk.stage = kDone;
  const NodeId node = walk.source.node;
  const bool outward = walk.source.port == Port::memory && walk.destination.port == Port::nic;
  const bool inward = walk.source.port == Port::nic && walk.destination.port == Port::memory;
  const NodeCable cable = outward || inward ? NodeCable::pcie : NodeCable::loopback;
  return links_.nodes().has(node, cable) ? taken(walk, links_.nodes().link(node, cable, inward))
                                         : kNoLink;
}

}  // namespace heddle::platform
