#include "platform/failures/live_distances.hpp"

#include <algorithm>

namespace heddle::platform {

LiveDistances::LiveDistances(const FabricGraph& fabric, std::vector<std::uint32_t> levels,
                             std::size_t budget)
    : fabric_(fabric),
      levels_(std::move(levels)),
      offsets_(fabric.vertices() + 1),
      leaving_(fabric.links()),
      most_fields_(std::max<std::size_t>(1, budget / sizeof(std::uint32_t) / fabric.vertices())),
      fields_(fabric.vertices()) {
  std::vector<VertexId> from(fabric.links());
  for (std::uint32_t link = 0; link < fabric.links(); ++link) {
    from[link] = fabric.ends(LinkId{link}).from;
    ++offsets_[index(from[link]) + 1];
  }
  for (std::size_t v = 1; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
  std::vector<std::uint32_t> at(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t link = 0; link < fabric.links(); ++link) {
    leaving_[at[index(from[link])]++] = LinkId{link};
  }
}

VertexId LiveDistances::home(VertexId v) const {
  VertexId only = kNoVertex;
  for (const LinkId link : leaving(v)) {
    const VertexId neighbour = fabric_.ends(link).to;
    if (only != kNoVertex && only != neighbour) return v;
    only = neighbour;
  }
  // Two vertices that have only each other are both at home.
  return only != kNoVertex && fabric_.is_switch(only) && !fabric_.is_switch(v) ? only : v;
}

const LiveDistances::Field& LiveDistances::field(VertexId to) {
  std::unique_ptr<Field>& known = fields_[index(to)];
  if (known) return *known;
  if (known_.size() < most_fields_) {
    known_.push_back(to);
  } else {
    fields_[index(known_[oldest_])].reset();
    known_[oldest_] = to;
    oldest_ = (oldest_ + 1) % known_.size();
  }
  known = std::make_unique<Field>(is_tree() ? search_tree(to) : search(to));
  return *known;
}

LiveDistances::Field LiveDistances::search(VertexId to) const {
  Field field(fabric_.vertices(), kOutOfReach);
  std::vector<VertexId> order = {to};
  field[index(to)] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const LinkId link : leaving(order[i])) {
      const VertexId next = fabric_.ends(link).to;
      if (field[index(next)] != kOutOfReach) continue;
      field[index(next)] = field[index(order[i])] + 1;
      order.push_back(next);
    }
  }
  return field;
}

/// First all that lie above the destination, then, from the top down, those that must climb first.
LiveDistances::Field LiveDistances::search_tree(VertexId to) const {
  Field field(fabric_.vertices(), kOutOfReach);
  field[index(to)] = 0;
  std::vector<VertexId> order = {to};
  const auto each_parent = [this](VertexId v, auto use) {
    for (const LinkId link : leaving(v)) {
      if (index(link) % 2 == 0) use(fabric_.ends(link).to);
    }
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    each_parent(order[i], [&](VertexId parent) {
      if (field[index(parent)] != kOutOfReach) return;
      field[index(parent)] = field[index(order[i])] + 1;
      order.push_back(parent);
    });
  }
  for (std::uint32_t v = fabric_.vertices(); v-- > 0;) {
    if (field[v] != kOutOfReach) continue;
    std::uint32_t least = kOutOfReach;
    each_parent(VertexId{v}, [&](VertexId p) { least = std::min(least, field[index(p)]); });
    if (least != kOutOfReach) field[v] = least + 1;
  }
  return field;
}

std::uint32_t LiveDistances::links(VertexId at, VertexId to) {
  if (at == to) return 0;
  const VertexId near = home(to);
  const std::uint32_t links = field(near)[index(at)];
  return links == kOutOfReach || near == to ? links : links + 1;
}

bool LiveDistances::is_above(const Field& field, VertexId at, VertexId home) const {
  return levels_[index(at)] >= levels_[index(home)] &&
         field[index(at)] == levels_[index(at)] - levels_[index(home)];
}

bool LiveDistances::leads(VertexId at, LinkId link, VertexId to) {
  const VertexId next = fabric_.ends(link).to;
  if (next == to) return true;
  const VertexId near = home(to);
  if (at == near) return false;
  const Field& far = field(near);
  if (far[index(at)] == kOutOfReach || far[index(next)] + 1 != far[index(at)]) return false;
  return !is_tree() || is_above(far, at, near) == (index(link) % 2 == 1);
}

}  // namespace heddle::platform
