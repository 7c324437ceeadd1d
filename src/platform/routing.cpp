#include "platform/routing.hpp"

#include "core/random.hpp"

namespace heddle::platform {
namespace {

/// What routing functions share: the topology they choose from. One that does not suit every
/// topology has a suits() of its own.
class TopologyRouting : public Routing {
 public:
  explicit TopologyRouting(const Topology& topology) : topology_(topology) {}
  static bool suits(const Topology&) { return true; }

 protected:
  const Topology& topology_;
};

/// The topology's own deterministic minimal route: D-mod-K, dimension order, shortest path.
class MinimalRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  LinkId next(Hop& hop, const LoadView&) const override { return topology_.output(hop); }
  RouteChoice choice() const override { return RouteChoice::fixed; }
};

/// The same, but of two ways that are equally short each message draws one.
class DrawnRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  static bool suits(const Topology& topology) { return topology.has_ties(); }
  LinkId next(Hop& hop, const LoadView&) const override {
    const LinkId other = topology_.tied_output(hop);
    const bool draws = other != kNoLink;
    if (draws && RandomStream(index(hop.at)).split(hop.salt).next() % 2 != 0) return other;
    return topology_.output(hop);
  }
  RouteChoice choice() const override { return RouteChoice::drawn; }
};

/// The least loaded of the minimal outputs; among equals the one the deterministic routing takes,
/// else the first.
class AdaptiveRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  LinkId next(Hop& hop, const LoadView& loads) const override {
    outputs_.clear();
    topology_.minimal_outputs(hop, outputs_);
    LinkId best = topology_.output(hop);
    std::int64_t least = loads.load(best);
    for (const LinkId link : outputs_) {
      const std::int64_t load = loads.load(link);
      if (load < least) {
        least = load;
        best = link;
      }
    }
    return best;
  }
  RouteChoice choice() const override { return RouteChoice::adaptive; }

 private:
  mutable LinkSet outputs_;  ///< Of the last call: kept for its memory.
};

/// Minimally to a random switch, then minimally to the destination.
class ValiantRouting final : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  static bool suits(const Topology& topology) { return topology.routes_to_switches(); }
  LinkId next(Hop& hop, const LoadView&) const override {
    if (hop.step == 0) {
      const std::uint64_t pair = index(hop.from) << 32 | index(hop.to);
      hop.via = topology_.detour(RandomStream(pair).split(hop.salt).next());
    }
    if (hop.via == hop.at) hop.via = kNoVertex;
    if (hop.via == kNoVertex) return topology_.output(hop);
    Hop leg = hop;
    leg.to = hop.via;
    return topology_.output(leg);
  }
  RouteChoice choice() const override { return RouteChoice::detour; }
};

template <class R>
RoutingKind kind(std::string_view name, std::string_view about) {
  const auto make = [](const Topology& topology) -> std::unique_ptr<const Routing> {
    return std::make_unique<R>(topology);
  };
  return {name, about, R::suits, make};
}

std::vector<std::string> names_of(const std::vector<RoutingKind>& kinds) {
  std::vector<std::string> names;
  for (const RoutingKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

/// The kinds that `topology` can do.
std::vector<RoutingKind> suitable(const Topology& topology) {
  std::vector<RoutingKind> kinds = routing_kinds();
  std::erase_if(kinds, [&](const RoutingKind& kind) { return !kind.suits(topology); });
  return kinds;
}

}  // namespace

const std::vector<RoutingKind>& routing_kinds() {
  static const std::vector<RoutingKind> kinds = {
      kind<MinimalRouting>(
          "minimal", "the topology's deterministic shortest route (D-mod-K, dimension order, ...)"),
      kind<DrawnRouting>("minimal-drawn",
                         "like minimal, but where two ways round a ring of a torus are equally "
                         "short each message draws one"),
      kind<AdaptiveRouting>("adaptive", "the least loaded of the minimal outputs, hop by hop"),
      kind<ValiantRouting>("valiant",
                           "minimally to a random switch, then minimally to the destination"),
  };
  return kinds;
}

std::unique_ptr<const Routing> make_routing(std::string_view name, const Topology& topology,
                                            const SourceLocation& where) {
  for (const RoutingKind& kind : routing_kinds()) {
    if (kind.name != name) continue;
    if (kind.suits(topology)) return kind.make(topology);
    throw InputError(where, "routing '" + std::string(name) +
                                "' cannot be used with this topology (" + topology.describe() +
                                "): accepted here are " + joined(names_of(suitable(topology))));
  }
  const std::vector<std::string> names = names_of(routing_kinds());
  throw InputError(where, "unknown routing '" + std::string(name) + "'" +
                              did_you_mean(name, names) + ": accepted are " + joined(names));
}

}  // namespace heddle::platform
