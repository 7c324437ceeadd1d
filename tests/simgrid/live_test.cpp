// Random flow scenarios through SimGrid itself and through the fluid model, side by side.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <simgrid/s4u.hpp>

#include "core/random.hpp"
#include "network/flow_scenario.hpp"
#include "simgrid/apart.hpp"
#include "simgrid/engine.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

namespace sg = simgrid::s4u;

/// A scenario and the model's options, for both sides.
struct Case {
  FlowScenario scenario;
  FluidConfig config = simgrid_fluid();
  std::string precision = "1e-9";  ///< Of SimGrid's solver.
  std::string update = "Lazy";     ///< Which shares SimGrid computes again: Lazy or Full.
};

// --- SimGrid's side
// -------------------------------------------------------------------------------

std::vector<sg::Host*> build_platform(const FlowScenario& scenario) {
  sg::NetZone* zone = sg::create_full_zone("world");
  std::vector<sg::Host*> hosts;
  for (std::uint32_t i = 0; i < scenario.hosts; ++i) {
    hosts.push_back(zone->create_host("h" + std::to_string(i), 1e9));
  }
  std::vector<sg::Link*> links;
  for (const FlowScenario::Link& link : scenario.links) {
    sg::Link* made = zone->create_link("l" + std::to_string(links.size()),
                                       static_cast<double>(link.bytes_per_second));
    made->set_latency(static_cast<double>(link.latency_ps) * 1e-12);
    if (!link.shared) made->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE);
    links.push_back(made->seal());
  }
  for (const auto& [pair, route] : scenario.routes) {
    std::vector<sg::LinkInRoute> list;
    for (const std::uint32_t link : route) list.emplace_back(links[link]);
    zone->add_route(hosts[pair.first]->get_netpoint(), hosts[pair.second]->get_netpoint(), nullptr,
                    nullptr, list, false);
  }
  zone->seal();
  return hosts;
}

/// Runs the scenario in SimGrid; only once per process.
std::vector<double> simgrid_finish(const Case& subject) {
  SimGridEngine engine(subject.config, {"--cfg=maxmin/precision:" + subject.precision,
                                        "--cfg=network/optim:" + subject.update});
  const std::vector<sg::Host*> hosts = build_platform(subject.scenario);
  return engine.finish(subject.scenario.flows, [&](std::uint32_t number) { return hosts[number]; });
}

/// The same in a child process.
std::optional<std::vector<double>> simgrid_finish_apart(const Case& subject) {
  return run_apart(subject.scenario.flows.size(), [&] { return simgrid_finish(subject); });
}

// --- Random scenarios
// -----------------------------------------------------------------------------

/// Draws scenarios from all that both sides understand alike. SimGrid forgets a flow's own cap
/// where there is latency but no window, and on a link that only caps each flow (FATPIPE) it stops
/// all flows when the one with the largest weight is at the cap, so these are not mixed.
class Scenarios {
 public:
  explicit Scenarios(std::uint64_t seed) : random_(seed) {}

  Case draw() {
    Case result;
    latency_ = below(2) == 0;
    draw_options(result.config);
    make_links(result.scenario, !latency_ && params_of(result.config).cross_traffic == 0);
    draw_flows(result.scenario, !latency_ || result.config.tcp_gamma > Bytes(0));
    return result;
  }

