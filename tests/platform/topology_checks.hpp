// What must hold for every topology, whatever its shape.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "platform/platform.hpp"
#include "platform/routing.hpp"
#include "platform/source_dependent.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

constexpr std::uint32_t kUnreached = UINT32_MAX;

inline std::vector<std::vector<LinkId>> links_leaving(const Topology& t) {
  std::vector<std::vector<LinkId>> leaving(t.vertices());
  for (std::uint32_t l = 0; l < t.links(); ++l) {
    leaving[index(t.ends(LinkId{l}).from)].push_back(LinkId{l});
  }
  return leaving;
}

/// Links on the shortest path from every vertex to `to`, found without asking for routes.
inline std::vector<std::uint32_t> distances(const Topology& t,
                                            const std::vector<std::vector<LinkId>>& leaving,
                                            VertexId to) {
  std::vector<std::uint32_t> distance(t.vertices(), kUnreached);
  std::vector<VertexId> order{to};
  distance[index(to)] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const LinkId link : leaving[index(order[i])]) {
      const VertexId v = t.ends(link).to;
      if (distance[index(v)] != kUnreached) continue;
      distance[index(v)] = distance[index(order[i])] + 1;
      order.push_back(v);
    }
  }
  return distance;
}

/// Links on the shortest path between two different switches.
struct SwitchSearch {
  double mean;
  std::uint32_t most;
};

/// By a search from each.
inline SwitchSearch switch_search(const Topology& t) {
  const auto leaving = links_leaving(t);
  SwitchSearch found{0, 0};
  for (std::uint32_t s = t.nodes(); s < t.vertices(); ++s) {
    const std::vector<std::uint32_t> links = distances(t, leaving, VertexId{s});
    for (std::uint32_t other = t.nodes(); other < t.vertices(); ++other) {
      found.mean += links[other];
      found.most = std::max(found.most, links[other]);
    }
  }
  found.mean /= static_cast<double>(t.switches()) * (t.switches() - 1);
  return found;
}

/// The links of a message under `routing`; stops with a failure after `most` links.
inline std::vector<LinkId> route_of(const Topology& t, const Routing& routing, VertexId from,
                                    VertexId to, std::uint32_t most, const LoadView& loads,
                                    std::uint32_t salt = 0) {
  Hop hop{from, from, to, 0, salt};
  std::vector<LinkId> links;
  while (hop.at != hop.to && links.size() <= most) {
    const LinkId link = routing.next(hop, loads);
    if (index(link) >= t.links() || t.ends(link).from != hop.at) {
      ADD_FAILURE() << t.describe() << ": no link from " << t.name(hop.at) << " to " << t.name(to);
      return links;
    }
    links.push_back(link);
    hop.at = t.after(hop, link);
    ++hop.step;
  }
  EXPECT_EQ(t.name(hop.at), t.name(to)) << t.describe() << ": lost after " << links.size();
  return links;
}

inline std::vector<LinkId> minimal_route(const Topology& t, VertexId from, VertexId to) {
  return route_of(t, *make_routing("minimal", t), from, to, t.vertices(), NoLoads());
}

/// The two links of a cable are opposite; no cable joins a vertex to itself; every vertex is
/// reached; names of vertices and links are unique and lead back to their vertex; positions, where
/// given, are all different.
inline void check_structure(const Topology& t) {
  SCOPED_TRACE(t.describe());
  for (std::uint32_t l = 0; l < t.links(); ++l) {
    const LinkEnds there = t.ends(LinkId{l});
    const LinkEnds back = t.ends(reverse(LinkId{l}));
    ASSERT_EQ(there.from, back.to);
    ASSERT_EQ(there.to, back.from);
    ASSERT_NE(there.from, there.to);
    ASSERT_LT(index(there.from), t.vertices());
  }
  const auto distance = distances(t, links_leaving(t), VertexId{0});
  EXPECT_EQ(std::count(distance.begin(), distance.end(), kUnreached), 0);
  std::set<std::string> names;
  std::set<std::pair<double, double>> places;
  for (std::uint32_t v = 0; v < t.vertices(); ++v) {
    const std::string name = t.name(VertexId{v});
    ASSERT_TRUE(names.insert(name).second) << name;
    ASSERT_EQ(t.find(name), VertexId{v}) << name;
    if (const auto place = t.position(VertexId{v})) {
      EXPECT_TRUE(places.insert({place->x, place->y}).second) << "two vertices drawn at " << name;
    }
  }
  EXPECT_EQ(t.find("nobody"), std::nullopt);
  std::set<std::string> links;
  for (std::uint32_t l = 0; l < t.links(); ++l) {
    ASSERT_TRUE(links.insert(t.link_name(LinkId{l})).second) << t.link_name(LinkId{l});
    EXPECT_FALSE(t.cable_group(l / 2).empty());
  }
}

inline bool contains(const LinkSet& set, LinkId link) {
  return std::find(set.begin(), set.end(), link) != set.end();
}

