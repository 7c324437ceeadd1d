// <cluster topology="FAT_TREE">: a parallel-ports generalised fat tree with D-mod-K routing.
#pragma once

#include <vector>

#include "platform/simgrid/cluster.hpp"
#include "platform/simgrid/divisor.hpp"

namespace heddle::platform::simgrid {

/// One level of a fat tree, between the nodes of level l and their parents on level l+1.
struct FatTreeLevel {
  std::uint32_t children;  ///< Nodes below one parent.
  std::uint32_t parents;   ///< Parents of one node.
  std::uint32_t ports;     ///< Cables between a node and one of its parents.
};

/// Up to the lowest level whose switches reach the target, choosing parents by the target's number,
/// then down, choosing among parallel cables by the source's number. Nodes of a level are numbered
/// by their labels, one digit per level, the lowest first; a node and its parents differ in one.
class FatTreeCluster final : public Cluster {
 public:
  FatTreeCluster(const ClusterParams& params, std::vector<FatTreeLevel> levels, const Zone* parent,
                 SourceLocation where, Model& model);

  void route(const Point& from, const Point& to, LocalRoute& route) const override;

  /// The hosts that these levels connect.
  static std::uint64_t host_count(const std::vector<FatTreeLevel>& levels);

 private:
  /// A host (level 0) or a switch. The digits of its label are split where its level is.
  struct Node {
    std::size_t level;
    std::uint64_t twin;     ///< Those below: which of the switches that stand above the same hosts.
    std::uint64_t subtree;  ///< The others: which hosts these are.
  };

  /// One of a switch's cables downwards.
  struct Slot {
    std::uint64_t number;
    std::uint64_t child;
    std::uint64_t port;  ///< Of those that lead to the child.
  };
  /// What the numbers of a level's nodes, cables and hosts are divided by.
  struct Divisors {
    Divisor children;
    Divisor parents;
    Divisor ports;
    Divisor slots_above;
    Divisor twins;
    Divisor hosts_below;
  };

  void number_levels(const Model& model);
  void note_divisors();
  std::uint64_t nodes_on(std::size_t level) const;
  /// The cables from one node of `level` upwards.
  std::uint64_t slots_above(std::size_t level) const;
  /// Its number on its level.
  std::uint64_t position(const Node& node) const {
    return node.subtree * twins_[node.level] + node.twin;
  }
  Node node_at(std::size_t level, std::uint64_t position) const;
  Node parent_of(const Node& node, std::uint64_t parent) const;
  Node child_of(const Node& node, std::uint64_t child) const;
  bool reaches(const Node& node, std::uint64_t host) const;
  /// The cable from a node to one of its parents, of those between the two that of number `port`.
  std::uint64_t cable_above(const Node& node, std::uint64_t parent, std::uint64_t port) const;
  void append_node_limiter(const Node& node, Links& links) const;
  void climb(Node& at, std::uint64_t to, Links& links) const;
  void descend(Node& at, std::uint64_t from, std::uint64_t to, Links& links) const;
  Slot slot_below(const Node& at, std::uint64_t from, std::uint64_t to, std::uint64_t next) const;
  void add_links(Model& model);
  std::int64_t simgrid_id(const Node& node) const;

  std::vector<FatTreeLevel> levels_;
  std::vector<std::uint64_t> first_node_;   ///< By level: the nodes on all levels below it.
  std::vector<std::uint64_t> first_cable_;  ///< By level: the first cable from it upwards.
  std::vector<std::uint64_t> twins_;        ///< By level: its nodes above the same hosts.
  std::vector<std::uint64_t> hosts_below_;  ///< By level: the hosts below one node.
  std::vector<Divisors> by_;                ///< By level.
  std::uint64_t first_host_;                ///< SimGrid's number of the first host.
};

}  // namespace heddle::platform::simgrid
