#include "platform/routing/up_down.hpp"

#include <algorithm>
#include <numeric>

namespace heddle::platform {
namespace {

constexpr std::uint16_t kNoWay = UINT16_MAX;
/// More vertices times links than this are not looked at for the best root.
constexpr std::uint64_t kMostSearched = 50'000'000;

}  // namespace

UpDownGraph::UpDownGraph(const Topology& topology, VertexId root, std::size_t budget)
    : topology_(topology) {
  number_vertices();
  index_links();
  order_from(root == kNoVertex ? centre() : inner_of_[index(root)]);
  root_ = vertex_of_[by_rank_[0]];
  tables_.resize(vertex_of_.size());
  most_tables_ = std::max<std::size_t>(1, budget / (sizeof(Left) * vertex_of_.size()));
}

/// Leaves are nodes with one cable, which leads to a switch.
void UpDownGraph::number_vertices() {
  own_link_.assign(topology_.vertices(), kNoLink);
  std::vector<std::uint32_t> cables(topology_.vertices());
  for (std::uint32_t l = 0; l < topology_.links(); ++l) {
    const LinkEnds ends = topology_.ends(LinkId{l});
    ++cables[index(ends.from)];
    if (!topology_.is_switch(ends.from) && topology_.is_switch(ends.to)) {
      own_link_[index(ends.from)] = LinkId{l};
    }
  }
  inner_of_.resize(topology_.vertices());
  for (std::uint32_t v = 0; v < topology_.vertices(); ++v) {
    if (cables[v] != 1) own_link_[v] = kNoLink;
    if (own_link_[v] != kNoLink) continue;
    inner_of_[v] = static_cast<Inner>(vertex_of_.size());
    vertex_of_.push_back(VertexId{v});
  }
  for (std::uint32_t v = 0; v < topology_.vertices(); ++v) {
    if (own_link_[v] == kNoLink) continue;
    inner_of_[v] = inner_of_[index(topology_.ends(own_link_[v]).to)];
  }
}

void UpDownGraph::index_links() {
  first_step_.assign(vertex_of_.size() + 1, 0);
  const auto for_steps = [this](auto use) {
    for (std::uint32_t l = 0; l < topology_.links(); ++l) {
      const LinkEnds ends = topology_.ends(LinkId{l});
      if (is_leaf(ends.from) || is_leaf(ends.to)) continue;
      use(inner_of_[index(ends.from)], Step{LinkId{l}, inner_of_[index(ends.to)]});
    }
  };
  for_steps([this](Inner from, const Step&) { ++first_step_[from + 1]; });
  std::partial_sum(first_step_.begin(), first_step_.end(), first_step_.begin());
  steps_.resize(first_step_.back());
  std::vector<std::uint32_t> at(first_step_.begin(), first_step_.end() - 1);
  for_steps([&](Inner from, const Step& step) { steps_[at[from]++] = step; });
}

/// Links to each inner vertex on the shortest way.
std::vector<std::uint32_t> UpDownGraph::levels_from(Inner start) const {
  std::vector<std::uint32_t> level(vertex_of_.size(), UINT32_MAX);
  std::vector<Inner> queue = {start};
  level[start] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::uint32_t s = first_step_[queue[i]]; s < first_step_[queue[i] + 1]; ++s) {
      const Inner to = steps_[s].to;
      if (level[to] != UINT32_MAX) continue;
      level[to] = level[queue[i]] + 1;
      queue.push_back(to);
    }
  }
  return level;
}

/// What a search from one vertex found.
UpDownGraph::Reach UpDownGraph::reach_of(Inner start) const {
  Reach reach{0, 0, start};
  const std::vector<std::uint32_t> level = levels_from(start);
  for (Inner v = 0; v < level.size(); ++v) {
    if (level[v] == UINT32_MAX) continue;
    ++reach.vertices;
    if (level[v] <= reach.most) continue;
    reach.most = level[v];
    reach.farthest = v;
  }
  return reach;
}

UpDownGraph::Inner UpDownGraph::centre() const {
  if (std::uint64_t{vertex_of_.size()} * steps_.size() > kMostSearched) return about_centre();
  Inner best = 0;
  Reach best_reach;
  for (Inner v = 0; v < vertex_of_.size(); ++v) {
    if (!topology_.is_switch(vertex_of_[v])) continue;
    const Reach reach = reach_of(v);
    const bool more = reach.vertices > best_reach.vertices;
    if (!more && (reach.vertices < best_reach.vertices || reach.most >= best_reach.most)) continue;
    best = v;
    best_reach = reach;
  }
  return best;
}

