#include "platform/routing.hpp"

#include "core/random.hpp"

namespace heddle::platform {
namespace {

/// The topology's own deterministic minimal route: D-mod-K, dimension order, shortest path.
class MinimalRouting final : public Routing {
 public:
  explicit MinimalRouting(const Topology& topology) : topology_(topology) {}
  LinkId next(Hop& hop, const LoadView&) const override { return topology_.output(hop); }

 private:
  const Topology& topology_;
};

/// The least loaded of the minimal outputs; among equals the one the deterministic routing takes,
/// else the first.
class AdaptiveRouting final : public Routing {
 public:
  explicit AdaptiveRouting(const Topology& topology) : topology_(topology) {}
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

 private:
  const Topology& topology_;
  mutable LinkSet outputs_;  ///< Of the last call: kept for its memory.
};

/// Minimally to a random switch, then minimally to the destination.
class ValiantRouting final : public Routing {
 public:
  explicit ValiantRouting(const Topology& topology) : topology_(topology) {}
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

 private:
  const Topology& topology_;
};

template <class R>
std::unique_ptr<const Routing> make(const Topology& topology) {
  return std::make_unique<R>(topology);
}

}  // namespace

const std::vector<RoutingKind>& routing_kinds() {
  static const std::vector<RoutingKind> kinds = {
      {"minimal", "the topology's deterministic shortest route (D-mod-K, dimension order, ...)",
       make<MinimalRouting>},
      {"adaptive", "the least loaded of the minimal outputs, hop by hop", make<AdaptiveRouting>},
      {"valiant", "minimally to a random switch, then minimally to the destination",
       make<ValiantRouting>},
  };
  return kinds;
}

std::unique_ptr<const Routing> make_routing(std::string_view name, const Topology& topology,
                                            const SourceLocation& where) {
  std::vector<std::string> names;
  for (const RoutingKind& kind : routing_kinds()) {
    names.emplace_back(kind.name);
    if (kind.name != name) continue;
    if (name == "valiant" && !topology.routes_to_switches()) {
      throw InputError(where, "routing 'valiant' cannot be used with this topology (" +
                                  topology.describe() +
                                  "): accepted here are minimal and adaptive");
    }
    return kind.make(topology);
  }
  throw InputError(where, "unknown routing '" + std::string(name) + "'" +
                              did_you_mean(name, names) + ": accepted are " + joined(names));
}

}  // namespace heddle::platform
