// Mistakes in a schedule that can be found without running it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/schedule.hpp"

namespace heddle::replay {

/// What is wrong, with rank, label and line of one operation it concerns.
struct Finding {
  std::uint32_t rank;
  std::uint32_t op;
  std::string text;
};

/// Cycles, sends and receives without a counterpart, peers that do not exist; in the order of
/// ranks, at most `limit` of them. Where a rank has receives open to any source or tag, it is only
/// checked that they are as many as the messages left for them.
std::vector<Finding> check(const Schedule& schedule, std::size_t limit = 100);

}  // namespace heddle::replay
