#include "platform/routing/least_loaded.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::platform {
namespace {

enum class SprayBy { random, round_robin, least_loaded };
struct SprayConfig {
  SprayBy by = SprayBy::random;
};

const ParamTable<SprayConfig>& spray_table() {
  static const auto table = [] {
    ParamTable<SprayConfig> t("spray",
                              "routing spray: packets of a message over all shortest ways");
    t.add_choice("by", &SprayConfig::by, "random",
                 {{"random", SprayBy::random},
                  {"round-robin", SprayBy::round_robin},
                  {"least-loaded", SprayBy::least_loaded}},
                 "how a switch chooses; least-loaded: of equals a random one");
    return t;
  }();
  return table;
}

/// How many have been led on, by vertex.
class Turns final : public RouteNotes {
 public:
  explicit Turns(std::uint32_t vertices) : of_(vertices) {}
  std::uint32_t next(VertexId at) { return of_[index(at)]++; }

 private:
  std::vector<std::uint32_t> of_;
};

class SprayRouting final : public MinimalChoice {
 public:
  SprayRouting(const Topology& topology, const Settings& settings)
      : MinimalChoice(topology), config_(settings.get(spray_table())) {}
  LinkId next(Hop& hop, const LoadView& loads) const override {
    const LinkSet& links = outputs(hop);
    if (links.size() == 1) return links[0];
    if (config_.by == SprayBy::round_robin) {
      auto* const turns = static_cast<Turns*>(loads.notes());
      return links[(turns == nullptr ? 0 : turns->next(hop.at)) % links.size()];
    }
    const std::uint64_t draw = scrambled(hop.salt, index(hop.at));
    return config_.by == SprayBy::random ? links[draw % links.size()]
                                         : least_loaded(links, loads, draw);
  }
  std::unique_ptr<RouteNotes> new_notes() const override {
    if (config_.by != SprayBy::round_robin) return nullptr;
    return std::make_unique<Turns>(topology_.vertices());
  }

 private:
  SprayConfig config_;
};

}  // namespace

const RoutingKind& spray_routing() {
  static const RoutingKind kind = routing_kind<SprayRouting>(
      10, "spray",
      "each packet by another of the minimal outputs: random, in turn, or least loaded",
      &spray_table());
  return kind;
}

}  // namespace heddle::platform
