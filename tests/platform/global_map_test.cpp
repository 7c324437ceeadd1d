// Maps of one's own of the global cables of dragonflies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "platform/machine_support.hpp"
#include "platform/topology/dragonfly.hpp"
#include "platform/topology/dragonfly_plus.hpp"
#include "platform/topology_checks.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

/// The circulant cables of a fabric, as a map.
std::vector<GroupCable> circulant(std::int64_t groups, std::int64_t switches,
                                  std::int64_t per_switch) {
  const GroupCables cables(
      CirculantCables(groups, static_cast<std::uint64_t>(switches * per_switch), "ports"),
      static_cast<std::uint32_t>(per_switch));
  std::vector<GroupCable> map;
  for (std::uint32_t i = 0; i < cables.cables(); ++i) map.push_back(cables.cable(i));
  return map;
}

/// One cable between any two groups and some more, at random switches that have a port left.
std::vector<GroupCable> random_map(std::uint32_t groups, std::uint32_t switches,
                                   std::uint32_t per_switch, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<std::vector<std::uint32_t>> ports(groups);
  for (auto& free : ports) {
    for (std::uint32_t port = 0; port < switches * per_switch; ++port) free.push_back(port);
  }
  const auto take = [&](std::uint32_t group) {
    auto& free = ports[group];
    const std::size_t at = random.below(free.size());
    const std::uint32_t port = free[at];
    free.erase(free.begin() + static_cast<std::ptrdiff_t>(at));
    return port / per_switch;
  };
  std::vector<GroupCable> map;
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t near = take(a);
    map.push_back({a, near, b, take(b)});
  };
  for (std::uint32_t a = 0; a < groups; ++a) {
    for (std::uint32_t b = a + 1; b < groups; ++b) {
      if (random.below(2) == 0) {
        join(a, b);
      } else {
        join(b, a);
      }
    }
  }
  for (int more = 0; more < 2; ++more) {
    const auto a = static_cast<std::uint32_t>(random.below(groups));
    const auto b = static_cast<std::uint32_t>((a + 1 + random.below(groups - 1)) % groups);
    if (!ports[a].empty() && !ports[b].empty()) join(a, b);
  }
  return map;
}

void expect_same_routes(const Topology& one, const Topology& other) {
  ASSERT_EQ(one.links(), other.links());
  for (std::uint32_t l = 0; l < one.links(); ++l) {
    ASSERT_EQ(one.ends(LinkId{l}).from, other.ends(LinkId{l}).from);
    ASSERT_EQ(one.ends(LinkId{l}).to, other.ends(LinkId{l}).to);
  }
  for (std::uint32_t cable = 0; cable < one.cables(); ++cable) {
    ASSERT_EQ(one.twin(cable), other.twin(cable));
  }
  for (std::uint32_t at = one.nodes(); at < one.vertices(); ++at) {
    for (std::uint32_t to = 0; to < one.vertices(); ++to) {
      if (at == to) continue;
      const Hop hop{VertexId{at}, VertexId{at}, VertexId{to}};
      ASSERT_EQ(one.output(hop), other.output(hop));
      LinkSet ways;
      LinkSet other_ways;
      one.minimal_outputs(hop, ways);
      other.minimal_outputs(hop, other_ways);
      ASSERT_TRUE(std::equal(ways.begin(), ways.end(), other_ways.begin(), other_ways.end()));
    }
  }
}

// The circulant cables written down in the order of their numbers are the same machine, link by
// link and way by way: with one cable for each two groups, with several, and with some that face
// each other.
TEST(GlobalMap, OfCirculantCablesIsTheSameDragonfly) {
  for (const DragonflyShape& shape :
       {DragonflyShape{9, 4, 2, 2}, DragonflyShape{4, 3, 1, 3}, DragonflyShape{6, 2, 2, 4}}) {
    DragonflyShape mapped = shape;
    mapped.map = circulant(shape.groups, shape.switches_per_group, shape.global_per_switch);
    const Dragonfly one(shape);
    const Dragonfly other(mapped);
    expect_same_routes(one, other);
    EXPECT_EQ(one.distances()->hops.sum, other.distances()->hops.sum);
    EXPECT_EQ(one.distances()->switch_diameter, other.distances()->switch_diameter);
    EXPECT_EQ(one.distances()->radix, other.distances()->radix);
  }
}

