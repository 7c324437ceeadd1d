#include "platform/simgrid/fat_tree_cluster.hpp"

#include <limits>
#include <utility>

namespace heddle::platform::simgrid {

std::uint64_t FatTreeCluster::host_count(const std::vector<FatTreeLevel>& levels) {
  std::uint64_t hosts = 1;
  for (const FatTreeLevel& level : levels) hosts = saturated_product(hosts, level.children);
  return hosts;
}

FatTreeCluster::FatTreeCluster(const ClusterParams& params, std::vector<FatTreeLevel> levels,
                               const Zone* parent, SourceLocation where, Model& model)
    : Cluster(params, parent, std::move(where)),
      levels_(std::move(levels)),
      first_host_(model.fat_tree_nodes) {
  number_levels(model);
  add_hosts(params, model);
  add_links(model);
  model.fat_tree_nodes += hosts();
}

/// Where the nodes and the cables of each level begin; throws InputError if there are too many.
void FatTreeCluster::number_levels(const Model& model) {
  std::uint64_t nodes = 0;
  std::uint64_t cables = 0;
  for (std::size_t level = 0; level <= levels_.size(); ++level) {
    first_node_.push_back(nodes);
    first_cable_.push_back(model.cables().size() + cables);
    const std::uint64_t here = nodes_on(level);
    std::uint64_t upward = 0;
    if (level < levels_.size()) upward = saturated_product(here, slots_above(level));
    check_size(upward, here, model);
    nodes += here;
    cables += upward;
    check_size(cables, nodes, model);
  }
}

std::uint64_t FatTreeCluster::slots_above(std::size_t level) const {
  return std::uint64_t{levels_[level].parents} * levels_[level].ports;
}

std::uint64_t FatTreeCluster::nodes_on(std::size_t level) const {
  std::uint64_t nodes = 1;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    nodes = saturated_product(nodes, l < level ? levels_[l].parents : levels_[l].children);
  }
  return nodes;
}

void FatTreeCluster::add_links(Model& model) {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const FatTreeLevel& l = levels_[level];
    const std::uint64_t nodes = nodes_on(level);
    for (std::uint64_t position = 0; position < nodes; ++position) {
      const Node node{level, position};
      for (std::uint64_t i = 0; i < slots_above(level); ++i) {
        const Node above = with_digit(node, level, i / l.ports, level + 1);
        add_cable("link_from_" + std::to_string(simgrid_id(node)) + "_" +
                      std::to_string(simgrid_id(above)) + "_" +
                      std::to_string(model.fat_tree_cables++),
                  model);
      }
    }
  }
  for (std::size_t level = 0; level <= levels_.size(); ++level) {
    const std::uint64_t nodes = nodes_on(level);
    for (std::uint64_t position = 0; position < nodes; ++position) {
      add_limiter(simgrid_id({level, position}), model);
    }
  }
}

/// Hosts count up from zero, switches down from twice the number of hosts.
std::int64_t FatTreeCluster::simgrid_id(const Node& node) const {
  if (node.level == 0) return static_cast<std::int64_t>(node.position);
  const auto switches_before =
      static_cast<std::int64_t>(first_node_[node.level] - hosts() + node.position);
  return 2 * static_cast<std::int64_t>(hosts()) - 1 - switches_before;
}

/// The label's digit for `level`: which child of its parent a node is, or, below the node's own
/// level, which of the parallel parents.
std::uint64_t FatTreeCluster::digit(const Node& node, std::size_t level) const {
  std::uint64_t rest = node.position;
  for (std::size_t l = 0; l < level; ++l) {
    rest /= l < node.level ? levels_[l].parents : levels_[l].children;
  }
  return rest % (level < node.level ? levels_[level].parents : levels_[level].children);
}

/// The node on `new_level` whose label is that of `node` but for the digit of `level`.
FatTreeCluster::Node FatTreeCluster::with_digit(const Node& node, std::size_t level,
                                                std::uint64_t digit, std::size_t new_level) const {
  Node result{new_level, 0};
  for (std::size_t l = levels_.size(); l-- > 0;) {
    result.position *= l < new_level ? levels_[l].parents : levels_[l].children;
    result.position += l == level ? digit : this->digit(node, l);
  }
  return result;
}

FatTreeCluster::Node FatTreeCluster::parent_of(const Node& node, std::uint64_t slot) const {
  return with_digit(node, node.level, slot % levels_[node.level].parents, node.level + 1);
}

FatTreeCluster::Node FatTreeCluster::child_of(const Node& node, std::uint64_t slot) const {
  const std::size_t below = node.level - 1;
  return with_digit(node, below, slot % levels_[below].children, below);
}

bool FatTreeCluster::reaches(const Node& node, const Node& host) const {
  if (node.level == 0) return false;
  for (std::size_t l = node.level; l < levels_.size(); ++l) {
    if (digit(node, l) != digit(host, l)) return false;
  }
  return true;
}

/// The cable from `node` to the parent in `slot`: slots go round the parents once per port.
std::uint64_t FatTreeCluster::cable_above(const Node& node, std::uint64_t slot) const {
  const FatTreeLevel& level = levels_[node.level];
  return first_cable_[node.level] + node.position * slots_above(node.level) +
         slot % level.parents * level.ports + slot / level.parents;
}

void FatTreeCluster::append_node_limiter(const Node& node, Links& links) const {
  append_limiter(first_node_[node.level] + node.position, links);
}

void FatTreeCluster::climb(Node& at, const Node& to, Links& links) const {
  std::uint64_t choice = first_host_ + to.position;
  while (!reaches(at, to)) {
    const std::uint64_t parents = levels_[at.level].parents;
    const std::uint64_t slot = choice % slots_above(at.level);
    append_node_limiter(at, links);
    links.push_back(up_link(cable_above(at, slot)));
    at = parent_of(at, slot);
    choice /= parents;
  }
}

void FatTreeCluster::descend(Node& at, const Node& from, const Node& to, Links& links) const {
  std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
  while (at.level > 0) {
    const std::uint64_t slot = slot_below(at, from, to, next);
    const FatTreeLevel& level = levels_[at.level - 1];
    const Node below = child_of(at, slot);
    const std::uint64_t port = slot / level.children;
    links.push_back(down_link(cable_above(below, digit(at, at.level - 1) + port * level.parents)));
    append_node_limiter(at, links);
    at = below;
    next = slot + 1;
  }
}

/// The slot of the switch `at` to go down by. SimGrid looks for it from `next` on, behind the slot
/// it took of the switch above, and only if there is none from the source's own parallel cable on;
/// we must load the same cables.
std::uint64_t FatTreeCluster::slot_below(const Node& at, const Node& from, const Node& to,
                                         std::uint64_t next) const {
  const FatTreeLevel& level = levels_[at.level - 1];
  const std::uint64_t slots = std::uint64_t{level.children} * level.ports;
  const std::uint64_t wanted = digit(to, at.level - 1);
  if (next < slots) {
    const std::uint64_t ahead = (wanted + level.children - next % level.children) % level.children;
    if (next + ahead < slots) return next + ahead;
  }
  return (first_host_ + from.position) % level.ports * level.children + wanted;
}

void FatTreeCluster::route(const Point& from, const Point& to, LocalRoute& route) const {
  const Node source{0, from.position};
  const Node target{0, to.position};
  Node at = source;
  climb(at, target, route.links);
  descend(at, source, target, route.links);
  append_node_limiter(target, route.links);
}

}  // namespace heddle::platform::simgrid
