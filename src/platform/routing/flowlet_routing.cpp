#include <unordered_map>

#include "platform/routing/least_loaded.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

enum class FlowletBy { random, least_loaded };
struct FlowletConfig {
  Time gap;
  FlowletBy by = FlowletBy::random;
};

const ParamTable<FlowletConfig>& flowlet_table() {
  static const auto table = [] {
    ParamTable<FlowletConfig> t("flowlet", "routing flowlet: another way after a pause");
    t.add("gap", &FlowletConfig::gap, "500ns", {"", "1000s"},
          "pause of what goes from one node to another, seen at a switch, after which it may take "
          "another way; as long as ways differ, it keeps the order");
    t.add_choice("by", &FlowletConfig::by, "random",
                 {{"random", FlowletBy::random}, {"least-loaded", FlowletBy::least_loaded}},
                 "how that is chosen; least-loaded: of equals a random one");
    return t;
  }();
  return table;
}

/// The output that each flow has at each vertex, and since when it was not used.
class Flowlets final : public RouteNotes {
 public:
  struct Flowlet {
    LinkId link = kNoLink;
    Time last;
  };
  Flowlet& of(const Hop& hop) {
    return of_[{static_cast<std::uint32_t>(hop.at), index(hop.from) << 32 | index(hop.to)}];
  }

 private:
  struct Key {
    std::uint32_t at;
    std::uint64_t flow;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return scrambled(key.flow, key.at); }
  };
  std::unordered_map<Key, Flowlet, Hash> of_;  ///< Looked up only.
};

class FlowletRouting final : public MinimalChoice {
 public:
  FlowletRouting(const Topology& topology, const Settings& settings)
      : MinimalChoice(topology), config_(settings.get(flowlet_table())) {}
  LinkId next(Hop& hop, const LoadView& loads) const override {
    const LinkSet& links = outputs(hop);
    if (links.size() == 1) return links[0];
    auto* const flowlets = static_cast<Flowlets*>(loads.notes());
    if (flowlets == nullptr) return choose(hop, links, loads);
    Flowlets::Flowlet& flowlet = flowlets->of(hop);
    if (flowlet.link == kNoLink || loads.now() - flowlet.last > config_.gap) {
      flowlet.link = choose(hop, links, loads);
    }
    flowlet.last = loads.now();
    return flowlet.link;
  }
  std::unique_ptr<RouteNotes> new_notes() const override { return std::make_unique<Flowlets>(); }

 private:
  LinkId choose(const Hop& hop, const LinkSet& links, const LoadView& loads) const {
    const std::uint64_t draw = scrambled(hop.salt, index(hop.at));
    return config_.by == FlowletBy::random ? links[draw % links.size()]
                                           : least_loaded(links, loads, draw);
  }

  FlowletConfig config_;
};

}  // namespace

const RoutingKind& flowlet_routing() {
  static const RoutingKind kind = routing_kind<FlowletRouting>(
      11, "flowlet", "another of the minimal outputs when nothing came for a while",
      &flowlet_table());
  return kind;
}

}  // namespace heddle::platform
