#include "platform/topology/fat_tree.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "platform/distance_search.hpp"
#include "platform/topology/cut_bounds.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

bool is_k_ary_n_tree(const FatTreeShape& shape) {
  const FatTreeShape regular =
      FatTreeShape::k_ary_n_tree(shape.down[0], static_cast<std::int64_t>(shape.down.size()));
  return shape.down == regular.down && shape.up == regular.up && shape.parallel == regular.parallel;
}

}  // namespace

FatTree::FatTree(const FatTreeShape& shape) : tree_(shape) {
  nodes_ = tree_.nodes();
  switches_ = tree_.switches();
  cables_ = tree_.cables();
}

std::string FatTree::describe() const {
  FatTreeShape shape;
  for (std::size_t l = 1; l <= tree_.top(); ++l) {
    shape.down.push_back(tree_[l].down);
    shape.up.push_back(tree_[l].up);
    shape.parallel.push_back(tree_[l].parallel);
  }
  const auto text = [](const std::vector<std::int64_t>& list) {
    std::string s;
    for (const std::int64_t n : list) s += (s.empty() ? "" : ",") + std::to_string(n);
    return s;
  };
  std::string start = std::to_string(levels()) + "-level fat tree, ";
  if (!tree_.whole()) {
    start += std::to_string(nodes_) + " of " + std::to_string(tree_[levels()].downs) + " nodes, ";
  }
  if (is_k_ary_n_tree(shape)) return start + "arity " + std::to_string(shape.down[0]);
  return start + "down " + text(shape.down) + ", up " + text(shape.up) + ", parallel " +
         text(shape.parallel);
}

LinkEnds FatTree::ends(LinkId link) const {
  const std::uint32_t cable = static_cast<std::uint32_t>(link) / 2;
  const std::size_t l = tree_.level_of_cable(cable);
  const TreeLevels::Level& level = tree_[l];
  const std::uint32_t child = (cable - level.first_cable) / level.ports();
  const std::uint32_t digit = (cable - level.first_cable) % level.ports() % level.up;
  const VertexId below{tree_[l - 1].first_vertex + child};
  const VertexId above{level.first_vertex + TreeLevels::parent(level, child, digit)};
  return index(link) % 2 == 0 ? LinkEnds{below, above} : LinkEnds{above, below};
}

LinkId FatTree::output(const Hop& hop) const {
  const TreeLevels::Spot at = tree_.spot(hop.at);
  const auto node = static_cast<std::uint32_t>(hop.to);
  if (!tree_.is_below(at, node)) {
    return LinkId{tree_.first_up(at) + 2 * TreeLevels::port(tree_[at.level + 1], node)};
  }
  return tree_.down_link(at, node);
}

/// The same as output() hop by hop, but knows where it is.
void FatTree::find_route(VertexId from, VertexId to, LinkSet& links) const {
  links.clear();
  const auto node = static_cast<std::uint32_t>(to);
  TreeLevels::Spot at = tree_.spot(from);
  while (!tree_.is_below(at, node)) {
    const TreeLevels::Level& above = tree_[at.level + 1];
    const std::uint32_t port = TreeLevels::port(above, node);
    links.add(LinkId{tree_.first_up(at) + 2 * port});
    at = {at.level + 1, TreeLevels::parent(above, at.number, port % above.up)};
  }
  for (; at.level > 0; at = {at.level - 1, tree_.child_towards(at, node)}) {
    links.add(tree_.down_link(at, node));
  }
}

/// Every hop of an adaptive routing adds a link after another here, without a call for each.
[[gnu::flatten]] void FatTree::minimal_outputs(const Hop& hop, LinkSet& out) const {
  const TreeLevels::Spot at = tree_.spot(hop.at);
  const auto node = static_cast<std::uint32_t>(hop.to);
  if (!tree_.is_below(at, node)) {
    const std::uint32_t ports = tree_[at.level + 1].ports();
    for (std::uint32_t p = 0; p < ports; ++p) out.add(LinkId{tree_.first_up(at) + 2 * p});
    return;
  }
  const TreeLevels::Level& level = tree_[at.level];
  for (std::uint32_t cable = 0; cable < level.parallel; ++cable) {
    out.add(LinkId{tree_.first_down(at, node) + 2 * level.up * cable});
  }
}

std::string FatTree::name(VertexId v) const {
  const TreeLevels::Spot at = tree_.spot(v);
  if (at.level == 0) return Topology::name(v);
  return "L" + std::to_string(at.level) + "." + std::to_string(at.number);
}

std::uint32_t FatTree::twin(std::uint32_t cable) const {
  const TreeLevels::Level& level = tree_[tree_.level_of_cable(cable)];
  return (cable - level.first_cable) % level.ports() / level.up;
}

std::string FatTree::cable_group(std::uint32_t cable) const {
  const std::size_t level = tree_.level_of_cable(cable);
  return level == 1 ? "access" : "level " + std::to_string(level - 1);
}

std::vector<CableRun> FatTree::cable_runs() const {
  std::vector<CableRun> runs;
  for (std::size_t l = 1; l <= tree_.top(); ++l) {
    const std::uint32_t first = tree_[l].first_cable;
    runs.push_back({cable_group(first), first, static_cast<std::uint32_t>(tree_.cables_below(l))});
  }
  return runs;
}

std::optional<Distances> FatTree::distances() const {
  // Paths from switch to switch by way of a node may need one that is missing.
  if (!tree_.whole() && tree_[1].up > 1) return searched_distances(*this);
  return tree_distances(tree_);
}

std::optional<RunCut> FatTree::narrowest_cut(const std::vector<Bandwidth>& by_run) const {
  if (!tree_.whole()) return std::nullopt;
  std::vector<CutBound> bounds;
  for (std::size_t l = 1; l <= tree_.top(); ++l) {
    const bool even = nodes_ / tree_[l - 1].downs % 2 == 0;
    bounds.push_back({{l - 1, tree_.cables_below(l) / 2}, even});
  }
  return narrowest_reached(bounds, by_run);
}

/// Rows of levels, the nodes at the bottom, each row as wide as the row of nodes.
std::optional<Point> FatTree::position(VertexId v) const {
  const TreeLevels::Spot at = tree_.spot(v);
  const double width = std::max(nodes_, 8U);
  const double row = std::max(3.0, width / 6);
  return Point{(at.number + 0.5) * width / tree_[at.level].vertices,
               row * static_cast<double>(levels() - at.level)};
}

}  // namespace heddle::platform
