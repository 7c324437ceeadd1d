#include "platform/topology/tree_levels.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

void check_shape(const FatTreeShape& shape) {
  check_list("down", shape.down, 1);
  check_list("up", shape.up, 1);
  check_list("parallel", shape.parallel, 1);
  if (shape.up.size() == shape.down.size() && shape.parallel.size() == shape.down.size()) return;
  throw ParamError({"down", "up", "parallel"},
                   "down has " + std::to_string(shape.down.size()) + " levels, up " +
                       std::to_string(shape.up.size()) + " and parallel " +
                       std::to_string(shape.parallel.size()) +
                       "; accepted are lists of equal length");
}

/// Throws unless every level's vertices and cables can be numbered.
void check_counts(const FatTreeShape& shape) {
  std::uint64_t vertices = capped_product(shape.down);
  const std::uint64_t nodes = vertices;
  std::uint64_t switches = 0;
  std::uint64_t cables = 0;
  for (std::size_t l = 0; l < shape.down.size(); ++l) {
    cables += capped_product(vertices, capped_product({shape.up[l], shape.parallel[l]}));
    vertices = capped_product(vertices / static_cast<std::uint64_t>(shape.down[l]),
                              static_cast<std::uint64_t>(shape.up[l]));
    switches += vertices;
    check_size(nodes, switches, cables);
  }
}

/// Two nodes whose lowest common subtree is of level l are 2 l links apart.
HopCounts hops_of(const TreeLevels& tree) {
  HopCounts counts;
  std::uint64_t nearer =
      tree.nodes();  // Ordered pairs within subtrees of the level below, also (n, n).
  for (std::size_t l = 1; l <= tree.top(); ++l) {
    const std::uint64_t size = tree[l].downs;
    const std::uint64_t rest = tree.nodes() % size;
    const std::uint64_t within = tree.nodes() / size * size * size + rest * rest;
    counts.sum += static_cast<unsigned __int128>(within - nearer) * (2 * l);
    if (within > nearer) counts.most = static_cast<std::uint32_t>(2 * l);
    nearer = within;
  }
  counts.pairs = nearer - tree.nodes();
  return counts;
}

std::uint32_t radix_of(const TreeLevels& tree) {
  std::uint32_t radix = 0;
  for (std::size_t l = 1; l <= tree.top(); ++l) {
    const std::uint32_t children = l == 1 ? std::min(tree[l].down, tree.nodes()) : tree[l].down;
    const std::uint32_t upwards = l < tree.top() ? tree[l + 1].ports() : 0;
    radix = std::max(radix, children * tree[l].parallel + upwards);
  }
  return radix;
}

/// A path that crosses between levels l-1 and l may change the digit a_l, and nothing else may. Two
/// switches of levels i <= j differ in most digits if they differ in the highest that can, above j,
/// and in the lowest that can, up to i: the path goes down past the one, up past the other, and to
/// its end.
std::uint32_t switch_diameter_of(const TreeLevels& tree) {
  const std::size_t top = tree.top();
  std::size_t highest = top;
  while (highest > 0 && tree[highest].down == 1) --highest;
  std::size_t lowest = 1;
  while (lowest <= top && tree[lowest].up == 1) ++lowest;
  std::size_t most = 0;
  for (std::size_t i = 1; i <= top; ++i) {
    for (std::size_t j = i; j <= top; ++j) {
      const std::size_t low = std::min(i, lowest - 1);
      const std::size_t high = std::max(j, highest);
      most = std::max(most, (i - low) + (high - low) + (high - j));
    }
  }
  return static_cast<std::uint32_t>(most);
}

}  // namespace

FatTreeShape FatTreeShape::k_ary_n_tree(std::int64_t arity, std::int64_t levels) {
  const auto n = static_cast<std::size_t>(levels);
  FatTreeShape shape{std::vector(n, arity), std::vector(n, arity), std::vector<std::int64_t>(n, 1)};
  shape.up[0] = 1;
  return shape;
}

