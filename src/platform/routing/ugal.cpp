#include "platform/routing/ugal.hpp"

#include <algorithm>
#include <limits>

#include <algorithm>

#include "core/random.hpp"

namespace heddle::platform {
namespace {

constexpr std::uint32_t kMostTabled = 1U << 22;

}  // namespace

const ParamTable<UgalConfig>& ugal_table() {
  using C = UgalConfig;
  static const auto table = [] {
    ParamTable<C> t("ugal", "routings ugal-l, ugal-g and par: minimally or by a detour");
    t.add_choice(
        "load", &C::load, "credits",
        {{"credits", UgalLoad::credits}, {"queue", UgalLoad::queue}, {"sent", UgalLoad::sent}},
        "the load q of a link, a time; queue: of what waits for it; sent: of what has been "
        "let through to it and, by its credits, is still in the buffer at its end; "
        "credits: of both");
    t.add_choice(
        "via", &C::via, "group", {{"group", DetourBy::groups}, {"switch", DetourBy::switches}},
        "what a detour goes by way of; a switch where there are no groups; par: always a group");
    t.add("candidates", &C::candidates, "1", {"1", "1000"},
          "random detours of which the best is taken");
    t.add("threshold", &C::threshold, "0ns", {"", "1000s"},
          "T: a message goes minimally if q_min * H_min <= q_detour * H_detour + T");
    t.add("minimal_weight", &C::minimal_weight, "auto", {"0", "1M"},
          "H_min; auto: links between switches that the minimal route has left");
    t.add("detour_weight", &C::detour_weight, "auto", {"0", "1M"}, "H_detour; auto: likewise");
    return t;
  }();
  return table;
}

Ugal::Ugal(const Topology& topology, const Settings& settings, Scope scope,
           std::optional<DetourBy> by)
    : Detours(topology, by.value_or(settings.get(ugal_table()).via)),
      config_(settings.get(ugal_table())),
      scope_(scope) {
  if (topology.links() > kMostTabled) return;
  ends_.reserve(topology.links());
  for (std::uint32_t link = 0; link < topology.links(); ++link) {
    ends_.push_back(topology.ends(LinkId{link}).to);
  }
}

std::int64_t Ugal::load(LinkId link, const LoadView& loads) const {
  if (config_.load == UgalLoad::queue) return loads.load(link);
  const std::int64_t both = loads.backlog(link);
  return config_.load == UgalLoad::credits ? both : both - loads.load(link);
}

/// Followed to its end, or until it is known to cost at least `enough`: it never gets cheaper.
Ugal::Estimate Ugal::estimate(Hop hop, std::optional<std::int64_t> weight, std::int64_t enough,
                              const LoadView& loads) const {
  Estimate found{follow(hop), hop.via};
  hop.at = after(hop, found.first);
  if (hop.at == hop.to) return found;
  found.load = load(found.first, loads);
  const bool local = scope_ == Scope::local;
  for (;;) {
    ++found.links;
    found.cost = found.load * weight.value_or(found.links);
    if (found.cost >= enough || (local && (weight || found.load == 0))) return found;
    ++hop.step;
    const LinkId link = follow(hop);
    hop.at = after(hop, link);
    if (hop.at == hop.to) return found;
    if (!local) found.load = std::max(found.load, load(link, loads));
  }
}

/// The first link of the way that is chosen.
LinkId Ugal::turn(Hop& hop, const LoadView& loads) const {
  const Estimate minimal =
      estimate(hop, config_.minimal_weight, std::numeric_limits<std::int64_t>::max(), loads);
  std::int64_t least = minimal.cost - loads.worth(config_.threshold);
  if (minimal.links == 0 || least <= 0) return minimal.first;
  const std::uint64_t pair = index(hop.from) << 32 | index(hop.to);
  RandomStream draws = RandomStream(pair).split(hop.salt).split(hop.step);
  LinkId chosen = minimal.first;
  const Hop here = hop;
  for (std::int64_t i = 0; i < config_.candidates; ++i) {
    Hop detour = here;
    detour.via = way_point(here, draws.next());
    if (detour.via == kNoVertex) return minimal.first;
    const Estimate found = estimate(detour, config_.detour_weight, least, loads);
    if (found.cost >= least) continue;
    least = found.cost;
    chosen = found.first;
    hop.via = found.via;
  }
  return chosen;
}

}  // namespace heddle::platform
