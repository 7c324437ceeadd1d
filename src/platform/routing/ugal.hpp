// Universal globally adaptive load-balancing: minimally, or by a detour where that is less loaded.
#pragma once

#include <optional>
#include <vector>

#include "platform/routing/detours.hpp"

namespace heddle::platform {

/// What is taken for the load of a link.
enum class UgalLoad { queue, credits, sent };

/// Defaults and meanings stand in ugal_table().
struct UgalConfig {
  UgalLoad load = UgalLoad::credits;
  DetourBy via = DetourBy::groups;
  std::int64_t candidates;
  Time threshold;
  std::optional<std::int64_t> minimal_weight;  ///< Not given: links of the route.
  std::optional<std::int64_t> detour_weight;
};
const ParamTable<UgalConfig>& ugal_table();

/// Goes minimally unless the minimal way, its load times its weight, is worse than the best of some
/// random detours and a threshold.
class Ugal : public Detours {
 public:
  /// Which links of a way count: the first, or the most loaded.
  enum class Scope { local, global };
  /// Detours go by way of what the settings say, unless `by` is given.
  Ugal(const Topology& topology, const Settings& settings, Scope scope,
       std::optional<DetourBy> by = std::nullopt);
  LinkId next(Hop& hop, const LoadView& loads) const final {
    return is_settled(hop) ? follow(hop) : turn(hop, loads);
  }
  bool is_settled(const Hop& hop) const final { return hop.via != kNoVertex || !may_turn(hop); }

 protected:
  /// At the switch of the source.
  bool may_turn(const Hop& hop) const override {
    return hop.step == 1 && topology_.is_switch(hop.at);
  }
  bool may_stay() const final { return true; }

 private:
  /// A way from here to the destination.
  struct Estimate {
    LinkId first;
    VertexId via;  ///< Way-point that is left behind that link.
    std::int64_t load = 0;
    std::int64_t links = 0;  ///< But for the destination's own.
    std::int64_t cost = 0;   ///< Load times weight.
  };

  LinkId turn(Hop& hop, const LoadView& loads) const;
  Estimate estimate(Hop hop, std::optional<std::int64_t> weight, std::int64_t enough,
                    const LoadView& loads) const;
  std::int64_t load(LinkId link, const LoadView& loads) const;
  VertexId after(const Hop& hop, LinkId link) const {
    return ends_.empty() ? topology_.after(hop, link) : ends_[index(link)];
  }

  UgalConfig config_;
  Scope scope_;
  std::vector<VertexId> ends_;  ///< Where each link leads; empty where there are very many.
};

}  // namespace heddle::platform
