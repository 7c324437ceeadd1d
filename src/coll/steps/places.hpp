// Where the ranks of a communicator are, as algorithms want to know it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace heddle::coll {

/// The ranks of a communicator divided into groups: those on one node, or under one switch. Groups
/// are numbered by their lowest ranks; the lowest rank of a group is its leader.
class Grouping {
 public:
  /// `keys[r]` is the same number for all ranks of a group.
  explicit Grouping(std::span<const std::uint64_t> keys);

  int groups() const { return static_cast<int>(leaders_.size()); }
  int group_of(int rank) const { return group_[at(rank)]; }
  /// The ranks of a group, ascending.
  std::span<const int> members(int group) const {
    return std::span(members_).subspan(at(first_[at(group)]),
                                       at(first_[at(group) + 1] - first_[at(group)]));
  }
  /// Its number among the members of its group.
  int position(int rank) const { return position_[at(rank)]; }
  bool leads(int rank) const { return position(rank) == 0; }
  /// The leader of each group: ascending.
  std::span<const int> leaders() const { return leaders_; }
  /// Whether the members of each group are consecutive ranks.
  bool in_order() const { return in_order_; }
  /// The size of the groups if they are equally large, else 0.
  int even_size() const { return even_size_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::vector<int> group_;
  std::vector<int> position_;
  std::vector<int> first_;  ///< Of each group, among the members; one more at the end.
  std::vector<int> members_;
  std::vector<int> leaders_;
  bool in_order_ = true;
  int even_size_ = 0;
};

/// Nodes and switches of a communicator; found out when first asked for.
class Places {
 public:
  /// The number of the node or switch of a rank of the communicator.
  using KeyOf = std::function<std::uint64_t(int rank)>;
  Places(int size, KeyOf node_of, KeyOf switch_of)
      : size_(size), node_of_(std::move(node_of)), switch_of_(std::move(switch_of)) {}

  const Grouping& nodes() const { return made(nodes_, node_of_); }
  const Grouping& switches() const { return made(switches_, switch_of_); }

 private:
  const Grouping& made(std::unique_ptr<Grouping>& grouping, const KeyOf& key_of) const;

  int size_;
  KeyOf node_of_;
  KeyOf switch_of_;
  mutable std::unique_ptr<Grouping> nodes_;
  mutable std::unique_ptr<Grouping> switches_;
};

}  // namespace heddle::coll
