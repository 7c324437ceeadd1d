// The routing functions that choose, each by its rule.
#include "platform/routing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/error.hpp"
#include "platform/grouped.hpp"
#include "platform/topology/dragonfly.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology_checks.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

std::unique_ptr<const Topology> shape(const std::string& kind,
                                      const std::vector<std::string>& assignments) {
  Settings settings(topology_sections());
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  return make_topology(kind, settings);
}

std::vector<std::unique_ptr<const Topology>> small_shapes() {
  std::vector<std::unique_ptr<const Topology>> all;
  const auto add = [&](const std::string& kind, const std::vector<std::string>& assignments) {
    all.push_back(shape(kind, assignments));
  };
  add("single-switch", {"single-switch.nodes=3"});
  add("fat-tree", {"fat-tree.arity=2", "fat-tree.levels=3"});
  add("torus", {"torus.dims=4x3"});
  add("mesh", {"mesh.dims=3x3"});
  add("hyperx", {"hyperx.dims=3x3"});
  add("dragonfly", {"dragonfly.nodes_per_switch=1"});
  add("dragonfly", {"dragonfly.nodes_per_switch=1", "dragonfly.switches_per_group=4",
                    "dragonfly.groups=4", "dragonfly.global_per_switch=2"});
  add("dragonfly-plus", {"dragonfly-plus.groups=5", "dragonfly-plus.leaves_per_group=2",
                         "dragonfly-plus.spines_per_group=2", "dragonfly-plus.global_per_spine=2",
                         "dragonfly-plus.nodes_per_leaf=1"});
  add("slim-fly", {"slim-fly.q=3", "slim-fly.nodes_per_switch=1"});
  add("jellyfish", {"jellyfish.switches=14", "jellyfish.ports=3", "jellyfish.nodes_per_switch=1"});
  return all;
}

std::unique_ptr<const Routing> routing(const std::string& name, const Topology& topology,
                                       const std::vector<std::string>& assignments = {}) {
  Settings settings(routing_sections());
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  return make_routing(name, topology, {}, settings);
}

/// Loads that a test gives, and a clock and notes as a network keeps them.
class GivenLoads final : public LoadView {
 public:
  GivenLoads() = default;
  explicit GivenLoads(const Routing& routing) : notes_(routing.new_notes()) {}
  std::int64_t load(LinkId link) const override {
    const auto it = given.find(link);
    return it == given.end() ? 0 : it->second;
  }
  std::int64_t backlog(LinkId link) const override { return load(link) + beyond; }
  Time now() const override { return clock; }
  RouteNotes* notes() const override { return notes_.get(); }

  std::map<LinkId, std::int64_t> given;
  std::int64_t beyond = 0;
  Time clock;

 private:
  std::unique_ptr<RouteNotes> notes_;
};

bool is_among(const std::vector<Way>& ways, const Way& way) {
  return std::any_of(ways.begin(), ways.end(), [&](const Way& other) {
    return other.link == way.link && other.via == way.via;
  });
}

/// Where a routing says that it is settled, it gives the same answer when nothing is loaded.
void check_settled(const Routing& routing, const Hop& before, LinkId link, VertexId via) {
  if (!routing.is_settled(before)) return;
  Hop again = before;
  EXPECT_EQ(routing.next(again, NoLoads()), link);
  EXPECT_EQ(again.via, via);
}

/// Follows one message: each of its links is a way that the routing has told of, and there are not
/// more of them than it has told.
void check_route(const Topology& t, const Routing& routing, const Hop& start, const LoadView& loads,
                 std::uint32_t longest) {
  Hop hop = start;
  std::vector<Way> ways;
  while (hop.at != hop.to) {
    ways.clear();
    routing.ways(hop, ways);
    const Hop before = hop;
    const LinkId link = routing.next(hop, loads);
    check_settled(routing, before, link, hop.via);
    ASSERT_EQ(t.ends(link).from, hop.at);
    ASSERT_TRUE(is_among(ways, {link, hop.via})) << t.link_name(link);
    hop.at = t.after(hop, link);
    ASSERT_LE(++hop.step, longest);
  }
}

