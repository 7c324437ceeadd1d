// What routing functions share that lead by way of a switch or a group.
#pragma once

#include "platform/grouped.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {

/// What a detour goes by way of: a switch, or a group, which is passed by as soon as it is reached.
enum class DetourBy { switches, groups };

/// Minimally to a way-point, then minimally on.
class Detours : public TopologyRouting {
 public:
  /// By switches where the topology has no groups.
  Detours(const Topology& topology, DetourBy by);
  static bool suits(const Topology& topology) { return topology.routes_to_switches(); }
  RouteChoice choice() const override { return RouteChoice::detour; }
  /// Every way-point where one may be chosen.
  void ways(const Hop& hop, std::vector<Way>& out) const override;
  std::uint32_t longest_route() const override;

 protected:
  /// Whether next() may choose a way-point for a message that stands there and has none.
  virtual bool may_turn(const Hop& hop) const = 0;
  /// Whether a message that may turn need not.
  virtual bool may_stay() const = 0;

  bool by_groups() const { return grouped_ != nullptr; }
  /// A random way-point, from any 64 random bits; by groups it is in neither that of the source nor
  /// that of the destination, and there is none for messages within a group.
  VertexId way_point(const Hop& hop, std::uint64_t draw) const;
  /// The next link to the way-point, which is forgotten once it is reached, or to the end.
  LinkId follow(Hop& hop) const;

 private:
  bool reached(const Hop& hop) const {
    if (hop.via == hop.at) return true;
    return by_groups() && hop.via != kNoVertex && topology_.is_switch(hop.at) &&
           grouped_->group(hop.at) == grouped_->group(hop.via);
  }
  template <class Use>
  void for_way_points(const Hop& hop, Use use) const;
  void add_way(Hop hop, VertexId via, std::vector<Way>& out) const;

  const Grouped* grouped_ = nullptr;
};

}  // namespace heddle::platform