 private:
  std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>(random_.below(bound));
  }

  /// A third each: a star, a ring with the shorter way round, and routes of arbitrary links.
  void make_links(FlowScenario& s, bool may_cap) {
    s.hosts = 3 + below(10);
    const std::uint32_t kind = below(3);
    const std::uint32_t links = kind == 2 ? 4 + below(20) : 2 * s.hosts;
    const bool equal = below(2) == 0;
    for (std::uint32_t i = 0; i < links; ++i) s.links.push_back(draw_link(equal, may_cap));
    for (std::uint32_t a = 0; a < s.hosts; ++a) {
      for (std::uint32_t b = 0; b < s.hosts; ++b) {
        if (a == b) continue;
        if (kind == 0) s.routes[{a, b}] = {2 * a, 2 * b + 1};
        if (kind == 1) s.routes[{a, b}] = around(a, b, s.hosts);
        if (kind == 2) s.routes[{a, b}] = any_links(links);
      }
    }
  }
  FlowScenario::Link draw_link(bool equal, bool may_cap) {
    const std::int64_t bandwidth = equal ? 12'500'000'000 : 1'000'000'000 * (1 + below(20));
    return {bandwidth, latency_ ? 1000 * (1 + below(3000)) : 0, !may_cap || below(5) > 0};
  }
  static std::vector<std::uint32_t> around(std::uint32_t from, std::uint32_t to, std::uint32_t n) {
    std::vector<std::uint32_t> route;
    const bool up = (to + n - from) % n <= n / 2;
    for (std::uint32_t at = from; at != to; at = (at + (up ? 1 : n - 1)) % n) {
      route.push_back(up ? 2 * at : 2 * at + 1);
    }
    return route;
  }
  std::vector<std::uint32_t> any_links(std::uint32_t links) {
    std::set<std::uint32_t> set;
    for (std::uint32_t n = 1 + below(4); n > 0; --n) set.insert(below(links));
    return {set.begin(), set.end()};
  }
  void draw_flows(FlowScenario& s, bool may_cap) {
    const bool together = below(3) == 0;
    const bool capped = may_cap && below(2) == 0;
    for (std::uint32_t n = 5 + below(60); n > 0; --n) {
      const std::uint32_t from = below(s.hosts);
      const std::uint32_t to = (from + 1 + below(s.hosts - 1)) % s.hosts;
      const std::int64_t start = together ? 0 : 1'000'000LL * below(10'000);
      const std::int64_t cap = capped && below(2) ? 100'000'000LL * (1 + below(50)) : 0;
      s.flows.push_back({from, to, start, 1000 + below(50'000'000), cap});
    }
  }
  void draw_options(FluidConfig& config) {
    if (below(3) == 0) config.weight_s = Bytes(1 + below(20'000));
    if (below(3) == 0) config.tcp_gamma = Bytes(1000 + below(100'000));
    if (below(3) == 0) config.cross_traffic = 0.05;
    if (below(4) == 0) config.latency_factor = 1 + 0.25 * below(40);
    if (below(4) == 0) config.bandwidth_factor = 0.5 + 0.03125 * below(20);
  }

  RandomStream random_;
  bool latency_ = false;
};

double worst_deviation(const Case& subject, const std::vector<double>& expected) {
  const FlowRun run(subject.scenario, subject.config);
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, deviation(run.finish()[i], expected[i]));
  }
  return worst;
}

/// Whether SimGrid, asked again with a finer precision of its solver, gives up.
bool simgrid_wavers(Case subject) {
  subject.precision = "1e-11";
  return !simgrid_finish_apart(subject);
}

// Random topologies, sizes, starts, caps and options: every flow ends when SimGrid says, to 1e-9 of
// the time or 10 ps, whichever is larger. Where we differ, SimGrid must stand by its answer: a case
// that its own solver cannot do more precisely is left out, like those that it gives up at once.
TEST(SimGridLive, RandomScenariosEndAlike) {
  constexpr int kScenarios = 300;
  double worst = 0;
  std::size_t flows = 0;
  int given_up = 0;
  for (int seed = 0; seed < kScenarios; ++seed) {
    const Case subject = Scenarios(static_cast<std::uint64_t>(seed)).draw();
    const auto expected = simgrid_finish_apart(subject);
    if (!expected) {
      ++given_up;
      continue;
    }
    const double worst_here = worst_deviation(subject, *expected);
    if (worst_here > 1 && simgrid_wavers(subject)) {
      ++given_up;
      continue;
    }
    EXPECT_LE(worst_here, 1) << "seed " << seed;
    worst = std::max(worst, worst_here);
    flows += expected->size();
  }
  validation_row("Fluid network against SimGrid, live",
                 fmt::format("{} random scenarios, {} flows (SimGrid gave up {})", kScenarios,
                             flows, given_up),
                 "finish times", "finish times", fmt::format("{:.3f} of the tolerance", worst),
                 "1e-9 or 10 ps");
  EXPECT_LT(given_up, kScenarios / 10);
}

/// 64 nodes, 8 on each of 8 leaves, 8 spines; the spine is the destination modulo 8.
FlowScenario fat_tree_scenario() {
  FlowScenario s;
  s.hosts = 64;
  const auto leaf = [](std::uint32_t host) { return host / 8; };
  for (int link = 0; link < 4 * 64; ++link) s.links.push_back({12'500'000'000, 1'000'000, true});
  for (std::uint32_t a = 0; a < 64; ++a) {
    for (std::uint32_t b = 0; b < 64; ++b) {
      if (a == b) continue;
      auto& route = s.routes[{a, b}];
      route = {a, 64 + b};
      if (leaf(a) == leaf(b)) continue;
      const std::uint32_t spine = b % 8;
      route = {a, 128 + 8 * leaf(a) + spine, 192 + 8 * leaf(b) + spine, 64 + b};
    }
  }
  RandomStream random(1000);
  for (int flow = 0; flow < 1000; ++flow) {
    const auto from = static_cast<std::uint32_t>(random.below(64));
    const auto to = static_cast<std::uint32_t>((from + 1 + random.below(63)) % 64);
    s.flows.push_back(
        {from, to, 0, static_cast<std::int64_t>(1'000'000 + random.below(9'000'000)), 0});
  }
  return s;
}

// A thousand flows at once on a fat tree, those within a leaf with half the latency of the others:
// every one ends when SimGrid's full update says. (Its default, lazy update leaves some shares as
// they were here and is up to some percent off.)
TEST(SimGridLive, AThousandFlowsOnAFatTreeEndAlike) {
  Case subject{fat_tree_scenario()};
  subject.update = "Full";
  const auto expected = simgrid_finish_apart(subject);
  ASSERT_TRUE(expected);
  const double worst = worst_deviation(subject, *expected);
  validation_row("Fluid network against SimGrid, live",
                 "1000 flows at once on a fat tree of 64 nodes, full update", "finish times",
                 "finish times", fmt::format("{:.3f} of the tolerance", worst), "1e-9 or 10 ps");
  EXPECT_LE(worst, 1);
}

}  // namespace
}  // namespace heddle::network
