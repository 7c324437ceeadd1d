#include "platform/platform.hpp"
#include "platform/routing/topology_routing.hpp"
#include "platform/routing/up_down.hpp"

namespace heddle::platform {
namespace {

struct UpDownConfig {
  std::string root;
};

const ParamTable<UpDownConfig>& up_down_table() {
  static const auto table = [] {
    ParamTable<UpDownConfig> t("up-down", "routing up-down: towards a root, then away from it");
    t.add("root", &UpDownConfig::root, "auto", {},
          "name of the switch that is the root; auto: the lowest of those in the middle");
    return t;
  }();
  return table;
}

/// The root that is asked for; none: any.
VertexId root_of(const Topology& topology, const Settings& settings) {
  const std::string name = settings.get(up_down_table()).root;
  if (name == "auto") return kNoVertex;
  const std::optional<VertexId> found = topology.find(name);
  if (found && topology.is_switch(*found)) return *found;
  throw InputError(settings.where("up-down.root"),
                   "there is no switch '" + name + "': accepted are auto and names of switches, " +
                       "such as " + topology.name(VertexId{topology.nodes()}));
}

/// By the shortest ways that go up first and down then; of several each destination has one. The
/// way-point of a message that has begun to go down is its destination.
class UpDownRouting final : public TopologyRouting {
 public:
  UpDownRouting(const Topology& topology, const Settings& settings)
      : TopologyRouting(topology), graph_(topology, root_of(topology, settings)) {}
  static bool suits(const Topology& topology) {
    if (topology.switches() == 0) return false;
    for (std::uint32_t l = 0; l < topology.links(); ++l) {
      const LinkEnds ends = topology.ends(LinkId{l});
      if (ends.from == kNoVertex || ends.to == kNoVertex) return false;
    }
    return true;
  }
  LinkId next(Hop& hop, const LoadView&) const override {
    outputs_.clear();
    graph_.outputs(hop.at, hop.to, hop.via == hop.to, outputs_);
    if (outputs_.empty()) throw no_way(hop);
    const LinkId link = outputs_[index(hop.to) % outputs_.size()];
    if (!graph_.is_up(link)) hop.via = hop.to;
    return link;
  }
  void ways(const Hop& hop, std::vector<Way>& out) const override {
    Hop after = hop;
    const LinkId link = next(after, NoLoads{});
    out.push_back({link, after.via});
  }
  RouteChoice choice() const override { return RouteChoice::own; }
  bool can_wait_in_circles() const override { return false; }
  std::uint32_t longest_route() const override { return graph_.longest(); }

 private:
  InputError no_way(const Hop& hop) const {
    return InputError(
        {}, "there is no way from " + topology_.name(hop.at) + " to " + topology_.name(hop.to));
  }
  mutable UpDownGraph graph_;  ///< Keeps what was asked for.
  mutable std::vector<LinkId> outputs_;
};

}  // namespace

const RoutingKind& up_down_routing() {
  static const RoutingKind kind = routing_kind<UpDownRouting>(
      12, "up-down", "the shortest way towards a root, then away from it: no circles in any graph",
      &up_down_table());
  return kind;
}

}  // namespace heddle::platform
