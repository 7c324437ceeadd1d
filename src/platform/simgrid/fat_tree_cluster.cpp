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
  note_divisors();
  add_hosts(params, model);
  add_links(model);
  model.fat_tree_nodes += hosts();
}

/// Where the nodes and the cables of each level begin; throws InputError if there are too many.
void FatTreeCluster::number_levels(const Model& model) {
  std::uint64_t nodes = 0;
  std::uint64_t cables = 0;
  twins_ = hosts_below_ = {1};
  for (const FatTreeLevel& level : levels_) {
    twins_.push_back(saturated_product(twins_.back(), level.parents));
    hosts_below_.push_back(saturated_product(hosts_below_.back(), level.children));
  }
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

void FatTreeCluster::note_divisors() {
  for (std::size_t level = 0; level <= levels_.size(); ++level) {
    const FatTreeLevel here = level < levels_.size() ? levels_[level] : FatTreeLevel{1, 1, 1};
    by_.push_back({Divisor(here.children), Divisor(here.parents), Divisor(here.ports),
                   Divisor(std::uint64_t{here.parents} * here.ports), Divisor(twins_[level]),
                   Divisor(hosts_below_[level])});
  }
}

std::uint64_t FatTreeCluster::slots_above(std::size_t level) const {
  return std::uint64_t{levels_[level].parents} * levels_[level].ports;
}

std::uint64_t FatTreeCluster::nodes_on(std::size_t level) const {
  std::uint64_t nodes = twins_[level];
  for (std::size_t l = level; l < levels_.size(); ++l) {
    nodes = saturated_product(nodes, levels_[l].children);
  }
  return nodes;
}

void FatTreeCluster::add_links(Model& model) {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const FatTreeLevel& l = levels_[level];
    const std::uint64_t nodes = nodes_on(level);
    for (std::uint64_t position = 0; position < nodes; ++position) {
      const Node node = node_at(level, position);
      for (std::uint64_t i = 0; i < slots_above(level); ++i) {
        const Node above = parent_of(node, i / l.ports);
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
      add_limiter(simgrid_id(node_at(level, position)), model);
    }
  }
}

/// Hosts count up from zero, switches down from twice the number of hosts.
std::int64_t FatTreeCluster::simgrid_id(const Node& node) const {
  if (node.level == 0) return static_cast<std::int64_t>(position(node));
  const auto switches_before =
      static_cast<std::int64_t>(first_node_[node.level] - hosts() + position(node));
  return 2 * static_cast<std::int64_t>(hosts()) - 1 - switches_before;
}

FatTreeCluster::Node FatTreeCluster::node_at(std::size_t level, std::uint64_t position) const {
  const auto [subtree, twin] = by_[level].twins.divide(position);
  return {level, twin, subtree};
}

// A node and its parents differ in the digit of the node's level: which child of its parent it is,
// and which of the parents.

FatTreeCluster::Node FatTreeCluster::parent_of(const Node& node, std::uint64_t parent) const {
  return {node.level + 1, node.twin + parent * twins_[node.level],
          by_[node.level].children.quotient(node.subtree)};
}

FatTreeCluster::Node FatTreeCluster::child_of(const Node& node, std::uint64_t child) const {
  const std::size_t below = node.level - 1;
  return {below, by_[below].twins.rest(node.twin), node.subtree * levels_[below].children + child};
}

bool FatTreeCluster::reaches(const Node& node, std::uint64_t host) const {
  return node.level > 0 && node.subtree == by_[node.level].hosts_below.quotient(host);
}

std::uint64_t FatTreeCluster::cable_above(const Node& node, std::uint64_t parent,
                                          std::uint64_t port) const {
  return first_cable_[node.level] + position(node) * slots_above(node.level) +
         parent * levels_[node.level].ports + port;
}

void FatTreeCluster::append_node_limiter(const Node& node, Links& links) const {
  append_limiter(first_node_[node.level] + position(node), links);
}

/// Slots go round the parents once per port.
void FatTreeCluster::climb(Node& at, std::uint64_t to, Links& links) const {
  std::uint64_t choice = first_host_ + to;
  while (!reaches(at, to)) {
    const Divisors& by = by_[at.level];
    const auto [port, parent] = by.parents.divide(by.slots_above.rest(choice));
    append_node_limiter(at, links);
    links.push_back(up_link(cable_above(at, parent, port)));
    at = parent_of(at, parent);
    choice = by.parents.quotient(choice);
  }
}

void FatTreeCluster::descend(Node& at, std::uint64_t from, std::uint64_t to, Links& links) const {
  std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
  while (at.level > 0) {
    const Slot slot = slot_below(at, from, to, next);
    const Node below = child_of(at, slot.child);
    const std::uint64_t parent = by_[below.level].twins.quotient(at.twin);
    links.push_back(down_link(cable_above(below, parent, slot.port)));
    append_node_limiter(at, links);
    at = below;
    next = slot.number + 1;
  }
}

/// The slot of the switch `at` to go down by. SimGrid looks for it from `next` on, behind the slot
/// it took of the switch above, and only if there is none from the source's own parallel cable on;
/// we must load the same cables. Where there is one cable to a child, both are that.
FatTreeCluster::Slot FatTreeCluster::slot_below(const Node& at, std::uint64_t from,
                                                std::uint64_t to, std::uint64_t next) const {
  const FatTreeLevel& level = levels_[at.level - 1];
  const Divisors& by = by_[at.level - 1];
  const std::uint64_t wanted = by.children.rest(by.hosts_below.quotient(to));
  if (level.ports == 1) return {wanted, wanted, 0};
  const std::uint64_t slots = std::uint64_t{level.children} * level.ports;
  if (next < slots) {
    const std::uint64_t place = by.children.rest(next);
    const std::uint64_t ahead = wanted >= place ? wanted - place : wanted + level.children - place;
    if (next + ahead < slots) return {next + ahead, wanted, by.children.quotient(next + ahead)};
  }
  const std::uint64_t port = by.ports.rest(first_host_ + from);
  return {port * level.children + wanted, wanted, port};
}

void FatTreeCluster::route(const Point& from, const Point& to, LocalRoute& route) const {
  Node at = node_at(0, from.position);
  climb(at, to.position, route.links);
  descend(at, from.position, to.position, route.links);
  append_node_limiter(at, route.links);
}

}  // namespace heddle::platform::simgrid
