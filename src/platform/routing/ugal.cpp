#include "platform/routing/ugal.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace heddle::platform {

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
      scope_(scope) {}

std::int64_t Ugal::load(LinkId link, const LoadView& loads) const {
  if (config_.load == UgalLoad::queue) return loads.load(link);
  const std::int64_t both = loads.backlog(link);
  return config_.load == UgalLoad::credits ? both : both - loads.load(link);
}

Ugal::Estimate Ugal::estimate(Hop hop, const LoadView& loads) const {
  Estimate found;
  for (;; ++hop.step) {
    const LinkId link = follow(hop);
    hop.at = topology_.after(hop, link);
    if (hop.at == hop.to) return found;
    if (found.links == 0 || scope_ == Scope::global) {
      found.load = std::max(found.load, load(link, loads));
    }
    ++found.links;
  }
}

void Ugal::turn(Hop& hop, const LoadView& loads) const {
  const Estimate minimal = estimate(hop, loads);
  const std::int64_t cost = minimal.load * config_.minimal_weight.value_or(minimal.links) -
                            loads.worth(config_.threshold);
  if (minimal.links == 0 || cost <= 0) return;
  const std::uint64_t pair = index(hop.from) << 32 | index(hop.to);
  RandomStream draws = RandomStream(pair).split(hop.salt).split(hop.step);
  std::int64_t least = cost;
  const Hop here = hop;
  for (std::int64_t i = 0; i < config_.candidates; ++i) {
    Hop detour = here;
    detour.via = way_point(here, draws.next());
    if (detour.via == kNoVertex) return;
    const Estimate found = estimate(detour, loads);
    const std::int64_t other = found.load * config_.detour_weight.value_or(found.links);
    if (other >= least) continue;
    least = other;
    hop.via = detour.via;
  }
}

}  // namespace heddle::platform