TreeLevels::TreeLevels(const FatTreeShape& shape) {
  check_shape(shape);
  check_counts(shape);
  levels_.push_back(
      {0, static_cast<std::uint32_t>(capped_product(shape.down)), 0, 1, 1, 1, 1, 1, 1});
  for (std::size_t l = 0; l < shape.down.size(); ++l) add_level(shape, l);
  if (shape.nodes) keep_nodes(*shape.nodes);
}

std::uint32_t TreeLevels::switches() const {
  std::uint32_t count = 0;
  for (std::size_t l = 1; l < levels_.size(); ++l) count += levels_[l].vertices;
  return count;
}

/// Takes the last nodes and their cables out; what is numbered behind them moves up.
void TreeLevels::keep_nodes(std::int64_t wanted) {
  if (wanted < 1 || wanted > nodes()) {
    throw ParamError({"nodes"}, std::to_string(wanted) + " nodes in a tree for " +
                                    std::to_string(nodes()) +
                                    "; accepted are as many as it has places");
  }
  const std::uint32_t missing = nodes() - static_cast<std::uint32_t>(wanted);
  const std::uint32_t missing_cables = missing * levels_[1].ports();
  cables_ -= missing_cables;
  levels_[0].vertices -= missing;
  for (std::size_t l = 1; l < levels_.size(); ++l) levels_[l].first_vertex -= missing;
  for (std::size_t l = 2; l < levels_.size(); ++l) levels_[l].first_cable -= missing_cables;
}

void TreeLevels::add_level(const FatTreeShape& shape, std::size_t l) {
  const Level& below = levels_.back();
  Level level{};
  level.down = static_cast<std::uint32_t>(shape.down[l]);
  level.up = static_cast<std::uint32_t>(shape.up[l]);
  level.parallel = static_cast<std::uint32_t>(shape.parallel[l]);
  level.first_vertex = below.first_vertex + below.vertices;
  level.vertices = below.vertices / level.down * level.up;
  level.first_cable = cables_;
  level.ups_below = below.ups;
  level.ups = below.ups * level.up;
  level.downs = below.downs * level.down;
  cables_ += below.vertices * level.ports();
  levels_.push_back(level);
}

TreeLevels::Spot TreeLevels::spot(VertexId v) const {
  const auto number = static_cast<std::uint32_t>(v);
  std::size_t level = 0;
  while (level + 1 < levels_.size() && levels_[level + 1].first_vertex <= number) ++level;
  return {level, number - levels_[level].first_vertex};
}

std::size_t TreeLevels::level_of_cable(std::uint32_t cable) const {
  std::size_t level = 1;
  while (level + 1 < levels_.size() && levels_[level + 1].first_cable <= cable) ++level;
  return level;
}

std::uint32_t TreeLevels::first_up(Spot at) const {
  const Level& above = levels_[at.level + 1];
  return 2 * (above.first_cable + at.number * above.ports());
}

std::uint32_t TreeLevels::first_down(Spot at, std::uint32_t node) const {
  const Level& level = levels_[at.level];
  const std::uint32_t own_digit = at.number / level.ups_below % level.up;
  return 2 * (level.first_cable + child_towards(at, node) * level.ports() + own_digit) + 1;
}

std::uint32_t TreeLevels::child_towards(Spot at, std::uint32_t node) const {
  const Level& level = levels_[at.level];
  const std::uint32_t low = at.number % level.ups_below;
  const std::uint32_t high = at.number / level.ups_below / level.up;
  const std::uint32_t digit = node / levels_[at.level - 1].downs % level.down;
  return low + level.ups_below * (digit + level.down * high);
}

LinkId TreeLevels::down_link(Spot at, std::uint32_t node) const {
  const Level& level = levels_[at.level];
  const std::uint32_t cable = level.parallel == 1 ? 0 : port(level, node) / level.up;
  return LinkId{first_down(at, node) + 2 * level.up * cable};
}

Distances tree_distances(const TreeLevels& tree) {
  return {radix_of(tree), switch_diameter_of(tree), hops_of(tree)};
}

}  // namespace heddle::platform
