#include "platform/distance_search.hpp"

#include <algorithm>
#include <limits>

namespace heddle::platform {
namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
/// Vertices and links that all searches together look at in a few seconds.
constexpr std::uint64_t kQuick = 1'000'000'000;
/// Starts of searches where all would be too many.
constexpr std::uint32_t kSomeSwitches = 64;

template <class Use>
void for_links(const Topology& topology, Use use) {
  for (std::uint32_t link = 0; link < topology.links(); ++link) {
    const LinkEnds ends = topology.ends(LinkId{link});
    if (ends.from != kNoVertex) use(ends);
  }
}

}  // namespace

DistanceSearch::DistanceSearch(const Topology& topology)
    : switches_(topology.switches()), number_(topology.vertices(), kUnknown) {
  std::vector<std::uint32_t> cables(topology.vertices());
  for_links(topology, [&cables](const LinkEnds& ends) { ++cables[index(ends.from)]; });
  for (std::uint32_t s = 0; s < switches_; ++s) {
    radix_ = std::max(radix_, cables[topology.nodes() + s]);
  }
  number_vertices(topology, cables);
  join(topology);
}

void DistanceSearch::number_vertices(const Topology& topology,
                                     const std::vector<std::uint32_t>& cables) {
  const std::uint32_t nodes = topology.nodes();
  places_.resize(switches_);
  for (std::uint32_t s = 0; s < switches_; ++s) {
    number_[nodes + s] = s;
    places_[s].is_switch = true;
  }
  for_links(topology, [&](const LinkEnds& ends) {
    if (topology.is_switch(ends.from) || cables[index(ends.from)] > 1) return;
    if (!topology.is_switch(ends.to)) return;
    number_[index(ends.from)] = number_[index(ends.to)];
    ++places_[number_[index(ends.to)]].hanging;
  });
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (number_[n] != kUnknown) continue;
    number_[n] = static_cast<std::uint32_t>(places_.size());
    places_.push_back({0, 1, false});
  }
}

void DistanceSearch::join(const Topology& topology) {
  const auto between = [&](auto use) {
    for_links(topology, [&](const LinkEnds& ends) {
      const std::uint32_t from = number_[index(ends.from)];
      const std::uint32_t to = number_[index(ends.to)];
      if (from != to) use(from, to);
    });
  };
  first_.assign(places_.size() + 1, 0);
  between([this](std::uint32_t from, std::uint32_t) { ++first_[from + 1]; });
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  next_.resize(first_.back());
  std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
  between([&](std::uint32_t from, std::uint32_t to) { next_[at[from]++] = to; });
}

bool DistanceSearch::is_quick() const {
  const std::uint64_t one = places_.size() + next_.size() + 1;
  return places_.size() <= kQuick / one;
}

void DistanceSearch::search(std::uint32_t start, Found& found) const {
  found.distance.assign(places_.size(), kUnknown);
  found.distance[start] = 0;
  found.order.assign(1, start);
  for (std::size_t i = 0; i < found.order.size(); ++i) {
    const std::uint32_t at = found.order[i];
    for (std::uint32_t n = first_[at]; n < first_[at + 1]; ++n) {
      std::uint32_t& distance = found.distance[next_[n]];
      if (distance != kUnknown) continue;
      distance = found.distance[at] + 1;
      found.order.push_back(next_[n]);
    }
  }
}

void DistanceSearch::add_switches(const Found& found, Distances& distances) const {
  for (auto at = found.order.rbegin(); at != found.order.rend(); ++at) {
    if (!places_[*at].is_switch) continue;
    distances.switch_diameter = std::max(distances.switch_diameter, found.distance[*at]);
    return;
  }
}

/// From the nodes at the start of the search to those at every vertex; a node that hangs on one has
/// a link more to cross.
void DistanceSearch::add_nodes(const Found& found, HopCounts& hops) const {
  const std::uint32_t start = found.order.front();
  const Place& here = places_[start];
  const auto add = [&hops](std::uint64_t pairs, std::uint32_t links) {
    if (pairs == 0) return;
    hops.pairs += pairs;
    hops.sum += static_cast<unsigned __int128>(pairs) * links;
    hops.most = std::max(hops.most, links);
  };
  if (here.hanging + here.node == 0) return;
  if (here.hanging > 0) add(here.hanging * (here.hanging - 1), 2);
  for (std::size_t i = 1; i < found.order.size(); ++i) {
    const Place& there = places_[found.order[i]];
    const std::uint32_t links = found.distance[found.order[i]];
    add(here.node * there.node, links);
    add(here.node * there.hanging + here.hanging * there.node, links + 1);
    add(here.hanging * there.hanging, links + 2);
  }
}

Distances DistanceSearch::from_all() const {
  Distances distances{radix_, 0, {}};
  Found found;
  for (std::uint32_t start = 0; start < places_.size(); ++start) {
    search(start, found);
    if (places_[start].is_switch) add_switches(found, distances);
    add_nodes(found, distances.hops);
  }
  return distances;
}

Distances DistanceSearch::from_some() const {
  Distances distances{radix_, 0, {}};
  Found found;
  const std::uint32_t starts = std::min(switches_, kSomeSwitches);
  for (std::uint64_t i = 0; i < starts; ++i) {
    search(static_cast<std::uint32_t>(i * switches_ / starts), found);
    add_switches(found, distances);
  }
  return distances;
}

std::optional<Distances> searched_distances(const Topology& topology) {
  const DistanceSearch search(topology);
  if (!search.is_quick()) return std::nullopt;
  return search.from_all();
}

}  // namespace heddle::platform