// Every routing leads between all nodes of every shape that it suits, whatever is loaded.
TEST(Routings, LeadBetweenAllNodesOfAllShapes) {
  const ScatteredLoads loads;
  for (const auto& t : small_shapes()) {
    for (const RoutingKind& kind : routing_kinds()) {
      if (!kind.suits(*t)) continue;
      SCOPED_TRACE(t->describe() + ", " + std::string(kind.name));
      const auto made = routing(std::string(kind.name), *t);
      const std::uint32_t longest = made->longest_route();
      for (std::uint32_t from = 0; from < t->nodes(); ++from) {
        for (std::uint32_t to = 0; to < t->nodes(); ++to) {
          const VertexId source{from};
          check_route(*t, *made, {source, source, VertexId{to}, 0, from + 31 * to}, loads, longest);
        }
      }
    }
  }
}

// By groups, or by a rule that looks at them, only where there are some; up and down only where
// there is a switch to be the root.
TEST(Routings, SayWhichShapesTheySuit) {
  const auto torus = shape("torus", {"torus.dims=4x4"});
  for (const std::string name : {"valiant-group", "par"}) {
    try {
      make_routing(name, *torus);
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr("accepted here are minimal, minimal-drawn, adaptive, "
                            "valiant, ugal-l, ugal-g, ecmp, spray, flowlet, up-down"));
    }
  }
}

/// Nine groups of four switches with two nodes and two global cables each.
Dragonfly dragonfly72() {
  return Dragonfly({9, 4, 2, 2});
}

std::vector<std::uint32_t> groups_passed(const Dragonfly& t, const std::vector<LinkId>& links) {
  std::vector<std::uint32_t> groups;
  for (const LinkId link : links) {
    const std::uint32_t group = t.group(t.ends(link).to);
    if (groups.empty() || groups.back() != group) groups.push_back(group);
  }
  return groups;
}

// From group 0 to group 5 of nine, each of the seven others is the third with probability 1/7: of
// 7,000 messages 1,000 each, with a standard deviation of 29. A way has at most 5 links between
// switches, one less than by way of a switch. Within a group the way is the minimal one.
TEST(ValiantGroup, PassesByAThirdGroup) {
  const Dragonfly t = dragonfly72();
  const auto valiant = routing("valiant-group", t);
  std::map<std::uint32_t, int> third;
  for (std::uint32_t message = 0; message < 7000; ++message) {
    const auto links = route_of(t, *valiant, VertexId{0}, VertexId{43}, 7, NoLoads(), message);
    const auto groups = groups_passed(t, links);
    ASSERT_EQ(groups.size(), 3U);
    ++third[groups[1]];
  }
  EXPECT_EQ(third.size(), 7U);
  for (const auto& [group, count] : third) EXPECT_NEAR(count, 1000, 145) << group;
  EXPECT_EQ(third.count(0) + third.count(5), 0U);
  EXPECT_EQ(route_of(t, *valiant, VertexId{0}, VertexId{7}, 3, NoLoads(), 1),
            minimal_route(t, VertexId{0}, VertexId{7}));
}

/// The switch of node 0, and a message from there to node 43 in group 5.
struct AtSource {
  explicit AtSource(const Topology& t)
      : hop{VertexId{0}, VertexId{t.nodes()}, VertexId{43}, 1, 7} {}
  /// Whether it goes on minimally.
  bool minimal(const Routing& routing, const LoadView& loads) const {
    Hop copy = hop;
    routing.next(copy, loads);
    return copy.via == kNoVertex;
  }
  Hop hop;
};

/// The detour that ugal-l takes if the minimal way is hopeless.
std::vector<LinkId> forced_detour(const Topology& t, const std::vector<std::string>& more = {}) {
  const auto ugal = routing("ugal-l", t, more);
  const AtSource source(t);
  GivenLoads loads;
  loads.given[t.output(source.hop)] = 1'000'000'000;
  std::vector<LinkId> links;
  for (Hop hop = source.hop; hop.at != hop.to; ++hop.step) {
    links.push_back(ugal->next(hop, loads));
    hop.at = t.after(hop, links.back());
  }
  return links;
}

