// Which nodes jobs get.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "platform/platform.hpp"

namespace heddle::run {

enum class JobPlacement : std::uint8_t {
  contiguous,  ///< Nodes with consecutive numbers; where there are not enough, the lowest.
  random,
  by_switch,  ///< As few switches as can be had.
  by_group,   ///< As few groups, and in each as few switches.
};

/// By the names that users have for them.
const std::vector<std::pair<std::string_view, JobPlacement>>& job_placements();

/// The nodes of a machine that no job has.
class FreeNodes {
 public:
  /// Random choices follow from the seed.
  FreeNodes(const platform::Platform& platform, std::uint64_t seed);

  /// Whether nodes are in groups.
  bool has_groups() const { return has_groups_; }
  std::uint32_t count() const { return count_; }
  /// Takes so many of them, no more than there are, in ascending order.
  std::vector<NodeId> take(std::uint32_t nodes, JobPlacement placement);
  void give_back(const std::vector<NodeId>& nodes);

 private:
  std::vector<std::uint32_t> contiguous(std::uint32_t nodes) const;
  std::vector<std::uint32_t> random(std::uint32_t nodes);
  std::vector<std::uint32_t> by(const std::vector<std::uint32_t>& place_of,
                                std::uint32_t nodes) const;
  std::vector<std::uint32_t> all_free() const;

  std::vector<bool> free_;
  std::uint32_t count_;
  std::vector<std::uint32_t> switch_of_;  ///< By node.
  std::vector<std::uint32_t> group_of_;   ///< By node.
  bool has_groups_ = false;
  RandomStream random_;
};

}  // namespace heddle::run
