// Which ranks are on which node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "host/rank/rank_id.hpp"

namespace heddle::host {

/// The ranks of each node, in the order in which they were added: the place of each there is its
/// local number.
class RanksByNode {
 public:
  explicit RanksByNode(std::uint32_t nodes) : begin_(nodes + 1) {}

  /// Further ranks on these nodes; they have the numbers after those that are there.
  void add(std::span<const NodeId> nodes) {
    std::vector<NodeId> of_ranks = nodes_of_ranks();
    of_ranks.insert(of_ranks.end(), nodes.begin(), nodes.end());
    std::fill(begin_.begin(), begin_.end(), 0);
    for (const NodeId node : of_ranks) ++begin_[index(node) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    ranks_.resize(of_ranks.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end());
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      ranks_[next[index(of_ranks[r])]++] = RankId{r};
    }
  }
  std::span<const RankId> on(NodeId node) const {
    const std::uint32_t begin = begin_[index(node)];
    return std::span(ranks_).subspan(begin, begin_[index(node) + 1] - begin);
  }

 private:
  std::vector<NodeId> nodes_of_ranks() const {
    std::vector<NodeId> nodes(ranks_.size());
    for (std::uint32_t n = 0; n + 1 < begin_.size(); ++n) {
      for (const RankId rank : on(NodeId{n})) nodes[index(rank)] = NodeId{n};
    }
    return nodes;
  }

  std::vector<std::uint32_t> begin_;  ///< Each node's first among the ranks, and the end.
  std::vector<RankId> ranks_;         ///< By node.
};

}  // namespace heddle::host