/// Half-way between two that are far apart, from the last vertex on, which is a switch.
UpDownGraph::Inner UpDownGraph::about_centre() const {
  const auto last = static_cast<Inner>(vertex_of_.size() - 1);
  const Inner one = reach_of(last).farthest;
  const std::vector<std::uint32_t> from_one = levels_from(one);
  const std::vector<std::uint32_t> from_other = levels_from(reach_of(one).farthest);
  Inner best = last;
  const auto worse = [&](Inner v) { return std::max(from_one[v], from_other[v]); };
  for (Inner v = 0; v < vertex_of_.size(); ++v) {
    const bool better = worse(v) < worse(best);
    if (better && topology_.is_switch(vertex_of_[v])) best = v;
  }
  return best;
}

void UpDownGraph::order_from(Inner root) {
  const std::vector<std::uint32_t> level = levels_from(root);
  by_rank_.resize(vertex_of_.size());
  std::iota(by_rank_.begin(), by_rank_.end(), 0U);
  std::stable_sort(by_rank_.begin(), by_rank_.end(),
                   [&](Inner a, Inner b) { return level[a] < level[b]; });
  rank_.resize(by_rank_.size());
  for (std::uint32_t r = 0; r < by_rank_.size(); ++r) rank_[by_rank_[r]] = r;
}

bool UpDownGraph::is_up(LinkId link) const {
  const LinkEnds ends = topology_.ends(link);
  if (is_leaf(ends.from)) return true;
  return !is_leaf(ends.to) && goes_up(inner_of_[index(ends.from)], inner_of_[index(ends.to)]);
}

/// Down links lead to higher ranks and up links to lower ones, so one pass each is enough.
void UpDownGraph::fill(Table& table, Inner to) const {
  table.assign(vertex_of_.size(), {kNoWay, kNoWay});
  table[to] = {0, 0};
  const auto shorten = [](std::uint16_t& left, std::uint16_t behind) {
    if (behind != kNoWay) left = std::min<std::uint16_t>(left, behind + 1);
  };
  for (std::uint32_t r = rank_[to]; r-- > 0;) {
    const Inner v = by_rank_[r];
    for (std::uint32_t s = first_step_[v]; s < first_step_[v + 1]; ++s) {
      if (!goes_up(v, steps_[s].to)) shorten(table[v].down, table[steps_[s].to].down);
    }
  }
  for (const Inner v : by_rank_) {
    table[v].up = table[v].down;
    for (std::uint32_t s = first_step_[v]; s < first_step_[v + 1]; ++s) {
      if (goes_up(v, steps_[s].to)) shorten(table[v].up, table[steps_[s].to].up);
    }
  }
}

const UpDownGraph::Table& UpDownGraph::table(Inner to) {
  if (tables_[to] != nullptr) return *tables_[to];
  if (made_.size() < most_tables_) {
    tables_[to] = std::make_unique<Table>();
    made_.push_back(to);
  } else {
    tables_[to] = std::move(tables_[made_[oldest_]]);
    made_[oldest_] = to;
    oldest_ = (oldest_ + 1) % made_.size();
  }
  fill(*tables_[to], to);
  return *tables_[to];
}

void UpDownGraph::outputs(VertexId at, VertexId to, bool descended, std::vector<LinkId>& out) {
  if (is_leaf(at)) return out.push_back(own_link_[index(at)]);
  const Inner here = inner_of_[index(at)];
  const Inner there = inner_of_[index(to)];
  if (here == there) return out.push_back(reverse(own_link_[index(to)]));
  const Table& left = table(there);
  const std::uint16_t links = descended ? left[here].down : left[here].up;
  for (std::uint32_t s = first_step_[here]; s < first_step_[here + 1]; ++s) {
    const Step& step = steps_[s];
    const bool up = goes_up(here, step.to);
    if (up && descended) continue;
    const std::uint16_t behind = up ? left[step.to].up : left[step.to].down;
    if (behind != kNoWay && behind + 1 == links) out.push_back(step.link);
  }
}

std::uint32_t UpDownGraph::longest() const {
  return 2 * reach_of(by_rank_[0]).most + 2;
}

}  // namespace heddle::platform