/// Where a route leads on depends on its source by the class of that only.
inline void check_route_classes(const Topology& t) {
  std::map<std::uint32_t, VertexId> first;
  for (std::uint32_t from = 0; from < t.nodes(); from += 1 + t.nodes() / 64) {
    const auto kind = route_class(t, VertexId{from});
    if (!kind) return;
    const VertexId other = first.emplace(*kind, VertexId{from}).first->second;
    for (std::uint32_t to = 0; to < t.nodes(); ++to) {
      for (Hop hop{VertexId{from}, VertexId{from}, VertexId{to}}; hop.at != hop.to; ++hop.step) {
        const LinkId link = t.output(hop);
        ASSERT_EQ(link, t.output(Hop{other, hop.at, hop.to}))
            << "from " << t.name(hop.from) << " and " << t.name(other) << " to " << t.name(hop.to);
        hop.at = t.after(hop, link);
      }
    }
  }
}

/// From every vertex towards every destination: the outputs are links of that vertex, all
/// different, lead strictly nearer by links, and contain the one that the deterministic routing
/// takes. So every route arrives, by as few links as there are.
inline void check_minimal_routes(const Topology& t) {
  SCOPED_TRACE(t.describe());
  const auto leaving = links_leaving(t);
  const std::uint32_t targets = t.routes_to_switches() ? t.vertices() : t.nodes();
  for (std::uint32_t to = 0; to < targets; ++to) {
    const auto distance = distances(t, leaving, VertexId{to});
    for (std::uint32_t at = 0; at < t.vertices(); ++at) {
      if (at == to) continue;
      const Hop hop{VertexId{at}, VertexId{at}, VertexId{to}};
      LinkSet outputs;
      t.minimal_outputs(hop, outputs);
      ASSERT_TRUE(contains(outputs, t.output(hop)));
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const LinkEnds ends = t.ends(outputs[i]);
        ASSERT_EQ(ends.from, hop.at);
        ASSERT_EQ(distance[index(ends.to)] + 1, distance[at])
            << t.name(hop.at) << " to " << t.name(hop.to) << " by " << t.link_name(outputs[i]);
        ASSERT_EQ(std::find(outputs.begin(), outputs.begin() + i, outputs[i]), outputs.begin() + i);
      }
    }
  }
  check_route_classes(t);
}

/// Loads that differ from link to link, so that an adaptive routing takes other ways.
class ScatteredLoads final : public LoadView {
 public:
  std::int64_t load(LinkId link) const override {
    return static_cast<std::int64_t>(RandomStream(index(link)).below(100));
  }
};

/// Adaptive routes arrive in exactly as many links as deterministic ones, for all pairs of nodes.
inline void check_adaptive(const Topology& t) {
  const auto minimal = make_routing("minimal", t);
  const auto adaptive = make_routing("adaptive", t);
  for (std::uint32_t a = 0; a < t.nodes(); ++a) {
    for (std::uint32_t b = 0; b < t.nodes(); ++b) {
      const auto plain = route_of(t, *minimal, VertexId{a}, VertexId{b}, t.vertices(), NoLoads());
      const auto other =
          route_of(t, *adaptive, VertexId{a}, VertexId{b}, t.vertices(), ScatteredLoads());
      ASSERT_EQ(plain.size(), other.size()) << t.describe();
    }
  }
}

/// Valiant routes arrive, in at most twice the longest minimal route.
inline void check_valiant(const Topology& t, std::uint32_t longest) {
  ASSERT_TRUE(t.routes_to_switches());
  const auto valiant = make_routing("valiant", t);
  for (std::uint32_t a = 0; a < t.nodes(); ++a) {
    for (std::uint32_t b = 0; b < t.nodes(); ++b) {
      if (a == b) continue;
      route_of(t, *valiant, VertexId{a}, VertexId{b}, 2 * longest, NoLoads(), a * 7 + b);
    }
  }
}

inline std::uint32_t longest_route(const Topology& t) {
  std::size_t longest = 0;
  for (std::uint32_t a = 0; a < t.nodes(); ++a) {
    for (std::uint32_t b = 0; b < t.nodes(); ++b) {
      longest = std::max(longest, minimal_route(t, VertexId{a}, VertexId{b}).size());
    }
  }
  return static_cast<std::uint32_t>(longest);
}

/// The cables of the narrowest cut if all cables are alike.
inline std::optional<std::uint64_t> bisection_cables(const Topology& t) {
  const auto cut =
      t.narrowest_cut(std::vector<Bandwidth>(t.cable_runs().size(), Bandwidth::gbps(100)));
  return cut ? std::optional(cut->cables) : std::nullopt;
}

/// Names of the vertices on a route, joined by blanks: "n0 s0 n1".
inline std::string way(const Topology& t, VertexId from, VertexId to) {
  std::string text = t.name(from);
  for (const LinkId link : minimal_route(t, from, to)) text += " " + t.name(t.ends(link).to);
  return text;
}

}  // namespace heddle::platform