// Loads decide at the switch of the source only, and with par at every switch of its group that the
// message comes to without a detour: there no answer is settled, elsewhere each is. Minimal and
// Valiant's ways are settled everywhere.
TEST(Routings, AreSettledWhereLoadsDoNotDecide) {
  const Dragonfly t = dragonfly72();
  const Hop at_node{VertexId{0}, VertexId{0}, VertexId{43}, 0, 7};
  const Hop at_source = AtSource(t).hop;
  const Hop in_group{VertexId{0}, VertexId{t.nodes() + 1}, VertexId{43}, 2, 7};
  Hop on_detour = in_group;
  on_detour.via = VertexId{t.nodes() + 30};
  const Hop elsewhere{VertexId{0}, VertexId{t.nodes() + 20}, VertexId{43}, 3, 7};
  for (const std::string name : {"minimal", "valiant", "ugal-l", "ugal-g", "par"}) {
    SCOPED_TRACE(name);
    const auto made = routing(name, t);
    const bool by_loads = name == "ugal-l" || name == "ugal-g" || name == "par";
    EXPECT_TRUE(made->is_settled(at_node));
    EXPECT_EQ(made->is_settled(at_source), !by_loads);
    EXPECT_EQ(made->is_settled(in_group), name != "par");
    EXPECT_TRUE(made->is_settled(on_detour));
    EXPECT_TRUE(made->is_settled(elsewhere));
  }
  EXPECT_FALSE(routing("adaptive", t)->is_settled(at_node));
}

