#include "platform/topology/fat_tree.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "platform/distance_search.hpp"
#include "platform/topology/cut_bounds.hpp"
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

bool is_k_ary_n_tree(const FatTreeShape& shape) {
  const FatTreeShape regular =
      FatTreeShape::k_ary_n_tree(shape.down[0], static_cast<std::int64_t>(shape.down.size()));
  return shape.down == regular.down && shape.up == regular.up && shape.parallel == regular.parallel;
}

}  // namespace

FatTreeShape FatTreeShape::k_ary_n_tree(std::int64_t arity, std::int64_t levels) {
  const auto n = static_cast<std::size_t>(levels);
  FatTreeShape shape{std::vector(n, arity), std::vector(n, arity), std::vector<std::int64_t>(n, 1)};
  shape.up[0] = 1;
  return shape;
}

FatTree::FatTree(const FatTreeShape& shape) {
  check_shape(shape);
  check_counts(shape);
  nodes_ = static_cast<std::uint32_t>(capped_product(shape.down));
  levels_.push_back({0, nodes_, 0, 1, 1, 1, 1, 1, 1});
  for (std::size_t l = 0; l < shape.down.size(); ++l) add_level(shape, l);
  if (shape.nodes) keep_nodes(*shape.nodes);
}

/// Takes the last nodes and their cables out; what is numbered behind them moves up.
void FatTree::keep_nodes(std::int64_t nodes) {
  if (nodes < 1 || nodes > nodes_) {
    throw ParamError({"nodes"}, std::to_string(nodes) + " nodes in a tree for " +
                                    std::to_string(nodes_) +
                                    "; accepted are as many as it has places");
  }
  const std::uint32_t missing = nodes_ - static_cast<std::uint32_t>(nodes);
  const std::uint32_t missing_cables = missing * levels_[1].ports();
  nodes_ -= missing;
  cables_ -= missing_cables;
  levels_[0].vertices = nodes_;
  for (std::size_t l = 1; l < levels_.size(); ++l) levels_[l].first_vertex -= missing;
  for (std::size_t l = 2; l < levels_.size(); ++l) levels_[l].first_cable -= missing_cables;
}

void FatTree::add_level(const FatTreeShape& shape, std::size_t l) {
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
  switches_ += level.vertices;
  cables_ += below.vertices * level.ports();
  levels_.push_back(level);
}

std::string FatTree::describe() const {
  FatTreeShape shape;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    shape.down.push_back(levels_[l].down);
    shape.up.push_back(levels_[l].up);
    shape.parallel.push_back(levels_[l].parallel);
  }
  const auto text = [](const std::vector<std::int64_t>& list) {
    std::string s;
    for (const std::int64_t n : list) s += (s.empty() ? "" : ",") + std::to_string(n);
    return s;
  };
  std::string start = std::to_string(levels()) + "-level fat tree, ";
  if (nodes_ < levels_.back().downs) {
    start += std::to_string(nodes_) + " of " + std::to_string(levels_.back().downs) + " nodes, ";
  }
  if (is_k_ary_n_tree(shape)) return start + "arity " + std::to_string(shape.down[0]);
  return start + "down " + text(shape.down) + ", up " + text(shape.up) + ", parallel " +
         text(shape.parallel);
}

FatTree::Spot FatTree::spot(VertexId v) const {
  const auto number = static_cast<std::uint32_t>(v);
  std::size_t level = 0;
  while (level + 1 < levels_.size() && levels_[level + 1].first_vertex <= number) ++level;
  return {level, number - levels_[level].first_vertex};
}

std::size_t FatTree::level_of_cable(std::uint32_t cable) const {
  std::size_t level = 1;
  while (level + 1 < levels_.size() && levels_[level + 1].first_cable <= cable) ++level;
  return level;
}

LinkEnds FatTree::ends(LinkId link) const {
  const std::uint32_t cable = static_cast<std::uint32_t>(link) / 2;
  const std::size_t l = level_of_cable(cable);
  const Level& level = levels_[l];
  const std::uint32_t child = (cable - level.first_cable) / level.ports();
  const std::uint32_t digit = (cable - level.first_cable) % level.ports() % level.up;
  const VertexId below{levels_[l - 1].first_vertex + child};
  const VertexId above{level.first_vertex + parent(level, child, digit)};
  return index(link) % 2 == 0 ? LinkEnds{below, above} : LinkEnds{above, below};
}

std::uint32_t FatTree::first_up(Spot at) const {
  const Level& above = levels_[at.level + 1];
  return 2 * (above.first_cable + at.number * above.ports());
}

std::uint32_t FatTree::first_down(Spot at, std::uint32_t node) const {
  const Level& level = levels_[at.level];
  const std::uint32_t own_digit = at.number / level.ups_below % level.up;
  return 2 * (level.first_cable + child_towards(at, node) * level.ports() + own_digit) + 1;
}

std::uint32_t FatTree::child_towards(Spot at, std::uint32_t node) const {
  const Level& level = levels_[at.level];
  const std::uint32_t low = at.number % level.ups_below;
  const std::uint32_t high = at.number / level.ups_below / level.up;
  const std::uint32_t digit = node / levels_[at.level - 1].downs % level.down;
  return low + level.ups_below * (digit + level.down * high);
}

LinkId FatTree::down_link(Spot at, std::uint32_t node) const {
  const Level& level = levels_[at.level];
  const std::uint32_t cable = level.parallel == 1 ? 0 : port(level, node) / level.up;
  return LinkId{first_down(at, node) + 2 * level.up * cable};
}