TEST(GlobalMap, OfCirculantCablesIsTheSameDragonflyPlus) {
  for (const DragonflyPlusShape& shape :
       {DragonflyPlusShape{5, 4, 4, 1, 4}, DragonflyPlusShape{9, 2, 4, 2, 2}}) {
    DragonflyPlusShape mapped = shape;
    mapped.map = circulant(shape.groups, shape.spines_per_group, shape.global_per_spine);
    const DragonflyPlus one(shape);
    const DragonflyPlus other(mapped);
    expect_same_routes(one, other);
    EXPECT_EQ(one.distances()->hops.sum, other.distances()->hops.sum);
    EXPECT_EQ(one.distances()->switch_diameter, other.distances()->switch_diameter);
  }
}

/// Links of the shortest way with at most one cable between groups, by a search in which a vertex
/// stands once before such a cable and once behind it.
std::uint32_t links_by_one_global(const Topology& t, const Grouped& grouped,
                                  const std::vector<std::vector<LinkId>>& leaving, VertexId from,
                                  VertexId to) {
  std::vector<std::uint32_t> links(std::size_t{2} * t.vertices(), kUnreached);
  std::vector<std::size_t> order{index(from) * 2};
  links[order[0]] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const VertexId at{static_cast<std::uint32_t>(order[i] / 2)};
    if (at == to) return links[order[i]];
    for (const LinkId link : leaving[index(at)]) {
      const VertexId next = t.ends(link).to;
      const bool global = grouped.group(at) != grouped.group(next);
      if (global && order[i] % 2 == 1) continue;
      const std::size_t state = index(next) * 2 + (order[i] % 2 == 1 || global ? 1 : 0);
      if (links[state] != kUnreached) continue;
      links[state] = links[order[i]] + 1;
      order.push_back(state);
    }
  }
  return kUnreached;
}

/// All routes between nodes, and what is said of them, beside the search.
template <class Fabric>
void expect_minimal(const Fabric& t) {
  SCOPED_TRACE(t.describe());
  check_structure(t);
  check_adaptive(t);
  const auto leaving = links_leaving(t);
  unsigned __int128 sum = 0;
  std::uint32_t most = 0;
  for (std::uint32_t from = 0; from < t.nodes(); ++from) {
    for (std::uint32_t to = 0; to < t.nodes(); ++to) {
      if (from == to) continue;
      const auto route = minimal_route(t, VertexId{from}, VertexId{to});
      ASSERT_EQ(route.size(), links_by_one_global(t, t, leaving, VertexId{from}, VertexId{to}));
      sum += route.size();
      most = std::max(most, static_cast<std::uint32_t>(route.size()));
    }
  }
  const Distances said = *t.distances();
  EXPECT_TRUE(said.hops.sum == sum);
  EXPECT_EQ(said.hops.most, most);
  EXPECT_EQ(said.switch_diameter, switch_search(t).most);
}

// Cables anywhere: every route is as short as a search finds that takes one of them at most, and
// the sum, the longest route and the diameter are those of the search, though no two groups are
// alike.
TEST(GlobalMap, RandomDragonfliesAreMinimal) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    DragonflyShape shape{static_cast<std::int64_t>(2 + seed % 6), 3, 1, 3};
    shape.map = random_map(static_cast<std::uint32_t>(shape.groups), 3, 3, seed);
    expect_minimal(Dragonfly(shape));
  }
}

TEST(GlobalMap, RandomDragonflyPlusesAreMinimal) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    DragonflyPlusShape shape{static_cast<std::int64_t>(2 + seed % 5), 2, 3, 1, 3};
    shape.map = random_map(static_cast<std::uint32_t>(shape.groups), 3, 3, seed);
    expect_minimal(DragonflyPlus(shape));
  }
}

