#include "platform/topology/shortest_paths.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::platform {
namespace {

constexpr std::uint32_t kNoSlot = UINT32_MAX;
constexpr std::uint32_t kFar = UINT32_MAX;

}  // namespace

ShortestPaths::ShortestPaths(std::uint32_t vertices, std::vector<LinkEnds> ends,
                             std::vector<Time> latency, std::size_t budget)
    : ends_(std::move(ends)),
      latency_(std::move(latency)),
      offsets_(vertices + 1, 0),
      slot_of_(vertices, kNoSlot),
      most_trees_(std::max<std::size_t>(1, budget / vertices)) {
  index_links();
}

void ShortestPaths::index_links() {
  for (std::uint32_t link = 0; link < ends_.size(); ++link) {
    leaving_.push_back(LinkId{link});
    ++offsets_[index(ends_[link].from) + 1];
  }
  for (std::size_t v = 1; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
  const auto key = [this](LinkId link) {
    const LinkEnds& e = ends_[index(link)];
    return std::tuple(e.from, e.to, link);
  };
  std::sort(leaving_.begin(), leaving_.end(),
            [&key](LinkId a, LinkId b) { return key(a) < key(b); });
}

ShortestPaths::Span ShortestPaths::leaving(VertexId v) const {
  return {leaving_.data() + offsets_[index(v)], leaving_.data() + offsets_[index(v) + 1]};
}

ShortestPaths::Tree ShortestPaths::grow(VertexId to) const {
  const std::size_t vertices = slot_of_.size();
  std::vector<std::uint32_t> links(vertices, kFar);
  std::vector<VertexId> order{to};  // By distance: each vertex after all those nearer.
  links[index(to)] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const LinkId link : leaving(order[i])) {
      const VertexId next = ends_[index(link)].to;
      if (links[index(next)] != kFar) continue;
      links[index(next)] = links[index(order[i])] + 1;
      order.push_back(next);
    }
  }
  Tree tree(vertices, kNoLink);
  std::vector<Time> latency(vertices, Time::zero());
  for (const VertexId v : order) {
    if (v == to) continue;
    latency[index(v)] = Time::never();
    for (const LinkId link : leaving(v)) {
      const VertexId next = ends_[index(link)].to;
      if (links[index(next)] + 1 != links[index(v)]) continue;
      const Time total = latency[index(next)] + latency_[index(link) / 2];
      if (total >= latency[index(v)]) continue;
      latency[index(v)] = total;
      tree[index(v)] = link;
    }
  }
  return tree;
}

const ShortestPaths::Tree& ShortestPaths::tree(VertexId to) {
  if (slot_of_[index(to)] != kNoSlot) return trees_[slot_of_[index(to)]];
  std::size_t slot = trees_.size();
  if (slot < most_trees_) {
    trees_.emplace_back();
    owners_.push_back(to);
  } else {
    slot = oldest_;
    oldest_ = (oldest_ + 1) % most_trees_;
    slot_of_[index(owners_[slot])] = kNoSlot;
    owners_[slot] = to;
  }
  trees_[slot] = grow(to);
  slot_of_[index(to)] = static_cast<std::uint32_t>(slot);
  return trees_[slot];
}

std::uint32_t ShortestPaths::distance(const Tree& tree, VertexId from, VertexId to) const {
  std::uint32_t links = 0;
  for (; from != to; ++links) from = ends_[index(tree[index(from)])].to;
  return links;
}

void ShortestPaths::nearer(VertexId at, VertexId to, LinkSet& out) {
  const Tree& paths = tree(to);
  const std::uint32_t here = distance(paths, at, to);
  for (const LinkId link : leaving(at)) {
    if (distance(paths, ends_[index(link)].to, to) < here) out.add(link);
  }
}

}  // namespace heddle::platform
