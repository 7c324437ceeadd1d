// Trees of ranks, along which data is handed down or reduced upwards.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "coll/algorithms/blocks.hpp"
#include "coll/steps/steps.hpp"

namespace heddle::coll {

/// The place of one rank in a tree.
class Tree {
 public:
  static constexpr int kNone = -1;
  static constexpr int kMostChildren = 256;

  /// Null for the root.
  int parent = kNone;
  bool root() const { return parent == kNone; }
  /// In the order in which data is handed down.
  std::span<const int> children() const {
    return {children_.data(), static_cast<std::size_t>(count_)};
  }
  void add(int child) {
    assert(count_ < kMostChildren);
    children_[static_cast<std::size_t>(count_++)] = child;
  }

 private:
  std::array<int, kMostChildren> children_;
  int count_ = 0;
};

/// Rank and size of who asks, and the root.
struct TreePlace {
  TreePlace(int own_rank, int ranks, int root_rank)
      : rank(own_rank), size(ranks), root(root_rank) {}
  TreePlace(const Steps& steps, int root_rank) : TreePlace(steps.rank(), steps.size(), root_rank) {}
  int rank;
  int size;
  int root;
  /// The rank counted from the root, and back.
  int relative() const { return (rank - root + size) % size; }
  int absolute(int relative_rank) const { return (relative_rank + root) % size; }
};

/// Each rank's number without its lowest digit to the base `radix` is its parent's: the largest
/// subtrees come first. A binomial tree for 2.
Tree knomial_tree(const TreePlace& place, int radix);
inline Tree binomial_tree(const TreePlace& place) {
  return knomial_tree(place, 2);
}
/// Each rank's number without its highest bit is its parent's: those that have the data double in
/// every round, and the nearest child comes first.
Tree doubling_tree(const TreePlace& place);
/// Children 2r+1 and 2r+2.
Tree binary_tree(const TreePlace& place);
/// The root has `chains` children, every other rank at most one.
Tree chain_tree(const TreePlace& place, int chains);
/// A binary tree in which all ranks below the second child come right before their parent and those
/// below the first child before them; its root is the last rank.
Tree in_order_binary_tree(int rank, int size);
/// A binomial tree whose root is the last rank: the ranks below the children of a rank, from last
/// child to first, and then the rank itself are consecutive.
Tree in_order_binomial_tree(int rank, int size);

/// Most children that a radix may lead to fit; what is asked for, within bounds.
int usable_radix(int wanted, int otherwise);

/// A buffer cut into pieces of a number of bytes.
class Segments {
 public:
  /// `bytes` of 0: one piece.
  Segments(const Buffer& data, std::int64_t bytes);
  int count() const { return count_; }
  Buffer operator[](int i) const;

 private:
  Buffer data_;
  std::int64_t elements_;
  int count_;
};

/// Hands data down a tree, in pieces of `segment` bytes (0: whole).
void bcast_along(Steps& steps, const Tree& tree, const Buffer& data, std::int64_t segment);
/// Reduces up a tree, in pieces: a rank takes what its children have, from the last child to the
/// first, in front of its own. At the root `result` may be `data`; elsewhere it is not used.
void reduce_along(Steps& steps, const Tree& tree, const Buffer& data, const Buffer& result,
                  std::int64_t segment);

}  // namespace heddle::coll
