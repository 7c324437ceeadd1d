#include "platform/topology/shortest_paths.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace heddle::platform {
namespace {

constexpr std::uint32_t kNoSlot = UINT32_MAX;
constexpr std::uint32_t kFar = UINT32_MAX;

template <class Port>
void put(std::uint8_t* place, std::uint32_t port) {
  const auto value = static_cast<Port>(port);
  std::memcpy(place, &value, sizeof value);
}

template <class Port>
std::uint32_t get(const std::uint8_t* place) {
  Port value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

}  // namespace

ShortestPaths::ShortestPaths(std::uint32_t vertices, const std::vector<LinkEnds>& ends,
                             std::vector<Time> latency, std::size_t budget)
    : latency_(std::move(latency)), offsets_(vertices + 1, 0), places_(vertices), budget_(budget) {
  index_links(ends);
  find_leaves(ends);
  index_steps(ends);
  choose_width();
  choose_up_links();
}

void ShortestPaths::index_links(const std::vector<LinkEnds>& ends) {
  for (std::uint32_t link = 0; link < ends.size(); ++link) {
    leaving_.push_back(LinkId{link});
    ++offsets_[index(ends[link].from) + 1];
  }
  for (std::size_t v = 1; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
  const auto key = [&ends](LinkId link) {
    const LinkEnds& e = ends[index(link)];
    return std::tuple(e.from, e.to, link);
  };
  std::sort(leaving_.begin(), leaving_.end(),
            [&key](LinkId a, LinkId b) { return key(a) < key(b); });
}

/// kNoVertex if it has none or several.
VertexId ShortestPaths::only_neighbour(VertexId v, const std::vector<LinkEnds>& ends) const {
  const Span<LinkId> links = leaving(v);
  if (links.first == links.last) return kNoVertex;
  const VertexId first = ends[index(links.first[0])].to;
  return first == ends[index(links.last[-1])].to ? first : kNoVertex;
}

/// Of two leaves that have only each other, the lower one counts as inner.
void ShortestPaths::find_leaves(const std::vector<LinkEnds>& ends) {
  std::uint32_t inner = 0;
  for (std::uint32_t v = 0; v < places_.size(); ++v) {
    const VertexId home = only_neighbour(VertexId{v}, ends);
    const bool leaf =
        home != kNoVertex && (only_neighbour(home, ends) == kNoVertex || index(home) < v);
    if (leaf) {
      places_[v].up = leaving(VertexId{v}).first[0];
    } else {
      places_[v].home = Inner{inner++};
    }
  }
  for (Place& place : places_) {
    if (place.up != kNoLink) place.home = places_[index(ends[index(place.up)].to)].home;
  }
  slot_of_.assign(inner, kNoSlot);
}

void ShortestPaths::index_steps(const std::vector<LinkEnds>& ends) {
  std::vector<std::uint32_t> port(ends.size());
  step_offsets_.push_back(0);
  for (std::uint32_t v = 0; v < places_.size(); ++v) {
    if (is_leaf(VertexId{v})) continue;
    for (const LinkId link : leaving(VertexId{v})) {
      const VertexId to = ends[index(link)].to;
      if (is_leaf(to)) continue;
      port[index(link)] = static_cast<std::uint32_t>(steps_.size() - step_offsets_.back());
      steps_.push_back({link, places_[index(to)].home, 0});
    }
    step_offsets_.push_back(static_cast<std::uint32_t>(steps_.size()));
  }
  for (Step& step : steps_) step.back = port[index(reverse(step.link))];
}

void ShortestPaths::choose_width() {
  std::uint32_t most = 0;
  for (std::size_t v = 1; v < step_offsets_.size(); ++v) {
    most = std::max(most, step_offsets_[v] - step_offsets_[v - 1]);
  }
  nearer_.resize(std::max(most, 1U));
  width_ = most <= 1U << 8 ? 1 : most <= 1U << 16 ? 2 : 4;
}

void ShortestPaths::choose_up_links() {
  for (std::uint32_t v = 0; v < places_.size(); ++v) {
    if (!is_leaf(VertexId{v})) continue;
    const Span<LinkId> links = leaving(VertexId{v});
    places_[v].up = *std::min_element(
        links.first, links.last, [this](LinkId a, LinkId b) { return latency(a) < latency(b); });
  }
}

void ShortestPaths::set_latencies(std::vector<Time> latency) {
  latency_ = std::move(latency);
  choose_up_links();
  std::fill(slot_of_.begin(), slot_of_.end(), kNoSlot);
  trees_.clear();
  owners_.clear();
  oldest_ = 0;
}

ShortestPaths::Span<LinkId> ShortestPaths::leaving(VertexId v) const {
  return {leaving_.data() + offsets_[index(v)], leaving_.data() + offsets_[index(v) + 1]};
}

ShortestPaths::Span<ShortestPaths::Step> ShortestPaths::steps(Inner v) const {
  return {steps_.data() + step_offsets_[index(v)], steps_.data() + step_offsets_[index(v) + 1]};
}

const ShortestPaths::Step& ShortestPaths::step(const Tree& tree, Inner at) const {
  const std::uint8_t* place = tree.data() + index(at) * width_;
  const std::uint32_t port = width_ == 1   ? *place
                             : width_ == 2 ? get<std::uint16_t>(place)
                                           : get<std::uint32_t>(place);
  return steps(at).first[port];
}

/// Breadth first from the destination. All ways to a vertex have been seen before it is left, so
/// its latency is final then.
void ShortestPaths::search(Inner to) {
  found_.assign(slot_of_.size(), {kFar, Inner{UINT32_MAX}, Time::never(), 0});
  found_[index(to)] = {0, to, Time::zero(), 0};
  order_.assign(1, to);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Inner from = order_[i];
    for (const Step& step : steps(from)) reach(from, step);
  }
}

/// Notes a way to the destination by `from`, against the direction of travel.
void ShortestPaths::reach(Inner from, const Step& step) {
  Found& end = found_[index(step.to)];
  const Found& start = found_[index(from)];
  if (end.links == kFar) {
    end.links = start.links + 1;
    order_.push_back(step.to);
  }
  if (end.links != start.links + 1) return;
  const Time total = start.latency + latency(step.link);
  if (total > end.latency || (total == end.latency && from >= end.next)) return;
  end.latency = total;
  end.next = from;
  end.port = step.back;
}

ShortestPaths::Tree ShortestPaths::packed_ports() const {
  Tree tree(found_.size() * (width_ + 1));
  std::uint8_t* place = tree.data();
  for (const Found& found : found_) {
    if (width_ == 1) {
      *place = static_cast<std::uint8_t>(found.port);
    } else if (width_ == 2) {
      put<std::uint16_t>(place, found.port);
    } else {
      put<std::uint32_t>(place, found.port);
    }
    place += width_;
  }
  for (const Found& found : found_) *place++ = static_cast<std::uint8_t>(found.links);
  return tree;
}

const ShortestPaths::Tree& ShortestPaths::tree(Inner to) {
  if (slot_of_[index(to)] != kNoSlot) return trees_[slot_of_[index(to)]];
  const std::size_t most_trees =
      std::max<std::size_t>(1, budget_ / (slot_of_.size() * (width_ + 1)));
  std::size_t slot = trees_.size();
  if (slot < most_trees) {
    trees_.emplace_back();
    owners_.push_back(to);
  } else {
    slot = oldest_;
    oldest_ = (oldest_ + 1) % most_trees;
    slot_of_[index(owners_[slot])] = kNoSlot;
    owners_[slot] = to;
  }
  search(to);
  trees_[slot] = packed_ports();
  slot_of_[index(to)] = static_cast<std::uint32_t>(slot);
  return trees_[slot];
}

LinkId ShortestPaths::first(VertexId at, VertexId to) {
  const Place& here = places_[index(at)];
  if (here.up != kNoLink) return here.up;
  const Place& there = places_[index(to)];
  if (here.home == there.home) return reverse(there.up);
  return step(tree(there.home), here.home).link;
}

/// How many ports of `at` lead nearer to the destination of a tree: `nearer_` begins with them.
std::uint32_t ShortestPaths::find_nearer(const Tree& tree, Inner at) {
  const std::uint8_t* const links = tree.data() + slot_of_.size() * width_;
  const auto wanted = static_cast<std::uint8_t>(links[index(at)] - 1);
  std::uint32_t count = 0;
  std::uint32_t port = 0;
  for (const Step& step : steps(at)) {
    nearer_[count] = port++;
    count += links[index(step.to)] == wanted ? 1U : 0U;
  }
  return count;
}

void ShortestPaths::nearer(VertexId at, VertexId to, LinkSet& out) {
  const Inner here = places_[index(at)].home;
  const Inner there = places_[index(to)].home;
  if (is_leaf(at)) {
    for (const LinkId link : leaving(at)) out.add(link);
  } else if (here == there) {
    for (const LinkId link : leaving(to)) out.add(reverse(link));
  } else {
    const std::uint32_t count = find_nearer(tree(there), here);
    for (std::uint32_t i = 0; i < count; ++i) out.add(steps(here).first[nearer_[i]].link);
  }
}

LinkId ShortestPaths::drawn(VertexId at, VertexId to, std::uint64_t number) {
  const auto named = [number](const Span<LinkId>& links) {
    return links.first[number % static_cast<std::uint64_t>(links.last - links.first)];
  };
  if (is_leaf(at)) return named(leaving(at));
  const Inner here = places_[index(at)].home;
  const Inner there = places_[index(to)].home;
  if (here == there) return reverse(named(leaving(to)));
  const std::uint32_t count = find_nearer(tree(there), here);
  return steps(here).first[nearer_[number % count]].link;
}

VertexId ShortestPaths::cut_off() {
  search(places_[0].home);
  for (std::uint32_t v = 0; v < places_.size(); ++v) {
    if (found_[index(places_[v].home)].links == kFar) return VertexId{v};
  }
  return kNoVertex;
}

}  // namespace heddle::platform