// Detours lead by way of any switch of any third group, and a group is left again where it is
// entered: those of Valiant and UGAL arrive.
TEST(GlobalMap, GroupsKeepTheirRoutings) {
  DragonflyShape shape{6, 3, 2, 3};
  shape.map = random_map(6, 3, 3, 5);
  const Dragonfly t(shape);
  for (const char* name : {"valiant", "valiant-group", "ugal-l", "ugal-g", "par"}) {
    const auto routing = make_routing(name, t);
    for (std::uint32_t from = 0; from < t.nodes(); ++from) {
      for (std::uint32_t to = 0; to < t.nodes(); ++to) {
        if (from == to) continue;
        const auto route = route_of(t, *routing, VertexId{from}, VertexId{to},
                                    routing->longest_route(), NoLoads{}, from + to);
        ASSERT_LE(route.size(), routing->longest_route());
        ASSERT_EQ(t.ends(route.back()).to, VertexId{to}) << name;
      }
    }
  }
}

/// What is said of a map of groups of two switches with one global cable each.
std::string said_of(const std::string& map) {
  return complaint_about(
      "topology:\n  kind: dragonfly\n  nodes_per_switch: 1\n  switches_per_group: 2\n"
      "  global_per_switch: 1\n  global_cables: |\n" +
      map);
}

// Three groups in a ring, with a comment and a blank line between.
TEST(GlobalMap, IsReadFromTheMachine) {
  const auto machine = platform_of(
      "topology:\n  kind: dragonfly\n  nodes_per_switch: 1\n  switches_per_group: 2\n"
      "  global_per_switch: 1\n  global_cables: |\n"
      "    g0.s0 g1.s1   # a comment\n\n    g1.s0 g2.s1\n    g2.s0 g0.s1\n");
  EXPECT_EQ(machine->topology().describe(),
            "dragonfly, 3 groups of 2 switches, 1 node each, up to 1 global cable per switch by a "
            "map");
}

// What is wrong is said with its line and column in the machine's file, and what would do.
TEST(GlobalMap, MistakesAreExplained) {
  EXPECT_EQ(said_of("    g0.s0 g1.s1\n    g1.s0 g0.s2\n"),
            "m.yaml:8:11: 'g0.s2' is no switch for global cables: accepted are g0.s0 to g2.s1");
  EXPECT_EQ(said_of("    g0.s0 1.1\n"),
            "m.yaml:7:11: '1.1' is no switch for global cables: accepted are g0.s0 to g2.s1");
  EXPECT_EQ(said_of("    g0.s0 g0.s1\n"),
            "m.yaml:7:11: both ends are in group 0: accepted are two switches of different groups");
  EXPECT_EQ(said_of("    g0.s0 g1.s1\n    g2.s0 g0.s0\n"),
            "m.yaml:8:11: cable number 2 at g0.s0: accepted are at most 1 "
            "(dragonfly.global_per_switch)");
  EXPECT_EQ(said_of("    g0.s0\n"),
            "m.yaml:7:5: 1 names and not two in this line: accepted are two switches, such as "
            "g0.s1 g4.s0");
  EXPECT_EQ(said_of("    g0.s0 g1.s1 10Gbps\n"),
            "m.yaml:7:17: 3 names and not two in this line: accepted are two switches, such as "
            "g0.s1 g4.s0");
  EXPECT_EQ(said_of("    g0.s0 g1.s1\n    g1.s0 g2.s1\n"),
            "m.yaml:7:5: the map has no cable between groups 0 and 2: accepted is at least one "
            "between any two of the 3 groups");
  EXPECT_THAT(said_of("    # nothing\n"), HasSubstr("the map has no cables: accepted is a line"));
}

// A file that is not there, and one beside a map in place.
TEST(GlobalMap, FilesAreNamed) {
  EXPECT_THAT(complaint_about("topology: {kind: dragonfly, global_file: none.map}\n"),
              HasSubstr("none.map': cannot be opened"));
  EXPECT_THAT(complaint_about("topology: {kind: dragonfly, global_file: none.map, global_cables: "
                              "\"g0.s0 g1.s0\"}\n"),
              HasSubstr("global_cables beside global_file: accepted is one of them"));
}

// Groups that the machine has and the map does not name have no cables either.
TEST(GlobalMap, AllGroupsAreJoined) {
  EXPECT_THAT(complaint_about("topology: {kind: dragonfly-plus, nodes_per_leaf: 2, groups: 3, "
                              "global_cables: \"g0.s0 g1.s0\"}\n"),
              HasSubstr("no cable between groups 0 and 2: accepted is at least one between any two "
                        "of the 3 groups"));
}

}  // namespace
}  // namespace heddle::platform