// With q_min * H_min = q_detour * H_detour + T a message still goes minimally; with one more, it
// takes the detour. H is the number of links between switches that are left.
TEST(UgalL, GoesByItsRule) {
  const Dragonfly t = dragonfly72();
  const AtSource source(t);
  const LinkId direct = t.output(source.hop);
  const auto least =
      static_cast<std::int64_t>(minimal_route(t, VertexId{0}, VertexId{43}).size()) - 2;
  const auto detour = forced_detour(t);
  const auto most = static_cast<std::int64_t>(detour.size()) - 1;
  ASSERT_NE(detour[0], direct);
  ASSERT_GT(most, least);
  for (const std::int64_t threshold_ns : {0, 40}) {
    const auto ugal =
        routing("ugal-l", t, {"ugal.threshold=" + std::to_string(threshold_ns) + "ns"});
    for (const std::int64_t q : {0, 1000, 17'000}) {
      GivenLoads loads;
      loads.given[detour[0]] = q;
      const std::int64_t limit = (q * most + threshold_ns * 1000) / least;
      loads.given[direct] = limit;
      EXPECT_TRUE(source.minimal(*ugal, loads)) << q;
      loads.given[direct] = limit + 1;
      EXPECT_FALSE(source.minimal(*ugal, loads)) << q;
    }
  }
}

// Weights of 1 and 2 in the place of the links: q_min <= 2 q_detour + 30 flits of 5.12 ns.
TEST(UgalL, TakesWeights) {
  const Dragonfly t = dragonfly72();
  const AtSource source(t);
  const auto ugal = routing(
      "ugal-l", t, {"ugal.minimal_weight=1", "ugal.detour_weight=2", "ugal.threshold=153600ps"});
  GivenLoads loads;
  loads.given[forced_detour(t)[0]] = 5120;
  loads.given[t.output(source.hop)] = 2 * 5120 + 153'600;
  EXPECT_TRUE(source.minimal(*ugal, loads));
  ++loads.given[t.output(source.hop)];
  EXPECT_FALSE(source.minimal(*ugal, loads));
}

// What credits say counts unless only the queue is to: with as much beyond every link, a detour of
// more links is never better; with less before it, it is. If only what credits say counts, the
// queue makes no difference, whatever its length.
TEST(UgalL, LooksAtCreditsOrQueues) {
  const Dragonfly t = dragonfly72();
  const AtSource source(t);
  GivenLoads loads;
  loads.given[t.output(source.hop)] = 1000;
  loads.beyond = 1'000'000;
  EXPECT_TRUE(source.minimal(*routing("ugal-l", t), loads));
  EXPECT_FALSE(source.minimal(*routing("ugal-l", t, {"ugal.load=queue"}), loads));
  loads.given[t.output(source.hop)] = 1'000'000'000;
  EXPECT_FALSE(source.minimal(*routing("ugal-l", t), loads));
  EXPECT_TRUE(source.minimal(*routing("ugal-l", t, {"ugal.load=sent"}), loads));
}

// Of many candidates an idle one is found though most first links are loaded.
TEST(UgalL, TakesTheBestOfItsCandidates) {
  const Dragonfly t = dragonfly72();
  const AtSource source(t);
  GivenLoads loads;
  for (std::uint32_t l = 0; l < t.links(); ++l) {
    if (t.ends(LinkId{l}).from == source.hop.at) loads.given[LinkId{l}] = 1'000'000;
  }
  EXPECT_TRUE(source.minimal(*routing("ugal-l", t, {"ugal.candidates=50"}), loads));
  for (const auto& entry : loads.given) {
    if (entry.first == t.output(source.hop) || !t.is_switch(t.ends(entry.first).to)) continue;
    loads.given[entry.first] = 0;
    break;
  }
  EXPECT_FALSE(source.minimal(*routing("ugal-l", t, {"ugal.candidates=50"}), loads));
}

VertexId next_vertex(VertexId v) {
  return VertexId{static_cast<std::uint32_t>(v) + 1};
}

// A queue at the global cable, one switch on: ugal-l at the source does not see it, ugal-g does,
// and par does when it is there.
TEST(Ugal, SeesAQueueFurtherOnOrNot) {
  const Dragonfly t = dragonfly72();
  const VertexId from{0};
  // A destination whose global cable begins at another switch than the source's.
  VertexId to{8};
  while (t.group(t.ends(minimal_route(t, from, to)[1]).to) != 0) to = next_vertex(to);
  const auto minimal = minimal_route(t, from, to);
  GivenLoads loads;
  loads.given[minimal[2]] = 1'000'000;
  const auto route = [&](const std::string& name) {
    return route_of(t, *routing(name, t), from, to, 9, loads, 3);
  };
  EXPECT_EQ(route("ugal-l"), minimal);
  const auto global = route("ugal-g");
  EXPECT_EQ(std::count(global.begin(), global.end(), minimal[2]), 0);
  const auto progressive = route("par");
  EXPECT_EQ(progressive[1], minimal[1]);
  EXPECT_NE(progressive[2], minimal[2]);
  EXPECT_EQ(groups_passed(t, progressive).size(), 3U);
}

/// Flows from the first leaf of a tree of two levels, by the uplink they take.
std::map<LinkId, int> uplinks(const Topology& t, const Routing& ecmp, std::uint32_t flows) {
  std::map<LinkId, int> load;
  for (std::uint32_t i = 0; i < flows; ++i) {
    ++load[route_of(t, ecmp, VertexId{i}, VertexId{flows + i}, 4, NoLoads())[1]];
  }
  return load;
}

// n flows on n equal paths, each by a hash: the most loaded path is expected to have 2.125 of them
// for n = 4, 2.59 for 8, 3.08 for 16, and so on, and 31.6, 34.2, 35.5 % of the paths none, up to
// 1/e, by counting all outcomes. Over 2,000 seeds the mean of the first has a standard deviation
// below 0.02.
TEST(Ecmp, CollidesAsHashesDo) {
  struct Expected {
    std::uint32_t n;
    double most;
    double empty;
  };
  for (const Expected& expected : {Expected{4, 2.125, 0.316},
                                   {8, 2.59, 0.342},
                                   {16, 3.08, 0.355},
                                   {32, 3.53, 0.362},
                                   {64, 3.96, 0.365},
                                   {128, 4.38, 0.366}}) {
    const FatTree t(FatTreeShape::k_ary_n_tree(expected.n, 2));
    double most = 0;
    double empty = 0;
    constexpr int kSeeds = 2000;
    for (int seed = 0; seed < kSeeds; ++seed) {
      const auto load =
          uplinks(t, *routing("ecmp", t, {"ecmp.seed=" + std::to_string(seed)}), expected.n);
      most += std::max_element(load.begin(), load.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
              })->second;
      empty += static_cast<double>(expected.n - load.size()) / expected.n;
    }
    EXPECT_NEAR(most / kSeeds, expected.most, 0.06) << expected.n;
    EXPECT_NEAR(empty / kSeeds, expected.empty, 0.01) << expected.n;
  }
}