LinkId FatTree::output(const Hop& hop) const {
  const Spot at = spot(hop.at);
  const auto node = static_cast<std::uint32_t>(hop.to);
  if (!is_below(at, node)) return LinkId{first_up(at) + 2 * port(levels_[at.level + 1], node)};
  return down_link(at, node);
}

/// The same as output() hop by hop, but knows where it is.
void FatTree::find_route(VertexId from, VertexId to, LinkSet& links) const {
  links.clear();
  const auto node = static_cast<std::uint32_t>(to);
  Spot at = spot(from);
  while (!is_below(at, node)) {
    const Level& above = levels_[at.level + 1];
    const std::uint32_t port = FatTree::port(above, node);
    links.add(LinkId{first_up(at) + 2 * port});
    at = {at.level + 1, parent(above, at.number, port % above.up)};
  }
  for (; at.level > 0; at = {at.level - 1, child_towards(at, node)}) links.add(down_link(at, node));
}

void FatTree::minimal_outputs(const Hop& hop, LinkSet& out) const {
  const Spot at = spot(hop.at);
  const auto node = static_cast<std::uint32_t>(hop.to);
  if (!is_below(at, node)) {
    const std::uint32_t ports = levels_[at.level + 1].ports();
    for (std::uint32_t p = 0; p < ports; ++p) out.add(LinkId{first_up(at) + 2 * p});
    return;
  }
  const Level& level = levels_[at.level];
  for (std::uint32_t cable = 0; cable < level.parallel; ++cable) {
    out.add(LinkId{first_down(at, node) + 2 * level.up * cable});
  }
}

std::string FatTree::name(VertexId v) const {
  const Spot at = spot(v);
  if (at.level == 0) return Topology::name(v);
  return "L" + std::to_string(at.level) + "." + std::to_string(at.number);
}

std::uint32_t FatTree::twin(std::uint32_t cable) const {
  const Level& level = levels_[level_of_cable(cable)];
  return (cable - level.first_cable) % level.ports() / level.up;
}

std::string FatTree::cable_group(std::uint32_t cable) const {
  const std::size_t level = level_of_cable(cable);
  return level == 1 ? "access" : "level " + std::to_string(level - 1);
}

std::vector<CableRun> FatTree::cable_runs() const {
  std::vector<CableRun> runs;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const std::uint32_t first = levels_[l].first_cable;
    runs.push_back({cable_group(first), first, static_cast<std::uint32_t>(cables_below(l))});
  }
  return runs;
}

std::optional<Distances> FatTree::distances() const {
  const bool whole = nodes_ == levels_.back().downs;
  // Paths from switch to switch by way of a node may need one that is missing.
  if (!whole && levels_[1].up > 1) return searched_distances(*this);
  return Distances{radix(), switch_diameter(), hops()};
}

/// Two nodes whose lowest common subtree is of level l are 2 l links apart.
HopCounts FatTree::hops() const {
  HopCounts counts;
  std::uint64_t nearer = nodes_;  // Ordered pairs within subtrees of the level below, also (n, n).
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const std::uint64_t size = levels_[l].downs;
    const std::uint64_t rest = nodes_ % size;
    const std::uint64_t within = nodes_ / size * size * size + rest * rest;
    counts.sum += static_cast<unsigned __int128>(within - nearer) * (2 * l);
    if (within > nearer) counts.most = static_cast<std::uint32_t>(2 * l);
    nearer = within;
  }
  counts.pairs = nearer - nodes_;
  return counts;
}

std::uint32_t FatTree::radix() const {
  std::uint32_t radix = 0;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const std::uint32_t children = l == 1 ? std::min(levels_[l].down, nodes_) : levels_[l].down;
    const std::uint32_t upwards = l + 1 < levels_.size() ? levels_[l + 1].ports() : 0;
    radix = std::max(radix, children * levels_[l].parallel + upwards);
  }
  return radix;
}

/// A path that crosses between levels l-1 and l may change the digit a_l, and nothing else may. Two
/// switches of levels i <= j differ in most digits if they differ in the highest that can, above j,
/// and in the lowest that can, up to i: the path goes down past the one, up past the other, and to
/// its end.
std::uint32_t FatTree::switch_diameter() const {
  const std::size_t top = levels();
  std::size_t highest = top;
  while (highest > 0 && levels_[highest].down == 1) --highest;
  std::size_t lowest = 1;
  while (lowest <= top && levels_[lowest].up == 1) ++lowest;
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

std::optional<RunCut> FatTree::narrowest_cut(const std::vector<Bandwidth>& by_run) const {
  if (nodes_ < levels_.back().downs) return std::nullopt;
  std::vector<CutBound> bounds;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const bool even = nodes_ / levels_[l - 1].downs % 2 == 0;
    bounds.push_back({{l - 1, cables_below(l) / 2}, even});
  }
  return narrowest_reached(bounds, by_run);
}

/// Rows of levels, the nodes at the bottom, each row as wide as the row of nodes.
std::optional<Point> FatTree::position(VertexId v) const {
  const Spot at = spot(v);
  const double width = std::max(nodes_, 8U);
  const double row = std::max(3.0, width / 6);
  return Point{(at.number + 0.5) * width / levels_[at.level].vertices,
               row * static_cast<double>(levels() - at.level)};
}

}  // namespace heddle::platform