/// Top switches that flows from the first leaf of a tree of three levels pass.
std::size_t tops_used(const Topology& t, const Routing& ecmp) {
  std::set<VertexId> tops;
  for (std::uint32_t from = 0; from < 4; ++from) {
    for (std::uint32_t to = 16; to < 64; ++to) {
      const auto links = route_of(t, ecmp, VertexId{from}, VertexId{to}, 6, NoLoads());
      tops.insert(t.ends(links[2]).to);
    }
  }
  return tops.size();
}

// A tree of three levels has 4 * 4 top switches. Where all switches hash alike, what has come by
// uplink i of a leaf takes uplink i again: only 4 are used. With seeds of their own the 192 flows
// use all 16 (each is missed with probability (15/16)^192 = 4e-6).
TEST(Ecmp, PolarisesWhereAllSwitchesHashAlike) {
  const FatTree t(FatTreeShape::k_ary_n_tree(4, 3));
  EXPECT_EQ(tops_used(t, *routing("ecmp", t, {"ecmp.same_seed=yes"})), 4U);
  EXPECT_EQ(tops_used(t, *routing("ecmp", t)), 16U);
}

/// Of `packets` of one flow, how many take each uplink.
std::map<LinkId, int> sprayed(const Routing& spray, const Topology& t, int packets,
                              GivenLoads& loads) {
  std::map<LinkId, int> count;
  for (int i = 0; i < packets; ++i) {
    const auto salt = static_cast<std::uint32_t>(i);
    ++count[route_of(t, spray, VertexId{0}, VertexId{60}, 6, loads, salt)[1]];
  }
  return count;
}

// In turn, 400 packets are 100 for each of 4 uplinks exactly; at random 100 with a standard
// deviation of 8.7; and none goes where something waits if another is idle.
TEST(Spray, SpreadsPackets) {
  const FatTree t(FatTreeShape::k_ary_n_tree(4, 3));
  const auto in_turn = routing("spray", t, {"spray.by=round-robin"});
  GivenLoads kept(*in_turn);
  for (const auto& [link, count] : sprayed(*in_turn, t, 400, kept)) EXPECT_EQ(count, 100);
  const auto random = routing("spray", t);
  GivenLoads idle;
  const auto counts = sprayed(*random, t, 400, idle);
  EXPECT_EQ(counts.size(), 4U);
  for (const auto& [link, count] : counts) EXPECT_NEAR(count, 100, 44);
  GivenLoads loads;
  const LinkId loaded = counts.begin()->first;
  loads.given[loaded] = 5;
  const auto least = sprayed(*routing("spray", t, {"spray.by=least-loaded"}), t, 400, loads);
  EXPECT_EQ(least.size(), 3U);
  EXPECT_EQ(least.count(loaded), 0U);
}

// Packets 400 ns apart are one flowlet of a gap of 500 ns, however many; 501 ns apart each chooses
// anew, so that 200 of them use all 4 uplinks.
TEST(Flowlet, ChoosesAnewAfterAGap) {
  const FatTree t(FatTreeShape::k_ary_n_tree(4, 3));
  const auto flowlet = routing("flowlet", t);
  const auto used = [&](Time apart) {
    GivenLoads loads(*flowlet);
    std::set<LinkId> links;
    for (std::uint32_t i = 0; i < 200; ++i, loads.clock += apart) {
      links.insert(route_of(t, *flowlet, VertexId{0}, VertexId{60}, 6, loads, i)[1]);
    }
    return links.size();
  };
  EXPECT_EQ(used(Time::ns(400)), 1U);
  EXPECT_EQ(used(Time::ns(500)), 1U);
  EXPECT_EQ(used(Time::ns(501)), 4U);
}

}  // namespace
}  // namespace heddle::platform
